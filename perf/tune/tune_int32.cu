#include "candidates.h"

perf::tune::kind_to_tune perf::tune::int32_to_tune()
{
  return kind_of<sum_of<std::int32_t>>("int32", for_narrow_elements{});
}
