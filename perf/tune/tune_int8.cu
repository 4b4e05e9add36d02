#include "candidates.h"

perf::tune::kind_to_tune perf::tune::int8_to_tune()
{
  return kind_of<sum_of<std::int8_t>>("int8", for_narrow_elements{});
}
