// The tuning table against the hardware's limits, and the workspace against what the table's policies can ask for.
#include <lightscan/bulk/stage_view.h>
#include <lightscan/dispatch/architectures.h>
#include <lightscan/dispatch/plain_shape.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/shape.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/runtime/workspace.h>
#include <lightscan/tile/compared_keys.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/util/integer_sums.h>
#include <lightscan/util/words.h>

#include "hardware.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <gtest/gtest.h>

using namespace testing_support;

namespace
{
namespace carry = lightscan::carry;
using index     = std::int64_t;

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

// A block gets what its row asks for: of the GPUs that code for an architecture is made for, and, before sm_90, of all newer ones,
// which run that code too; but of an A100 alone, where sm_80's meets no other.
constexpr bool architectures_are_the_hardwares()
{
  for (const hardware& gpu : gpus)
  {
    const dispatch::architecture_row row = dispatch::architecture_row_for(gpu.compute_capability);
    const bool meets_newer               = gpu.compute_capability != 80 || !dispatch::sm_80_is_a100;
    if (row.shared > gpu.block_shared || row.compute_capability > gpu.compute_capability
        || dispatch::most_shared(gpu.compute_capability) != gpu.block_shared
        || (row.copies == lightscan::bulk::copies::bulk) != (gpu.compute_capability >= 90)
        || (row.copies == lightscan::bulk::copies::async && gpu.compute_capability < 80))
    {
      return false;
    }
    for (const hardware& newer : gpus)
    {
      if (meets_newer && gpu.compute_capability < 90 && newer.compute_capability > gpu.compute_capability
          && row.shared > newer.block_shared)
      {
        return false;
      }
    }
  }
  return dispatch::architecture_row_for(90).shared == 227;
}

static_assert(architectures_are_the_hardwares());
static_assert(dispatch::lists(860, 750, 800, 860) && !dispatch::lists(860, 800, 890) && !dispatch::lists(860, 800));
#if defined(LIGHTSCAN_SM80_IS_A100)
static_assert(dispatch::architecture_row_for(80).shared == 163 && dispatch::architecture_row_for(86).shared == 99);
static_assert(dispatch::shape_for<int>(80).shared_bytes > 99 * 1024 && dispatch::shape_for<double>(80).stages >= 6);
static_assert(dispatch::shape_for<int>(86).group_threads == 128 && dispatch::shape_for<int>(86).groups == 6,
              "sm_90's, fitted");
#else
static_assert(dispatch::architecture_row_for(80).shared == 99 && !dispatch::sm_80_is_a100);
#endif

// What shape_for() makes a shape for.
template <class T>
using plain_items = lightscan::bulk::
  column_items<lightscan::tile::scan_kind<T, true>, lightscan::tile::column<T>, lightscan::tile::column<T>>;

TYPED_TEST(tuning_of, bulk_shapes_fit_a_multiprocessor_of_every_architecture)
{
  for (const hardware& gpu : gpus)
  {
    const dispatch::bulk_shape shape = dispatch::shape_for<TypeParam>(gpu.compute_capability);
    EXPECT_TRUE(shape.serves) << gpu.compute_capability;
    EXPECT_TRUE(fits(shape, dispatch::item_sizes_of<plain_items<TypeParam>>(), gpu, 56)) << gpu.compute_capability;
    EXPECT_EQ(shape.tile_bytes % static_cast<int>(sizeof(TypeParam)), 0);
  }
}

template <int Size>
using column_of = lightscan::tile::column<element<Size>>;

template <int First, int... Others>
struct every_output
{
  template <class Kind>
  static void expect_room_of()
  {
    (expect_room<lightscan::bulk::column_items<Kind, column_of<Others>, column_of<First>>>(), ...);
  }
  // `First` is a value of a scan by key.
  template <class Key>
  static void expect_room_of_values_of()
  {
    namespace tile = lightscan::tile;
    expect_room_of_keyed<Key, tile::by_key_kind<Key, element<First>, lightscan::util::no_init, false>>();
    expect_room_of_keyed<Key, tile::by_key_kind<Key, element<First>, lightscan::util::no_init, true>>();
    expect_room_of_keyed<Key, tile::compared_kind<Key, element<First>, lightscan::util::no_init, false>>();
    expect_room_of_keyed<Key, tile::compared_kind<Key, element<First>, lightscan::util::no_init, true>>();
  }
  template <class Key, class Kind>
  static void expect_room_of_keyed()
  {
    (expect_room<
       lightscan::bulk::column_items<Kind, column_of<Others>, lightscan::tile::column<Key>, column_of<First>>>(),
     ...);
  }
};

template <int... Inputs>
void expect_room_for_widths()
{
  (every_output<Inputs, 1, 2, 3, 4, 8, 12, 16, 24, 32>::template expect_room_of<
     lightscan::tile::scan_kind<element<Inputs>, true>>(),
   ...);
  (every_output<Inputs, 1, 2, 3, 4, 8, 12, 16, 24, 32>::template expect_room_of<
     lightscan::tile::scan_kind<element<32>, true>>(),
   ...);
  (every_output<Inputs, 1, 2, 4, 8, 16>::template expect_room_of_values_of<element<1>>(), ...);
  (every_output<Inputs, 1, 2, 4, 8, 16>::template expect_room_of_values_of<element<4>>(), ...);
  (every_output<Inputs, 1, 2, 4, 8, 16>::template expect_room_of_values_of<element<8>>(), ...);
}

TEST(bulk_policies, leave_room_for_barriers_and_totals)
{
  expect_room_for_widths<1, 2, 3, 4, 8, 12, 16, 24, 32>();
}

// What is multiplied instead of added has 64 bits at most.
static_assert(lightscan::util::adds_modulo<long long, cuda::std::plus<>>);
static_assert(!lightscan::util::adds_modulo<int, cuda::std::plus<signed char>>);
static_assert(!lightscan::util::adds_modulo<float, cuda::std::plus<>>);
#if defined(__SIZEOF_INT128__)
static_assert(!lightscan::util::adds_modulo<__int128, cuda::std::plus<>>);
#endif

// A thread waits for its words of one stage before it begins the next one; asynchronous copies do not wait, and bulk ones ask by their rows.
TYPED_TEST(tuning_of, memory_comes_to_l2_a_tile_before_words_pass_through_registers)
{
  EXPECT_EQ(lightscan::dispatch::shape_for<TypeParam>(75).prefetched, 1);
  EXPECT_EQ(lightscan::dispatch::shape_for<TypeParam>(80).prefetched, 0);
  EXPECT_EQ(lightscan::dispatch::shape_for<TypeParam>(86).prefetched, 0);
}

TYPED_TEST(tuning_of, plain_policies_follow_every_row)
{
  using of_words  = dispatch::plain_policy<TypeParam, lightscan::plain::memory_source>;
  using of_items  = dispatch::plain_policy<TypeParam, lightscan::plain::iterator_source<const TypeParam*>>;
  const auto fits = [](auto chosen) {
    using policy = decltype(chosen);
    EXPECT_LE(+policy::max_threads, 1024);
    EXPECT_GE(+policy::stripes, 1);
    for (index chunks = 1; chunks <= index{1} << 40; chunks += chunks / 7 + 1)
    {
      const dispatch::plain_row row = dispatch::plain_row_for(chunks);
      const int warps               = policy::warps_for(row);
      ASSERT_GE(warps, 1);
      ASSERT_LE(warps, +policy::max_warps);
      // What one tile was promised to hold, it does.
      const bool one_tile = chunks <= 32 * dispatch::single_tile_stripes && warps < policy::max_warps;
      ASSERT_TRUE(!one_tile || warps * policy::stripes * 32 >= chunks) << chunks;
    }
  };
  fits(of_words{});
  fits(of_items{});
}

int most_resident(int groups, int words)
{
  return dispatch::resident_within(carry::workspace_bytes, index{1} << 37, 1 << 20, groups, words);
}

TYPED_TEST(tuning_of, slots_fit_a_workspace)
{
  constexpr int words = lightscan::util::words<TypeParam>::count;
  const index n       = index{1} << 37;
  const auto bytes    = [&](int tile_items, int resident_blocks, int groups) {
    const lightscan::tile::geometry tiles{n, 0, tile_items};
    return dispatch::slot_bytes_for(dispatch::plan_for(tiles, resident_blocks, groups), words);
  };
  using plain = dispatch::plain_policy<TypeParam, lightscan::plain::memory_source>;
  for (int resident = 1; resident <= most_resident(1, words); ++resident)
  {
    ASSERT_LE(bytes(plain::warp_items, resident, 1), carry::workspace_bytes) << resident;
  }
  for (const dispatch::architecture_row& on : dispatch::architectures)
  {
    const dispatch::bulk_shape bulk = dispatch::shape_for<TypeParam>(on.compute_capability);
    for (int resident = 1; resident <= most_resident(bulk.groups, words); ++resident)
    {
      ASSERT_LE(bytes(bulk.tile_items, resident, bulk.groups), carry::workspace_bytes) << resident;
    }
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

TEST(polls, have_copies_and_wait_where_many_blocks_have_few_tiles)
{
  for (const int blocks : {1, 2, 8, 9, 32, 33, 96, 97, 132, 264, 2048})
  {
    for (const index tiles : {index{1}, index{8}, index{9}, index{1} << 40})
    {
      const dispatch::lookahead_row row = dispatch::lookahead_row_for(blocks, tiles);
      const int copies                  = row.copies;
      EXPECT_GE(copies, 1);
      EXPECT_EQ(copies & (copies - 1), 0) << "slot_ring::copy_for takes a power of two";
      EXPECT_LE(copies, blocks) << "nobody reads the others";
      EXPECT_TRUE(copies == 1 || tiles <= 8) << "each store of a long pipeline's holds up others";
      EXPECT_TRUE(row.first_poll_delay == 0 || tiles == 1) << "a later tile's first poll finds what it wants";
      EXPECT_TRUE(row.first_poll_delay == 0 || blocks > 1) << "there is nothing to poll";
      EXPECT_LE(row.first_poll_delay, 1000u) << "nanoseconds";
    }
  }
  EXPECT_GT(dispatch::lookahead_row_for(132, 1).copies, 1);
  EXPECT_GT(dispatch::lookahead_row_for(132, 1).first_poll_delay, 0u);
  // A row behind one that serves as many blocks with as many tiles would never be reached.
  for (const dispatch::lookahead_row& row : dispatch::lookahead_rows)
  {
    for (const dispatch::lookahead_row* later = &row + 1; later != std::end(dispatch::lookahead_rows); ++later)
    {
      EXPECT_TRUE(later->max_blocks > row.max_blocks || later->max_tiles > row.max_tiles);
    }
  }
}

// Whatever a row asks for, for narrow items and for as wide ones as it serves.
TEST(rows, make_shapes_that_fit_every_architecture)
{
  for (const dispatch::bulk_row& row : dispatch::bulk_rows)
  {
    const int widest = static_cast<int>(row.accumulator);
    for (const int chunk_items : {1, 4})
    {
      dispatch::item_sizes items{};
      items.source            = row.source;
      items.columns           = row.columns;
      items.placed            = row.placed;
      items.in_place          = row.placed == dispatch::in_place;
      items.emits             = row.placed == dispatch::emitted;
      items.accumulator       = widest;
      items.alignment         = 16;
      items.held_in_registers = widest;
      items.chunk_items       = chunk_items;
      items.chunk_bytes       = std::min(chunk_items * (widest + 15) / 16 * 16, dispatch::most_chunk_bytes);
      items.held_bytes        = items.chunk_bytes;
      items.slack             = 128;
      for (const hardware& gpu : gpus)
      {
        const dispatch::bulk_shape shape = dispatch::shape_of(
          items, row, dispatch::architecture_row_for(gpu.compute_capability));
        EXPECT_TRUE(!shape.serves || fits(shape, items, gpu, 56))
          << "sm_" << gpu.compute_capability << ", a row of " << row.groups << " groups of " << row.group_threads;
        EXPECT_TRUE(shape.serves || gpu.block_shared < 227);
      }
    }
  }
}

// A launch looks the architecture of its code up by number.
TEST(architectures, are_found_by_the_code_that_runs)
{
  for (int row = 0; row < dispatch::num_architectures; ++row)
  {
    EXPECT_EQ(dispatch::architecture_number(dispatch::architectures[row].compute_capability), row);
  }
  EXPECT_EQ(dispatch::architecture_number(70), -1);
  EXPECT_EQ(dispatch::architecture_row_for(89).compute_capability, 86);
  EXPECT_EQ(dispatch::architecture_row_for(103).compute_capability, 90);
  EXPECT_EQ(dispatch::architecture_row_for(121).compute_capability, 120);
  using items = lightscan::bulk::
    column_items<lightscan::tile::scan_kind<int, true>, lightscan::tile::column<int>, lightscan::tile::column<int>>;
  using policies = dispatch::bulk_policies<items, dispatch::tuned_policies>;
  EXPECT_FALSE(policies::shape(70).serves);
  EXPECT_EQ(policies::shape(75).shared_bytes, dispatch::shape_for<int>(75).shared_bytes);
  EXPECT_EQ(policies::shape(103).shared_bytes, dispatch::shape_for<int>(90).shared_bytes);
  EXPECT_EQ(policies::on<86>::tile_items, dispatch::shape_for<int>(86).tile_items);
}

} // namespace
