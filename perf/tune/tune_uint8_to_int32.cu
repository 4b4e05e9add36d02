#include "candidates.h"

perf::tune::kind_to_tune perf::tune::uint8_to_int32_to_tune()
{
  return kind_of<sum_of<std::uint8_t, std::int32_t>>("uint8 to int32", for_widening{});
}
