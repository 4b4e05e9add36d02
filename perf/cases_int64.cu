#include "sums.h"

std::vector<perf::scan_case> perf::int64_sums()
{
  return sums_of<std::int64_t>();
}
