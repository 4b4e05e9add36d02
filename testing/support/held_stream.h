// A stream that is kept busy until the test says otherwise (or a long while has passed), so that what waits for it and
// what does not can be told apart without timing; and room on the GPU that is kept so.
#pragma once

#include "expect_cuda.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <new>

#include <cuda_runtime_api.h>

namespace testing_support
{
struct gate
{
  static constexpr int most_blocks = 1024;

  volatile int open;
  volatile int gave_up;
  volatile int begun[most_blocks];
};

// Some seconds at most; `patience` is in clock cycles.
static __global__ void hold(gate* g, long long patience)
{
  g->begun[blockIdx.x]  = 1;
  const long long begin = clock64();
  while (!g->open)
  {
    if (clock64() - begin > patience)
    {
      g->gave_up = 1;
      break;
    }
  }
}

class held_stream
{
public:
  explicit held_stream(cudaStream_t stream)
      : stream_(stream)
  {
    EXPECT_EQ(cudaHostAlloc(reinterpret_cast<void**>(&gate_), sizeof(gate), cudaHostAllocMapped), cudaSuccess);
    ::new (gate_) gate{};
  }
  held_stream(const held_stream&)            = delete;
  held_stream& operator=(const held_stream&) = delete;
  ~held_stream()
  {
    release();
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(gate_), cudaSuccess);
  }

  void hold_for(long long cycles)
  {
    hold<<<1, 1, 0, stream_>>>(gate_, cycles);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }

  // All multiprocessors but one, from now on.
  void hold_all_but_one_multiprocessor(long long cycles)
  {
    int multiprocessors = 0;
    int shared_bytes    = 0; // that leave room for no other block
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    LIGHTSCAN_EXPECT_CUDA(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    const int blocks = multiprocessors - 1;
    ASSERT_LE(blocks, gate::most_blocks);
    hold<<<static_cast<unsigned>(blocks), 1, static_cast<std::size_t>(shared_bytes), stream_>>>(gate_, cycles);
    LIGHTSCAN_EXPECT_CUDA(cudaGetLastError());
    for (int b = 0; b < blocks; ++b)
    {
      while (!gate_->begun[b] && !gave_up())
      {}
    }
  }
  void release()
  {
    gate_->open = 1;
  }
  bool gave_up() const
  {
    return gate_->gave_up != 0;
  }

private:
  cudaStream_t stream_;
  gate* gate_ = nullptr;
};
} // namespace testing_support
