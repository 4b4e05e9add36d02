#include "candidates.h"

perf::tune::kind_to_tune perf::tune::int64_to_int32_to_tune()
{
  return kind_of<sum_of<std::int64_t, std::int32_t>>("int64 to int32", for_narrowing{});
}
