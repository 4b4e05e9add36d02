// The tuning table against the hardware's limits, and the workspace against what the table's policies can ask for.
#include <lightscan/bulk/reduction.h>
#include <lightscan/bulk/run_lengths.h>
#include <lightscan/bulk/selection.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/bulk/state_bytes.h>
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

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <gtest/gtest.h>

namespace
{
namespace carry    = lightscan::carry;
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

// What a multiprocessor of each architecture has (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability";
// CCCL's cuda::arch_traits says the same): kilobytes of shared memory that a block can have, resident threads.
struct hardware
{
  int compute_capability;
  int block_shared;
  int threads;
};
constexpr hardware gpus[]        = {{75, 64, 1024},
                                    {80, 163, 2048},
                                    {86, 99, 1536},
                                    {87, 163, 1536},
                                    {88, 99, 1536},
                                    {89, 99, 1536},
                                    {90, 227, 2048},
                                    {100, 227, 2048},
                                    {103, 227, 2048},
                                    {110, 227, 1536},
                                    {120, 99, 1536},
                                    {121, 99, 1536}};
constexpr int registers_of_block = 64 * 1024; // everywhere
constexpr int threads_of_block   = 1024;

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

// What a launch asks for, or it takes the plain kernel without a word; and what the kernel rests on (bulk/block.h). `least`: bytes
// of registers that a thread is left with.
constexpr bool
fits(const dispatch::bulk_shape& shape, const dispatch::item_sizes& items, const hardware& gpu, int least)
{
  const int state = lightscan::bulk::state_bytes(
    shape.stages, shape.groups, shape.group_threads, items.accumulator, items.alignment, items.emits);
  return shape.shared_bytes + state <= gpu.block_shared * 1024 && shape.threads <= gpu.threads
      && shape.threads <= threads_of_block && registers_of_block / shape.threads >= least && shape.groups >= 1
      && shape.stages > shape.groups && shape.stages >= shape.tiles_in_hand && shape.loads_ahead >= shape.groups
      && shape.loads_ahead < shape.stages && shape.loads_at_once >= 1 && shape.loads_at_once <= shape.loads_ahead
      && shape.chunks % 2 == 1 && shape.group_threads % size_of_warp == 0 && shape.loaders >= 1 && shape.storers >= 1
      && (shape.prefetched == 0 || gpu.compute_capability >= 90)
      && shape.tile_items == shape.group_threads * shape.chunks * items.chunk_items;
}

// What shape_for() makes a shape for.
template <class T>
using plain_items = lightscan::bulk::
  column_items<lightscan::tile::scan_kind<T, true>, lightscan::tile::column<T>, lightscan::tile::column<T>>;

// Of items that the pipeline serves on sm_90, on every architecture that has room for two of their tiles.
template <class Items>
constexpr bool fits_everywhere()
{
  constexpr dispatch::item_sizes items = dispatch::item_sizes_of<Items>();
  for (const hardware& gpu : gpus)
  {
    const dispatch::bulk_shape shape = dispatch::shape_on<Items, dispatch::tuned_policies>(gpu.compute_capability);
    if (shape.serves && !fits(shape, items, gpu, 56))
    {
      return false;
    }
  }
  return dispatch::shape_on<Items, dispatch::tuned_policies>(90).serves;
}

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

template <class Items>
void expect_room()
{
  static_assert(fits_everywhere<Items>());
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

// A test that can hold no address, beside a function pointer: rows differ (dispatch::row_for).
struct knows_nothing
{
  template <class... Items>
  bool operator()(const Items&...) const;
};

// Results of another number than items: a selection, a reduction by key, and one that counts.
template <int Size, class Predicate, class EqualityOp>
void expect_room_for_emission_of()
{
  namespace bulk = lightscan::bulk;
  namespace tile = lightscan::tile;
  using T        = element<Size>;
  using input    = bulk::memory_input<tile::column<T>>;
  using target   = bulk::memory_target<T, false, false>;
  using selected = bulk::selected_output<tile::index*, bulk::part_targets<target>, bulk::part_targets<bulk::no_target>>;
  using select   = tile::select_kind<tile::if_test<Predicate>, true>;
  using reduce   = tile::reduce_kind<T, EqualityOp>;
  using runs     = bulk::run_output<tile::index*, target, target>;
  using counts   = tile::reduce_kind<int, EqualityOp, true>;
  using lengths  = bulk::selected_output<tile::index*,
                                        bulk::part_targets<target, bulk::length_target<int*, int>>,
                                        bulk::part_targets<bulk::no_target, bulk::no_target>>;
  using counting = bulk::selection_items<counts, const T*, lengths, input, bulk::index_input>;
  using selection                        = bulk::selection_items<select, const T*, selected, input>;
  using reduction                        = bulk::reduction_items<reduce, const T*, runs, input, input>;
  constexpr dispatch::bulk_shape selects = dispatch::shape_on<selection, dispatch::tuned_policies>(90);
  constexpr dispatch::bulk_shape reduces = dispatch::shape_on<reduction, dispatch::tuned_policies>(90);
  constexpr dispatch::bulk_shape scans   = dispatch::shape_for<T>(90);
  static_assert(selects.serves && reduces.serves);
  // Slots must be there for all that a block publishes before it has finished any of it (plan.h).
  static_assert(selects.tiles_in_hand == 2 * selects.groups && reduces.tiles_in_hand == 2 * reduces.groups);
  static_assert(scans.tiles_in_hand == scans.groups);
  expect_room<selection>();
  expect_room<reduction>();
  expect_room<counting>();
}

// Whether the pipeline serves emitted items on every architecture, wide ones on sm_90 with stages to load into while tiles are in hand.
template <class Items>
constexpr bool is_served_everywhere()
{
  constexpr bool wide = dispatch::item_sizes_of<Items>().held_in_registers > int{dispatch::narrow_emitted};
  for (const hardware& gpu : gpus)
  {
    const dispatch::bulk_shape shape = dispatch::shape_on<Items, dispatch::tuned_policies>(gpu.compute_capability);
    if (!shape.serves || (wide && gpu.compute_capability == 90 && shape.stages <= shape.tiles_in_hand))
    {
      return false;
    }
  }
  return true;
}

// Items of so many words or half words: chunks of one to eight of them, up to 240 bytes long.
template <class Word, int Words>
struct words
{
  Word word[Words];
};

// A selection, and reductions of values by keys: of one column of them and of two.
template <class Item>
constexpr bool emissions_are_served_everywhere()
{
  namespace bulk = lightscan::bulk;
  namespace tile = lightscan::tile;
  using input    = bulk::memory_input<tile::column<Item>>;
  using key      = bulk::memory_input<tile::column<int>>;
  using target   = bulk::memory_target<Item, false, false>;
  using keys     = bulk::memory_target<int, false, false>;
  using selected = bulk::selected_output<tile::index*, bulk::part_targets<target>, bulk::part_targets<bulk::no_target>>;
  using select   = tile::select_kind<tile::if_test<knows_nothing>, true>;
  using reduce   = tile::reduce_kind<Item, knows_nothing>;
  using by_key   = bulk::run_output<tile::index*, keys, target>;
  using by_item  = bulk::run_output<tile::index*, target, target>;
  return is_served_everywhere<bulk::selection_items<select, const Item*, selected, input>>()
      && is_served_everywhere<bulk::reduction_items<reduce, const int*, by_key, key, input>>()
      && is_served_everywhere<bulk::reduction_items<reduce, const Item*, by_item, input, input>>();
}

template <class Word, int... Words>
constexpr bool all_are_served_everywhere()
{
  return (emissions_are_served_everywhere<words<Word, Words>>() && ...);
}
static_assert(all_are_served_everywhere<int, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>());
static_assert(all_are_served_everywhere<int, 18, 20, 22, 24, 26, 28, 30, 32>());
static_assert(all_are_served_everywhere<short, 13, 15>());

template <int... Sizes>
void expect_room_for_emissions()
{
  (expect_room_for_emission_of<Sizes, knows_nothing, knows_nothing>(), ...);
  (expect_room_for_emission_of<Sizes, bool (*)(element<Sizes>), bool (*)(element<Sizes>, element<Sizes>)>(), ...);
}

template <class To>
struct makes
{
  template <class From>
  To operator()(const From&) const;
};

// A selection of what functions make of stored items, as wide or wider.
template <int Stored, int Size, class Predicate = knows_nothing>
using selection_of_made = lightscan::bulk::selection_items<
  lightscan::tile::select_kind<lightscan::tile::if_test<Predicate>, true>,
  const element<Stored>*,
  lightscan::bulk::selected_output<
    lightscan::tile::index*,
    lightscan::bulk::part_targets<lightscan::bulk::memory_target<element<Size>, false, false>>,
    lightscan::bulk::part_targets<lightscan::bulk::no_target>>,
  lightscan::bulk::memory_input<lightscan::tile::column<element<Stored>, makes<element<Size>>>>>;

template <int Stored, int... Sizes>
void expect_room_for_wider_emissions()
{
  (expect_room<selection_of_made<Stored, Sizes>>(), ...);
  (expect_room<selection_of_made<Stored, Sizes, bool (*)(element<Sizes>)>>(), ...);
}

// What is multiplied instead of added has 64 bits at most.
static_assert(lightscan::util::adds_modulo<long long, cuda::std::plus<>>);
static_assert(!lightscan::util::adds_modulo<int, cuda::std::plus<signed char>>);
static_assert(!lightscan::util::adds_modulo<float, cuda::std::plus<>>);
#if defined(__SIZEOF_INT128__)
static_assert(!lightscan::util::adds_modulo<__int128, cuda::std::plus<>>);
#endif

TEST(bulk_policies, leave_room_where_results_are_emitted)
{
  expect_room_for_emissions<1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256>();
  expect_room_for_wider_emissions<1, 1, 3, 5, 7, 9, 11, 13, 15, 60, 64, 256>();
  expect_room_for_wider_emissions<4, 5, 7, 9, 11, 13, 15, 60, 64, 256>();
}

TEST(bulk_policies, give_three_chunks_of_64_bytes_to_what_is_emitted)
{
  using of_64_bytes  = selection_of_made<64, 64>;
  using of_240_bytes = selection_of_made<4, 60>;
  EXPECT_EQ((dispatch::shape_on<of_64_bytes, dispatch::tuned_policies>(90).chunks), 3);
  EXPECT_EQ((dispatch::shape_on<of_240_bytes, dispatch::tuned_policies>(90).chunks), 1);
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
