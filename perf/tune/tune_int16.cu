#include "candidates.h"

perf::tune::element_to_tune perf::tune::int16_to_tune()
{
  return element_of<sum_of<std::int16_t>>("int16");
}
