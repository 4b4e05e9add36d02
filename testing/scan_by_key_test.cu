// Rule: thrust::inclusive_scan_by_key and exclusive_scan_by_key with LightScan's policies scan every segment for itself,
// in all seven forms, at any size, alignment and run length, also in place of the values and in place of the keys.
#include "support/entry_check.h"

#include <lightscan/scan_by_key.h>

#include <thrust/scan.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

namespace
{
enum class place
{
  elsewhere,
  values,
  keys
};

struct layout
{
  std::size_t keys   = 0; // elements from a 256-byte boundary
  std::size_t values = 0;
  std::size_t result = 0;
  place of_result    = place::elsewhere;
};

template <class K, class V, class Out, class Scan>
void check(const std::vector<K>& keys,
           const std::vector<V>& values,
           const std::vector<Out>& expected,
           layout at,
           const char* form,
           Scan scan)
{
  SCOPED_TRACE(std::string(form) + ", n = " + std::to_string(keys.size()) + ", keys + " + std::to_string(at.keys)
               + ", values + " + std::to_string(at.values) + ", result + " + std::to_string(at.result)
               + (at.of_result == place::keys     ? ", in place of the keys"
                  : at.of_result == place::values ? ", in place of the values"
                                                  : ""));
  guarded_memory<K> k(keys.size(), at.keys);
  guarded_memory<V> v(values.size(), at.values);
  guarded_memory<Out> out(values.size(), at.result);
  ASSERT_NO_FATAL_FAILURE(k.upload(keys));
  ASSERT_NO_FATAL_FAILURE(v.upload(values));
  Out* result = out.data();
  if constexpr (std::is_same_v<K, Out> && std::is_same_v<V, Out>)
  {
    result = at.of_result == place::keys ? k.data() : at.of_result == place::values ? v.data() : out.data();
  }
  EXPECT_EQ(scan(k.data(), k.data() + keys.size(), v.data(), result), result + keys.size());
  std::vector<Out> actual(expected.size());
  LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(actual.data(), result, actual.size() * sizeof(Out), cudaMemcpyDeviceToHost));
  ASSERT_NO_FATAL_FAILURE(expect_equal(actual, expected, form));
  if (at.of_result != place::keys)
  {
    ASSERT_NO_FATAL_FAILURE(expect_equal(k.download(), keys, "the keys"));
  }
  if (at.of_result != place::values)
  {
    ASSERT_NO_FATAL_FAILURE(expect_equal(v.download(), values, "the values"));
  }
  k.expect_guards_untouched();
  v.expect_guards_untouched();
  out.expect_guards_untouched();
}

// Keys of one group of `width` neighbouring numbers are the same.
struct same_group
{
  int width;

  __host__ __device__ bool operator()(int l, int r) const
  {
    return l / width == r / width;
  }
};

void check_all_forms(std::int64_t n, int average, layout at)
{
  const std::vector<int> keys   = random_runs(n, average);
  const std::vector<int> values = small_values(n);
  const std::equal_to<> equal;
  const same_group same{3};
  const auto inclusive = [&](auto pred, auto op) {
    return host_scan_by_key<true, int>(keys, values, no_init{}, pred, op);
  };
  const auto exclusive = [&](int init, auto pred, auto op) {
    return host_scan_by_key<false, int>(keys, values, init, pred, op);
  };
  const auto& par = lightscan::par;
  ASSERT_NO_FATAL_FAILURE(check(keys, values, inclusive(equal, plus{}), at, "inclusive", [&](auto... ranges) {
    return thrust::inclusive_scan_by_key(par, ranges...);
  }));
  ASSERT_NO_FATAL_FAILURE(check(keys, values, inclusive(same, plus{}), at, "inclusive, same", [&](auto... ranges) {
    return thrust::inclusive_scan_by_key(par, ranges..., same);
  }));
  ASSERT_NO_FATAL_FAILURE(
    check(keys, values, inclusive(same, maximum{}), at, "inclusive, same, op", [&](auto... ranges) {
      return thrust::inclusive_scan_by_key(par, ranges..., same, maximum{});
    }));
  ASSERT_NO_FATAL_FAILURE(check(keys, values, exclusive(0, equal, plus{}), at, "exclusive", [&](auto... ranges) {
    return thrust::exclusive_scan_by_key(par, ranges...);
  }));
  ASSERT_NO_FATAL_FAILURE(check(keys, values, exclusive(7, equal, plus{}), at, "exclusive, init", [&](auto... ranges) {
    return thrust::exclusive_scan_by_key(par, ranges..., 7);
  }));
  ASSERT_NO_FATAL_FAILURE(
    check(keys, values, exclusive(7, same, plus{}), at, "exclusive, init, same", [&](auto... ranges) {
      return thrust::exclusive_scan_by_key(par, ranges..., 7, same);
    }));
  ASSERT_NO_FATAL_FAILURE(
    check(keys, values, exclusive(7, same, maximum{}), at, "exclusive, init, same, op", [&](auto... ranges) {
      return thrust::exclusive_scan_by_key(par, ranges..., 7, same, maximum{});
    }));
}

