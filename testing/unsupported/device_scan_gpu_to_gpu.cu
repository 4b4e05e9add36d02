// error: lightscan: the same bits on every GPU can be required only for integers and an operator of CCCL's
// needs: cuda/__execution/determinism.h
#include <lightscan/device_scan.h>

#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>

cudaError_t unsupported(float* data)
{
  return lightscan::DeviceScan::InclusiveSum(
    data, data, 100, cuda::execution::require(cuda::execution::determinism::gpu_to_gpu));
}
