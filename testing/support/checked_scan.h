// A scan that is made over and over, its bits compared with the expected ones on the GPU: thousands of scans take seconds.
#pragma once

#include "expect_cuda.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

namespace testing_support
{
static __global__ void
count_differences(const unsigned char* a, const unsigned char* b, std::int64_t bytes, unsigned long long* differences)
{
  // Both begin at a multiple of 16; the last words' rest is compared byte by byte.
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t first  = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t words  = bytes / 16;
  bool differ               = false;
  for (std::int64_t i = first; i < words; i += stride)
  {
    const uint4 x = reinterpret_cast<const uint4*>(a)[i];
    const uint4 y = reinterpret_cast<const uint4*>(b)[i];
    differ        = differ || x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w;
  }
  for (std::int64_t i = words * 16 + first; i < bytes; i += stride)
  {
    differ = differ || a[i] != b[i];
  }
  if (differ)
  {
    atomicAdd(differences, 1ull);
  }
}

template <class T>
class checked_scan
{
public:
  // The input lies `offset` elements after a 256-byte boundary.
  checked_scan(std::int64_t n, int offset)
      : n_(n)
  {
    const std::size_t count = static_cast<std::size_t>(n);
    EXPECT_EQ(cudaMalloc(&in_memory_, (count + static_cast<std::size_t>(offset)) * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&out_, count * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&expected_, count * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&differences_, sizeof(*differences_)), cudaSuccess);
    EXPECT_EQ(cudaMemset(differences_, 0, sizeof(*differences_)), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    in_ = in_memory_ + offset;
  }
  checked_scan(const checked_scan&)            = delete;
  checked_scan& operator=(const checked_scan&) = delete;
  ~checked_scan()
  {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaFree(in_memory_), cudaSuccess);
    EXPECT_EQ(cudaFree(out_), cudaSuccess);
    EXPECT_EQ(cudaFree(expected_), cudaSuccess);
    EXPECT_EQ(cudaFree(differences_), cudaSuccess);
  }

  void upload(const std::vector<T>& input, const std::vector<T>& expected)
  {
    LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(in_, input.data(), bytes(), cudaMemcpyHostToDevice));
    LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(expected_, expected.data(), bytes(), cudaMemcpyHostToDevice));
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }

  std::int64_t size() const
  {
    return n_;
  }
  const T* input() const
  {
    return in_;
  }
  T* output() const
  {
    return out_;
  }

  // Before a scan into output(), and after it.
  void poison(cudaStream_t stream)
  {
    EXPECT_EQ(cudaMemsetAsync(out_, 0xee, bytes(), stream), cudaSuccess);
  }
  void compare(cudaStream_t stream)
  {
    const std::int64_t blocks = (n_ + 1023) / 1024;
    count_differences<<<static_cast<unsigned>(blocks < 1024 ? blocks : 1024), 256, 0, stream>>>(
      reinterpret_cast<const unsigned char*>(out_),
      reinterpret_cast<const unsigned char*>(expected_),
      static_cast<std::int64_t>(bytes()),
      differences_);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }

  // In all comparisons so far, which must have ended.
  void expect_no_difference() const
  {
    unsigned long long found = ~0ull;
    LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(&found, differences_, sizeof(found), cudaMemcpyDeviceToHost));
    ASSERT_EQ(found, 0u) << "threads found other bits, n = " << n_;
  }

private:
  std::size_t bytes() const
  {
    return static_cast<std::size_t>(n_) * sizeof(T);
  }

  std::int64_t n_;
  T* in_memory_                    = nullptr;
  T* in_                           = nullptr;
  T* out_                          = nullptr;
  T* expected_                     = nullptr;
  unsigned long long* differences_ = nullptr;
};
} // namespace testing_support
