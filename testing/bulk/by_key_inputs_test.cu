// Rule: the bulk pipeline serves scans by key whose keys and values each are columns, computed or gathered: constant values,
// counted keys, both computed, zips as keys, keys that a functor looks for in memory, reversed zips in place, permutations;
// inclusive and exclusive, segment by segment, at the boundaries of tiles and grids.
#include "../support/in_order.h"
#include "../support/own_iterators.h"
#include "../support/permutations.h"
#include "../support/tree_check.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

namespace
{
const in_order before{affine{5, 7}};

struct same
{
  template <class Key>
  __host__ __device__ bool operator()(const Key& l, const Key& r) const
  {
    return l == r;
  }
};

struct divided
{
  int width;

  __host__ __device__ int operator()(int i) const
  {
    return i / width;
  }
};

// Runs of equal keys, 32 long on average; a key may come back later.
template <class Key>
std::vector<Key> random_runs(std::int64_t n)
{
  std::mt19937_64 engine(seed() + 5);
  std::vector<Key> keys(static_cast<std::size_t>(n));
  Key key{};
  for (Key& k : keys)
  {
    key = engine() % 32 == 0 ? static_cast<Key>(engine() % 11) : key;
    k   = key;
  }
  return keys;
}

// The segment of element i, where segments begin at begins[0] = 0, begins[1], ...: by binary search.
struct segment_of
{
  const int* begins;
  int count;

  __host__ __device__ int operator()(int i) const
  {
    int low  = 0; // begins here or before
    int high = count;
    while (high - low > 1)
    {
      const int middle                   = low + (high - low) / 2;
      (begins[middle] <= i ? low : high) = middle;
    }
    return low;
  }
};

std::vector<int> random_begins(std::int64_t n)
{
  std::mt19937_64 engine(seed() + 6);
  std::vector<int> begins{0};
  while (begins.back() < n)
  {
    begins.push_back(begins.back() + 1 + static_cast<int>(engine() % 97));
  }
  return begins;
}

template <class It>
auto reversed(It first, std::int64_t n)
{
  return thrust::make_reverse_iterator(first + n);
}

std::size_t mirrored(std::int64_t n, std::size_t i)
{
  return static_cast<std::size_t>(n) - 1 - i;
}
} // namespace

TEST(by_key_inputs, constant_values)
{
  const auto make = [](std::int64_t n) {
    const column<int> keys(random_runs<int>(n), 1);
    return by_key_to_memory<int>(
      n,
      keys.data(),
      [=](std::size_t i) {
        return keys[i];
      },
      thrust::constant_iterator<int>(1),
      [](std::size_t) {
        return 1;
      });
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, int>(make, same{}, plus{}, no_init{})));
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, int>(make, same{}, plus{}, -3)));
}

TEST(by_key_inputs, counted_keys)
{
  for (const int width : {1, 100, 1000000})
  {
    const auto make = [width](std::int64_t n) {
      const column<std::uint32_t> values(n, 1);
      const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), divided{width});
      return by_key_to_memory<in_order>(
        n,
        keys,
        [width](std::size_t i) {
          return static_cast<int>(i) / width;
        },
        values.data(),
        [=](std::size_t i) {
          return values[i];
        });
    };
    ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, no_init{})));
    ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, before)));
  }
}

TEST(by_key_inputs, counted_keys_and_counted_values)
{
  const auto make = [](std::int64_t n) {
    const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), divided{77});
    return by_key_to_memory<in_order>(
      n,
      keys,
      [](std::size_t i) {
        return static_cast<int>(i) / 77;
      },
      thrust::counting_iterator<int>(9),
      [](std::size_t i) {
        return static_cast<int>(i) + 9;
      });
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, no_init{})));
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, before)));
}