const std::vector<std::int64_t> few_sizes{1, 33, 4099, (1 << 20) + 12345}; // the last one is over 8 MiB of input
} // namespace

TEST(scan_by_key, every_form_at_every_boundary)
{
  for (const std::int64_t n : entry_sizes<lightscan::tile::by_key_kind<int, int, no_init>, int, int, int>())
  {
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, 32, {}));
  }
}

TEST(scan_by_key, every_form_with_runs_of_any_length)
{
  for (const std::int64_t n : few_sizes)
  {
    for (const int average : {1, 1000, 100000, 0})
    {
      ASSERT_NO_FATAL_FAILURE(check_all_forms(n, average, {}));
    }
  }
}

TEST(scan_by_key, every_form_at_any_alignment)
{
  for (const std::int64_t n : few_sizes)
  {
    for (const layout& at : {layout{1, 0, 0}, layout{0, 1, 0}, layout{0, 0, 1}, layout{1, 1, 1}, layout{2, 2, 3}})
    {
      ASSERT_NO_FATAL_FAILURE(check_all_forms(n, 32, at));
    }
  }
}

TEST(scan_by_key, every_form_in_place_of_the_values)
{
  for (const std::int64_t n : few_sizes)
  {
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, 32, {0, 0, 0, place::values}));
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, 32, {1, 1, 0, place::values}));
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, 32, {0, 1, 0, place::values}));
  }
}

TEST(scan_by_key, every_form_in_place_of_the_keys)
{
  for (const std::int64_t n : few_sizes)
  {
    for (const int average : {1, 32, 0})
    {
      ASSERT_NO_FATAL_FAILURE(check_all_forms(n, average, {0, 0, 0, place::keys}));
    }
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, 32, {1, 1, 0, place::keys}));
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, 32, {0, 1, 0, place::keys}));
  }
}

namespace
{
// Keys are the elements' numbers. Says of two of them whether a segment begins between them, and counts calls on
// anything but neighbours in their order.
struct same_of_neighbours
{
  std::uint32_t average;
  unsigned long long* wrong_calls;

  __host__ __device__ bool operator()(std::uint32_t l, std::uint32_t r) const
  {
    if (l + 1 != r)
    {
#if defined(__CUDA_ARCH__)
      atomicAdd(wrong_calls, 1ull);
#else
      ++*wrong_calls;
#endif
    }
    return (r * 2654435761u >> 8) % average != 0;
  }
};

template <class Value, class Check>
void with_neighbours(const std::vector<std::int64_t>& sizes, Check call)
{
  guarded_memory<unsigned long long> wrong(1, 0);
  for (const std::int64_t n : sizes)
  {
    std::vector<std::uint32_t> keys(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
      keys[i] = static_cast<std::uint32_t>(i);
    }
    const std::vector<Value> values = random_values<Value>(keys.size());
    for (const std::uint32_t average : {1u, 32u, 0xffffffu})
    {
      unsigned long long wrong_here = 0;
      ASSERT_NO_FATAL_FAILURE(wrong.upload({0}));
      ASSERT_NO_FATAL_FAILURE(
        call(keys, values, same_of_neighbours{average, &wrong_here}, same_of_neighbours{average, wrong.data()}));
      EXPECT_EQ(wrong.download()[0], 0u) << "the predicate was called on keys that are no neighbours, n = " << n;
    }
  }
}
} // namespace

