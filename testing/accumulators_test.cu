// Rule: each call accumulates in the type that Thrust's CUDA backend accumulates in, whatever the output's type is.
#include "support/guarded_memory.h"

#include <lightscan/lightscan.h>

#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <gtest/gtest.h>

#include <type_traits>

using testing_support::guarded_memory;

namespace
{
// Adds operands of exactly T. Thrust's scan in device code, which is compiled beside ours, has operands of other types.
template <class T>
struct adds_only
{
  template <class L, class R>
  __host__ __device__ T operator()(const L& l, const R& r) const
  {
    return std::is_same_v<L, T> && std::is_same_v<R, T> ? static_cast<T>(l + r) : T{77};
  }
};

struct as_short
{
  __host__ __device__ short operator()(unsigned char x) const
  {
    return static_cast<short>(x + 256);
  }
};
} // namespace

// Thrust's accumulator of each form; with another one, every result but the first is 77. The values are
// the last of 10.
TEST(accumulator, is_the_one_that_thrust_has)
{
  using byte = unsigned char;
  const thrust::constant_iterator<byte> ones(1);
  const auto end  = ones + 10;
  const auto last = [](auto scan) {
    guarded_memory<long long> out(10, 0);
    scan(out.data());
    return out.download()[9];
  };
  const auto& p = lightscan::par;
  EXPECT_EQ(last([&](auto* out) {
              thrust::inclusive_scan(p, ones, end, out, adds_only<byte>{});
            }),
            10);
  EXPECT_EQ(last([&](auto* out) {
              thrust::inclusive_scan(p, ones, end, out, 'a', adds_only<int>{});
            }),
            107);
  EXPECT_EQ(last([&](auto* out) {
              thrust::exclusive_scan(p, ones, end, out, short{300}, adds_only<short>{});
            }),
            309);
  EXPECT_EQ(last([&](auto* out) {
              thrust::transform_inclusive_scan(p, ones, end, out, as_short{}, adds_only<short>{});
            }),
            2570);
  EXPECT_EQ(last([&](auto* out) {
              thrust::transform_inclusive_scan(p, ones, end, out, as_short{}, byte{1}, adds_only<int>{});
            }),
            2571);
  EXPECT_EQ(last([&](auto* out) {
              thrust::transform_exclusive_scan(p, ones, end, out, as_short{}, byte{1}, adds_only<byte>{});
            }),
            10); // 257 is 1 in a byte
  EXPECT_EQ(last([&](auto* out) {
              thrust::inclusive_scan_by_key(p, ones, end, ones, out, thrust::equal_to<byte>{}, adds_only<byte>{});
            }),
            10);
  EXPECT_EQ(last([&](auto* out) {
              thrust::exclusive_scan_by_key(p, ones, end, ones, out, 300L, thrust::equal_to<byte>{}, adds_only<long>{});
            }),
            309);
}
