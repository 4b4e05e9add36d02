// Rule: rows that blocks hold as a whole are scanned each for itself on every architecture, whatever runs when: of one item to as many
// as a block holds, wherever they begin on the 16-byte grid, in all forms, in place or not; of words of memory and of what iterators
// yield, of 1 to 32 bytes.
#include "case.h"

#include <lightscan/dispatch/rows_launch.h>
#include <lightscan/runtime/report.h>

#include <thrust/iterator/reverse_iterator.h>

#include <atomic>

using namespace emulated;

namespace
{
using number = maps<std::uint32_t, 1>;
using pair   = maps<std::uint64_t, 1>;
using wide   = maps<std::uint64_t, 2>;
using wider  = maps<std::uint64_t, 3>;

template <bool Inclusive, class T, class Init>
std::vector<T> scan_of_rows(const std::vector<T>& input, std::size_t length, Init init)
{
  std::vector<T> result;
  for (std::size_t row = 0; row < input.size(); row += length)
  {
    const auto first            = input.begin() + static_cast<std::ptrdiff_t>(row);
    const std::vector<T> of_row = scan_of<Inclusive>(
      std::vector<T>(first, first + static_cast<std::ptrdiff_t>(length)), init, compose{});
    result.insert(result.end(), of_row.begin(), of_row.end());
  }
  return result;
}

template <bool Inclusive, class T, class It, class Init>
void launch_rows(It first, T* out, std::size_t items, int length, Init init)
{
  using problem = dispatch::rows_problem<T, It, T*, compose, Init, Inclusive>;
  const dispatch::whole_rows<problem> rows(
    problem{{{lightscan::tile::row_list(length)}, first}, out, static_cast<std::int64_t>(items), {}, {}, {init}});
  ASSERT_TRUE(rows.fit());
  try
  {
    const auto done = dispatch::launcher<dispatch::whole_rows<problem>>(rows, nullptr).run();
    ASSERT_TRUE(done) << done.doing << ", error " << done.error;
  }
  catch (const failure& failed)
  {
    FAIL() << failed.what();
  }
  EXPECT_EQ(lightscan::runtime::last_report().tile_items, length);
}

template <bool Inclusive, class T, class Init>
void check_form(std::size_t items, int length, Init init, std::mt19937_64& random)
{
  const std::vector<T> input = values<T>(items, random);
  range<T> in(input, any_place(random));
  const auto expected = scan_of_rows<Inclusive>(input, static_cast<std::size_t>(length), init);
  const T* const from = in.data();
  if (below(random, 2) == 0)
  {
    ASSERT_NO_FATAL_FAILURE((launch_rows<Inclusive, T>(from, in.data(), items, length, init)));
    EXPECT_EQ(in.differs_from(expected), "");
  }
  else
  {
    range<T> out(items, any_place(random));
    ASSERT_NO_FATAL_FAILURE((launch_rows<Inclusive, T>(from, out.data(), items, length, init)));
    EXPECT_EQ(out.differs_from(expected), "");
    EXPECT_EQ(in.differs_from(input), "");
  }
}

// The most items of a row of T's that a block holds wherever it begins, by the warps of either source.
template <class T, class Source>
constexpr int capacity()
{
  using policy = dispatch::plain_policy<T, Source>;
  return policy::max_warps * policy::warp_items - policy::chunk_items + 1;
}

int any_length(int most, std::mt19937_64& random)
{
  const int length = below(random, 3) == 0 ? most - below(random, 3)
                   : below(random, 2) == 0 ? 1 + below(random, 40)
                                           : 1 + below(random, most);
  return length < 1 ? 1 : length;
}

template <class T>
void check(std::mt19937_64& random)
{
  constexpr int of_words     = capacity<T, lightscan::plain::memory_source>();
  constexpr int of_iterators = capacity<T, lightscan::plain::iterator_source<const T*>>();
  constexpr int least        = of_words < of_iterators ? of_words : of_iterators;
  const int length           = any_length(least, random);
  const auto items           = static_cast<std::size_t>(length) * static_cast<std::size_t>(1 + below(random, 20));
  SCOPED_TRACE(std::to_string(items) + " items in rows of " + std::to_string(length));
  const T init = any_value<T>::from(random);
  switch (below(random, 3))
  {
    case 0:
      return check_form<true, T>(items, length, no_init{}, random);
    case 1:
      return check_form<true, T>(items, length, init, random);
    default:
      return check_form<false, T>(items, length, init, random);
  }
}

template <class T>
void check_backwards(std::mt19937_64& random)
{
  using backwards  = thrust::reverse_iterator<const T*>;
  const int length = any_length(capacity<T, lightscan::plain::iterator_source<backwards>>(), random);
  const auto items = static_cast<std::size_t>(length) * static_cast<std::size_t>(1 + below(random, 20));
  SCOPED_TRACE(std::to_string(items) + " items in rows of " + std::to_string(length));
  const std::vector<T> input = values<T>(items, random);
  const range<T> in(input, any_place(random));
  const range<T> out(items, any_place(random));
  const T init        = any_value<T>::from(random);
  const auto expected = scan_of_rows<false>(
    std::vector<T>(input.rbegin(), input.rend()), static_cast<std::size_t>(length), init);
  ASSERT_NO_FATAL_FAILURE((launch_rows<false, T>(backwards(in.data() + items), out.data(), items, length, init)));
  EXPECT_EQ(out.differs_from(expected), "");
}

// Item i of a row is [i + 1, i + 2), the initial value [0, 1).
struct interval
{
  std::uint32_t begin;
  std::uint32_t end;

