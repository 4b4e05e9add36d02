#include "sums.h"

std::vector<perf::scan_case> perf::int32_sums()
{
  std::vector<scan_case> cases = sums_of<std::int32_t>();
  add_placed_sums<std::int32_t>(cases);
  return cases;
}
