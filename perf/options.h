// The performance program's arguments.
#pragma once

#include "element_type.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf
{
struct options
{
  std::vector<const element_type*> types;
  std::vector<op> ops;
  std::vector<std::int64_t> counts;
  int repetitions = 25;
  std::string out; // empty: standard output
  bool force = false;
  std::string commit;
  bool help = false;
};

struct bad_arguments : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

extern const char* const usage;

// Throws bad_arguments.
options parse_options(const std::vector<std::string>& arguments);
} // namespace perf
