// Rule: both kernels send each item where it belongs whatever the number of items and wherever in memory they begin: each
// output of a selection and of both sides of a partition names the index that it came from, at every length up to 2,100 and
// some up to 70,000, and bytes go from any place within 16 to any other.
#include "problems.h"

#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <iterator>

using namespace testing_support;
namespace entry = lightscan::entry;
namespace tile  = lightscan::tile;

namespace
{
constexpr std::int64_t longest = 70001;

// How the wanted items lie: none, all of them, alternating, blocks as short as a tile and as long as several, at random.
enum class lie
{
  none,
  all,
  alternating,
  blocks_of_5000,
  blocks_of_50000,
  at_random
};
constexpr lie lies[] = {
  lie::none, lie::all, lie::alternating, lie::blocks_of_5000, lie::blocks_of_50000, lie::at_random};

std::vector<std::uint8_t> flags_that(lie how, std::int64_t n)
{
  std::mt19937 random(static_cast<unsigned>(n)); // the seed follows from what SCOPED_TRACE says
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
  {
    const bool wanted = how == lie::all || (how == lie::alternating && i % 2 == 0)
                     || (how == lie::blocks_of_5000 && i / 5000 % 2 == 0)
                     || (how == lie::blocks_of_50000 && i / 50000 % 2 == 0) || (how == lie::at_random && random() % 2);
    // Flags differ in more than the bit that is asked of.
    flags[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>((i * 6 % 256) | (wanted ? 1 : 0));
  }
  return flags;
}

// Flags that begin at byte n % 16, and the indices of those that are odd, and of the others, from both kernels.
void check_positions(std::int64_t n, lie how)
{
  SCOPED_TRACE(::testing::Message() << n << " items, lying as " << static_cast<int>(how));
  const totals total;
  const std::vector<std::uint8_t> flags = flags_that(how, n);
  std::vector<int> wanted[2];
  for (std::size_t i = 0; i < flags.size(); ++i)
  {
    wanted[is_odd{}(flags[i]) ? 0 : 1].push_back(static_cast<int>(i));
  }
  guarded_memory<std::uint8_t> of(flags.size(), static_cast<std::size_t>(n % 16));
  guarded_memory<int> first(flags.size(), static_cast<std::size_t>(n % 4));
  guarded_memory<int> second(flags.size(), static_cast<std::size_t>(n / 4 % 4));
  ASSERT_NO_FATAL_FAILURE(of.upload(flags));
  const auto indices = entry::these(static_cast<const std::uint8_t*>(of.data()), thrust::make_counting_iterator(0));
  for (const kernels in : both_kernels)
  {
    SCOPED_TRACE(::testing::Message() << "kernel " << static_cast<int>(in));
    first.poison_all();
    second.poison_all();
    if (!launched(entry::select_problem_of<false>(
                    tile::if_test<is_odd>{}, indices, entry::these(first.data()), total.data(), n),
                  in))
    {
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(expect_results(first, wanted[0], "selected"));
    EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted[0].size()));
    first.poison_all();
    launched(
      entry::partition_problem_of<false>(
        tile::if_test<is_odd>{}, indices, total.data(), n, entry::part_to(first.data()), entry::part_to(second.data())),
      in);
    ASSERT_NO_FATAL_FAILURE(expect_results(first, wanted[0], "the first part"));
    ASSERT_NO_FATAL_FAILURE(expect_results(second, wanted[1], "the second part"));
    EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted[0].size()));
  }
}

bool is_prime(std::int64_t n)
{
  for (std::int64_t by = 2; by * by <= n; ++by)
  {
    if (n % by == 0)
    {
      return false;
    }
  }
  return n > 1;
}

TEST(positions, at_every_short_length)
{
  for (std::int64_t n = 1; n <= 2100 && !::testing::Test::HasFailure(); ++n)
  {
    check_positions(n, lie::at_random);
    check_positions(n, lies[n % 5]);
  }
}

TEST(positions, at_long_lengths_however_the_wanted_lie)
{
  // Steps of 1,500, from each to the next prime.
  for (std::int64_t from = 2100; from < longest - 100; from += 1500)
  {
    std::int64_t n = from;
    while (!is_prime(n))
    {
      ++n;
    }
    for (const lie how : lies)
    {
      check_positions(n, how);
      if (::testing::Test::HasFailure())
      {
        return;
      }
    }
  }
}

// Tiles of one block all wanted and the next ones not, in many blocks.
TEST(positions, at_great_lengths_however_the_wanted_lie)
{
  for (const lie how : lies)
  {
    check_positions(3000017, how);
  }
}

TEST(positions, of_bytes_at_every_misalignment)
{
  const totals total;
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{97}, std::int64_t{5632}, std::int64_t{40009}})
  {
    std::vector<std::uint8_t> items(static_cast<std::size_t>(n));
    std::mt19937 random(static_cast<unsigned>(n));
    for (std::uint8_t& item : items)
    {
      item = static_cast<std::uint8_t>(random());
    }
    std::vector<std::uint8_t> wanted;
    std::copy_if(items.begin(), items.end(), std::back_inserter(wanted), is_odd{});
    for (std::size_t from = 0; from < 16; ++from)
    {
      guarded_memory<std::uint8_t> there(items.size(), from);
      ASSERT_NO_FATAL_FAILURE(there.upload(items));
      for (std::size_t to = 0; to < 16; ++to)
      {
        guarded_memory<std::uint8_t> out(items.size(), to);
        for (const kernels in : both_kernels)
        {
          SCOPED_TRACE(::testing::Message()
                       << n << " items from byte " << from << " to byte " << to << ", kernel " << static_cast<int>(in));
          out.poison_all();
          if (launched(entry::select_problem_of<true>(tile::if_test<is_odd>{},
                                                      entry::these(static_cast<const std::uint8_t*>(there.data())),
                                                      entry::these(out.data()),
                                                      total.data(),
                                                      n),
                       in))
          {
            expect_results(out, wanted, "bytes");
            EXPECT_EQ(total[0], static_cast<std::int64_t>(wanted.size()));
          }
          if (::testing::Test::HasFailure())
          {
            return;
          }
        }
      }
      // The input is as it was.
      EXPECT_EQ(there.download(), items);
      there.expect_guards_untouched();
    }
  }
}
} // namespace
