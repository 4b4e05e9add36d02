// Rule: scans by key take keys of any size, and what any iterator yields: an equality is handed keys.
#include "support/entry_check.h"

#include <lightscan/path.h>
#include <lightscan/scan_by_key.h>

#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

// Keys behind proxies, as device_vector's are where another iterator stands on its: an equality is handed keys.
namespace
{
struct labelled
{
  int label;
  int more;

  __host__ __device__ bool operator==(const labelled& other) const
  {
    return label == other.label;
  }
};

struct by_label
{
  template <class Key>
  __host__ __device__ bool operator()(const Key& left, const Key& right) const
  {
    return left.label == right.label;
  }
};

struct by_first_label
{
  template <class Pair>
  __host__ __device__ bool operator()(const Pair& left, const Pair& right) const
  {
    return thrust::get<0>(left).label == thrust::get<0>(right).label;
  }
};
} // namespace

TEST(keys, are_handed_to_an_equality_and_no_proxies)
{
  for (const int n : {1000, 3000017})
  {
    const std::vector<int> runs = random_runs(n, 3000);
    std::vector<labelled> keys;
    std::vector<int> order;
    for (int i = 0; i < n; ++i)
    {
      keys.push_back({runs[static_cast<std::size_t>(i)], i});
      order.push_back(i);
    }
    const std::vector<short> values(static_cast<std::size_t>(n), 3);
    const auto expected = host_scan_by_key<true, short>(
      runs, values, lightscan::util::no_init{}, std::equal_to<>{}, std::plus<>{});
    const thrust::device_vector<labelled> of(keys.begin(), keys.end());
    const thrust::device_vector<int> indices(order.begin(), order.end());
    const thrust::device_vector<short> from(values.begin(), values.end());
    thrust::device_vector<short> to(from.size());
    const auto expect = [&](const char* what) {
      const thrust::host_vector<short> there = to;
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), there.begin())) << what << " of " << n;
      thrust::fill(to.begin(), to.end(), short{-1});
    };
    const auto permuted = thrust::make_permutation_iterator(of.begin(), indices.begin());
    thrust::inclusive_scan_by_key(lightscan::par, permuted, permuted + n, from.begin(), to.begin());
    expect("a permutation");
    thrust::inclusive_scan_by_key(lightscan::par, permuted, permuted + n, from.begin(), to.begin(), by_label{});
    expect("a permutation and a generic equality");
    const auto zipped = thrust::make_zip_iterator(of.begin(), indices.begin());
    thrust::inclusive_scan_by_key(lightscan::par, zipped, zipped + n, from.begin(), to.begin(), by_first_label{});
    expect("a zip and a generic equality");
  }
}

// Keys of any size, large inputs: of few items a thread, too.
namespace
{
template <int Words>
struct key_of_words
{
  std::int64_t word[Words];

  key_of_words() = default;
  explicit key_of_words(int of)
  {
    for (int w = 0; w < Words; ++w)
    {
      word[w] = of / (w + 1); // the first word tells keys apart
    }
  }

  __host__ __device__ bool operator==(const key_of_words& other) const
  {
    bool equal = true;
    for (int w = 0; w < Words; ++w)
    {
      equal = equal && word[w] == other.word[w];
    }
    return equal;
  }
};

template <class Value, int Words>
void check_keys_of_words()
{
  using key = key_of_words<Words>;
  for (const int average : {5, 5000})
  {
    const auto n                = static_cast<int>((std::size_t{32} << 20) / (sizeof(key) + sizeof(Value)));
    const std::vector<int> runs = random_runs(n, average);
    const std::vector<key> keys(runs.begin(), runs.end());
    const std::vector<int> small = small_values(n);
    const std::vector<Value> values(small.begin(), small.end());
    const auto expected = host_scan_by_key<true, Value>(runs, values, no_init{}, std::equal_to<>{}, std::plus<>{});
    const thrust::device_vector<key> of(keys.begin(), keys.end());
    const thrust::device_vector<Value> from(values.begin(), values.end());
    thrust::device_vector<Value> to(from.size());
    thrust::inclusive_scan_by_key(lightscan::par, of.begin(), of.end(), from.begin(), to.begin());
    EXPECT_NE(lightscan::last_launch().taken, lightscan::path::thrust);
    const thrust::host_vector<Value> there = to;
    const auto differs                     = std::mismatch(expected.begin(), expected.end(), there.begin());
    ASSERT_EQ(differs.first - expected.begin(), n)
      << "of " << n << " keys of " << sizeof(key) << " bytes, values of " << sizeof(Value) << ", runs of " << average;
  }
}

template <class Value>
void check_keys_of_any_size()
{
  ASSERT_NO_FATAL_FAILURE((check_keys_of_words<Value, 2>()));
  ASSERT_NO_FATAL_FAILURE((check_keys_of_words<Value, 3>()));
  ASSERT_NO_FATAL_FAILURE((check_keys_of_words<Value, 4>()));
  ASSERT_NO_FATAL_FAILURE((check_keys_of_words<Value, 6>()));
  ASSERT_NO_FATAL_FAILURE((check_keys_of_words<Value, 8>()));
  ASSERT_NO_FATAL_FAILURE((check_keys_of_words<Value, 9>()));
  ASSERT_NO_FATAL_FAILURE((check_keys_of_words<Value, 16>()));
  ASSERT_NO_FATAL_FAILURE((check_keys_of_words<Value, 32>()));
}
} // namespace

TEST(keys, of_any_size)
{
  check_keys_of_any_size<float>();
}

TEST(keys, of_any_size_and_wider_values)
{
  check_keys_of_any_size<std::int64_t>();
}
