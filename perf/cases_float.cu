#include "sums.h"

std::vector<perf::scan_case> perf::float_sums()
{
  return sums_of<float>();
}
