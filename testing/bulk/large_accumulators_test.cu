// Rule: the bulk pipeline serves accumulators of up to 256 bytes and elements of any size, odd ones too, in the order of the
// elements: from memory, in place, at any alignment, computed, gathered, and by key.
#include "../support/in_order.h"
#include "../support/permutations.h"
#include "../support/tree_check.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

namespace
{
// Elements that compose_members can invert: the factors are odd.
struct made_of
{
  template <class T>
  __host__ __device__ static T element(std::uint64_t i)
  {
    T made{};
    std::uint64_t bits = i * 6364136223846793005ull + 1442695040888963407ull;
    int k              = 0;
    for (auto& member : made.member)
    {
      bits   = bits * 6364136223846793005ull + 1442695040888963407ull;
      member = static_cast<std::remove_reference_t<decltype(member)>>(bits >> 33);
      if (k++ % 2 == 0)
      {
        member |= 1;
      }
    }
    return made;
  }
};

template <class T>
struct computed_element
{
  __host__ __device__ T operator()(std::int64_t i) const
  {
    return made_of::element<T>(static_cast<std::uint64_t>(i));
  }
};

template <class T>
std::vector<T> elements(std::int64_t n)
{
  std::vector<T> all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    all[i] = made_of::element<T>(seed() + i);
  }
  return all;
}

// 24 MB of them.
template <class T>
constexpr std::int64_t longest = (24 << 20) / static_cast<std::int64_t>(sizeof(T)) + 17;

template <class T>
T first_value()
{
  return made_of::element<T>(77);
}

template <class T>
void check_in_memory()
{
  const auto elsewhere = [](std::size_t in, std::size_t out) {
    return [in, out](std::int64_t n) {
      const column<T> values(elements<T>(n), in);
      return to_memory<T>(
        n,
        values.data(),
        [values](std::size_t i) {
          return values[i];
        },
        out);
    };
  };
  const auto in_place = [](std::int64_t n) {
    const std::vector<T> values = elements<T>(n);
    const target<T> data(values, 1);
    return scan_call{static_cast<const T*>(data.data()),
                     [values](std::size_t i) {
                       return values[i];
                     },
                     data.data(),
                     [data](const std::vector<T>& expected) {
                       data.expect(expected);
                     }};
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(elsewhere(0, 0), compose_members{}, first_value<T>(), longest<T>));
  ASSERT_NO_FATAL_FAILURE((check_kind<T, true>(elsewhere(1, 1), compose_members{}, no_init{}, longest<T>)));
  ASSERT_NO_FATAL_FAILURE((check_kind<T, true>(elsewhere(3, 1), compose_members{}, no_init{}, longest<T>)));
  ASSERT_NO_FATAL_FAILURE((check_kind<T, false>(in_place, compose_members{}, first_value<T>(), longest<T>)));
}

template <class T>
class accumulators_of_any_size : public ::testing::Test
{};
using large_types = ::testing::Types<bytes_of_size<15>,
                                     words_of_size<5>,
                                     bytes_of_size<33>,
                                     words_of_size<9>,
                                     words_of_size<12>,
                                     tuple_of<std::uint64_t, 6>,
                                     words_of_size<16>,
                                     words_of_size<32>,
                                     words_of_size<64>>;
TYPED_TEST_SUITE(accumulators_of_any_size, large_types);

struct same
{
  __host__ __device__ bool operator()(int l, int r) const
  {
    return l == r;
  }
};
} // namespace

TYPED_TEST(accumulators_of_any_size, in_memory)
{
  check_in_memory<TypeParam>();
}

TEST(large_accumulators, of_computed_elements)
{
  using T         = words_of_size<16>;
  const auto make = [](std::int64_t n) {
    const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::int64_t>(0), computed_element<T>{});
    return to_memory<T>(n, first, [](std::size_t i) {
      return made_of::element<T>(i);
    });
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<T, true>(make, compose_members{}, no_init{}, longest<T>)));
}

TEST(large_accumulators, of_gathered_elements_to_a_permutation)
{
  using T         = words_of_size<12>;
  const auto make = [](std::int64_t n) {
    const std::vector<std::int32_t> order = random_order(n);
    const std::vector<T> values           = elements<T>(n);
    const column<std::int32_t> at(order, 1);
    const column<T> there(scattered(values, order), 1);
    const target<T> out(n, 0);
    return scan_call{thrust::make_permutation_iterator(there.data(), at.data()),
                     [values](std::size_t i) {
                       return values[i];
                     },
                     thrust::make_permutation_iterator(out.data(), at.data()),
                     [at, there, out, order](const std::vector<T>& expected) {
                       out.expect(scattered(expected, order));
                     }};
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<T, true>(make, compose_members{}, no_init{}, longest<T>)));
}

// Two keys, 64 bytes and a flag.
TEST(large_accumulators, by_key)
{
  using T         = words_of_size<16>;
  const auto make = [](std::int64_t n) {
    std::vector<int> runs(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
      runs[i] = static_cast<int>(i / 61);
    }
    const column<int> keys(runs, 1);
    const column<T> values(elements<T>(n), 1);
    return by_key_to_memory<T>(
      n,
      keys.data(),
      [keys](std::size_t i) {
        return keys[i];
      },
      values.data(),
      [values](std::size_t i) {
        return values[i];
      });
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, T>(make, same{}, compose_members{}, no_init{}, longest<T>)));
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, T>(make, same{}, compose_members{}, first_value<T>(), longest<T>)));
}
