// Rule: reversed and transformed ranges, and ranges whose input and output differ in type and width, give what Thrust
// gives, small (the plain kernel) and over 8 MiB (the bulk pipeline), at any alignment, in place, and touch nothing else.
#include "support/entry_check.h"

#include <lightscan/scan.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

namespace
{
const std::vector<std::int64_t> sizes{1, 2, 33, 4099, 100003, (2 << 20) + 1, 3000017};
const std::vector<std::pair<std::size_t, std::size_t>> offsets{{0, 0}, {1, 1}, {0, 1}, {3, 0}, {15, 2}};

template <class T>
std::vector<T> reversed(std::vector<T> values)
{
  std::reverse(values.begin(), values.end());
  return values;
}

// Calls scan(input pointer, n, output pointer), whose result must be `expected`.
template <class Out, class In, class Scan>
void check(const std::vector<In>& input,
           const std::vector<Out>& expected,
           std::pair<std::size_t, std::size_t> offset,
           Scan scan)
{
  SCOPED_TRACE("n = " + std::to_string(input.size()) + ", input + " + std::to_string(offset.first) + ", output + "
               + std::to_string(offset.second));
  guarded_memory<In> in(input.size(), offset.first);
  guarded_memory<Out> out(input.size(), offset.second);
  ASSERT_NO_FATAL_FAILURE(in.upload(input));
  scan(in.data(), static_cast<std::int64_t>(input.size()), out.data());
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "result"));
  ASSERT_NO_FATAL_FAILURE(expect_equal(in.download(), input, "input"));
  in.expect_guards_untouched();
  out.expect_guards_untouched();
}

template <class Check>
void at_every_size_and_offset(Check call)
{
  for (const std::int64_t n : sizes)
  {
    const std::vector<affine> input = random_values<affine>(static_cast<std::size_t>(n));
    for (const auto& offset : offsets)
    {
      ASSERT_NO_FATAL_FAILURE(call(input, offset));
    }
  }
}

// Affine functions do not commute: a range taken in the wrong order is found out.
const affine before{5, 7};

struct swap_parts
{
  __host__ __device__ affine operator()(const affine& f) const
  {
    return {f.b, f.a};
  }
};

std::vector<affine> swapped(std::vector<affine> values)
{
  for (affine& v : values)
  {
    v = swap_parts{}(v);
  }
  return values;
}

template <class It>
auto reverse(It end)
{
  return thrust::make_reverse_iterator(end);
}
} // namespace

TEST(reversed_ranges, to_a_reversed_range)
{
  at_every_size_and_offset([](const std::vector<affine>& input, auto offset) {
    const std::vector<affine> expected = reversed(host_scan<true>(reversed(input), no_init{}, compose{}));
    ASSERT_NO_FATAL_FAILURE(check(input, expected, offset, [](affine* in, std::int64_t n, affine* out) {
      const auto end = thrust::inclusive_scan(
        lightscan::par, reverse(in + n), reverse(in), reverse(out + n), compose{});
      EXPECT_EQ(end, reverse(out));
    }));
  });
}

TEST(reversed_ranges, to_a_forward_range)
{
  at_every_size_and_offset([](const std::vector<affine>& input, auto offset) {
    const std::vector<affine> expected = host_scan<false>(reversed(input), before, compose{});
    ASSERT_NO_FATAL_FAILURE(check(input, expected, offset, [](affine* in, std::int64_t n, affine* out) {
      EXPECT_EQ(thrust::exclusive_scan(lightscan::par, reverse(in + n), reverse(in), out, before, compose{}), out + n);
    }));
  });
}

TEST(reversed_ranges, from_a_forward_range)
{
  at_every_size_and_offset([](const std::vector<affine>& input, auto offset) {
    const std::vector<affine> expected = reversed(host_scan<true>(input, before, compose{}));
    ASSERT_NO_FATAL_FAILURE(check(input, expected, offset, [](affine* in, std::int64_t n, affine* out) {
      thrust::inclusive_scan(lightscan::par, in, in + n, reverse(out + n), before, compose{});
    }));
  });
}

TEST(reversed_ranges, of_a_device_vector_in_place)
{
  for (const std::int64_t n : sizes)
  {
    const std::vector<int> input = random_values<int>(static_cast<std::size_t>(n));
    thrust::device_vector<int> values(input);
    thrust::inclusive_scan(lightscan::par, values.rbegin(), values.rend(), values.rbegin(), plus{});
    std::vector<int> actual(input.size());
    thrust::copy(values.begin(), values.end(), actual.begin());
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(actual, reversed(host_scan<true>(reversed(input), no_init{}, plus{})), "suffix sums"));
  }
}

