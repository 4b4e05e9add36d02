// Rule: scans of segments whose heads are told are right on every architecture, whatever runs when: rows, and segments at offsets, of
// any lengths, empty ones too, in all forms, in place or not; of values that lie in memory, in its order or against it, in several
// columns, or are gathered; of 1 to 32 bytes.
#include "case.h"

#include <lightscan/tile/segment_heads.h>

#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

using namespace emulated;
namespace tile = lightscan::tile;

namespace
{
using small  = maps<std::uint8_t, 1>;
using number = maps<std::uint32_t, 1>;
using pair   = maps<std::uint64_t, 1>;
using wide   = maps<std::uint64_t, 2>;
using wider  = maps<std::uint64_t, 3>;
static_assert(sizeof(pair) == 16 && sizeof(wider) == 32);

template <bool Inclusive, class T, class Init>
std::vector<T> scan_of_segments(const std::vector<T>& input, const std::vector<bool>& begins, Init init)
{
  std::vector<T> result(input.size());
  T before{};
  bool any = false;
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    any           = any && !begins[i];
    const T after = any ? compose{}(before, input[i]) : input[i];
    if constexpr (std::is_same_v<Init, no_init>)
    {
      result[i] = after;
    }
    else
    {
      result[i] = Inclusive ? compose{}(init, after) : any ? compose{}(init, before) : init;
    }
    before = after;
    any    = true;
  }
  return result;
}

template <bool Inclusive, class T, class Init, class Heads, class Count>
void check_form(
  const Heads& heads, const std::vector<bool>& begins, Count count, Init init, kernels which, std::mt19937_64& random)
{
  const std::vector<T> input = values<T>(begins.size(), random);
  range<T> in(input, any_place(random));
  const auto expected = scan_of_segments<Inclusive>(input, begins, init);
  using problem       = dispatch::segmented_problem<T, Heads, const T*, T*, compose, Init, Inclusive, Count>;
  if (below(random, 2) == 0)
  {
    ASSERT_NO_FATAL_FAILURE(launch(problem{{heads, in.data()}, in.data(), count, {}, {}, {init}}, which));
    EXPECT_EQ(in.differs_from(expected), "");
  }
  else
  {
    range<T> out(begins.size(), any_place(random));
    ASSERT_NO_FATAL_FAILURE(launch(problem{{heads, in.data()}, out.data(), count, {}, {}, {init}}, which));
    EXPECT_EQ(out.differs_from(expected), "");
    EXPECT_EQ(in.differs_from(input), "");
  }
}

template <class T, class Heads, class Count>
void check(const Heads& heads, const std::vector<bool>& begins, Count count, kernels which, std::mt19937_64& random)
{
  SCOPED_TRACE("n = " + std::to_string(begins.size())
               + (which == kernels::plain_only ? ", plain kernel" : ", bulk pipeline"));
  const T init = any_value<T>::from(random);
  switch (below(random, 3))
  {
    case 0:
      return check_form<true, T>(heads, begins, count, no_init{}, which, random);
    case 1:
      return check_form<true, T>(heads, begins, count, init, which, random);
    default:
      return check_form<false, T>(heads, begins, count, init, which, random);
  }
}

template <class T>
void check_rows(std::mt19937_64& random)
{
  const std::int64_t n = any_number(random, 1600, 5);
  const int lengths[]  = {1, 2, 3, 7, 16, 31, 32, 33, 64, 100, 1000, 4096, 1 + below(random, 3000)};
  const int length     = lengths[below(random, sizeof lengths / sizeof *lengths)];
  SCOPED_TRACE("rows of " + std::to_string(length));
  std::vector<bool> begins(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < begins.size(); i += static_cast<std::size_t>(length))
  {
    begins[i] = true;
  }
  const kernels which = below(random, 2) == 0 ? kernels::plain_only : kernels::bulk_only;
  check<T>(tile::row_heads{tile::row_list(length)}, begins, n, which, random);
}

// Some hundred short ones, a few long ones, and some that are empty.
std::vector<std::int32_t> any_offsets(std::int64_t n, std::mt19937_64& random)
{
  const int longest = below(random, 3) == 0 ? 1 : below(random, 2) == 0 ? 20 : 5000;
  std::vector<std::int32_t> offsets{0};
  while (offsets.back() < n)
  {
    const int length = below(random, 5) == 0  ? 0
                     : below(random, 20) == 0 ? below(random, 8 * longest)
                                              : 1 + below(random, longest);
    offsets.push_back(static_cast<std::int32_t>(std::min<std::int64_t>(n, offsets.back() + length)));
  }
  for (int empty = below(random, 3); empty > 0; --empty)
  {
    offsets.push_back(offsets.back());
  }
  return offsets;
}

std::vector<bool> begins_at(const std::vector<std::int32_t>& offsets)
{
  std::vector<bool> begins(static_cast<std::size_t>(offsets.back()));
  for (const std::int32_t offset : offsets)
  {
    if (offset < offsets.back())
    {
      begins[static_cast<std::size_t>(offset)] = true;
    }
  }
  return begins;
}

