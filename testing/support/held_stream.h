// A stream that is kept busy until the test says otherwise (or a long while has passed), so that what waits for it and
// what does not can be told apart without timing.
#pragma once

#include "expect_cuda.h"

#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

namespace testing_support
{
struct gate
{
  volatile int open;
  volatile int gave_up;
};

// Some seconds at most; `patience` is in clock cycles.
static __global__ void hold(gate* g, long long patience)
{
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
    gate_->open    = 0;
    gate_->gave_up = 0;
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
