// Rule: both kernels put each item of a selection, or of a partition, where it belongs, in order, and nothing else anywhere: at every
// length and alignment, however the wanted items lie, in place, from any iterators to any iterators.
#include "problems.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>

using namespace testing_support;
namespace dispatch = lightscan::dispatch;
namespace entry    = lightscan::entry;
namespace tile     = lightscan::tile;

namespace
{
template <class T>
class selections_of : public ::testing::Test
{};
using types = ::testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::uint64_t, wide>;
TYPED_TEST_SUITE(selections_of, types);

template <class T>
struct halves
{
  std::vector<T> odd;
  std::vector<T> even;

  explicit halves(const std::vector<T>& items)
  {
    for (const T& item : items)
    {
      (is_odd{}(item) ? odd : even).push_back(item);
    }
  }
};

TYPED_TEST(selections_of, keep_the_order_and_write_nothing_else)
{
  using T = TypeParam;
  const totals total;
  for (const std::int64_t n : lengths())
  {
    for (int pattern = 0; pattern < patterns; ++pattern)
    {
      for (const kernels in : both_kernels)
      {
        const auto offset = static_cast<std::size_t>((n + pattern) % 5);
        SCOPED_TRACE(::testing::Message() << n << " items, pattern " << pattern << ", kernel " << static_cast<int>(in));
        const std::vector<T> items = items_of_pattern<T>(n, pattern);
        const halves<T> wanted(items);
        guarded_memory<T> from(items.size(), offset);
        guarded_memory<T> to(items.size(), 2 * offset + 1);
        from.upload(items);
        const T* const first = from.data();
        if (!launched(entry::select_problem_of<true>(
                        tile::if_test<is_odd>{}, entry::these(first), entry::these(to.data()), total.data(), n),
                      in))
        {
          continue;
        }
        expect_results(to, wanted.odd, "selected");
        EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.odd.size()));

        // The others, in place.
        launched(entry::select_problem_of<true>(
                   tile::if_test<is_odd, false>{}, entry::these(first), entry::these(from.data()), total.data(), n),
                 in);
        EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.even.size()));
        const std::vector<T> there = from.download();
        EXPECT_TRUE(std::equal(wanted.even.begin(), wanted.even.end(), there.begin())) << "in place";
        from.expect_guards_untouched();
        if (::testing::Test::HasFailure())
        {
          return;
        }
      }
    }
  }
}

TYPED_TEST(selections_of, part_to_several_places)
{
  using T = TypeParam;
  const totals total;
  for (const std::int64_t n : lengths())
  {
    for (const int pattern : {0, 4, 5})
    {
      for (const kernels in : both_kernels)
      {
        SCOPED_TRACE(::testing::Message() << n << " items, pattern " << pattern << ", kernel " << static_cast<int>(in));
        const std::vector<T> items = items_of_pattern<T>(n, pattern);
        const halves<T> wanted(items);
        guarded_memory<T> from(items.size(), 3);
        guarded_memory<T> first(items.size(), 1);
        guarded_memory<T> second(items.size(), 2);
        guarded_memory<T> third(items.size(), 0);
        from.upload(items);
        const auto in_these = entry::these(static_cast<const T*>(from.data()));
        if (!launched(entry::partition_problem_of<true>(tile::if_test<is_odd>{},
                                                        in_these,
                                                        total.data(),
                                                        n,
                                                        entry::part_to(first.data()),
                                                        entry::part_to(second.data())),
                      in))
        {
          continue;
        }
        expect_results(first, wanted.odd, "odd");
        expect_results(second, wanted.even, "even");

        // From both ends of one range.
        first.poison_all();
        launched(entry::partition_problem_of<true>(tile::if_test<is_odd>{},
                                                   in_these,
                                                   total.data(),
                                                   n,
                                                   entry::part_to(first.data()),
                                                   entry::part_from_end_to(first.data())),
                 in);
        std::vector<T> all = wanted.odd;
        all.insert(all.end(), wanted.even.rbegin(), wanted.even.rend());
        expect_results(first, all, "from both ends");

        // Three ways, one of them through an iterator.
        first.poison_all();
        second.poison_all();
        launched(entry::partition_problem_of<true>(tile::three_way_test<is_third, is_odd>{},
                                                   in_these,
                                                   total.data(),
                                                   n,
                                                   entry::part_to(first.data()),
                                                   entry::part_to(second.data()),
                                                   entry::part_to(thrust::make_reverse_iterator(third.data() + n))),
                 in);
        std::vector<T> parts[3];
        for (const T& item : items)
        {
          parts[is_third{}(item) ? 0 : is_odd{}(item) ? 1 : 2].push_back(item);
        }
        expect_results(first, parts[0], "thirds");
        expect_results(second, parts[1], "odd ones");
        const std::vector<T> there = third.download();
        EXPECT_TRUE(std::equal(parts[2].begin(), parts[2].end(), there.rbegin())) << "the rest, backwards";
        EXPECT_EQ(total[0], static_cast<std::int64_t>(parts[0].size()));
        EXPECT_EQ(total[1], static_cast<std::int64_t>(parts[1].size()));
        if (::testing::Test::HasFailure())
        {
          return;
        }
      }
    }
  }
}

struct plus_one
{
  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const
  {
    return x + 1;
  }
};

