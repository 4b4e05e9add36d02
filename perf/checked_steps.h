// Proves every element of a sum on the GPU, with no scan of any library.
//
// result[0] is right by itself, and every other element must be the one before it plus one input value. By induction
// from element 0, that makes the whole result right; nothing is sampled and nothing tolerated. The input values are
// worked out again from their index, so that a scan which damages its input is caught too.
//
// For floating point the step says as much only where it is not rounded. It is not: all values are multiples of 1/16,
// and each result is checked to lie within 2^23 sixteenths. So every difference of two results, which is the sum of a
// stretch of the input, lies within 2^24 sixteenths and is exactly a float.
#pragma once

#include "random_data.h"
#include "verdict.h"

#include <cstdint>
#include <type_traits>

namespace perf
{
template <class T>
PERF_HOST_DEVICE T next_sum(T sum, T value)
{
  if constexpr (std::is_integral_v<T>)
  {
    using bits = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<bits>(sum) + static_cast<bits>(value));
  }
  else
  {
    return sum + value;
  }
}

template <class T>
PERF_HOST_DEVICE bool sums_are_exact_up_to(T sum)
{
  if constexpr (std::is_floating_point_v<T>)
  {
    constexpr T limit = static_cast<T>(1 << 19); // 2^23 sixteenths
    return -limit <= sum && sum <= limit;
  }
  else
  {
    return true;
  }
}

#if defined(__CUDACC__)
// Whether element i of a sum is right, given that those before it are.
template <class T, bool Inclusive>
struct sum_step
{
  static __device__ bool right(std::int64_t i, const T* result)
  {
    const T before   = i == 0 ? T{} : result[i - 1];
    const T expected = Inclusive ? next_sum(before, random_value<T>(i))
                     : i == 0    ? T{}
                                 : next_sum(before, random_value<T>(i - 1));
    return result[i] == expected && sums_are_exact_up_to(expected);
  }
};

// Right is a function of the index: whether that element is right, given that those before it are.
template <class Right>
__global__ void check_each(Right right, std::int64_t first, std::int64_t last, verdict* found)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < last; i += step)
  {
    if (!right(i))
    {
      atomicAdd(&found->wrong, 1ull);
      atomicMin(&found->first_wrong, static_cast<unsigned long long>(i));
    }
  }
}

inline constexpr int check_blocks  = 2048;
inline constexpr int check_threads = 256;

// Elements [first, last); those before `first` are taken to have been proven already. Waits.
template <class Right>
verdict check_by(Right right, std::int64_t first, std::int64_t last, cudaStream_t stream)
{
  const device_memory<verdict> on_gpu(1);
  verdict found{0, ~0ull};
  require(cudaMemcpyAsync(on_gpu.data(), &found, sizeof(found), cudaMemcpyHostToDevice, stream), "checking the result");
  check_each<<<check_blocks, check_threads, 0, stream>>>(right, first, last, on_gpu.data());
  require(cudaGetLastError(), "checking the result");
  require(cudaMemcpyAsync(&found, on_gpu.data(), sizeof(found), cudaMemcpyDeviceToHost, stream), "checking the result");
  require(cudaStreamSynchronize(stream), "checking the result");
  return found;
}

template <class Step, class T>
struct right_by_step
{
  const T* result;

  __device__ bool operator()(std::int64_t i) const
  {
    return Step::right(i, result);
  }
};

// By Step::right(i, result).
template <class Step, class T>
verdict check_by_steps(const T* result, std::int64_t first, std::int64_t last, cudaStream_t stream)
{
  return check_by(right_by_step<Step, T>{result}, first, last, stream);
}

template <bool Inclusive, class T>
verdict check_result(const T* result, std::int64_t first, std::int64_t last, cudaStream_t stream)
{
  return check_by_steps<sum_step<T, Inclusive>>(result, first, last, stream);
}
#endif
} // namespace perf
