// error: lightscan::DeviceScan: the number of items cannot lie in device memory here, because CUB's scan serves
#include "../support/copied_by_hand.h"

#include <lightscan/device_scan.h>

#include <cstddef>

using testing_support::copied_by_hand;

cudaError_t unsupported(void* storage, std::size_t& bytes, const int* keys, copied_by_hand* data, const int* count)
{
  return lightscan::DeviceScan::InclusiveSumByKey(storage, bytes, keys, data, data, count);
}
