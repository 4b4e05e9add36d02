// Rule: both kernels select items, and reduce values by key, of more bytes than a thread's registers like: what does not fit a tile of
// the pipeline's usual threads has fewer of them (perf/DECISIONS.md, policy-emitted-wide and fewer-emitting-threads).
#include "problems.h"

#include <lightscan/reduce_by_key.h>

#include "../support/operators.h"

#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/functional>

using namespace testing_support;
namespace entry = lightscan::entry;
namespace tile  = lightscan::tile;

namespace
{
// Both sides of a tile, of a few for each block, and of none.
constexpr std::int64_t sizes[] = {1, 33, 1000, 5633, 70001, 300007};

template <class T>
std::vector<T> items_of(std::int64_t n, std::int64_t from = 0)
{
  std::vector<T> items;
  for (std::int64_t i = 0; i < n; ++i)
  {
    items.push_back(any_members<T>(static_cast<std::size_t>(from + i)));
  }
  return items;
}

struct first_is_odd
{
  template <class T>
  __host__ __device__ bool operator()(const T& item) const
  {
    return item.member[0] % 2 != 0;
  }
  template <class A, class B>
  __host__ __device__ bool operator()(const thrust::tuple<A, B>& items) const
  {
    return (*this)(thrust::get<0>(items));
  }
};

template <class Check>
void with_each_kernel(Check check)
{
  for (const std::int64_t n : sizes)
  {
    for (const kernels in : both_kernels)
    {
      SCOPED_TRACE(::testing::Message() << n << " items, kernel " << static_cast<int>(in));
      ASSERT_NO_FATAL_FAILURE(check(n, in));
      if (::testing::Test::HasFailure())
      {
        return;
      }
    }
  }
}
} // namespace

// 28 and 33 bytes to 144: whole words, an odd number of bytes, and more of them than any row says.
template <class T>
class wide_items : public ::testing::Test
{};
using wide_types = ::testing::Types<words_of_size<7>,
                                    bytes_of_size<33>,
                                    words_of_size<9>,
                                    words_of_size<13>,
                                    words_of_size<16>,
                                    words_of_size<32>,
                                    words_of_size<36>>;
TYPED_TEST_SUITE(wide_items, wide_types);

TYPED_TEST(wide_items, are_reduced_by_key)
{
  using T = TypeParam;
  with_each_kernel([](std::int64_t n, kernels in) {
    for (const std::int64_t length : {1, 5, 3000})
    {
      SCOPED_TRACE(::testing::Message() << "runs of " << length);
      std::vector<int> keys;
      for (std::int64_t i = 0; i < n; ++i)
      {
        keys.push_back(static_cast<int>(i / length));
      }
      const std::vector<T> values = items_of<T>(n);
      const runs_of_keys<int, T> wanted(keys, values, std::equal_to<>{}, plus{});
      const totals total;
      guarded_memory<int> of(keys.size(), 3);
      guarded_memory<T> from(keys.size(), 1);
      guarded_memory<int> keys_to(keys.size(), 1);
      guarded_memory<T> to(keys.size(), 2);
      of.upload(keys);
      from.upload(values);
      if (launched(entry::reduce_by_key_problem_of<T>(static_cast<const int*>(of.data()),
                                                      static_cast<const T*>(from.data()),
                                                      keys_to.data(),
                                                      to.data(),
                                                      total.data(),
                                                      n,
                                                      cuda::std::equal_to<>{},
                                                      plus{}),
                   in))
      {
        EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.keys.size()));
        expect_results(keys_to, wanted.keys, "keys");
        expect_results(to, wanted.values, "values");
      }
    }
  });
}

TYPED_TEST(wide_items, are_selected)
{
  using T = TypeParam;
  with_each_kernel([](std::int64_t n, kernels in) {
    const std::vector<T> items = items_of<T>(n);
    std::vector<T> wanted;
    std::copy_if(items.begin(), items.end(), std::back_inserter(wanted), first_is_odd{});
    const totals total;
    guarded_memory<T> from(items.size(), 1);
    guarded_memory<T> to(items.size(), 2);
    from.upload(items);
    if (launched(entry::select_problem_of<true>(tile::if_test<first_is_odd>{},
                                                entry::these(static_cast<const T*>(from.data())),
                                                entry::these(to.data()),
                                                total.data(),
                                                n),
                 in))
    {
      EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.size()));
      expect_results(to, wanted, "selected");
    }
  });
}

TYPED_TEST(wide_items, are_selected_beside_others)
{
  using T = TypeParam;
  with_each_kernel([](std::int64_t n, kernels in) {
    const std::vector<T> items  = items_of<T>(n);
    const std::vector<T> others = items_of<T>(n, 5);
    std::vector<T> wanted;
    std::vector<T> beside;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
      if (first_is_odd{}(items[i]))
      {
        wanted.push_back(items[i]);
        beside.push_back(others[i]);
      }
    }
    const totals total;
    guarded_memory<T> from(items.size(), 1);
    guarded_memory<T> with(items.size(), 0);
    guarded_memory<T> to(items.size(), 2);
    guarded_memory<T> to_beside(items.size(), 3);
    from.upload(items);
    with.upload(others);
    const auto first = thrust::make_zip_iterator(
      static_cast<const T*>(from.data()), static_cast<const T*>(with.data()));
    const auto result = thrust::make_zip_iterator(to.data(), to_beside.data());
    if (launched(entry::select_problem_of<true>(
                   tile::if_test<first_is_odd>{}, entry::these(first), entry::these(result), total.data(), n),
                 in))
    {
      EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.size()));
      expect_results(to, wanted, "selected");
      expect_results(to_beside, beside, "beside them");
    }
  });
}
