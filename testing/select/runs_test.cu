// Rule: both kernels find the runs of equal neighbours: unique items with what lies beside them, in place too, keys with their reduced
// values in order, and where long runs lie. Equality is asked of neighbours, the earlier one first.
#include "problems.h"

#include <thrust/iterator/constant_iterator.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace testing_support;
namespace entry = lightscan::entry;
namespace tile  = lightscan::tile;

namespace
{
using equal = ::cuda::std::equal_to<>;

// Whether neighbours are close: not transitive.
struct close
{
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const
  {
    return (a < b ? b - a : a - b) <= 1;
  }
};

// x -> a * x + b, modulo 2^32: composition does not commute.
struct map
{
  std::uint32_t a;
  std::uint32_t b;
};
struct compose
{
  __host__ __device__ map operator()(const map& first, const map& then) const
  {
    return {then.a * first.a, then.a * first.b + then.b};
  }
};

// Of runs about this long.
template <class T>
std::vector<T> in_runs(std::int64_t n, std::int64_t length)
{
  std::mt19937 random(static_cast<unsigned>(n + length));
  std::vector<T> items(static_cast<std::size_t>(n));
  int value = 0;
  for (T& item : items)
  {
    value += length == 1 || random() % static_cast<unsigned>(length) == 0 ? 1 : 0;
    item = static_cast<T>(value % 120);
  }
  return items;
}

template <class T, class Equal>
struct expected
{
  std::vector<T> keys;
  std::vector<int> firsts;
  std::vector<map> reduced;
  std::vector<int> offsets;
  std::vector<int> lengths;

  expected(const std::vector<T>& items, const std::vector<map>& values, Equal same)
  {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
      if (i == 0 || !same(items[i - 1], items[i]))
      {
        keys.push_back(items[i]);
        firsts.push_back(static_cast<int>(i));
        reduced.push_back(values[i]);
        begin = i;
      }
      else
      {
        reduced.back() = compose{}(reduced.back(), values[i]);
      }
      const bool ends = i + 1 == items.size() || !same(items[i], items[i + 1]);
      if (ends && i > begin)
      {
        offsets.push_back(static_cast<int>(begin));
        lengths.push_back(static_cast<int>(i + 1 - begin));
      }
    }
  }
};

template <class T, class Equal>
void check(const std::vector<T>& items, Equal same, kernels in)
{
  const auto n = static_cast<std::int64_t>(items.size());
  const totals total;
  std::vector<map> values;
  std::vector<int> indices;
  for (std::int64_t i = 0; i < n; ++i)
  {
    values.push_back({static_cast<std::uint32_t>(2 * i + 3), static_cast<std::uint32_t>(i)});
    indices.push_back(static_cast<int>(i));
  }
  const expected<T, Equal> wanted(items, values, same);
  const auto runs = static_cast<std::int64_t>(wanted.keys.size());
  guarded_memory<T> from(items.size(), static_cast<std::size_t>(n % 3));
  guarded_memory<map> of_values(items.size(), 1);
  guarded_memory<int> of_indices(items.size(), 3);
  guarded_memory<T> keys(items.size(), 1);
  guarded_memory<map> reduced(items.size(), 0);
  guarded_memory<int> firsts(items.size(), 2);
  guarded_memory<int> lengths(items.size(), 1);
  from.upload(items);
  of_values.upload(values);
  of_indices.upload(indices);
  const T* const first              = from.data();
  const map* const first_value      = of_values.data();
  const int* const first_index      = of_indices.data();
  const tile::run_test<Equal> begin = {same};

  if (!launched(entry::select_problem_of<true>(
                  begin, entry::these(first, first_index), entry::these(keys.data(), firsts.data()), total.data(), n),
                in))
  {
    return;
  }
  expect_results(keys, wanted.keys, "unique keys");
  expect_results(firsts, wanted.firsts, "beside them");
  EXPECT_EQ(total[0], runs);

  keys.poison_all();
  launched(entry::reduce_by_key_problem_of<map>(
             first, first_value, keys.data(), reduced.data(), total.data(), n, same, compose{}),
           in);
  expect_results(keys, wanted.keys, "keys");
  expect_results(reduced, wanted.reduced, "values");
  EXPECT_EQ(total[0], runs);

  firsts.poison_all();
  launched(entry::runs_problem_of(first, firsts.data(), lengths.data(), total.data(), n, same), in);
  expect_results(firsts, wanted.offsets, "offsets");
  expect_results(lengths, wanted.lengths, "lengths");
  EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.offsets.size()));

  launched(entry::select_problem_of<false>(begin, entry::these(first), entry::these(), total.data(), n), in);
  EXPECT_EQ(total[0], runs) << "counted";

  launched(entry::select_problem_of<true>(
             begin, entry::these(first, first_index), entry::these(from.data(), of_indices.data()), total.data(), n),
           in);
  const std::vector<T> there      = from.download();
  const std::vector<int> of_there = of_indices.download();
  EXPECT_EQ(std::memcmp(there.data(), wanted.keys.data(), wanted.keys.size() * sizeof(T)), 0) << "in place";
  EXPECT_TRUE(std::equal(wanted.firsts.begin(), wanted.firsts.end(), of_there.begin())) << "beside them, in place";
  from.expect_guards_untouched();
  of_indices.expect_guards_untouched();
}

