// Rule: thrust::inclusive_scan and thrust::exclusive_scan with LightScan's policies give what Thrust documents, in every
// form, for any iterator and for types that our kernels do not take; other algorithms run as Thrust's own.
#include "support/expect_cuda.h"

#include <lightscan/lightscan.h>

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <cuda/std/complex>
#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace
{
constexpr int small = 1000;
constexpr int large = 5000011; // beyond the bulk pipeline's threshold for 4-byte elements

thrust::host_vector<int> ascending(int n)
{
  thrust::host_vector<int> values(n);
  for (int i = 0; i < n; ++i)
  {
    values[i] = i % 17 - 8;
  }
  return values;
}

template <class Policy>
void check_all_forms(const Policy& policy, int n)
{
  const thrust::host_vector<int> host = ascending(n);
  const thrust::device_vector<int> in(host);
  thrust::device_vector<int> out(n, -1);
  thrust::host_vector<int> expected(n);
  const auto check = [&](auto end, const char* form) {
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    EXPECT_EQ(end - out.begin(), n) << form;
    const thrust::host_vector<int> actual(out);
    EXPECT_EQ(actual, expected) << form << ", n = " << n;
    thrust::fill(out.begin(), out.end(), -1);
  };

  thrust::inclusive_scan(thrust::host, host.begin(), host.end(), expected.begin());
  check(thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin()), "inclusive");
  thrust::inclusive_scan(thrust::host, host.begin(), host.end(), expected.begin(), thrust::maximum<int>{});
  check(thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), thrust::maximum<int>{}), "inclusive, op");
  thrust::inclusive_scan(thrust::host, host.begin(), host.end(), expected.begin(), 3, thrust::maximum<int>{});
  check(thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), 3, thrust::maximum<int>{}),
        "inclusive, init, op");
  thrust::exclusive_scan(thrust::host, host.begin(), host.end(), expected.begin());
  check(thrust::exclusive_scan(policy, in.begin(), in.end(), out.begin()), "exclusive");
  thrust::exclusive_scan(thrust::host, host.begin(), host.end(), expected.begin(), 42);
  check(thrust::exclusive_scan(policy, in.begin(), in.end(), out.begin(), 42), "exclusive, init");
  thrust::exclusive_scan(thrust::host, host.begin(), host.end(), expected.begin(), 2, thrust::maximum<int>{});
  check(thrust::exclusive_scan(policy, in.begin(), in.end(), out.begin(), 2, thrust::maximum<int>{}),
        "exclusive, init, op");
}
} // namespace

TEST(scan, every_form_with_par)
{
  check_all_forms(lightscan::par, small);
  check_all_forms(lightscan::par, large);
}

TEST(scan, every_form_on_a_stream_with_and_without_synchronisation)
{
  cudaStream_t stream = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check_all_forms(lightscan::par.on(stream), large);
  check_all_forms(lightscan::par_nosync.on(stream), large);
  check_all_forms(lightscan::par.on(nullptr).on(stream), small);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  check_all_forms(lightscan::par_nosync, small);
}

TEST(scan, a_range_that_ends_before_it_begins_does_nothing)
{
  thrust::device_vector<int> in(small, 1);
  thrust::device_vector<int> out(small, -1);
  EXPECT_EQ(thrust::inclusive_scan(lightscan::par, in.begin(), in.begin(), out.begin()), out.begin());
  EXPECT_EQ(thrust::inclusive_scan(lightscan::par, in.end(), in.begin(), out.begin()), out.begin());
  EXPECT_EQ(thrust::exclusive_scan(lightscan::par, in.end(), in.begin(), out.begin(), 1), out.begin());
  EXPECT_EQ(thrust::count(out.begin(), out.end(), -1), small);
}

TEST(scan, accumulates_in_the_type_that_thrust_accumulates_in)
{
  // exclusive_scan: in the initial value's type.
  const thrust::device_vector<int> in(large, 1 << 20);
  thrust::device_vector<long long> wide(large);
  thrust::exclusive_scan(lightscan::par, in.begin(), in.end(), wide.begin(), 1LL << 40);
  EXPECT_EQ(wide[large - 1], (1LL << 40) + (large - 1LL) * (1 << 20));
  // inclusive_scan without one: in the input's value type, whatever the output's is.
  const thrust::device_vector<unsigned char> bytes(small, 1);
  thrust::device_vector<int> ints(small);
  thrust::inclusive_scan(lightscan::par, bytes.begin(), bytes.end(), ints.begin());
  EXPECT_EQ(ints[999], 1000 % 256);
  // inclusive_scan with one: in what the operator makes of it and an element.
  thrust::device_vector<double> reals(small);
  thrust::inclusive_scan(lightscan::par, bytes.begin(), bytes.end(), reals.begin(), 0.5, cuda::std::plus<>{});
  EXPECT_EQ(reals[999], 1000.5);
}