// The interval monoid: within a segment every element is handed on once, in order; none crosses into the next.
TEST(scan_by_key, joins_neighbours_of_a_segment_only)
{
  // As it is launched: results cannot lie on keys of another size, so neighbours are compared; and the equalities hold addresses.
  const auto sizes = entry_sizes<lightscan::tile::compared_kind<std::uint32_t, interval, no_init, true>,
                                 interval,
                                 std::uint32_t,
                                 interval>();
  with_neighbours<interval>(sizes, [](const auto& keys, const auto& values, auto on_host, auto on_device) {
    const std::vector<interval> expected = host_scan_by_key<true, interval>(keys, values, no_init{}, on_host, join{});
    for (const layout& at : {layout{}, layout{1, 0, 0}})
    {
      ASSERT_NO_FATAL_FAILURE(check(keys, values, expected, at, "intervals", [&](auto... ranges) {
        return thrust::inclusive_scan_by_key(lightscan::par, ranges..., on_device, join{});
      }));
    }
  });
}

namespace
{
// The composition of affine functions modulo a power of two that is this object's state.
struct composed_modulo
{
  std::uint32_t mask;

  __host__ __device__ affine operator()(const affine& first, const affine& then) const
  {
    const affine whole = compose{}(first, then);
    return {whole.a & mask, whole.b & mask};
  }
};
} // namespace

TEST(scan_by_key, takes_operators_with_state_that_do_not_commute)
{
  const affine init{5, 7};
  for (const std::uint32_t mask : {0xffffffu, 0xffffu})
  {
    const composed_modulo op{mask};
    with_neighbours<affine>(few_sizes, [&](const auto& keys, const auto& values, auto on_host, auto on_device) {
      ASSERT_NO_FATAL_FAILURE(check(keys,
                                    values,
                                    host_scan_by_key<false, affine>(keys, values, init, on_host, op),
                                    {},
                                    "exclusive",
                                    [&](auto... ranges) {
                                      return thrust::exclusive_scan_by_key(
                                        lightscan::par, ranges..., init, on_device, op);
                                    }));
    });
  }
}

TEST(scan_by_key, accumulates_in_the_initial_values_type_with_columns_of_different_widths)
{
  for (const std::int64_t n : {std::int64_t{100}, std::int64_t{3000017}})
  {
    const std::vector<int> runs = random_runs(n, 3000);
    const std::vector<std::uint8_t> keys(runs.begin(), runs.end());
    const std::vector<std::int32_t> values(static_cast<std::size_t>(n), 0x7fffffff);
    const long long init = 1ll << 40;
    const auto expected  = host_scan_by_key<false, long long>(keys, values, init, std::equal_to<>{}, std::plus<>{});
    ASSERT_NO_FATAL_FAILURE(check(keys, values, expected, {}, "wide", [&](auto... ranges) {
      return thrust::exclusive_scan_by_key(lightscan::par, ranges..., init);
    }));
  }
}

TEST(scan_by_key, without_an_initial_value_accumulates_in_the_values_type)
{
  const std::vector<int> keys(1000, 1);
  const std::vector<std::uint8_t> values(1000, 1);
  std::vector<int> expected(1000);
  for (int i = 0; i < 1000; ++i)
  {
    expected[static_cast<std::size_t>(i)] = (i + 1) % 256;
  }
  ASSERT_NO_FATAL_FAILURE(check(keys, values, expected, {}, "narrow", [&](auto... ranges) {
    return thrust::inclusive_scan_by_key(lightscan::par, ranges...);
  }));
}

TEST(scan_by_key, a_range_that_ends_before_it_begins_does_nothing)
{
  guarded_memory<int> memory(3 * 100, 0);
  int* const keys = memory.data();
  EXPECT_EQ(thrust::inclusive_scan_by_key(lightscan::par, keys + 9, keys, keys + 100, keys + 200), keys + 200);
  EXPECT_EQ(thrust::exclusive_scan_by_key(lightscan::par, keys + 9, keys, keys + 100, keys + 200, 1), keys + 200);
  EXPECT_EQ(memory.download(), std::vector<int>(300, static_cast<int>(0xeeeeeeee)));
}
