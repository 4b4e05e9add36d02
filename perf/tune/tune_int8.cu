#include "candidates.h"

perf::tune::element_to_tune perf::tune::int8_to_tune()
{
  return element_of<sum_of<std::int8_t>>("int8");
}
