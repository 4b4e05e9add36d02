#include "candidates.h"

perf::tune::kind_to_tune perf::tune::int16_to_tune()
{
  return kind_of<sum_of<std::int16_t>>("int16", for_narrow_elements{});
}
