// error: lightscan::DeviceSegmentedScan: the same bits in every run cannot be required here, because begin and end
// needs: cub/device/device_segmented_scan.cuh
#include <lightscan/device_segmented_scan.h>

#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>

cudaError_t unsupported(float* data, const int* offsets)
{
  return lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(
    data, data, offsets, offsets + 1, 100, cuda::execution::require(cuda::execution::determinism::run_to_run));
}
