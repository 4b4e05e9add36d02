// What a sweep's scans are of: element types, their values, and an operator for each.
#pragma once

#include "../checked_steps.h"
#include "../random_data.h"

#include <thrust/tuple.h>

#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/iterator>

#include <cstdint>
#include <string>
#include <type_traits>

namespace perf
{
template <class It>
using value_of = typename ::cuda::std::iterator_traits<It>::value_type;

// Bytes / 4 sums.
template <int Bytes>
struct sums
{
  static constexpr int count = Bytes / 4;
  std::uint32_t of[count];
};

// What to accumulate with where plus will not do, and where a call names an operator.
template <class T>
struct operator_of
{
  using type = ::cuda::maximum<>;
};

struct sum_of_sums
{
  template <int Bytes>
  __host__ __device__ sums<Bytes> operator()(const sums<Bytes>& left, const sums<Bytes>& right) const
  {
    sums<Bytes> both;
    for (int i = 0; i < sums<Bytes>::count; ++i)
    {
      both.of[i] = left.of[i] + right.of[i];
    }
    return both;
  }
};
template <int Bytes>
struct operator_of<sums<Bytes>>
{
  using type = sum_of_sums;
};

// Takes what converts to a pair, as references into two arrays do.
template <class T, class U>
struct sum_of_pairs
{
  using pair = thrust::tuple<T, U>;

  __host__ __device__ pair operator()(const pair& left, const pair& right) const
  {
    return {
      next_sum(thrust::get<0>(left), thrust::get<0>(right)), next_sum(thrust::get<1>(left), thrust::get<1>(right))};
  }
};
template <class T, class U>
struct operator_of<thrust::tuple<T, U>>
{
  using type = sum_of_pairs<T, U>;
};

// Element i of an array of T, and the name of the type.
template <class T>
struct element_of
{
  static constexpr const char* arithmetic_name()
  {
    return std::is_same_v<T, std::int8_t>  ? "int8"
         : std::is_same_v<T, std::uint8_t> ? "uint8"
         : std::is_same_v<T, std::int16_t> ? "int16"
         : std::is_same_v<T, std::int32_t> ? "int32"
         : std::is_same_v<T, std::int64_t> ? "int64"
         : std::is_same_v<T, float>        ? "float"
                                           : "double";
  }
  static std::string name()
  {
    return arithmetic_name();
  }
  static __device__ T at(std::int64_t i)
  {
    return random_value<T>(i);
  }
};

template <int Bytes>
struct element_of<sums<Bytes>>
{
  static std::string name()
  {
    return "struct" + std::to_string(Bytes);
  }
  static __device__ sums<Bytes> at(std::int64_t i)
  {
    sums<Bytes> element;
    for (int s = 0; s < sums<Bytes>::count; ++s)
    {
      element.of[s] = static_cast<std::uint32_t>(random_bits(i + s));
    }
    return element;
  }
};

template <class T, class U>
struct element_of<thrust::tuple<T, U>>
{
  static std::string name()
  {
    return element_of<T>::name() + "_" + element_of<U>::name();
  }
};

// The function of transform scans and iterators: exact in every type.
struct negated
{
  template <class T>
  __host__ __device__ T operator()(T value) const
  {
    return next_sum(T{}, static_cast<T>(-value));
  }
};

// An initial value that sums of floats stay exact with.
template <class T>
struct initial
{
  static T value()
  {
    return static_cast<T>(5);
  }
};
template <int Bytes>
struct initial<sums<Bytes>>
{
  static sums<Bytes> value()
  {
    return {{5}};
  }
};
template <class T, class U>
struct initial<thrust::tuple<T, U>>
{
  static thrust::tuple<T, U> value()
  {
    return {static_cast<T>(5), static_cast<U>(6)};
  }
};

// values[i] = value(i), and what else is filled so.
template <class T, class Value>
__global__ void write_each(T* values, std::int64_t n, Value value)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
  {
    values[i] = value(i);
  }
}

template <class T, class Value>
void fill_by(void* values, std::int64_t n, Value value, cudaStream_t stream)
{
  write_each<<<fill_blocks, fill_threads, 0, stream>>>(static_cast<T*>(values), n, value);
  require(cudaGetLastError(), "making the input");
}

template <class T>
struct element_at
{
  std::int64_t first; // another one, another array

  __device__ T operator()(std::int64_t i) const
  {
    return element_of<T>::at(first + i);
  }
};

template <class T>
void fill_elements(void* values, std::int64_t n, cudaStream_t stream, std::int64_t first = 0)
{
  fill_by<T>(values, n, element_at<T>{first}, stream);
}
} // namespace perf
