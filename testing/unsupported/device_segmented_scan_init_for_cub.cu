// error: lightscan::DeviceSegmentedScan: the initial value cannot lie in device memory here, because begin and end
// needs: cub/device/device_segmented_scan.cuh
#include <lightscan/device_segmented_scan.h>

cudaError_t unsupported(int* data, const int* offsets, const int* init)
{
  return lightscan::DeviceSegmentedScan::ExclusiveSegmentedScan(
    data, data, offsets, offsets + 1, 100, cuda::std::plus<>{}, lightscan::in_device_memory(init));
}
