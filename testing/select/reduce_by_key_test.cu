// Rule: the three forms of thrust::reduce_by_key, Encode and NonTrivialRuns do as loops over the items do: for runs of any
// length, keys that equal nothing, an equality that is not transitive and operators that do not commute. They return the ends
// of what they put out, and write nothing behind.
#include "problems.h"

#include <lightscan/device_run_length_encode.h>
#include <lightscan/reduce_by_key.h>

#include "../support/operators.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/functional>

#include <cmath>
#include <limits>

using namespace testing_support;

namespace
{
// Small calls by the plain kernel, large ones by the pipeline.
const std::int64_t sizes[] = {0, 1, 2, 33, 1000, 70001, 300007, 3000017};

struct equal
{
  template <class T>
  __host__ __device__ bool operator()(const T& l, const T& r) const
  {
    return l == r;
  }
};

// Not transitive, nor symmetric: what stands before is asked first.
struct at_most_one_more
{
  template <class T>
  __host__ __device__ bool operator()(const T& l, const T& r) const
  {
    return r >= l && r - l <= 1;
  }
};

// Of which a thread has three chunks of four, with values of four bytes (perf/DECISIONS.md, taken-bytes).
struct key_of_12_bytes
{
  int word[3];

  explicit key_of_12_bytes(int of)
      : word{of / 3, of % 3, 0}
  {}
  key_of_12_bytes() = default;

  __host__ __device__ bool operator==(const key_of_12_bytes& other) const
  {
    return word[0] == other.word[0] && word[1] == other.word[1];
  }
};

// Keys that are the same for about `length` neighbours.
template <class Key>
std::vector<Key> keys_in_runs(std::int64_t n, std::int64_t length)
{
  std::mt19937 random(static_cast<unsigned>(n + length)); // the seed follows from what SCOPED_TRACE says
  std::vector<Key> keys(static_cast<std::size_t>(n));
  int key = 0;
  for (Key& one : keys)
  {
    key += length == 1 || random() % static_cast<unsigned>(length) == 0 ? 1 : 0;
    one = static_cast<Key>(key % 100);
  }
  return keys;
}

// call(first, last, values, keys_result, values_result) against a loop.
template <class Key, class Value, class Same, class Op, class Call>
void check(const std::vector<Key>& keys, const std::vector<Value>& values, Same same, Op op, Call call)
{
  const runs_of_keys<Key, Value> wanted(keys, values, same, op);
  guarded_memory<Key> in(keys.size(), 1);
  guarded_memory<Value> of(keys.size(), 3);
  guarded_memory<Key> to(keys.size(), 2);
  guarded_memory<Value> reduced(keys.size(), 1);
  ASSERT_NO_FATAL_FAILURE(in.upload(keys));
  ASSERT_NO_FATAL_FAILURE(of.upload(values));
  const Key* const first = in.data();
  const auto ends = call(first, first + keys.size(), static_cast<const Value*>(of.data()), to.data(), reduced.data());
  EXPECT_EQ(ends.first - to.data(), static_cast<std::ptrdiff_t>(wanted.keys.size()));
  EXPECT_EQ(ends.second - reduced.data(), static_cast<std::ptrdiff_t>(wanted.keys.size()));
  ASSERT_NO_FATAL_FAILURE(expect_results(to, wanted.keys, "keys"));
  ASSERT_NO_FATAL_FAILURE(expect_results(reduced, wanted.values, "values"));
}

template <class T>
std::vector<T> numbered(std::int64_t n)
{
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; ++i)
  {
    values.push_back(static_cast<T>(i * 7919 % 1009));
  }
  return values;
}

std::vector<affine> maps(std::int64_t n)
{
  std::vector<affine> values;
  for (std::int64_t i = 0; i < n; ++i)
  {
    values.push_back({static_cast<std::uint32_t>(2 * i + 3), static_cast<std::uint32_t>(i)});
  }
  return values;
}

// For every size and every length of runs.
template <class Check>
void at_every_size(Check check_size)
{
  for (const std::int64_t n : sizes)
  {
    for (const std::int64_t length : {1, 4, 64, 1000000})
    {
      SCOPED_TRACE(::testing::Message() << n << " items, runs of " << length);
      ASSERT_NO_FATAL_FAILURE(check_size(n, length));
      if (::testing::Test::HasFailure())
      {
        return;
      }
    }
  }
}

TEST(reduce_by_key, sums_the_values_of_equal_keys)
{
  at_every_size([](std::int64_t n, std::int64_t length) {
    check(keys_in_runs<int>(n, length), numbered<std::uint32_t>(n), equal{}, plus{}, [](auto... ranges) {
      return thrust::reduce_by_key(lightscan::par, ranges...);
    });
  });
}

