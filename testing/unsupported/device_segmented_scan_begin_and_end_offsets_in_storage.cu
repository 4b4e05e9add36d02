// error: begin and end offsets are left to cub::DeviceSegmentedScan, which this CCCL does not have
// lacks: cub/device/device_segmented_scan.cuh
#include <lightscan/device_segmented_scan.h>

cudaError_t unsupported(void* storage, std::size_t& bytes, int* data, const int* offsets, cudaStream_t stream)
{
  return lightscan::DeviceSegmentedScan::ExclusiveSegmentedScan(
    storage, bytes, data, data, offsets, offsets + 1, 100, cuda::std::plus<>{}, 0, stream);
}