  friend bool operator==(const interval& left, const interval& right)
  {
    return left.begin == right.begin && left.end == right.end;
  }
};

std::atomic<int> calls_with_others{0};

struct join
{
  interval operator()(const interval& left, const interval& right) const
  {
    calls_with_others += left.end == right.begin ? 0 : 1;
    return {left.begin, right.end};
  }
};

template <bool Inclusive, class Init>
void check_neighbours(int length, std::size_t rows, Init init)
{
  SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(length));
  std::vector<interval> input;
  std::vector<interval> expected;
  for (std::size_t i = 0; i < rows * static_cast<std::size_t>(length); ++i)
  {
    const auto at = static_cast<std::uint32_t>(i % static_cast<std::size_t>(length));
    input.push_back({at + 1, at + 2});
    expected.push_back({std::is_same_v<Init, no_init> ? 1u : 0u, at + (Inclusive ? 2 : 1)});
  }
  const range<interval> in(input, {0, true});
  const range<interval> out(input.size(), {0, true});
  using problem = dispatch::rows_problem<interval, const interval*, interval*, join, Init, Inclusive>;
  const dispatch::whole_rows<problem> of(problem{{{lightscan::tile::row_list(length)}, in.data()},
                                                 out.data(),
                                                 static_cast<std::int64_t>(input.size()),
                                                 {},
                                                 {},
                                                 {init}});
  calls_with_others = 0;
  ASSERT_TRUE(dispatch::launcher<dispatch::whole_rows<problem>>(of, nullptr).run());
  EXPECT_EQ(calls_with_others, 0);
  EXPECT_EQ(out.differs_from(expected), "");
}

constexpr unsigned seeds = 12;
} // namespace

// Of blocks with room for a row more, too, and of rows whose last warp has an item, or none.
TEST(whole_rows, are_folds_of_neighbours)
{
  constexpr int warp = dispatch::plain_policy<interval, lightscan::plain::memory_source>::warp_items;
  for (const int length : {warp - 1, warp, warp + 1, 2 * warp - 1, 2 * warp, 2 * warp + 1, 5 * warp + 3})
  {
    for (const std::size_t rows : {1, 2, 3, 5, 8})
    {
      ASSERT_NO_FATAL_FAILURE(check_neighbours<true>(length, rows, no_init{}));
      ASSERT_NO_FATAL_FAILURE(check_neighbours<true>(length, rows, interval{0, 1}));
      ASSERT_NO_FATAL_FAILURE(check_neighbours<false>(length, rows, interval{0, 1}));
    }
  }
}

TEST(whole_rows, of_words)
{
  each_seed(2 * seeds, [](std::mt19937_64& random) {
    check<number>(random);
    check<pair>(random);
  });
}

TEST(whole_rows, of_bytes)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check<std::uint8_t>(random);
  });
}

TEST(whole_rows, of_wide_structs)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check<wide>(random);
    check<wider>(random);
  });
}

TEST(whole_rows, of_what_iterators_yield)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_backwards<number>(random);
    check_backwards<std::uint8_t>(random);
    check_backwards<wider>(random);
  });
}
