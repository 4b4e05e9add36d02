// Rule: rows that blocks hold as a whole are scanned each for itself on every architecture, whatever runs when: of one item to as many
// as a block holds, wherever they begin on the 16-byte grid, in all forms, in place or not; of words of memory and of what iterators
// yield, of 1 to 32 bytes.
#include "rows.h"

#include <thrust/iterator/reverse_iterator.h>

using namespace emulated;

namespace
{
using number = maps<std::uint32_t, 1>;
using pair   = maps<std::uint64_t, 1>;
using wide   = maps<std::uint64_t, 2>;
using wider  = maps<std::uint64_t, 3>;

template <bool Inclusive, class T, class Init>
void check_form(std::size_t items, int length, Init init, std::mt19937_64& random)
{
  const std::vector<T> input = values<T>(items, random);
  range<T> in(input, any_place(random));
  const auto expected = scan_of_rows<Inclusive>(input, length, init, compose{});
  const T* const from = in.data();
  if (below(random, 2) == 0)
  {
    ASSERT_NO_FATAL_FAILURE((launch_whole_rows<Inclusive, T>(from, in.data(), items, length, compose{}, init)));
    EXPECT_EQ(in.differs_from(expected), "");
  }
  else
  {
    range<T> out(items, any_place(random));
    ASSERT_NO_FATAL_FAILURE((launch_whole_rows<Inclusive, T>(from, out.data(), items, length, compose{}, init)));
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
  const auto expected = scan_of_rows<false>(std::vector<T>(input.rbegin(), input.rend()), length, init, compose{});
  ASSERT_NO_FATAL_FAILURE(
    (launch_whole_rows<false, T>(backwards(in.data() + items), out.data(), items, length, compose{}, init)));
  EXPECT_EQ(out.differs_from(expected), "");
}

// Calls of the operator for so many rows. Item i of a row is [i + 1, i + 2), the initial value [0, 1).
template <bool Inclusive, class Init>
void count_joins(int length, int rows, Init init, int& calls)
{
  SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(length));
  std::vector<interval> input;
  for (int i = 0; i < rows * length; ++i)
  {
    const auto at = static_cast<std::uint32_t>(i % length);
    input.push_back({at + 1, at + 2});
  }
  const range<interval> in(input, {0, true});
  const range<interval> out(input.size(), {0, true});
  const interval* const from = in.data();
  joins                      = 0;
  bad_joins                  = 0;
  ASSERT_NO_FATAL_FAILURE(
    (launch_whole_rows<Inclusive, interval>(from, out.data(), input.size(), length, strict_join{}, init)));
  calls = joins;
  EXPECT_EQ(bad_joins, 0);
  EXPECT_EQ(out.differs_from(scan_of_rows<Inclusive>(input, length, init, strict_join{})), "");
}

// As many for each row. A fold that nobody made may look like one that somebody did, so calls are counted, too.
template <bool Inclusive, class Init>
void check_joins(int length, Init init)
{
  int of_two = 0;
  ASSERT_NO_FATAL_FAILURE(count_joins<Inclusive>(length, 2, init, of_two));
  for (const int rows : {1, 3, 5, 8})
  {
    int calls = 0;
    ASSERT_NO_FATAL_FAILURE(count_joins<Inclusive>(length, rows, init, calls));
    if (length % dispatch::plain_policy<interval, lightscan::plain::memory_source>::chunk_items == 0)
    {
      EXPECT_EQ(2 * calls, rows * of_two) << rows << " rows of " << length;
    }
  }
}

constexpr unsigned seeds = 12;
} // namespace

// Of blocks with room for a row more, too, and of rows whose last warp has an item, or none.
TEST(whole_rows, are_folds_of_neighbours)
{
  constexpr int warp = dispatch::plain_policy<interval, lightscan::plain::memory_source>::warp_items;
  for (const int length : {warp - 1, warp, warp + 2, 2 * warp - 1, 2 * warp, 2 * warp + 1, 3 * warp, 5 * warp + 3})
  {
    ASSERT_NO_FATAL_FAILURE(check_joins<true>(length, no_init{}));
    ASSERT_NO_FATAL_FAILURE(check_joins<true>(length, interval{0, 1}));
    ASSERT_NO_FATAL_FAILURE(check_joins<false>(length, interval{0, 1}));
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
