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

inline bool gpu_is_there()
{
  int devices             = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0)
  {
    return true;
  }
  std::printf("no GPU here: %s\n", cudaGetErrorString(error));
  return false;
}

inline bool gpu_is_required()
{
  return std::getenv("LIGHTSCAN_REQUIRE_GPU") != nullptr;
}

// Whether to give up at once, because there is no GPU; then exit_code says how.
inline bool gpu_is_missing(int& exit_code)
{
  if (gpu_is_there())
  {
    return false;
  }
  exit_code = gpu_is_required() ? 1 : skipped;
  return true;
}

// Which of the two the task is for: lightscan::par (true) or, where there is no GPU, lightscan::host. Does not return
// where that is not allowed.
inline bool on_gpu()
{
  const bool gpu = gpu_is_there();
  if (!gpu && gpu_is_required())
  {
    std::exit(1);
  }
  std::printf("this runs on %s\n", gpu ? "the GPU: lightscan::par" : "the machine's cores: lightscan::host");
  return gpu;
}

inline void check(cudaError_t error)
{
  if (error != cudaSuccess)
  {
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

// The exit code: 0 if the result, in a vector of any kind that the host can read, is that of the plain host computation.
template <class Vector, class T>
int compare(const char* what, const Vector& actual, const std::vector<T>& expected)
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
