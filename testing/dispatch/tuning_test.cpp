// The tuning table against the hardware's limits, and the workspace against what the table's policies can ask for.
#include <lightscan/bulk/reduction.h>
#include <lightscan/bulk/selection.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/bulk/state_bytes.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/runtime/workspace.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/util/words.h>

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

TYPED_TEST(tuning_of, bulk_policies_fit_a_multiprocessor)
{
  using policy = dispatch::bulk_policy_for<TypeParam>;
  EXPECT_LE(+policy::threads, 1024);
  EXPECT_GE(+policy::groups, 1);
  EXPECT_GT(+policy::stages, +policy::groups);
  EXPECT_EQ(policy::group_threads % size_of_warp, 0);
  EXPECT_EQ(policy::chunks % 2, 1);
  EXPECT_EQ(policy::tile_bytes % static_cast<int>(sizeof(TypeParam)), 0);
}

// What a launch asks for, or it takes the plain kernel without a word.
template <class Items>
void expect_room()
{
  using policy = dispatch::bulk_policy<Items>;
  if constexpr (policy::tabled && policy::stages >= 2)
  {
    constexpr int accumulator = static_cast<int>(sizeof(typename Items::kind_type::accumulator));
    constexpr int state       = lightscan::bulk::state_bytes(
      policy::stages, policy::groups, policy::group_threads, accumulator, Items::emits);
    EXPECT_LE(policy::shared_bytes + state, dispatch::block_shared_bytes(90))
      << Items::input_bytes << " bytes of input and " << Items::output_bytes << " of output in a chunk, accumulator of "
      << accumulator;
    EXPECT_LE(+policy::threads, 1024);
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
    using kind = lightscan::tile::by_key_kind<Key, element<First>, lightscan::util::no_init>;
    (expect_room<
       lightscan::bulk::column_items<kind, column_of<Others>, lightscan::tile::column<Key>, column_of<First>>>(),
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

// Results of another number than items: a selection, and a reduction by key.
template <int Size>
void expect_room_for_emission_of()
{
  namespace bulk = lightscan::bulk;
  namespace tile = lightscan::tile;
  using T        = element<Size>;
  using input    = bulk::memory_input<tile::column<T>>;
  using target   = bulk::memory_target<T, false, false>;
  using selected = bulk::selected_output<tile::index*, bulk::part_targets<target>, bulk::part_targets<bulk::no_target>>;
  using select   = tile::select_kind<tile::if_test<bool (*)(T)>, true>;
  using reduce   = tile::reduce_kind<T, bool (*)(T, T)>;
  using runs     = bulk::run_output<tile::index*, target, target>;
  using selection = bulk::selection_items<select, const T*, selected, input>;
  using reduction = bulk::reduction_items<reduce, const T*, runs, input, input>;
  static_assert(dispatch::bulk_policy<selection>::tabled && dispatch::bulk_policy<reduction>::tabled);
  // Slots must be there for all that a block publishes before it has finished any of it (plan.h).
  static_assert(dispatch::bulk_policy<selection>::tiles_in_hand == 2 * dispatch::bulk_policy<selection>::groups);
  static_assert(dispatch::bulk_policy_for<T>::tiles_in_hand == dispatch::bulk_policy_for<T>::groups);
  expect_room<selection>();
  expect_room<reduction>();
}

template <int... Sizes>
void expect_room_for_emissions()
{
  (expect_room_for_emission_of<Sizes>(), ...);
}

TEST(bulk_policies, leave_room_where_results_are_emitted)
{
  expect_room_for_emissions<1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256>();
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
  using bulk  = dispatch::bulk_policy_for<TypeParam>;
  for (int resident = 1; resident <= most_resident(1, words); ++resident)
  {
    ASSERT_LE(bytes(plain::warp_items, resident, 1), carry::workspace_bytes) << resident;
  }
  for (int resident = 1; resident <= most_resident(bulk::groups, words); ++resident)
  {
    ASSERT_LE(bytes(bulk::tile_items, resident, bulk::groups), carry::workspace_bytes) << resident;
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

TEST(rows, are_in_order)
{
  // Of rows that differ in the accumulator's size alone, the first that is wide enough serves.
  for (const dispatch::bulk_row& row : dispatch::bulk_rows)
  {
    for (const dispatch::bulk_row* later = &row + 1; later != std::end(dispatch::bulk_rows); ++later)
    {
      if (later->compute_capability == row.compute_capability && later->source == row.source
          && later->columns == row.columns && later->placed == row.placed)
      {
        EXPECT_GT(later->accumulator, row.accumulator);
      }
    }
  }

  index chunks = 32 * dispatch::single_tile_stripes;
  int stripes  = 0;
  for (const dispatch::plain_row& row : dispatch::plain_rows)
  {
    EXPECT_GT(row.max_chunks, chunks);
    EXPECT_GT(row.tile_stripes, stripes);
    chunks  = row.max_chunks;
    stripes = row.tile_stripes;
  }
  EXPECT_GE(chunks, index{1} << 62);
}

// A second architecture, as a test of the seam: tables of their own, in which it has a row beside sm_90's.
struct policies_of_two_architectures : dispatch::tuned_policies
{
  static constexpr dispatch::bulk_row rows[] = {
    // sm  source  columns  placed  accumulator  evaluators  groups  threads  bytes  unroll  ahead  at once  plain tiles
    {80, dispatch::memory, 1, dispatch::in_place, 16, 0, 4, 128, 144, 3, 5, 2, 3},
    {90, dispatch::memory, 1, dispatch::in_place, 16, 0, 6, 128, 208, 3, 7, 2, 1},
  };

  static constexpr dispatch::bulk_row bulk(int compute_capability,
                                           lightscan::bulk::source source,
                                           int columns,
                                           lightscan::bulk::placement placed,
                                           unsigned accumulator)
  {
    return dispatch::bulk_row_for(rows, compute_capability, source, columns, placed, accumulator);
  }
};

template <class T, int ComputeCapability>
using policy_on = dispatch::bulk_policy<lightscan::bulk::column_items<lightscan::tile::scan_kind<T, true>,
                                                                      lightscan::tile::column<T>,
                                                                      lightscan::tile::column<T>>,
                                        policies_of_two_architectures,
                                        ComputeCapability>;

// What the policy takes of a block's shared memory, and what it would take with one stage more.
template <class T, class Policy>
constexpr int bytes_with(int further_stages)
{
  constexpr int accumulator = static_cast<int>(sizeof(T));
  const int stages          = Policy::stages + further_stages;
  return stages * Policy::tile_bytes
       + lightscan::bulk::state_bytes(stages, Policy::groups, Policy::group_threads, accumulator, false);
}

template <class T, class Policy>
constexpr bool fills(int shared_bytes)
{
  return bytes_with<T, Policy>(0) <= shared_bytes
      && (Policy::stages == dispatch::most_stages || bytes_with<T, Policy>(1) > shared_bytes);
}

template <class T>
constexpr bool architectures_have_policies_of_their_own()
{
  using older = policy_on<T, 80>;
  using newer = policy_on<T, 90>;
  static_assert(older::tabled && older::compute_capability == 80 && older::group_threads == 128);
  static_assert(older::row.bytes_per_thread == 144 && older::groups == 4 && older::loads_ahead == 5);
  static_assert(older::plain_tiles == 3);
  static_assert(newer::tabled && newer::compute_capability == 90 && newer::row.bytes_per_thread == 208);
  static_assert(newer::groups == 6 && newer::loads_ahead == 7 && newer::plain_tiles == 1);
  static_assert(fills<T, older>(163 * 1024), "an A100's block");
  static_assert(fills<T, newer>(227 * 1024), "an H100's block");
  static_assert(bytes_with<T, newer>(0) > 163 * 1024, "or the row of the one would do for the other");
  // Newer than a row, and with none of its own.
  static_assert(policy_on<T, 86>::compute_capability == 80 && policy_on<T, 120>::compute_capability == 90);
  static_assert(!policy_on<T, 75>::tabled);
  return true;
}
static_assert(architectures_have_policies_of_their_own<float>());
static_assert(architectures_have_policies_of_their_own<double>());
static_assert(architectures_have_policies_of_their_own<element<16, 16>>());

TEST(rows, of_two_architectures_serve_each_its_own)
{
  const auto row_on = [](int compute_capability, unsigned accumulator) {
    return policies_of_two_architectures::bulk(
      compute_capability, dispatch::memory, 1, dispatch::in_place, accumulator);
  };
  EXPECT_EQ(row_on(75, 4).groups, 0) << "none";
  EXPECT_EQ(row_on(80, 4).bytes_per_thread, 144);
  EXPECT_EQ(row_on(89, 4).bytes_per_thread, 144);
  EXPECT_EQ(row_on(90, 4).bytes_per_thread, 208);
  EXPECT_EQ(row_on(100, 4).bytes_per_thread, 208);
  EXPECT_EQ(row_on(90, 32).groups, 0) << "none";
  EXPECT_GT(dispatch::block_shared_bytes(90), dispatch::block_shared_bytes(80));
  // What a launch takes has not changed: the tuned tables have no row that old.
  EXPECT_EQ(dispatch::tuned_policies::bulk(80, dispatch::memory, 1, dispatch::in_place, 4).groups, 0);
}

TEST(rows, serve_what_is_up_to_their_own_size)
{
  for (const dispatch::bulk_row& row : dispatch::bulk_rows)
  {
    const dispatch::bulk_row found = dispatch::bulk_row_for(
      dispatch::bulk_rows, row.compute_capability, row.source, row.columns, row.placed, row.accumulator);
    EXPECT_EQ(found.source, row.source);
    EXPECT_EQ(found.columns, row.columns);
    EXPECT_EQ(found.placed, row.placed);
    EXPECT_EQ(found.accumulator, row.accumulator);
  }
  const auto in_memory = [](int columns, unsigned accumulator) {
    return dispatch::bulk_row_for(dispatch::bulk_rows, 90, dispatch::memory, columns, dispatch::in_place, accumulator);
  };
  EXPECT_EQ(in_memory(1, 3).accumulator, 4u);
  EXPECT_EQ(in_memory(1, 9).accumulator, 16u);
  EXPECT_EQ(in_memory(1, 33).accumulator, 48u);
  EXPECT_EQ(in_memory(3, 4).columns, 8);
  EXPECT_EQ(in_memory(1, 257).groups, 0) << "none";
  EXPECT_EQ(in_memory(9, 4).groups, 0) << "none";
  for (const dispatch::plain_row& row : dispatch::plain_rows)
  {
    EXPECT_EQ(dispatch::plain_row_for(row.max_chunks).max_chunks, row.max_chunks);
  }
  EXPECT_EQ(dispatch::plain_row_for(1).tile_stripes, 1);
  EXPECT_EQ(dispatch::plain_row_for(33).tile_stripes, 2);
  EXPECT_GT(
    dispatch::plain_row_for(dispatch::plain_rows[0].max_chunks + 1).max_chunks, dispatch::plain_rows[0].max_chunks);
}
} // namespace
