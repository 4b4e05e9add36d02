// What the examples share; nothing of it is needed to use LightScan.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime_api.h>

namespace example
{
inline constexpr int skipped = 77;

// Whether to give up at once, because there is no GPU; then exit_code says how.
inline bool gpu_is_missing(int& exit_code)
{
  int devices             = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0)
  {
    return false;
  }
  std::printf("no GPU here: %s\n", cudaGetErrorString(error));
  exit_code = std::getenv("LIGHTSCAN_REQUIRE_GPU") != nullptr ? 1 : skipped;
  return true;
}

inline void check(cudaError_t error)
{
  if (error != cudaSuccess)
  {
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

// The exit code: 0 if the GPU's result is the host's.
template <class T>
int compare(const char* what, const std::vector<T>& actual, const std::vector<T>& expected)
{
  if (actual.size() != expected.size())
  {
    std::printf("%s: %zu elements, expected %zu\n", what, actual.size(), expected.size());
    return 1;
  }
  for (std::size_t i = 0; i < actual.size(); ++i)
  {
    if (!(actual[i] == expected[i]))
    {
      std::printf("%s: element %zu is wrong\n", what, i);
      return 1;
    }
  }
  std::printf("%s: all %zu elements are right\n", what, actual.size());
  return 0;
}
} // namespace example