TEST(scan, bool_and_complex)
{
  thrust::device_vector<bool> flags(small, false);
  flags[700] = true;
  thrust::inclusive_scan(lightscan::par, flags.begin(), flags.end(), flags.begin(), thrust::logical_or<bool>{});
  EXPECT_EQ(thrust::count(flags.begin(), flags.end(), true), 300);

  using complex = cuda::std::complex<float>;
  thrust::device_vector<complex> numbers(large, complex(0.0f, 1.0f));
  thrust::inclusive_scan(
    lightscan::par, numbers.begin(), numbers.end(), numbers.begin(), thrust::multiplies<complex>{});
  EXPECT_TRUE(complex(numbers[3]) == complex(1.0f, 0.0f));          // i^4
  EXPECT_TRUE(complex(numbers[large - 1]) == complex(0.0f, -1.0f)); // i^(4k + 3)
}

namespace
{
struct square
{
  __host__ __device__ long long operator()(long long i) const
  {
    return i * i;
  }
};
} // namespace

TEST(scan, iterators_that_are_not_memory)
{
  const auto squares    = thrust::make_transform_iterator(thrust::counting_iterator<long long>(1), square{});
  constexpr long long n = 1000003;
  thrust::device_vector<long long> out(n);
  thrust::inclusive_scan(lightscan::par, squares, squares + n, out.begin());
  EXPECT_EQ(out[n - 1], n * (n + 1) / 2 * (2 * n + 1) / 3);

  thrust::device_vector<int> suffix(large, 1);
  thrust::inclusive_scan(lightscan::par, suffix.rbegin(), suffix.rend(), suffix.rbegin());
  EXPECT_EQ(suffix[0], large);
  EXPECT_EQ(suffix[large - 1], 1);

  const auto end = thrust::inclusive_scan(
    lightscan::par, suffix.begin(), suffix.end(), thrust::make_discard_iterator());
  EXPECT_EQ(end - thrust::make_discard_iterator(), large);
}

namespace
{
// Copying one runs code of its own, so it may not travel as bytes.
struct matrix
{
  long long m[4];

  matrix() = default;
  __host__ __device__ matrix(long long a, long long b, long long c, long long d)
      : m{a, b, c, d}
  {}
  __host__ __device__ matrix(const matrix& other)
      : matrix(other.m[0], other.m[1], other.m[2], other.m[3])
  {}
  matrix& operator=(const matrix&) = default;
};

struct product
{
  __host__ __device__ matrix operator()(const matrix& a, const matrix& b) const
  {
    return {a.m[0] * b.m[0] + a.m[1] * b.m[2],
            a.m[0] * b.m[1] + a.m[1] * b.m[3],
            a.m[2] * b.m[0] + a.m[3] * b.m[2],
            a.m[2] * b.m[1] + a.m[3] * b.m[3]};
  }
};
} // namespace

TEST(scan, types_that_our_kernels_do_not_take_go_to_thrust)
{
  static_assert(!lightscan::is_accelerated_v<matrix>);
  static_assert(lightscan::is_accelerated_v<cuda::std::complex<double>>);
  const thrust::device_vector<matrix> steps(60, matrix{1, 1, 1, 0});
  thrust::device_vector<matrix> out(60);
  for (const bool wait : {true, false})
  {
    if (wait)
    {
      thrust::inclusive_scan(lightscan::par, steps.begin(), steps.end(), out.begin(), product{});
    }
    else
    {
      thrust::inclusive_scan(lightscan::par_nosync, steps.begin(), steps.end(), out.begin(), product{});
    }
    const matrix last = out[59];
    EXPECT_EQ(last.m[1], 1548008755920LL); // the 60th Fibonacci number
    thrust::fill(out.begin(), out.end(), matrix(0, 0, 0, 0));
  }
}

TEST(scan, other_algorithms_run_as_thrusts_own)
{
  thrust::device_vector<int> values(small);
  thrust::sequence(lightscan::par, values.begin(), values.end());
  thrust::sort(lightscan::par, values.begin(), values.end(), thrust::greater<int>{});
  EXPECT_EQ(values[0], small - 1);
  EXPECT_EQ(thrust::reduce(lightscan::par_nosync, values.begin(), values.end()), small * (small - 1) / 2);
}

namespace
{
__global__ void scan_in_a_kernel(int* values, int n)
{
  thrust::inclusive_scan(lightscan::par, values, values + n, values);
}

// A host-device function whose only host caller is the test: its kernel must be emitted all the same.
__host__ __device__ void scan_anywhere(short* values, int n)
{
  thrust::exclusive_scan(lightscan::par, values, values + n, values, short{5});
}

__global__ void scan_anywhere_in_a_kernel(short* values, int n)
{
  scan_anywhere(values, n);
}
} // namespace

TEST(scan, in_device_code_is_sequential)
{
  thrust::device_vector<int> values(100, 1);
  scan_in_a_kernel<<<1, 1>>>(thrust::raw_pointer_cast(values.data()), 100);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(values[99], 100);
}

TEST(scan, in_host_device_functions)
{
  thrust::device_vector<short> values(small, 1);
  scan_anywhere(thrust::raw_pointer_cast(values.data()), small);
  EXPECT_EQ(values[999], 1004);
  thrust::fill(values.begin(), values.end(), short{1});
  scan_anywhere_in_a_kernel<<<1, 1>>>(thrust::raw_pointer_cast(values.data()), small);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(values[999], 1004);
}
