#include "sums.h"

std::vector<perf::scan_case> perf::double_sums()
{
  return sums_of<double>();
}
