#include "candidates.h"

perf::tune::kind_to_tune perf::tune::int32_to_int64_to_tune()
{
  return kind_of<sum_of<std::int32_t, std::int64_t>>("int32 to int64", for_widening{});
}
