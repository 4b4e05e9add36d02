// The tuning table against the hardware's limits, and the workspace against what the table's shapes can ask for.
#include <lightscan/carry/words.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/dispatch/workspace.h>
#include <lightscan/tile/geometry.h>

#include <cstdint>
#include <iterator>

#include <gtest/gtest.h>

namespace
{
namespace dispatch = lightscan::dispatch;
using index        = std::int64_t;

template <int Size, int Alignment = 1>
struct alignas(Alignment) element
{
  unsigned char byte[Size];
};

template <class T>
class tuning_of : public ::testing::Test
{};

using element_types = ::testing::Types<element<1>,
                                       element<2, 2>,
                                       element<3>,
                                       element<4, 4>,
                                       element<5>,
                                       element<6, 2>,
                                       element<7>,
                                       element<8, 8>,
                                       element<9>,
                                       element<10, 2>,
                                       element<11>,
                                       element<12, 4>,
                                       element<13>,
                                       element<14, 2>,
                                       element<15>,
                                       element<16, 16>>;
TYPED_TEST_SUITE(tuning_of, element_types);

constexpr int size_of_warp = 32;

TYPED_TEST(tuning_of, bulk_shapes_fit_a_multiprocessor)
{
  using shape = typename dispatch::bulk_shape_for<TypeParam>::type;
  EXPECT_LE(+shape::threads, 1024);
  EXPECT_LE(+shape::shared_bytes, dispatch::bulk_shared_bytes);
  EXPECT_GE(+shape::groups, 1);
  EXPECT_GE(+shape::stages, +shape::groups);
  EXPECT_EQ(shape::group_threads % size_of_warp, 0);
  EXPECT_EQ(shape::chunks % 2, 1);
  EXPECT_EQ(shape::tile_bytes % static_cast<int>(sizeof(TypeParam)), 0);
}

TYPED_TEST(tuning_of, plain_shapes_fit_static_shared_memory)
{
  using shape = typename dispatch::plain_shape_for<TypeParam>::type;
  EXPECT_LE(+shape::threads, 1024);
  EXPECT_EQ(shape::threads % size_of_warp, 0);
  EXPECT_LE(+shape::max_tile_bytes, 47 * 1024); // of 48 KB: the rest is for the block's state
  EXPECT_EQ(shape::bytes_a_chunk % static_cast<int>(sizeof(TypeParam)), 0);
  for (const dispatch::plain_row& row : dispatch::plain_rows)
  {
    const int chunk_bytes = lightscan::tile::chunk_bytes_for(sizeof(TypeParam));
    EXPECT_LE(lightscan::tile::chunks_within(row.segment_bytes, chunk_bytes), +shape::max_chunks);
  }
}

TYPED_TEST(tuning_of, slots_fit_a_workspace)
{
  constexpr int words = lightscan::carry::words<TypeParam>::count;
  const index n       = index{1} << 37;
  const auto bytes    = [&](int tile_items, int resident_blocks, int groups) {
    const lightscan::tile::geometry tiles{n, 0, tile_items};
    return dispatch::slot_bytes_for(dispatch::plan_for(tiles, resident_blocks, groups), words);
  };
  using plain = typename dispatch::plain_shape_for<TypeParam>::type;
  using bulk  = typename dispatch::bulk_shape_for<TypeParam>::type;
  for (int resident = 1; resident <= dispatch::max_resident_blocks(1, words); ++resident)
  {
    const int tile_items = plain::bytes_a_chunk / static_cast<int>(sizeof(TypeParam));
    ASSERT_LE(bytes(tile_items, resident, 1), dispatch::workspace_bytes) << resident;
  }
  for (int resident = 1; resident <= dispatch::max_resident_blocks(bulk::groups, words); ++resident)
  {
    ASSERT_LE(bytes(bulk::tile_items, resident, bulk::groups), dispatch::workspace_bytes) << resident;
  }
}

TEST(workspace, has_room_for_the_ring_of_any_gpu_and_some_ring_for_any_accumulator)
{
  // One block per multiprocessor, and twice as many of those as the largest GPU of today has.
  EXPECT_GE(dispatch::max_resident_blocks(4, 4), 320);
  EXPECT_GE(dispatch::max_resident_blocks(1, 4), 2048);
  for (int words = 1; words <= static_cast<int>(dispatch::max_accumulator_bytes / 4); ++words)
  {
    EXPECT_GE(dispatch::max_resident_blocks(1, words), 1) << words;
  }
}

TEST(rows, are_in_order)
{
  // Of rows that differ in the accumulator's size alone, the first that is wide enough serves.
  for (const dispatch::bulk_row& row : dispatch::bulk_rows)
  {
    for (const dispatch::bulk_row* later = &row + 1; later != std::end(dispatch::bulk_rows); ++later)
    {
      if (later->inputs == row.inputs && later->in_place == row.in_place)
      {
        EXPECT_GT(later->accumulator, row.accumulator);
      }
    }
  }

  index bytes = 0;
  for (const dispatch::plain_row& row : dispatch::plain_rows)
  {
    EXPECT_GT(row.max_bytes, bytes);
    bytes = row.max_bytes;
  }
  EXPECT_GE(bytes, index{1} << 62);
}

TEST(rows, serve_what_is_up_to_their_own_size)
{
  for (const dispatch::bulk_row& row : dispatch::bulk_rows)
  {
    const dispatch::bulk_row found = dispatch::bulk_row_for(row.inputs, row.in_place, row.accumulator);
    EXPECT_EQ(found.inputs, row.inputs);
    EXPECT_EQ(found.in_place, row.in_place);
    EXPECT_EQ(found.accumulator, row.accumulator);
  }
  EXPECT_EQ(dispatch::bulk_row_for(1, true, 3).accumulator, 8u);
  EXPECT_EQ(dispatch::bulk_row_for(1, true, 9).accumulator, 16u);
  EXPECT_EQ(dispatch::bulk_row_for(1, true, 33).inputs, 0); // none
  EXPECT_EQ(dispatch::bulk_row_for(3, true, 4).inputs, 0);
  for (const dispatch::plain_row& row : dispatch::plain_rows)
  {
    EXPECT_EQ(dispatch::plain_row_for(row.max_bytes).max_bytes, row.max_bytes);
  }
  EXPECT_EQ(dispatch::plain_row_for(1).max_bytes, dispatch::plain_rows[0].max_bytes);
  EXPECT_GT(
    dispatch::plain_row_for(dispatch::plain_rows[0].max_bytes + 1).max_bytes, dispatch::plain_rows[0].max_bytes);
}
} // namespace
