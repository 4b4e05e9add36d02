// error: lightscan::DeviceSegmentedScan: the number of segments cannot lie in device memory here, because begin and end
// needs: cub/device/device_segmented_scan.cuh
#include <lightscan/device_segmented_scan.h>

cudaError_t unsupported(int* data, const int* offsets, const int* count)
{
  return lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(
    data, data, offsets, offsets + 1, lightscan::in_device_memory(count));
}
