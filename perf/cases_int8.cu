#include "sums.h"

std::vector<perf::scan_case> perf::int8_sums()
{
  std::vector<scan_case> cases = sums_of<std::int8_t>();
  add_placed_sums<std::int8_t>(cases);
  return cases;
}
