#include "sums.h"

#include <lightscan/lightscan.h>

#include <cuda_runtime_api.h>

#include <vector>

// On a GPU if there is one. Where there is none, an empty range still goes through what was compiled and linked.
bool sums_are_right(const lightscan::stream_policy<true>& policy)
{
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
  {
    int* const nothing = nullptr;
    return thrust::inclusive_scan(policy, nothing, nothing, nothing) == nothing;
  }

  const int n = 1000;
  std::vector<int> values(n, 1);
  int* memory = nullptr;
  if (cudaMalloc(&memory, n * sizeof(int)) != cudaSuccess
      || cudaMemcpy(memory, values.data(), n * sizeof(int), cudaMemcpyHostToDevice) != cudaSuccess
      || thrust::inclusive_scan(policy, memory, memory + n, memory) != memory + n
      || cudaMemcpy(values.data(), memory, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess
      || cudaFree(memory) != cudaSuccess)
  {
    return false;
  }
  for (int i = 0; i < n; ++i)
  {
    if (values[i] != i + 1)
    {
      return false;
    }
  }
  return true;
}
