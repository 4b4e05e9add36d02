// The tuning table against the hardware's limits, and the workspace against what the table's shapes can ask for.
#include <lightscan/carry/words.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/dispatch/workspace.h>
#include <lightscan/kernel/shapes.h>
#include <lightscan/tile/form.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/items.h>

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
  EXPECT_GE(+shape::groups, 1);
  EXPECT_GE(+shape::stages, +shape::groups);
  EXPECT_EQ(shape::group_threads % size_of_warp, 0);
  EXPECT_EQ(shape::chunks % 2, 1);
  EXPECT_EQ(shape::tile_bytes % static_cast<int>(sizeof(TypeParam)), 0);
}

// What a launch asks for, or it takes the plain kernel without a word.
template <class Items>
void expect_room()
{
  using chosen = dispatch::bulk_shape_of<Items>;
  if constexpr (chosen::tabled && chosen::stages >= 2)
  {
    using shape               = typename chosen::type;
    constexpr int accumulator = static_cast<int>(sizeof(typename Items::form::accumulator));
    constexpr int state       = lightscan::kernel::bulk_state_bytes(
      shape::stages, shape::groups, shape::group_threads, accumulator);
    EXPECT_LE(shape::shared_bytes + state, dispatch::block_shared_bytes)
      << Items::input_bytes << " bytes of input and " << Items::output_bytes << " of output in a chunk, accumulator of "
      << accumulator;
    EXPECT_LE(+shape::threads, 1024);
  }
}

template <int Size>
using column_of = lightscan::tile::column<element<Size>>;

template <int First, int... Others>
struct every_output
{
  template <class Form>
  static void expect_room_of()
  {
    (expect_room<lightscan::tile::column_items<Form, column_of<Others>, column_of<First>>>(), ...);
  }
  // `First` is a value of a scan by key.
  template <class Key>
  static void expect_room_of_values_of()
  {
    using form = lightscan::tile::by_key_form<Key, element<First>, lightscan::carry::no_init>;
    (expect_room<
       lightscan::tile::column_items<form, column_of<Others>, lightscan::tile::column<Key>, column_of<First>>>(),
     ...);
  }
};

template <int... Inputs>
void expect_room_for_widths()
{
  (every_output<Inputs, 1, 2, 3, 4, 8, 12, 16, 24, 32>::template expect_room_of<
     lightscan::tile::scan_form<element<Inputs>, true>>(),
   ...);
  (every_output<Inputs, 1, 2, 3, 4, 8, 12, 16, 24, 32>::template expect_room_of<
     lightscan::tile::scan_form<element<32>, true>>(),
   ...);
  (every_output<Inputs, 1, 2, 4, 8, 16>::template expect_room_of_values_of<element<1>>(), ...);
  (every_output<Inputs, 1, 2, 4, 8, 16>::template expect_room_of_values_of<element<4>>(), ...);
  (every_output<Inputs, 1, 2, 4, 8, 16>::template expect_room_of_values_of<element<8>>(), ...);
}

TEST(bulk_shapes, leave_room_for_barriers_and_totals)
{
  expect_room_for_widths<1, 2, 3, 4, 8, 12, 16, 24, 32>();
}

TYPED_TEST(tuning_of, plain_shapes_follow_every_row)
{
  using of_words  = dispatch::plain_shape_for<TypeParam, lightscan::tile::memory_source>;
  using of_items  = dispatch::plain_shape_for<TypeParam, lightscan::tile::iterator_source<const TypeParam*>>;
  const auto fits = [](auto chosen) {
    using shape = typename decltype(chosen)::type;
    EXPECT_LE(+shape::max_threads, 1024);
    EXPECT_GE(+shape::rows, 1);
    for (index chunks = 1; chunks <= index{1} << 40; chunks += chunks / 7 + 1)
    {
      const dispatch::plain_row row = dispatch::plain_row_for(chunks);
      const int warps               = decltype(chosen)::warps_for(row);
      ASSERT_GE(warps, 1);
      ASSERT_LE(warps, +shape::max_warps);
      // What one tile was promised to hold, it does.
      const bool one_tile = chunks <= 32 * dispatch::single_tile_rows && warps < shape::max_warps;
      ASSERT_TRUE(!one_tile || warps * shape::rows * 32 >= chunks) << chunks;
    }
  };
  fits(of_words{});
  fits(of_items{});
}

int most_resident(int groups, int words)
{
  return dispatch::resident_within(dispatch::workspace_bytes, index{1} << 37, 1 << 20, groups, words);
}

TYPED_TEST(tuning_of, slots_fit_a_workspace)
{
  constexpr int words = lightscan::carry::words<TypeParam>::count;
  const index n       = index{1} << 37;
  const auto bytes    = [&](int tile_items, int resident_blocks, int groups) {
    const lightscan::tile::geometry tiles{n, 0, tile_items};
    return dispatch::slot_bytes_for(dispatch::plan_for(tiles, resident_blocks, groups), words);
  };
  using plain = typename dispatch::plain_shape_for<TypeParam, lightscan::tile::memory_source>::type;
  using bulk  = typename dispatch::bulk_shape_for<TypeParam>::type;
  for (int resident = 1; resident <= most_resident(1, words); ++resident)
  {
    ASSERT_LE(bytes(plain::warp_items, resident, 1), dispatch::workspace_bytes) << resident;
  }
  for (int resident = 1; resident <= most_resident(bulk::groups, words); ++resident)
  {
    ASSERT_LE(bytes(bulk::tile_items, resident, bulk::groups), dispatch::workspace_bytes) << resident;
  }
}

