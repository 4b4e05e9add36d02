// Rule: blocks hold rows as a whole where these fill their warps well enough for the number of items, and no others; each warp of a
// block has its part of one row.
#include <lightscan/dispatch/whole_rows.h>

#include <gtest/gtest.h>

namespace
{
namespace dispatch = lightscan::dispatch;

constexpr int warp_items = 512;

constexpr dispatch::index places_of(dispatch::index length)
{
  return (length - 1) / warp_items * warp_items + warp_items;
}
constexpr bool as_whole(dispatch::index length, dispatch::index rows, int word_bytes = 4)
{
  return dispatch::faster_as_whole(length, places_of(length), rows * length, word_bytes, 4);
}
constexpr bool as_whole_by_iterators(dispatch::index length, dispatch::index rows, int accumulator_bytes)
{
  return dispatch::faster_as_whole(length, places_of(length), rows * length, 0, accumulator_bytes);
}

TEST(whole_rows, are_those_that_fill_their_warps)
{
  EXPECT_TRUE(as_whole(1000, 2));
  EXPECT_TRUE(as_whole(1000, 16777));
  EXPECT_FALSE(as_whole(1000, 16778)) << "more than 2^24";
  EXPECT_TRUE(as_whole(512, 1 << 15));
  EXPECT_TRUE(as_whole(262, 60000));
  for (const int narrow : {1, 2})
  {
    EXPECT_TRUE(as_whole(1000, 16777, narrow));
    EXPECT_TRUE(as_whole(384, 43690, narrow)) << "three quarters of a warp";
    EXPECT_FALSE(as_whole(383, 11000, narrow)) << "more than 2^22";
    EXPECT_TRUE(as_whole(383, 10900, narrow));
  }
  EXPECT_TRUE(as_whole(256, 1 << 13)) << "half of a warp, 2^21";
  EXPECT_FALSE(as_whole(256, (1 << 13) + 1));
  EXPECT_TRUE(as_whole(128, 1 << 11)) << "a quarter, 2^18";
  EXPECT_FALSE(as_whole(128, (1 << 11) + 1));
  EXPECT_FALSE(as_whole(127, 2));
  EXPECT_FALSE(as_whole(1, 2));
}

TEST(whole_rows, are_several)
{
  EXPECT_FALSE(as_whole(1000, 1)) << "one is a scan";
  EXPECT_FALSE(as_whole(1000, 0));
}

TEST(whole_rows, of_iterators_are_fewer)
{
  EXPECT_TRUE(as_whole_by_iterators(512, 1 << 12, 4)) << "8 MiB of accumulators";
  EXPECT_FALSE(as_whole_by_iterators(512, (1 << 12) + 1, 4));
  EXPECT_TRUE(as_whole_by_iterators(512, 1 << 9, 32));
  EXPECT_FALSE(as_whole_by_iterators(512, (1 << 9) + 1, 32));
}

// Every warp of a block has a part: warps whose row begins 2^log2_warps warps further, and so many rows of them.
TEST(whole_rows, are_shared_out_among_the_warps_of_a_block)
{
  for (int warps = 1; warps <= 16; ++warps)
  {
    const dispatch::row_shape full(warps * warp_items, warp_items);
    EXPECT_EQ(full.warps, warps);
    EXPECT_EQ(dispatch::row_shape((warps - 1) * warp_items + 1, warp_items).warps, warps);
    EXPECT_GE(1 << full.log2_warps, warps);
    EXPECT_LT(1 << full.log2_warps, 2 * warps);
    EXPECT_GE(full.rows_a_block, 1);
    EXPECT_GE(full.warps_a_block(), full.warps);
    EXPECT_EQ((full.warps_a_block() - 1) >> full.log2_warps, full.rows_a_block - 1) << "the last warp's row";
    EXPECT_EQ(full.warps_a_block(), warps <= 2 ? dispatch::least_row_warps : warps) << "none without a part";
  }
}

TEST(whole_rows, reach_from_a_chunk_to_their_end)
{
  for (const int chunk_items : {1, 2, 4, 16})
  {
    for (int lead = 0; lead < chunk_items; ++lead)
    {
      for (int length = 1; length < 70; ++length)
      {
        int most = 0;
        for (int row = 0; row < 40; ++row)
        {
          const int before = (row * length + lead) % chunk_items;
          most             = before + length > most ? before + length : most;
        }
        EXPECT_GE(dispatch::most_from_chunk(length, lead, chunk_items), most);
        EXPECT_LT(dispatch::most_from_chunk(length, lead, chunk_items), most + chunk_items);
      }
    }
  }
}
} // namespace
