// error: lightscan::DeviceScan: the initial value cannot lie in device memory here, because CUB's scan serves
#include "../support/copied_by_hand.h"

#include <lightscan/device_scan.h>

#include <cuda/std/functional>

using testing_support::copied_by_hand;

cudaError_t unsupported(const int* keys, copied_by_hand* data, const copied_by_hand* init)
{
  return lightscan::DeviceScan::ExclusiveScanByKey(
    keys, data, data, cuda::std::plus<>{}, lightscan::in_device_memory(init), 100);
}