TEST(reduce_by_key, takes_keys_of_three_words)
{
  at_every_size([](std::int64_t n, std::int64_t length) {
    check(keys_in_runs<key_of_12_bytes>(n, length), numbered<int>(n), equal{}, plus{}, [](auto... ranges) {
      return thrust::reduce_by_key(lightscan::par, ranges...);
    });
  });
}

TEST(reduce_by_key, takes_an_equality_that_is_not_transitive)
{
  at_every_size([](std::int64_t n, std::int64_t length) {
    check(keys_in_runs<std::uint8_t>(n, length), numbered<int>(n), at_most_one_more{}, plus{}, [](auto... ranges) {
      return thrust::reduce_by_key(lightscan::par, ranges..., at_most_one_more{});
    });
  });
}

TEST(reduce_by_key, takes_operators_that_do_not_commute)
{
  at_every_size([](std::int64_t n, std::int64_t length) {
    check(keys_in_runs<std::uint64_t>(n, length), maps(n), equal{}, compose{}, [](auto... ranges) {
      return thrust::reduce_by_key(lightscan::par, ranges..., equal{}, compose{});
    });
  });
}

// Each result's columns are those of its own run. (Their stage is as wide as an item, not as items and results: bulk/stage_columns.h.)
TEST(reduce_by_key, reduces_columns_by_columns)
{
  at_every_size([](std::int64_t n, std::int64_t length) {
    const auto keys = keys_in_runs<int>(n, length);
    std::vector<std::uint8_t> thirds;
    for (const int key : keys)
    {
      thirds.push_back(static_cast<std::uint8_t>(key / 3));
    }
    const auto values  = numbered<std::uint32_t>(n);
    const auto numbers = numbered<std::uint64_t>(n);
    const runs_of_keys<int, std::uint32_t> wanted(keys, values, equal{}, plus{});
    const runs_of_keys<int, std::uint64_t> wanted_numbers(keys, numbers, equal{}, plus{});
    const runs_of_keys<int, std::uint8_t> wanted_thirds(keys, thirds, equal{}, [](std::uint8_t third, std::uint8_t) {
      return third;
    });
    guarded_memory<int> in(keys.size(), 1);
    guarded_memory<std::uint8_t> in_thirds(keys.size(), 3);
    guarded_memory<std::uint32_t> of(keys.size(), 2);
    guarded_memory<std::uint64_t> of_numbers(keys.size(), 1);
    guarded_memory<int> to(keys.size(), 3);
    guarded_memory<std::uint8_t> to_thirds(keys.size(), 5);
    guarded_memory<std::uint32_t> sums(keys.size(), 1);
    guarded_memory<std::uint64_t> sums_of_numbers(keys.size(), 0);
    ASSERT_NO_FATAL_FAILURE(in.upload(keys));
    ASSERT_NO_FATAL_FAILURE(in_thirds.upload(thirds));
    ASSERT_NO_FATAL_FAILURE(of.upload(values));
    ASSERT_NO_FATAL_FAILURE(of_numbers.upload(numbers));
    const auto first       = thrust::make_zip_iterator(in.data(), in_thirds.data());
    const auto from        = thrust::make_zip_iterator(of.data(), of_numbers.data());
    const auto keys_result = thrust::make_zip_iterator(to.data(), to_thirds.data());
    const auto result      = thrust::make_zip_iterator(sums.data(), sums_of_numbers.data());
    const auto ends        = thrust::reduce_by_key(
      lightscan::par, first, first + n, from, keys_result, result, cuda::std::equal_to<>{}, add_members{});
    EXPECT_EQ(ends.first - keys_result, static_cast<std::ptrdiff_t>(wanted.keys.size()));
    EXPECT_EQ(ends.second - result, static_cast<std::ptrdiff_t>(wanted.keys.size()));
    ASSERT_NO_FATAL_FAILURE(expect_results(to, wanted.keys, "keys"));
    ASSERT_NO_FATAL_FAILURE(expect_results(to_thirds, wanted_thirds.values, "their thirds"));
    ASSERT_NO_FATAL_FAILURE(expect_results(sums, wanted.values, "sums"));
    ASSERT_NO_FATAL_FAILURE(expect_results(sums_of_numbers, wanted_numbers.values, "sums of numbers"));
  });
}

