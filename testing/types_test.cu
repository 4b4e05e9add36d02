// Rule: any type that Thrust scans is scanned: bool, the 16-bit floating-point types, __int128, complex numbers, pairs
// and tuples. Operators may be extended lambdas, and may have state that a call changes.
#include "support/type_check.h"

#include <lightscan/scan.h>

#include <thrust/pair.h>
#include <thrust/scan.h>
#include <thrust/tuple.h>

#include <cuda/std/complex>

#include <gtest/gtest.h>

#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using lightscan::is_accelerated_v;
using testing_support::check_type;
using testing_support::device_array;

// Extended lambdas cannot stand in a TEST, whose body is a private function.
void check_bool()
{
  static_assert(is_accelerated_v<bool>);
  constexpr std::size_t n = (8 << 20) + 17;
  const device_array<bool> flags(n);
  for (const std::size_t at : {std::size_t{0}, std::size_t{700}, n - 1})
  {
    LIGHTSCAN_EXPECT_CUDA(cudaMemset(flags.data, 0, n));
    LIGHTSCAN_EXPECT_CUDA(cudaMemset(flags.data + at, 1, 1));
    thrust::inclusive_scan(lightscan::par, flags.data, flags.data + n, flags.data, [] __device__(bool l, bool r) {
      return l || r;
    });
    std::vector<unsigned char> actual(n);
    LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(actual.data(), flags.data, n, cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < n; ++i)
    {
      ASSERT_EQ(actual[i], i >= at ? 1 : 0) << i;
    }
  }
}

// Powers of i, whose order does not matter, and whose values are exact.
void check_complex_of_float()
{
  using complex = cuda::std::complex<float>;
  static_assert(is_accelerated_v<complex>);
  check_type<complex>(
    [](std::size_t i) {
      return i % 3 == 0 ? complex(0.0f, 1.0f) : complex(-1.0f, 0.0f);
    },
    [] __host__ __device__(const complex& l, const complex& r) {
      return l * r;
    });
}

void check_lambda_with_state(unsigned long long modulus)
{
  check_type<unsigned long long>(
    [](std::size_t i) {
      return i * i;
    },
    [modulus] __host__ __device__(unsigned long long l, unsigned long long r) {
      return (l + r) % modulus;
    });
}

TEST(type, bool_)
{
  check_bool();
}

TEST(type, complex_of_float)
{
  check_complex_of_float();
}

TEST(an_operator, may_be_a_lambda_with_state)
{
  check_lambda_with_state(1000000007);
  check_lambda_with_state(97);
}

namespace
{
// Not callable where it is const.
struct counting_sum
{
  unsigned calls = 0;

  __host__ __device__ unsigned operator()(unsigned l, unsigned r)
  {
    ++calls;
    return l + r;
  }
};

template <class T>
struct plus_as_float
{
  __host__ __device__ static float number(__half x)
  {
    return __half2float(x);
  }
  __host__ __device__ static float number(__nv_bfloat16 x)
  {
    return __bfloat162float(x);
  }
  __host__ __device__ static void set(__half& x, float value)
  {
    x = __float2half(value);
  }
  __host__ __device__ static void set(__nv_bfloat16& x, float value)
  {
    x = __float2bfloat16(value);
  }

  static T of(std::size_t i)
  {
    T value;
    set(value, i % 2 == 0 ? 1.0f : -1.0f); // the sums are exact
    return value;
  }
  __host__ __device__ T operator()(const T& l, const T& r) const
  {
    T sum;
    set(sum, number(l) + number(r));
    return sum;
  }
};

struct wrapping_sum
{
  __host__ __device__ __int128 operator()(__int128 l, __int128 r) const
  {
    return static_cast<__int128>(static_cast<unsigned __int128>(l) + static_cast<unsigned __int128>(r));
  }
};

struct sum
{
  template <class T>
  __host__ __device__ T operator()(const T& l, const T& r) const
  {
    return l + r;
  }
};

// Of pairs and tuples: member by member, each in its own way; of the second, the later one counts.
struct of_members
{
  template <class A, class B>
  __host__ __device__ thrust::pair<A, B> operator()(const thrust::pair<A, B>& l, const thrust::pair<A, B>& r) const
  {
    return thrust::pair<A, B>(l.first + r.first, r.second != 0 ? r.second : l.second);
  }
  template <class A, class B, class C>
  __host__ __device__ thrust::tuple<A, B, C> operator()(const thrust::tuple<A, B, C>& l,
                                                        const thrust::tuple<A, B, C>& r) const
  {
    return thrust::tuple<A, B, C>(thrust::get<0>(l) + thrust::get<0>(r),
                                  thrust::get<1>(r) != 0 ? thrust::get<1>(r) : thrust::get<1>(l),
                                  thrust::get<2>(l) ^ thrust::get<2>(r));
  }
};
} // namespace

TEST(an_operator, may_change_its_state)
{
  check_type<unsigned>(
    [](std::size_t i) {
      return static_cast<unsigned>(i * i);
    },
    counting_sum{});
}

TEST(type, half)
{
  static_assert(is_accelerated_v<__half>);
  check_type<__half>(plus_as_float<__half>::of, plus_as_float<__half>{});
}

TEST(type, bfloat16)
{
  static_assert(is_accelerated_v<__nv_bfloat16>);
  check_type<__nv_bfloat16>(plus_as_float<__nv_bfloat16>::of, plus_as_float<__nv_bfloat16>{});
}

TEST(type, int128)
{
  static_assert(is_accelerated_v<__int128>);
  check_type<__int128>(
    [](std::size_t i) {
      return (static_cast<__int128>(1) << 70) - static_cast<__int128>(i);
    },
    wrapping_sum{});
}

TEST(type, complex_of_double)
{
  using complex = cuda::std::complex<double>;
  static_assert(is_accelerated_v<complex>);
  check_type<complex>(
    [](std::size_t i) {
      return complex(static_cast<double>(i % 7), 1.0);
    },
    sum{});
}

TEST(type, pair)
{
  using pair = thrust::pair<unsigned, unsigned char>;
  static_assert(is_accelerated_v<pair>);
  check_type<pair>(
    [](std::size_t i) {
      return pair(static_cast<unsigned>(i), static_cast<unsigned char>(i % 5 == 0 ? i * 37 : 0));
    },
    of_members{});
}

TEST(type, tuple)
{
  using tuple = thrust::tuple<unsigned, int, unsigned long long>;
  static_assert(is_accelerated_v<tuple>);
  check_type<tuple>(
    [](std::size_t i) {
      return tuple(
        static_cast<unsigned>(i), i % 5 == 0 ? static_cast<int>(i) : 0, static_cast<unsigned long long>(i) << 30);
    },
    of_members{});
}
