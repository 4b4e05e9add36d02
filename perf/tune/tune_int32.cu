#include "candidates.h"

perf::tune::element_to_tune perf::tune::int32_to_tune()
{
  return element_of<sum_of<std::int32_t>>("int32");
}
