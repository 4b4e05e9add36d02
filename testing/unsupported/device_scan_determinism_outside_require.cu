// error: lightscan: a determinism has no effect in an environment unless it stands in
// needs: cuda/__execution/determinism.h
#include <lightscan/device_scan.h>

#include <cuda/__execution/determinism.h>

cudaError_t unsupported(int* data)
{
  return lightscan::DeviceScan::InclusiveSum(data, data, 100, cuda::execution::determinism::run_to_run);
}