template <class T>
void check_offsets(std::mt19937_64& random)
{
  const std::int64_t n                    = any_number(random, 1600, 5);
  const std::vector<std::int32_t> offsets = any_offsets(n, random);
  const auto segments                     = static_cast<std::int64_t>(offsets.size()) - 1;
  const range<std::int32_t> of_segments(offsets, any_place(random));
  SCOPED_TRACE(std::to_string(segments) + " segments");
  const std::vector<bool> begins = begins_at(offsets);
  const tile::offset_list<const std::int32_t*, std::int64_t> list{of_segments.data(), segments};
  const tile::offset_heads<const std::int32_t*, std::int64_t> heads{list};
  const tile::items_in_segments<const std::int32_t*, std::int64_t> count{list};
  const kernels which = below(random, 2) == 0 ? kernels::plain_only : kernels::bulk_only;
  if (below(random, 2) == 0)
  {
    check<T>(heads, begins, count, which, random);
  }
  else
  {
    check<T>(heads, begins, n, which, random);
  }
}

// Values that an iterator yields, in segments at offsets.
template <class T, class It>
void check_from(It first, std::size_t n, std::mt19937_64& random)
{
  const std::vector<std::int32_t> offsets = any_offsets(static_cast<std::int64_t>(n), random);
  const auto segments                     = static_cast<std::int64_t>(offsets.size()) - 1;
  const range<std::int32_t> of_segments(offsets, any_place(random));
  std::vector<T> input;
  for (std::size_t i = 0; i < n; ++i)
  {
    input.push_back(*(first + static_cast<std::ptrdiff_t>(i)));
  }
  const kernels which = below(random, 2) == 0 ? kernels::plain_only : kernels::bulk_only;
  SCOPED_TRACE(std::to_string(segments) + " segments, n = " + std::to_string(n)
               + (which == kernels::plain_only ? ", plain kernel" : ", bulk pipeline"));
  const range<T> out(n, any_place(random));
  using heads = tile::offset_heads<const std::int32_t*, std::int64_t>;
  const heads of{{of_segments.data(), segments}};
  const auto count = static_cast<std::int64_t>(n);
  std::vector<T> expected;
  if (below(random, 2) == 0)
  {
    using problem = dispatch::segmented_problem<T, heads, It, T*, compose, no_init, true>;
    ASSERT_NO_FATAL_FAILURE(launch(problem{{of, first}, out.data(), count, {}, {}, {}}, which));
    expected = scan_of_segments<true>(input, begins_at(offsets), no_init{});
  }
  else
  {
    const T init  = any_value<T>::from(random);
    using problem = dispatch::segmented_problem<T, heads, It, T*, compose, T, false>;
    ASSERT_NO_FATAL_FAILURE(launch(problem{{of, first}, out.data(), count, {}, {}, {init}}, which));
    expected = scan_of_segments<false>(input, begins_at(offsets), init);
  }
  EXPECT_EQ(out.differs_from(expected), "");
}

template <class T>
void check_gathered(std::mt19937_64& random)
{
  const auto n = static_cast<std::size_t>(any_number(random, 1600, 5));
  const range<T> in(values<T>(n, random), any_place(random));
  std::vector<int> places(n);
  for (int& place : places)
  {
    place = below(random, static_cast<int>(n));
  }
  const range<int> from(places, any_place(random));
  check_from<T>(thrust::permutation_iterator<const T*, const int*>(in.data(), from.data()), n, random);
}

template <class T>
void check_backwards(std::mt19937_64& random)
{
  const auto n = static_cast<std::size_t>(any_number(random, 1600, 5));
  const range<T> in(values<T>(n, random), any_place(random));
  check_from<T>(thrust::reverse_iterator<const T*>(in.data() + n), n, random);
}

struct map_of_columns
{
  number operator()(const cuda::std::tuple<std::uint32_t, std::uint8_t>& of) const
  {
    return {cuda::std::get<0>(of) | 1, {cuda::std::get<1>(of)}};
  }
};

constexpr unsigned seeds = 12;
} // namespace

TEST(segments, rows)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_rows<number>(random);
  });
}

TEST(segments, rows_of_bytes)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_rows<std::uint8_t>(random);
  });
}

TEST(segments, rows_of_structs)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_rows<wide>(random);
  });
}

TEST(segments, at_offsets)
{
  each_seed(2 * seeds, [](std::mt19937_64& random) {
    check_offsets<number>(random);
  });
}

TEST(segments, of_pairs_of_bytes_at_offsets)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_offsets<small>(random);
  });
}

TEST(segments, of_structs_at_offsets)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_offsets<wide>(random);
  });
}

TEST(segments, of_wider_structs_at_offsets)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_offsets<pair>(random);
    check_offsets<wider>(random);
  });
}

TEST(segments, of_bytes_at_offsets)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_offsets<std::uint8_t>(random);
  });
}

TEST(segments, of_gathered_values)
{
  each_seed(2 * seeds, [](std::mt19937_64& random) {
    check_gathered<number>(random);
    check_gathered<std::uint8_t>(random);
    check_gathered<pair>(random);
    check_gathered<wider>(random);
  });
}

TEST(segments, of_values_against_the_order_of_memory)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_backwards<number>(random);
    check_backwards<std::uint8_t>(random);
    check_backwards<pair>(random);
  });
}

TEST(segments, of_values_in_several_columns)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto n = static_cast<std::size_t>(any_number(random, 1600, 5));
    const range<std::uint32_t> scale(values<std::uint32_t>(n, random), any_place(random));
    const range<std::uint8_t> shift(values<std::uint8_t>(n, random), any_place(random));
    const auto columns = thrust::make_zip_iterator(
      static_cast<const std::uint32_t*>(scale.data()), static_cast<const std::uint8_t*>(shift.data()));
    check_from<number>(thrust::make_transform_iterator(columns, map_of_columns{}), n, random);
  });
}
