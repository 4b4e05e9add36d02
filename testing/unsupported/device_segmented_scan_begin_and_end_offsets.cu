// error: begin and end offsets are left to cub::DeviceSegmentedScan, which this CCCL does not have
// lacks: cub/device/device_segmented_scan.cuh
#include <lightscan/device_segmented_scan.h>

cudaError_t unsupported(int* data, const int* offsets)
{
  return lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(data, data, offsets, offsets + 1, 100);
}
