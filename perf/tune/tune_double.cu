#include "candidates.h"

perf::tune::element_to_tune perf::tune::double_to_tune()
{
  return element_of<sum_of<double>>("double");
}