TEST(transformed_ranges, forward)
{
  at_every_size_and_offset([](const std::vector<affine>& input, auto offset) {
    const std::vector<affine> expected = host_scan<true>(swapped(input), no_init{}, compose{});
    ASSERT_NO_FATAL_FAILURE(check(input, expected, offset, [](affine* in, std::int64_t n, affine* out) {
      const auto first = thrust::make_transform_iterator(in, swap_parts{});
      thrust::inclusive_scan(lightscan::par, first, first + n, out, compose{});
    }));
  });
}

TEST(transformed_ranges, reversed_after_the_function)
{
  at_every_size_and_offset([](const std::vector<affine>& input, auto offset) {
    const std::vector<affine> expected = host_scan<true>(reversed(swapped(input)), no_init{}, compose{});
    ASSERT_NO_FATAL_FAILURE(check(input, expected, offset, [](affine* in, std::int64_t n, affine* out) {
      const auto first = thrust::make_transform_iterator(in, swap_parts{});
      thrust::inclusive_scan(lightscan::par, reverse(first + n), reverse(first), out, compose{});
    }));
  });
}

TEST(transformed_ranges, reversed_before_the_function)
{
  at_every_size_and_offset([](const std::vector<affine>& input, auto offset) {
    const std::vector<affine> expected = reversed(host_scan<true>(reversed(swapped(input)), no_init{}, compose{}));
    ASSERT_NO_FATAL_FAILURE(check(input, expected, offset, [](affine* in, std::int64_t n, affine* out) {
      const auto first = thrust::make_transform_iterator(reverse(in + n), swap_parts{});
      thrust::inclusive_scan(lightscan::par, first, first + n, reverse(out + n), compose{});
    }));
  });
}

namespace
{
struct wide
{
  std::uint64_t value;
  std::uint64_t twice;
  __host__ __device__ wide(unsigned v = 0)
      : value(v)
      , twice(2 * v)
  {}
  friend bool operator==(const wide& a, const wide& b)
  {
    return a.value == b.value && a.twice == b.twice;
  }
};

// Inclusive sums accumulate in the input's type and are converted on the way out.
template <class In, class Out>
void check_widths()
{
  for (const std::int64_t n : {1, 33, 4099, 100003, 8500037})
  {
    const std::vector<In> input = random_values<In>(static_cast<std::size_t>(n));
    const std::vector<In> sums  = host_scan<true>(input, no_init{}, plus{});
    const std::vector<Out> expected(sums.begin(), sums.end());
    for (const auto& offset : offsets)
    {
      ASSERT_NO_FATAL_FAILURE(check(input, expected, offset, [](In* in, std::int64_t count, Out* out) {
        EXPECT_EQ(thrust::inclusive_scan(lightscan::par, in, in + count, out, plus{}), out + count);
      }));
    }
  }
}
} // namespace

TEST(widths, uint8_to_int32)
{
  check_widths<std::uint8_t, std::int32_t>();
}

TEST(widths, int32_to_int64)
{
  check_widths<std::int32_t, std::int64_t>();
}

TEST(widths, int64_to_int32)
{
  check_widths<std::int64_t, std::int32_t>();
}

// A thread moves two bytes of the one and sixteen of the other at a time.
TEST(widths, uint8_to_int64)
{
  check_widths<std::uint8_t, std::int64_t>();
}

TEST(widths, int64_to_uint8)
{
  check_widths<std::int64_t, std::uint8_t>();
}

TEST(widths, uint16_to_double)
{
  check_widths<std::uint16_t, double>();
}

TEST(widths, int32_to_int16)
{
  check_widths<std::int32_t, std::int16_t>();
}

// The range may begin fifteen bytes off the grid, which are more elements than a thread's segment has.
TEST(widths, uint8_to_sixteen_bytes)
{
  check_widths<std::uint8_t, wide>();
}

TEST(widths, float_to_double)
{
  check_widths<float, double>();
}

TEST(widths, double_to_float)
{
  check_widths<double, float>();
}

TEST(widths, of_one_type_in_place_through_a_function)
{
  for (const std::int64_t n : sizes)
  {
    const std::vector<affine> input    = random_values<affine>(static_cast<std::size_t>(n));
    const std::vector<affine> expected = host_scan<true>(swapped(input), no_init{}, compose{});
    for (const std::size_t offset : {0, 1})
    {
      guarded_memory<affine> data(input.size(), offset);
      ASSERT_NO_FATAL_FAILURE(data.upload(input));
      const auto first = thrust::make_transform_iterator(data.data(), swap_parts{});
      thrust::inclusive_scan(lightscan::par, first, first + n, data.data(), compose{});
      ASSERT_NO_FATAL_FAILURE(expect_equal(data.download(), expected, "in place"));
      data.expect_guards_untouched();
    }
  }
}
