// Random input that is a function of the index alone, so that a check can work it out again and trusts no memory.
#pragma once

#if defined(__CUDACC__)
#  include "gpu.h"
#endif

#include <cstdint>
#include <type_traits>

namespace perf
{
#if defined(__CUDACC__)
#  define PERF_HOST_DEVICE __host__ __device__
#else
#  define PERF_HOST_DEVICE
#endif

// splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
PERF_HOST_DEVICE inline std::uint64_t random_bits(std::int64_t index)
{
  std::uint64_t z = (static_cast<std::uint64_t>(index) + 1) * 0x9e3779b97f4a7c15u;
  z               = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z               = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Integers: any bits; their sums wrap.
//
// Floating point: multiples of 1/16 in [-1, 1], of mean 0. Their running sum is a random walk that stays, at 2^34
// elements, within some 2^21 sixteenths, so that the sum of ANY stretch of the input is a float exactly. Whatever order
// a scan combines in, nothing is rounded, and there is one right answer to the last bit (checked_steps.h).
template <class T>
PERF_HOST_DEVICE T random_value(std::int64_t index)
{
  const std::uint64_t bits = random_bits(index);
  if constexpr (std::is_floating_point_v<T>)
  {
    const int sixteenths = static_cast<int>(((bits >> 32) * 33) >> 32) - 16;
    return static_cast<T>(sixteenths) / 16;
  }
  else
  {
    return static_cast<T>(bits >> (64 - 8 * sizeof(T)));
  }
}

// One of [0, n), another one for every i of them, where n is a power of two: each step can be undone.
PERF_HOST_DEVICE inline std::int64_t shuffled(std::int64_t i, std::int64_t n)
{
  const auto mask    = static_cast<std::uint64_t>(n - 1);
  std::uint64_t bits = static_cast<std::uint64_t>(i);
  for (int round = 0; round < 3; ++round)
  {
    bits = (bits * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) & mask;
    bits ^= bits >> 9;
  }
  return static_cast<std::int64_t>(bits);
}

#if defined(__CUDACC__)
template <class T>
__global__ void write_random_values(T* values, std::int64_t count)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
  {
    values[i] = random_value<T>(i);
  }
}

inline constexpr int fill_blocks  = 2048;
inline constexpr int fill_threads = 256;

template <class T>
void fill_with_random_values(T* values, std::int64_t count, cudaStream_t stream)
{
  write_random_values<<<fill_blocks, fill_threads, 0, stream>>>(values, count);
  require(cudaGetLastError(), "making random input");
}
#endif
} // namespace perf
