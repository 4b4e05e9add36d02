// Rule: a run of empty segments costs a search, however long it is and wherever it lies: at the beginning, between two items, at the end
// of the range, where no offset is read that says no more than that the range ends there.
#include "case.h"

#include <lightscan/tile/segment_heads.h>

#include <atomic>

using namespace emulated;
namespace tile = lightscan::tile;

namespace
{
using number = maps<std::uint32_t, 1>;

// Of an offset that is asked for: assertions, which are on in these tests, look at the next one, too.
constexpr std::int64_t reads_each = 2;

// Offsets in memory; counts how many are read.
struct counted_offsets
{
  using value_type        = std::int32_t;
  using reference         = std::int32_t;
  using pointer           = void;
  using difference_type   = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  const std::int32_t* at;
  std::atomic<std::int64_t>* reads;

  std::int32_t operator*() const
  {
    ++*reads;
    return *at;
  }
  counted_offsets operator+(std::ptrdiff_t distance) const
  {
    return {at + distance, reads};
  }
};

// Segments of up to `longest` items, and `empty` ones that begin with item `where`.
std::vector<std::int32_t> offsets_with_run(int n, int longest, int where, int empty, std::mt19937_64& random)
{
  std::vector<std::int32_t> offsets{0};
  while (offsets.back() < n)
  {
    const int end = std::min(n, offsets.back() + 1 + below(random, longest));
    offsets.push_back(offsets.back() < where ? std::min(end, where) : end);
  }
  const auto at = std::lower_bound(offsets.begin(), offsets.end(), where);
  offsets.insert(at, static_cast<std::size_t>(empty), where);
  return offsets;
}

// How many offsets a scan reads, whose results are right.
void count_reads(std::int64_t& counted,
                 const std::vector<std::int32_t>& offsets,
                 kernels which,
                 std::mt19937_64& random)
{
  const auto n                    = static_cast<std::size_t>(offsets.back());
  const std::vector<number> input = values<number>(n, random);
  const range<number> in(input, any_place(random));
  const range<number> out(n, any_place(random));
  const range<std::int32_t> there(offsets, any_place(random));
  std::vector<number> expected(input);
  for (std::size_t j = 0; j + 1 < offsets.size(); ++j)
  {
    for (std::int32_t i = offsets[j] + 1; i < offsets[j + 1]; ++i)
    {
      const auto at = static_cast<std::size_t>(i);
      expected[at]  = compose{}(expected[at - 1], input[at]);
    }
  }
  std::atomic<std::int64_t> reads{0};
  using list    = tile::offset_list<counted_offsets, std::int64_t>;
  using heads   = tile::heads_iterator<list>;
  using problem = dispatch::segmented_problem<number, heads, const number*, number*, compose, no_init, true>;
  const heads of_segments{list{{there.data(), &reads}, static_cast<std::int64_t>(offsets.size()) - 1}};
  ASSERT_NO_FATAL_FAILURE(
    launch(problem{{of_segments, in.data()}, out.data(), static_cast<std::int64_t>(n), {}, {}, {}}, which));
  EXPECT_EQ(out.differs_from(expected), "");
  counted = reads;
}

void check_run(int n, int longest, int where, kernels which, std::int64_t most, std::mt19937_64& random)
{
  constexpr int empty = 100000;
  SCOPED_TRACE("n = " + std::to_string(n) + ", segments of up to " + std::to_string(longest) + ", empty ones at "
               + std::to_string(where));
  std::mt19937_64 same      = random;
  std::int64_t without_them = 0, with_them = 0;
  ASSERT_NO_FATAL_FAILURE(count_reads(without_them, offsets_with_run(n, longest, where, 0, same), which, same));
  ASSERT_NO_FATAL_FAILURE(count_reads(with_them, offsets_with_run(n, longest, where, empty, random), which, random));
  EXPECT_LT(with_them, without_them + reads_each * most);
}

// The run is met by the warp that marks its item, which reads two batches of 512 before it searches, and by the searches of those that
// mark other sections: a few rounds of 32. In the plain kernel each of a tile's thousand chunks searches, in some 17 steps.
void check_run(int n, int longest, int where, std::mt19937_64& random)
{
  check_run(n, longest, where, kernels::bulk_only, 8000, random);
  const int few = 1 + n % 1000;
  check_run(few, longest, where < n ? where % few : few, kernels::plain_only, 50000, random);
}

constexpr unsigned seeds = 6;
} // namespace

TEST(offsets_read, empty_segments_at_the_beginning)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_run(1 + below(random, 20000), 1 + below(random, 40), 0, random);
  });
}

TEST(offsets_read, empty_segments_between_two_items)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const int n = 2 + below(random, 20000);
    check_run(n, 1 + below(random, 40), 1 + below(random, n - 1), random);
  });
}

TEST(offsets_read, empty_segments_at_the_end)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const int n = 1 + below(random, 20000);
    check_run(n, 1 + below(random, 40), n, random);
  });
}

// Nor do sections without items read any: what is left is one search, and the first 32 offsets that it finds.
TEST(offsets_read, empty_segments_behind_the_only_item)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    std::int64_t reads = 0;
    ASSERT_NO_FATAL_FAILURE(count_reads(reads, offsets_with_run(1, 1, 1, 100000, random), kernels::bulk_only, random));
    EXPECT_LT(reads, reads_each * 200);
  });
}