TEST(workspace, has_room_for_the_ring_of_any_gpu_and_some_ring_for_any_accumulator)
{
  // One block per multiprocessor, and twice as many of those as the largest GPU of today has.
  EXPECT_GE(most_resident(4, 4), 320);
  EXPECT_GE(most_resident(1, 4), 2048);
  for (int words = 1; words <= static_cast<int>(dispatch::max_accumulator_bytes / 4); ++words)
  {
    EXPECT_GE(most_resident(1, words), 1) << words;
  }
}

TEST(looks, have_copies_and_wait_where_many_blocks_have_few_tiles)
{
  for (const int blocks : {1, 2, 8, 9, 32, 33, 96, 97, 132, 264, 2048})
  {
    for (const index tiles : {index{1}, index{8}, index{9}, index{1} << 40})
    {
      const dispatch::looks_row looks = dispatch::looks_for(blocks, tiles);
      const int copies                = looks.copies;
      EXPECT_GE(copies, 1);
      EXPECT_EQ(copies & (copies - 1), 0) << "slot_ring::copy_for takes a power of two";
      EXPECT_LE(copies, blocks) << "nobody reads the others";
      EXPECT_TRUE(copies == 1 || tiles <= 8) << "each store of a long pipeline's holds up others";
      EXPECT_TRUE(looks.first_look == 0 || tiles == 1) << "a later tile's look finds what it wants at once";
      EXPECT_TRUE(looks.first_look == 0 || blocks > 1) << "there is nothing to look at";
      EXPECT_LE(looks.first_look, 1000u) << "nanoseconds";
    }
  }
  EXPECT_GT(dispatch::looks_for(132, 1).copies, 1);
  EXPECT_GT(dispatch::looks_for(132, 1).first_look, 0u);
  // A row behind one that serves as many blocks with as many tiles would never be reached.
  for (const dispatch::looks_row& row : dispatch::looks_rows)
  {
    for (const dispatch::looks_row* later = &row + 1; later != std::end(dispatch::looks_rows); ++later)
    {
      EXPECT_TRUE(later->max_blocks > row.max_blocks || later->max_tiles > row.max_tiles);
    }
  }
}

TEST(rows, are_in_order)
{
  // Of rows that differ in the accumulator's size alone, the first that is wide enough serves.
  for (const dispatch::bulk_row& row : dispatch::bulk_rows)
  {
    for (const dispatch::bulk_row* later = &row + 1; later != std::end(dispatch::bulk_rows); ++later)
    {
      if (later->inputs == row.inputs && later->placed == row.placed)
      {
        EXPECT_GT(later->accumulator, row.accumulator);
      }
    }
  }

  index chunks = 32 * dispatch::single_tile_rows;
  int rows     = 0;
  for (const dispatch::plain_row& row : dispatch::plain_rows)
  {
    EXPECT_GT(row.max_chunks, chunks);
    EXPECT_GT(row.tile_rows, rows);
    chunks = row.max_chunks;
    rows   = row.tile_rows;
  }
  EXPECT_GE(chunks, index{1} << 62);
}

TEST(rows, serve_what_is_up_to_their_own_size)
{
  for (const dispatch::bulk_row& row : dispatch::bulk_rows)
  {
    const dispatch::bulk_row found = dispatch::bulk_row_for(row.inputs, row.placed, row.accumulator);
    EXPECT_EQ(found.inputs, row.inputs);
    EXPECT_EQ(found.placed, row.placed);
    EXPECT_EQ(found.accumulator, row.accumulator);
  }
  EXPECT_EQ(dispatch::bulk_row_for(1, dispatch::in_place, 3).accumulator, 4u);
  EXPECT_EQ(dispatch::bulk_row_for(1, dispatch::in_place, 9).accumulator, 16u);
  EXPECT_EQ(dispatch::bulk_row_for(1, dispatch::in_place, 33).inputs, 0); // none
  EXPECT_EQ(dispatch::bulk_row_for(3, dispatch::in_place, 4).inputs, 0);
  for (const dispatch::plain_row& row : dispatch::plain_rows)
  {
    EXPECT_EQ(dispatch::plain_row_for(row.max_chunks).max_chunks, row.max_chunks);
  }
  EXPECT_EQ(dispatch::plain_row_for(1).tile_rows, 1);
  EXPECT_EQ(dispatch::plain_row_for(33).tile_rows, 2);
  EXPECT_GT(
    dispatch::plain_row_for(dispatch::plain_rows[0].max_chunks + 1).max_chunks, dispatch::plain_rows[0].max_chunks);
}
} // namespace