template <class T>
class runs_of : public ::testing::Test
{};
using types = ::testing::Types<std::uint8_t, std::int32_t, double, wide>;
TYPED_TEST_SUITE(runs_of, types);

TYPED_TEST(runs_of, every_length_and_density)
{
  for (const std::int64_t n : lengths())
  {
    for (const std::int64_t length : {1, 2, 4, 64, 5000, 1000000})
    {
      for (const kernels in : both_kernels)
      {
        SCOPED_TRACE(::testing::Message() << n << " items, runs of " << length << ", kernel " << static_cast<int>(in));
        check(in_runs<TypeParam>(n, length), equal{}, in);
        if (::testing::Test::HasFailure())
        {
          return;
        }
      }
    }
  }
}

TEST(runs, of_an_equality_that_is_not_transitive)
{
  for (const std::int64_t n : {5, 1000, 70001, 1000003})
  {
    for (const kernels in : both_kernels)
    {
      SCOPED_TRACE(::testing::Message() << n << " items, kernel " << static_cast<int>(in));
      std::vector<int> items;
      std::mt19937 random(static_cast<unsigned>(n));
      for (std::int64_t i = 0; i < n; ++i)
      {
        items.push_back(static_cast<int>(random() % 4));
      }
      check(items, close{}, in);
    }
  }
}

TEST(runs, of_keys_that_equal_nothing)
{
  for (const std::int64_t n : {1, 33, 5633, 300007})
  {
    for (const kernels in : both_kernels)
    {
      SCOPED_TRACE(::testing::Message() << n << " items, kernel " << static_cast<int>(in));
      std::vector<float> items(static_cast<std::size_t>(n), 1);
      for (std::size_t i = 0; i < items.size(); i += 3)
      {
        items[i] = std::numeric_limits<float>::quiet_NaN();
      }
      check(items, equal{}, in);
    }
  }
}

// Floating-point sums of runs have the same bits in every run.
TEST(runs, reduce_to_the_same_bits)
{
  constexpr std::int64_t n = 3000017;
  const totals total;
  const std::vector<int> items = in_runs<int>(n, 500);
  std::vector<float> values(items.size());
  std::mt19937 random(7);
  for (float& value : values)
  {
    value = static_cast<float>(random()) * 1e-6f;
  }
  guarded_memory<int> from(items.size(), 0);
  guarded_memory<float> of(items.size(), 0);
  guarded_memory<int> keys(items.size(), 0);
  from.upload(items);
  of.upload(values);
  for (const kernels in : both_kernels)
  {
    std::vector<float> before;
    for (int round = 0; round < 10; ++round)
    {
      guarded_memory<float> sums(items.size(), 0);
      if (!launched(entry::reduce_by_key_problem_of<float>(static_cast<const int*>(from.data()),
                                                           static_cast<const float*>(of.data()),
                                                           keys.data(),
                                                           sums.data(),
                                                           total.data(),
                                                           n,
                                                           equal{},
                                                           ::cuda::std::plus<>{}),
                    in))
      {
        break;
      }
      const std::vector<float> there = sums.download();
      EXPECT_TRUE(round == 0 || std::memcmp(there.data(), before.data(), there.size() * sizeof(float)) == 0)
        << "round " << round << ", kernel " << static_cast<int>(in);
      before = there;
    }
  }
}
} // namespace