TEST(by_key_inputs, zip_as_keys)
{
  using pair_key  = thrust::tuple<int, std::int64_t>;
  const auto make = [](std::int64_t n) {
    const column<int> a(random_runs<int>(n), 1);
    const column<std::int64_t> b(random_runs<std::int64_t>(n), 1);
    const column<std::uint32_t> values(n, 0);
    return by_key_to_memory<in_order>(
      n,
      thrust::make_zip_iterator(a.data(), b.data()),
      [=](std::size_t i) {
        return pair_key(a[i], b[i]);
      },
      values.data(),
      [=](std::size_t i) {
        return values[i];
      });
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<pair_key, in_order>(make, same{}, compose_in_order{}, no_init{})));
  ASSERT_NO_FATAL_FAILURE((check_by_key<pair_key, in_order>(make, same{}, compose_in_order{}, before)));
}

TEST(by_key_inputs, keys_found_by_binary_search)
{
  const auto make = [](std::int64_t n) {
    const std::vector<int> begins = random_begins(n);
    const column<int> in_memory(begins, 1);
    const column<std::uint32_t> values(n, 3);
    const auto keys = thrust::make_transform_iterator(
      thrust::counting_iterator<int>(0), segment_of{in_memory.data(), static_cast<int>(begins.size())});
    return by_key_to_memory<in_order>(
      n,
      keys,
      [begins](std::size_t i) {
        return segment_of{begins.data(), static_cast<int>(begins.size())}(static_cast<int>(i));
      },
      values.data(),
      [values, in_memory](std::size_t i) {
        return values[i];
      });
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, no_init{})));
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, before)));
}

namespace
{
using two = thrust::tuple<std::uint32_t, std::uint64_t>;

// The first members' last one that is odd, and the second ones' sum: it does not commute.
struct fold_of_two
{
  __host__ __device__ two operator()(const two& l, const two& r) const
  {
    return two(
      thrust::get<0>(r) % 2 != 0 ? thrust::get<0>(r) : thrust::get<0>(l), thrust::get<1>(l) + thrust::get<1>(r));
  }
};
} // namespace

TEST(by_key_inputs, reversed_zip_in_place)
{
  const auto make = [](std::int64_t n) {
    const column<int> keys(random_runs<int>(n), 1);
    const std::vector<std::uint32_t> a = random_values<std::uint32_t>(static_cast<std::size_t>(n), 1);
    const std::vector<std::uint64_t> b = random_values<std::uint64_t>(static_cast<std::size_t>(n), 2);
    const target<std::uint32_t> to_a(a, 1);
    const target<std::uint64_t> to_b(b, 1);
    const auto values = reversed(thrust::make_zip_iterator(to_a.data(), to_b.data()), n);
    return by_key_call{reversed(keys.data(), n),
                       [=](std::size_t i) {
                         return keys[mirrored(n, i)];
                       },
                       values,
                       [=](std::size_t i) {
                         return two(a[mirrored(n, i)], b[mirrored(n, i)]);
                       },
                       values,
                       [=](const std::vector<two>& expected) {
                         std::vector<std::uint32_t> first(expected.size());
                         std::vector<std::uint64_t> second(expected.size());
                         for (std::size_t i = 0; i < expected.size(); ++i)
                         {
                           first[mirrored(n, i)]  = thrust::get<0>(expected[i]);
                           second[mirrored(n, i)] = thrust::get<1>(expected[i]);
                         }
                         ASSERT_NO_FATAL_FAILURE(to_a.expect(first, "first members"));
                         ASSERT_NO_FATAL_FAILURE(to_b.expect(second, "second members"));
                       }};
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, two>(make, same{}, fold_of_two{}, no_init{})));
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, two>(make, same{}, fold_of_two{}, two(1u, 2u))));
}

TEST(by_key_inputs, permuted_keys_and_a_users_own_values)
{
  const auto make = [](std::int64_t n) {
    const std::vector<std::int32_t> order = random_order(n);
    const std::vector<int> runs           = random_runs<int>(n);
    const column<int> keys(scattered(runs, order), 2);
    const column<std::int32_t> from(order, 1);
    const column<std::uint32_t> values(3 * n, 1);
    return by_key_to_memory<in_order>(
      n,
      thrust::make_permutation_iterator(keys.data(), from.data()),
      [keys, from, runs](std::size_t i) {
        return runs[i];
      },
      every_third<const std::uint32_t>(values.data()),
      [values](std::size_t i) {
        return values[3 * i];
      });
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, no_init{})));
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, before)));
}
