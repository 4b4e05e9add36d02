// Rule: the bulk pipeline serves columns that lie differently on the 16-byte grid: zips of a + 1, b + 2 and c, keys at one offset
// and values at another, results at a third; of elements of 1 to 8 bytes, of one size or of several.
#include "../support/tree_check.h"

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
struct same
{
  template <class Key>
  __host__ __device__ bool operator()(const Key& l, const Key& r) const
  {
    return l == r;
  }
};

// Sums of the first two members; of the third the larger one.
struct fold
{
  template <class X, class Y, class Z>
  __host__ __device__ thrust::tuple<X, Y, Z> operator()(const thrust::tuple<X, Y, Z>& l,
                                                        const thrust::tuple<X, Y, Z>& r) const
  {
    return thrust::tuple<X, Y, Z>(plus{}(thrust::get<0>(l), thrust::get<0>(r)),
                                  plus{}(thrust::get<1>(l), thrust::get<1>(r)),
                                  maximum{}(thrust::get<2>(l), thrust::get<2>(r)));
  }
};

struct offsets
{
  std::size_t first, second, third;
};

// Zips read and written, each at offsets of its own.
template <class X, class Y, class Z>
void check_zip(offsets in, offsets out, std::int64_t longest)
{
  using three = thrust::tuple<X, Y, Z>;
  SCOPED_TRACE("columns + " + std::to_string(in.first) + ", " + std::to_string(in.second) + ", "
               + std::to_string(in.third) + ", results + " + std::to_string(out.first) + ", "
               + std::to_string(out.second) + ", " + std::to_string(out.third));
  const auto make = [in, out](std::int64_t n) {
    const column<X> a(n, in.first, 1);
    const column<Y> b(n, in.second, 2);
    const column<Z> c(n, in.third, 3);
    const target<X> x(n, out.first);
    const target<Y> y(n, out.second);
    const target<Z> z(n, out.third);
    return scan_call{thrust::make_zip_iterator(a.data(), b.data(), c.data()),
                     [=](std::size_t i) {
                       return three(a[i], b[i], c[i]);
                     },
                     thrust::make_zip_iterator(x.data(), y.data(), z.data()),
                     [=](const std::vector<three>& all) {
                       std::vector<X> first(all.size());
                       std::vector<Y> second(all.size());
                       std::vector<Z> third(all.size());
                       for (std::size_t i = 0; i < all.size(); ++i)
                       {
                         first[i]  = thrust::get<0>(all[i]);
                         second[i] = thrust::get<1>(all[i]);
                         third[i]  = thrust::get<2>(all[i]);
                       }
                       ASSERT_NO_FATAL_FAILURE(x.expect(first, "first members"));
                       ASSERT_NO_FATAL_FAILURE(y.expect(second, "second members"));
                       ASSERT_NO_FATAL_FAILURE(z.expect(third, "third members"));
                     }};
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<three, true>(make, fold{}, no_init{}, longest)));
}

constexpr std::int64_t few = 300017; // elements, where offsets are many

template <class X, class Y, class Z>
void check_zips()
{
  ASSERT_NO_FATAL_FAILURE((check_zip<X, Y, Z>({1, 2, 0}, {0, 0, 0}, usual_longest)));
  ASSERT_NO_FATAL_FAILURE((check_zip<X, Y, Z>({0, 0, 0}, {3, 0, 1}, few)));
  ASSERT_NO_FATAL_FAILURE((check_zip<X, Y, Z>({3, 3, 3}, {3, 3, 3}, few)));
  ASSERT_NO_FATAL_FAILURE((check_zip<X, Y, Z>({15, 1, 7}, {2, 5, 11}, few)));
}

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

template <class Key, class Value>
void check_keys_and_values(offsets at, std::int64_t longest)
{
  SCOPED_TRACE("keys + " + std::to_string(at.first) + ", values + " + std::to_string(at.second) + ", results + "
               + std::to_string(at.third));
  const auto make = [at](std::int64_t n) {
    const column<Key> keys(random_runs<Key>(n), at.first);
    const column<Value> values(n, at.second);
    return by_key_to_memory<Value>(
      n,
      keys.data(),
      [=](std::size_t i) {
        return keys[i];
      },
      values.data(),
      [=](std::size_t i) {
        return values[i];
      },
      at.third);
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<Key, Value>(make, same{}, plus{}, Value{3}, longest)));
}

template <class Key, class Value>
void check_by_key_at_all_offsets()
{
  ASSERT_NO_FATAL_FAILURE((check_keys_and_values<Key, Value>({1, 2, 0}, usual_longest)));
  for (const std::size_t keys : {0, 1, 7})
  {
    for (const std::size_t values : {0, 1, 3})
    {
      ASSERT_NO_FATAL_FAILURE((check_keys_and_values<Key, Value>({keys, values, (keys + values) % 5}, few)));
    }
  }
}

template <class T>
class misaligned_columns : public ::testing::Test
{};
using element_types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(misaligned_columns, element_types);
} // namespace

TYPED_TEST(misaligned_columns, zip)
{
  check_zips<TypeParam, TypeParam, TypeParam>();
}

TYPED_TEST(misaligned_columns, by_key)
{
  check_by_key_at_all_offsets<TypeParam, TypeParam>();
}

TEST(misaligned_columns_of_several_sizes, zip)
{
  check_zips<std::int8_t, double, std::int16_t>();
}

TEST(misaligned_columns_of_several_sizes, narrow_keys)
{
  check_by_key_at_all_offsets<std::int8_t, double>();
}

TEST(misaligned_columns_of_several_sizes, wide_keys)
{
  check_by_key_at_all_offsets<std::int64_t, std::int16_t>();
}
