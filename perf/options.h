// The performance programs' arguments.
#pragma once

#include "result_file.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf
{
// Of every program that writes a result file.
struct run_options
{
  std::string out; // empty: standard output
  start how = start::fresh;
  std::string commit;
  bool help = false;
};

// Of lightscan_perf. An empty list stands for all.
struct options : run_options
{
  std::vector<std::string> groups;
  std::vector<std::string> types;
  std::vector<std::string> ops;
  std::int64_t min_count = 0;
  std::int64_t max_count = INT64_MAX;
  int repetitions        = 25;
  bool list              = false;
};

// Of lightscan_sweep.
struct sweep_options : run_options
{
  std::vector<std::string> only; // texts of which a row's first five fields have one; empty: every row
  double max_seconds = 240;
  bool list          = false;
};

struct bad_arguments : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

extern const char* const usage;       // lightscan_perf's
extern const char* const sweep_usage; // the lines that say what lightscan_sweep has beside run_options
extern const char* const run_usage;   // the lines that say what run_options are

// What both take; false where the argument is none of these. Throws bad_arguments.
bool take_run_option(const std::string& argument, run_options& result);

// After the last argument: the commit from the environment where none was named.
void finish_run_options(run_options& result);

// Throw bad_arguments.
options parse_options(const std::vector<std::string>& arguments);
sweep_options parse_sweep_options(const std::vector<std::string>& arguments);
run_options parse_run_options(const std::vector<std::string>& arguments);
} // namespace perf
