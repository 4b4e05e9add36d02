#include "candidates.h"

perf::tune::kind_to_tune perf::tune::double_to_tune()
{
  return kind_of<sum_of<double>>("double", for_narrow_elements{});
}
