// Other work on the GPU, to disturb what is being tested: it ends by itself, soon.
#pragma once

#include "expect_cuda.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace testing_support
{
// Scattered reads and writes, by blocks of one warp that fit beside a resident block of any kernel. (static: a kernel with
// the same name in every program that includes this.)
static __global__ void make_noise(unsigned* memory, unsigned mask, unsigned seed, int steps)
{
  unsigned at = seed ^ (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  for (int i = 0; i < steps; ++i)
  {
    at = at * 1664525u + 1013904223u;
    memory[(at >> 7) & mask] += at;
  }
}

class gpu_noise
{
public:
  gpu_noise()
  {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&memory_, words * sizeof(unsigned)), cudaSuccess);
  }
  gpu_noise(const gpu_noise&)            = delete;
  gpu_noise& operator=(const gpu_noise&) = delete;
  ~gpu_noise()
  {
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_EQ(cudaFree(memory_), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }

  // Starts some more. Does not wait.
  void more(unsigned seed, int blocks = 97, int steps = 300)
  {
    make_noise<<<static_cast<unsigned>(blocks), 32, 0, stream_>>>(memory_, words - 1, seed, steps);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }

private:
  static constexpr unsigned words = 1u << 24;
  cudaStream_t stream_            = nullptr;
  unsigned* memory_               = nullptr;
};
} // namespace testing_support
