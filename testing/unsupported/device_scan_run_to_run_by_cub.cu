// error: lightscan::DeviceScan: the same bits in every run cannot be required here, because CUB's scan serves
// needs: cuda/__execution/determinism.h
#include "../support/copied_by_hand.h"

#include <lightscan/device_scan.h>

#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>

cudaError_t unsupported(testing_support::copied_by_hand* data)
{
  return lightscan::DeviceScan::InclusiveSum(
    data, data, 100, cuda::execution::require(cuda::execution::determinism::run_to_run));
}
