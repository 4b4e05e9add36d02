#include "sums.h"

std::vector<perf::scan_case> perf::int16_sums()
{
  return sums_of<std::int16_t>();
}
