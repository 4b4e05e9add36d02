// error: lightscan::DeviceScan: the number of items cannot lie in device memory here, because CUB's scan serves
#include "../support/copied_by_hand.h"

#include <lightscan/device_scan.h>

cudaError_t unsupported(testing_support::copied_by_hand* data, const int* count)
{
  return lightscan::DeviceScan::InclusiveSum(data, data, count);
}
