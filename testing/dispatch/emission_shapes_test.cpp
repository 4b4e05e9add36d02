// Rule: results that are emitted find room on every architecture, whatever their width and that of the items; a stage has no more of an
// item than the wider of the two.
#include <lightscan/bulk/reduction.h>
#include <lightscan/bulk/run_lengths.h>
#include <lightscan/bulk/selection.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/dispatch/shape.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/select_kind.h>

#include "hardware.h"

#include <cuda/std/tuple>

#include <gtest/gtest.h>

using namespace testing_support;

namespace
{
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

// Tuples of columns that lie apart, and go to an iterator as tuples.
template <class... Members>
using tuples = cuda::std::tuple<Members...>;
template <class... Members>
using zipped_input =
  lightscan::bulk::composed_input<dispatch::zipped<tuples<Members...>>,
                                  lightscan::bulk::memory_input<lightscan::tile::column<Members>>...>;
template <class... Members>
using zipped_target = lightscan::bulk::iterator_target<tuples<Members...>*, tuples<Members...>, false>;

template <class... Members>
using selection_of_zips = lightscan::bulk::selection_items<
  lightscan::tile::select_kind<lightscan::tile::if_test<knows_nothing>, true>,
  const tuples<Members...>*,
  lightscan::bulk::selected_output<lightscan::tile::index*,
                                   lightscan::bulk::part_targets<zipped_target<Members...>>,
                                   lightscan::bulk::part_targets<lightscan::bulk::no_target>>,
  zipped_input<Members...>>;

template <class... Members>
using reduction_of_zips =
  lightscan::bulk::reduction_items<lightscan::tile::reduce_kind<tuples<Members...>, knows_nothing>,
                                   const int*,
                                   lightscan::bulk::run_output<lightscan::tile::index*,
                                                               lightscan::bulk::memory_target<int, false, false>,
                                                               zipped_target<Members...>>,
                                   lightscan::bulk::memory_input<lightscan::tile::column<int>>,
                                   zipped_input<Members...>>;

// Threads hold their items by when results come: these may lie on any column.
template <class Items>
constexpr int bytes_of_item = Items::bytes / Items::items;
static_assert(bytes_of_item<selection_of_zips<float, float, float>> == 12);
static_assert(bytes_of_item<selection_of_zips<unsigned char, double>> == 16, "results with their padding");
static_assert(bytes_of_item<reduction_of_zips<float, float, float>> == 16, "and a key");

// Runs of several columns are reduced in chunks as long as these ask for, or shorter, if three would not fit.
static_assert(reduction_of_zips<float, float>::items == 4);
static_assert(reduction_of_zips<float, float, float, float>::items == 2);
static_assert(reduction_of_zips<double, double, double, double, double>::items == 1);
static_assert(selection_of_zips<float, float, float, float>::items == 1, "as their results ask for");

TEST(bulk_policies, leave_room_where_zips_are_emitted)
{
  expect_room<selection_of_zips<float, float, float, float>>();
  expect_room<selection_of_zips<float, float, float, float, float, float, float, float>>();
  expect_room<selection_of_zips<double, double, double, double, double, double, double, double>>();
  expect_room<reduction_of_zips<float, float, float, float>>();
  expect_room<reduction_of_zips<double, double, double, double>>();
}

// A tile of one chunk a thread costs as much as one of three (perf/DECISIONS.md, fitted-emission).
TEST(bulk_policies, rather_have_fewer_threads_than_one_chunk_in_less_shared_memory)
{
  for (const int compute_capability : {75, 80, 86, 89, 120})
  {
    const auto chunks_of = [&](auto policies) {
      return decltype(policies)::shape(compute_capability).chunks;
    };
    EXPECT_GE(
      chunks_of(dispatch::bulk_policies<selection_of_zips<float, float, float>, dispatch::tuned_policies>{}), 3);
    EXPECT_GE(
      chunks_of(dispatch::bulk_policies<reduction_of_zips<float, float, float>, dispatch::tuned_policies>{}), 3);
    EXPECT_GE(chunks_of(dispatch::bulk_policies<reduction_of_zips<float, int>, dispatch::tuned_policies>{}), 3);
  }
}

// What one column is reduced to two of has short loads, and one long tile; not so what is selected, or measured.
TEST(bulk_policies, have_one_group_where_more_is_reduced_to_than_loaded)
{
  namespace bulk       = lightscan::bulk;
  namespace tile       = lightscan::tile;
  using key            = bulk::memory_input<tile::column<int>>;
  using keys           = bulk::memory_target<int, false, false>;
  using means          = bulk::reduction_items<tile::reduce_kind<tuples<float, int>, knows_nothing>,
                                      const int*,
                                      bulk::run_output<tile::index*, keys, zipped_target<float, int>>,
                                      key,
                                      bulk::memory_input<tile::column<float, makes<tuples<float, int>>>>>;
  using lengths        = bulk::selection_items<tile::reduce_kind<int, knows_nothing, true>,
                                        const int*,
                                        bulk::selected_output<tile::index*,
                                                              bulk::part_targets<keys, bulk::length_target<int*, int>>,
                                                              bulk::part_targets<bulk::no_target, bulk::no_target>>,
                                        key,
                                        bulk::index_input>;
  const auto groups_on = [](int compute_capability, auto policies) {
    return decltype(policies)::shape(compute_capability).groups;
  };
  EXPECT_EQ(groups_on(86, dispatch::bulk_policies<means, dispatch::tuned_policies>{}), 1);
  EXPECT_EQ(groups_on(90, dispatch::bulk_policies<means, dispatch::tuned_policies>{}), 3);
  EXPECT_EQ(groups_on(86, dispatch::bulk_policies<lengths, dispatch::tuned_policies>{}), 2);
  EXPECT_EQ(
    groups_on(86, dispatch::bulk_policies<selection_of_zips<unsigned char, double>, dispatch::tuned_policies>{}), 3);
  EXPECT_EQ(groups_on(86, dispatch::bulk_policies<selection_of_made<4, 16>, dispatch::tuned_policies>{}), 2);
}

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
} // namespace