// Sums that overflow, keys in memory and read by an iterator.
TEST(reduce_by_key, adds_the_same_number_for_every_item)
{
  at_every_size([](std::int64_t n, std::int64_t length) {
    const auto keys = keys_in_runs<int>(n, length);
    const std::vector<signed char> values(keys.size(), 100);
    const thrust::constant_iterator<signed char> each(100);
    check(keys, values, equal{}, plus{}, [&](const int* first, const int* last, const signed char*, auto... results) {
      return thrust::reduce_by_key(lightscan::par, first, last, each, results...);
    });
    check(keys, values, equal{}, plus{}, [&](const int* first, const int* last, const signed char*, auto... results) {
      const auto read = thrust::make_permutation_iterator(first, thrust::counting_iterator<std::int64_t>(0));
      return thrust::reduce_by_key(lightscan::par, read, read + (last - first), each, results...);
    });
  });
}

// Not counted: each sum loses bits that the values have.
TEST(reduce_by_key, adds_the_same_number_in_a_narrower_type)
{
  at_every_size([](std::int64_t n, std::int64_t length) {
    const auto keys = keys_in_runs<int>(n, length);
    const std::vector<int> values(keys.size(), 100);
    const auto narrow = [](int left, int right) {
      return static_cast<int>(static_cast<signed char>(left + right));
    };
    check(keys, values, equal{}, narrow, [](const int* first, const int* last, const int*, auto... results) {
      const cuda::std::plus<signed char> narrow_plus{};
      return thrust::reduce_by_key(
        lightscan::par, first, last, thrust::constant_iterator<int>(100), results..., equal{}, narrow_plus);
    });
  });
}

// A run of its own each; a whole range of them makes as many runs as there are items.
TEST(reduce_by_key, takes_keys_that_equal_nothing)
{
  for (const std::int64_t n : sizes)
  {
    for (const int every : {1, 3, 5000})
    {
      SCOPED_TRACE(::testing::Message() << n << " items, each " << every << "th not a number");
      std::vector<float> keys(static_cast<std::size_t>(n), 1);
      for (std::size_t i = 0; i < keys.size(); i += static_cast<std::size_t>(every))
      {
        keys[i] = std::numeric_limits<float>::quiet_NaN();
      }
      check(keys, numbered<std::uint32_t>(n), equal{}, plus{}, [](auto... ranges) {
        return thrust::reduce_by_key(lightscan::par, ranges...);
      });
      if (::testing::Test::HasFailure())
      {
        return;
      }
    }
  }
}

// Lengths as Encode puts them out, and where those of two or more are.
template <class Key>
void check_run_lengths(const std::vector<Key>& items)
{
  const auto n = static_cast<std::int64_t>(items.size());
  const runs_of_keys<Key, int> wanted(items, std::vector<int>(items.size(), 1), equal{}, plus{});
  std::vector<int> offsets;
  std::vector<int> lengths;
  int offset = 0;
  for (const int length : wanted.values)
  {
    if (length > 1)
    {
      offsets.push_back(offset);
      lengths.push_back(length);
    }
    offset += length;
  }
  const totals total;
  guarded_memory<Key> in(items.size(), 3);
  guarded_memory<Key> firsts(items.size(), 1);
  guarded_memory<int> where(items.size(), 1);
  guarded_memory<int> how_many(items.size(), 2);
  ASSERT_NO_FATAL_FAILURE(in.upload(items));
  const Key* const first = in.data();
  ASSERT_EQ(
    lightscan::DeviceRunLengthEncode::Encode(first, firsts.data(), how_many.data(), total.data(), n), cudaSuccess);
  EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.keys.size()));
  ASSERT_NO_FATAL_FAILURE(expect_results(firsts, wanted.keys, "first items"));
  ASSERT_NO_FATAL_FAILURE(expect_results(how_many, wanted.values, "lengths"));
  how_many.poison_all();
  ASSERT_EQ(lightscan::DeviceRunLengthEncode::NonTrivialRuns(first, where.data(), how_many.data(), total.data(), n),
            cudaSuccess);
  EXPECT_EQ(total[0], static_cast<std::int64_t>(offsets.size()));
  ASSERT_NO_FATAL_FAILURE(expect_results(where, offsets, "offsets"));
  ASSERT_NO_FATAL_FAILURE(expect_results(how_many, lengths, "lengths of two or more"));
}

TEST(run_lengths, of_runs_of_any_length)
{
  at_every_size([](std::int64_t n, std::int64_t length) {
    check_run_lengths(keys_in_runs<std::uint32_t>(n, length));
  });
}

TEST(run_lengths, of_items_that_equal_nothing)
{
  for (const std::int64_t n : sizes)
  {
    SCOPED_TRACE(::testing::Message() << n << " items");
    std::vector<float> items(static_cast<std::size_t>(n), 1);
    for (std::size_t i = 0; i < items.size(); i += 3)
    {
      items[i] = std::numeric_limits<float>::quiet_NaN();
    }
    check_run_lengths(items);
  }
}
} // namespace