// What a flag says of another column's items: each result names the index that it came from.
TEST(selections, say_where_their_items_came_from_at_every_length)
{
  const totals total;
  constexpr std::int64_t most           = 70001;
  const std::vector<std::uint8_t> flags = items_of_pattern<std::uint8_t>(most, 0);
  guarded_memory<std::uint8_t> of(most, 0);
  of.upload(flags);
  const auto step = [](std::int64_t n) {
    return n < 300 ? 1 : n < 8000 ? 61 : 1999;
  };
  for (std::int64_t n = 1; n <= most - 16; n += step(n))
  {
    for (const kernels in : both_kernels)
    {
      const std::int64_t shift = n % 16;
      SCOPED_TRACE(::testing::Message() << n << " items from byte " << shift << ", kernel " << static_cast<int>(in));
      std::vector<int> wanted;
      for (int i = 0; i < n; ++i)
      {
        if (is_odd{}(flags[static_cast<std::size_t>(i + shift)]))
        {
          wanted.push_back(i);
        }
      }
      guarded_memory<int> to(static_cast<std::size_t>(n), static_cast<std::size_t>(n % 4));
      const std::uint8_t* const first = of.data() + shift;
      if (launched(entry::select_problem_of<false>(tile::if_test<is_odd>{},
                                                   entry::these(first, thrust::make_counting_iterator(0)),
                                                   entry::these(to.data()),
                                                   total.data(),
                                                   n),
                   in))
      {
        expect_results(to, wanted, "indices");
        EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.size()));
      }
      if (::testing::Test::HasFailure())
      {
        return;
      }
    }
  }
}

TEST(selections, go_from_any_iterator_to_any_iterator)
{
  const totals total;
  for (const std::int64_t n : lengths())
  {
    for (const kernels in : both_kernels)
    {
      SCOPED_TRACE(::testing::Message() << n << " items, kernel " << static_cast<int>(in));
      const std::vector<std::uint32_t> items = items_of_pattern<std::uint32_t>(n, 0);
      guarded_memory<std::uint32_t> from(items.size(), 1);
      from.upload(items);
      guarded_memory<std::int64_t> to(items.size(), 1);
      guarded_memory<std::uint32_t> narrow(items.size(), 3);
      const std::uint32_t* const first = from.data();
      std::vector<std::int64_t> wanted;
      std::vector<std::uint32_t> more;
      for (std::int64_t i = n; i-- > 0;)
      {
        const std::uint32_t item = items[static_cast<std::size_t>(i)] + 1;
        if (is_odd{}(item))
        {
          wanted.push_back(item);
          more.push_back(item + 1);
        }
      }
      // Backwards, through a function, to wider ones.
      const auto backwards = thrust::make_transform_iterator(thrust::make_reverse_iterator(first + n), plus_one{});
      if (!launched(entry::select_problem_of<true>(
                      tile::if_test<is_odd>{}, entry::these(backwards), entry::these(to.data()), total.data(), n),
                    in))
      {
        continue;
      }
      expect_results(to, wanted, "backwards, wider");
      launched(
        entry::select_problem_of<true>(tile::if_test<is_odd>{},
                                       entry::these(backwards),
                                       entry::these(thrust::make_transform_output_iterator(narrow.data(), plus_one{})),
                                       total.data(),
                                       n),
        in);
      expect_results(narrow, more, "through a function");
      // A gathered input, and nobody who wants the results.
      const auto gathered = thrust::make_permutation_iterator(first, thrust::make_counting_iterator(std::int64_t{0}));
      launched(entry::select_problem_of<true>(tile::if_test<is_odd>{},
                                              entry::these(gathered),
                                              entry::these(thrust::make_discard_iterator()),
                                              total.data(),
                                              n),
               in);
      EXPECT_EQ(total[0], std::count_if(items.begin(), items.end(), is_odd{}));
      if (::testing::Test::HasFailure())
      {
        return;
      }
    }
  }
}

// Counts how often it is asked of each value.
struct counted
{
  unsigned* asked;
  std::int64_t n;

  __device__ bool operator()(std::int64_t x) const
  {
    atomicAdd(&asked[x >= 0 && x < n ? x : n], 1u);
    return x % 3 == 0;
  }
};

TEST(selections, ask_once_for_each_item_of_the_range)
{
  const totals total;
  for (const std::int64_t n : lengths())
  {
    for (const kernels in : both_kernels)
    {
      SCOPED_TRACE(::testing::Message() << n << " items, kernel " << static_cast<int>(in));
      std::vector<std::int64_t> items(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i)
      {
        items[static_cast<std::size_t>(i)] = i;
      }
      guarded_memory<std::int64_t> from(items.size(), 1);
      from.upload(items);
      guarded_memory<unsigned> asked(items.size() + 1, 0);
      asked.upload(std::vector<unsigned>(items.size() + 1, 0));
      if (launched(entry::select_problem_of<true>(tile::if_test<counted>{{asked.data(), n}},
                                                  entry::these(static_cast<const std::int64_t*>(from.data())),
                                                  entry::these(from.data()),
                                                  total.data(),
                                                  n),
                   in))
      {
        std::vector<unsigned> once(items.size() + 1, 1);
        once.back() = 0; // of what is no item
        EXPECT_EQ(asked.download(), once);
      }
    }
  }
}

TEST(selections, of_nothing_say_so)
{
  const totals total;
  guarded_memory<int> to(1, 0);
  ASSERT_EQ(cudaMemset(total.data(), 0xff, 8), cudaSuccess);
  launched(entry::select_problem_of<true>(tile::if_test<is_odd>{},
                                          entry::these(static_cast<const int*>(to.data())),
                                          entry::these(to.data()),
                                          total.data(),
                                          std::int64_t{0}),
           kernels::plain_only);
  EXPECT_EQ(total[0], 0);
}
} // namespace
