// Which row of the tuning table serves which items, on which architecture.
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/shape.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/compared_keys.h>
#include <lightscan/tile/select_kind.h>

#include <cstdint>
#include <functional>
#include <iterator>

#include <gtest/gtest.h>

namespace
{
namespace dispatch = lightscan::dispatch;
using index        = std::int64_t;

struct alignas(16) sixteen_bytes
{
  unsigned char byte[16];
};

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

// What a launch asks of a table of a test's own.
template <class Table>
struct policies_of : dispatch::tuned_policies
{
  static constexpr dispatch::bulk_row bulk(int compute_capability,
                                           lightscan::bulk::source source,
                                           int columns,
                                           lightscan::bulk::placement placed,
                                           unsigned accumulator)
  {
    return dispatch::bulk_row_for(Table::rows, compute_capability, source, columns, placed, accumulator);
  }
};

// A second architecture, as a test of the seam: it has a row beside sm_90's.
struct table_of_two_architectures
{
  static constexpr dispatch::bulk_row rows[] = {
    // sm  source  columns  placed  accumulator  evaluators  groups  threads  bytes  unroll  ahead  at once  plain tiles
    {80, dispatch::memory, 1, dispatch::in_place, 16, 0, 4, 128, 112, 3, 5, 2, 3},
    {90, dispatch::memory, 1, dispatch::in_place, 16, 0, 6, 128, 208, 3, 7, 2, 1},
  };
};

template <class T>
constexpr bool architectures_have_shapes_of_their_own()
{
  constexpr auto on = [](int compute_capability) {
    return dispatch::shape_for<T, policies_of<table_of_two_architectures>>(compute_capability);
  };
  constexpr dispatch::bulk_shape older = on(80);
  constexpr dispatch::bulk_shape newer = on(90);
  static_assert(older.serves && older.group_threads == 128 && older.groups == 4 && older.loads_ahead == 5);
  static_assert(older.plain_tiles == 3);
  static_assert(newer.serves && newer.groups == 6 && newer.loads_ahead == 7 && newer.plain_tiles == 1);
  static_assert(newer.shared_bytes > 163 * 1024, "or the row of the one would do for the other");
  static_assert(on(86).groups == 4, "the nearest row");
  static_assert(dispatch::sm_80_is_a100 || on(86).shared_bytes == older.shared_bytes, "in as much shared memory");
  static_assert(on(120).groups <= 6 && on(120).shared_bytes <= 99 * 1024, "sm_90's row, fitted");
  static_assert(on(75).groups <= 4 && on(75).shared_bytes <= 64 * 1024, "the oldest one's, fitted");
  return true;
}
static_assert(architectures_have_shapes_of_their_own<float>());
static_assert(architectures_have_shapes_of_their_own<double>());
static_assert(architectures_have_shapes_of_their_own<sixteen_bytes>());

TEST(rows, of_two_architectures_serve_each_its_own)
{
  const auto row_on = [](int compute_capability, unsigned accumulator) {
    return policies_of<table_of_two_architectures>::bulk(
      compute_capability, dispatch::memory, 1, dispatch::in_place, accumulator);
  };
  EXPECT_EQ(row_on(75, 4).bytes_per_thread, 112) << "the oldest";
  EXPECT_EQ(row_on(80, 4).bytes_per_thread, 112);
  EXPECT_EQ(row_on(89, 4).bytes_per_thread, 112);
  EXPECT_EQ(row_on(90, 4).bytes_per_thread, 208);
  EXPECT_EQ(row_on(100, 4).bytes_per_thread, 208);
  EXPECT_EQ(row_on(90, 32).groups, 0) << "none";
}

// A row for two columns could serve one, but was not measured with one.
TEST(rows, of_another_architecture_serve_as_many_columns_as_those_that_were_measured)
{
  const dispatch::bulk_row rows[] = {
    {86, dispatch::memory, 2, dispatch::in_place, 16, 0, 5, 96, 160, 3, 5, 2, 1},
    {90, dispatch::memory, 1, dispatch::in_place, 16, 0, 6, 128, 208, 3, 7, 2, 1},
    {90, dispatch::memory, 2, dispatch::in_place, 16, 0, 5, 128, 288, 3, 5, 2, 1},
    {120, dispatch::memory, 2, dispatch::in_place, 32, 0, 4, 96, 96, 3, 5, 2, 1},
  };
  const auto bytes_on = [&](int compute_capability, int columns, unsigned accumulator) {
    return dispatch::measured_row_for(
             rows, compute_capability, dispatch::memory, columns, dispatch::in_place, accumulator)
      .bytes_per_thread;
  };
  EXPECT_EQ(bytes_on(86, 1, 4), 208);
  EXPECT_EQ(bytes_on(86, 2, 4), 160);
  EXPECT_EQ(bytes_on(89, 2, 4), 160);
  EXPECT_EQ(bytes_on(75, 2, 4), 288) << "the one that was measured on";
  EXPECT_EQ(bytes_on(90, 2, 4), 288);
  EXPECT_EQ(bytes_on(120, 1, 4), 208);
  EXPECT_EQ(bytes_on(120, 2, 4), 96);
}

// Lookups have a row of sm_90's.
struct table_with_lookups
{
  static constexpr dispatch::bulk_row rows[] = {
    {80, dispatch::memory, 1, dispatch::in_place, 16, 0, 4, 128, 112, 3, 5, 2, 3},
    {90, dispatch::memory, 1, dispatch::in_place, 16, 0, 6, 128, 208, 3, 7, 2, 1},
    {90, dispatch::memory, 1, dispatch::emitted, 16, 0, 3, 128, 208, 3, 7, 2, 1},
    {90, dispatch::calculated, 1, dispatch::in_place, 16, 0, 5, 128, 208, 3, 7, 2, 1},
    {90, dispatch::with_lookups, 1, dispatch::in_place, 16, 0, 2, 128, 112, 3, 5, 2, 1, 100},
    {90, dispatch::gathered, 1, dispatch::in_place, 16, 1, 1, 128, 208, 3, 7, 2, 1},
  };
};

TEST(rows, with_lookups_serve_memory_and_what_is_calculated_where_they_were_measured)
{
  const auto groups_on = [](int compute_capability,
                            bool looks_up,
                            lightscan::bulk::source source,
                            lightscan::bulk::placement placed = dispatch::in_place) {
    dispatch::item_sizes items{};
    items.source            = source;
    items.looks_up          = looks_up;
    items.columns           = 1;
    items.placed            = placed;
    items.held_in_registers = 4;
    return dispatch::row_for<policies_of<table_with_lookups>>(compute_capability, items).groups;
  };
  EXPECT_EQ(groups_on(90, true, dispatch::memory), 2);
  EXPECT_EQ(groups_on(100, true, dispatch::memory), 2);
  EXPECT_EQ(groups_on(90, true, dispatch::calculated), 2);
  EXPECT_EQ(groups_on(90, false, dispatch::memory), 6);
  EXPECT_EQ(groups_on(90, false, dispatch::calculated), 5);
  EXPECT_EQ(groups_on(90, true, dispatch::gathered), 1) << "has evaluators, and so another row";
  EXPECT_EQ(groups_on(90, true, dispatch::memory, dispatch::emitted), 3) << "there is no other";
  EXPECT_EQ(groups_on(75, true, dispatch::memory), 4);
  EXPECT_EQ(groups_on(80, true, dispatch::memory), 4);
  EXPECT_EQ(groups_on(120, true, dispatch::memory), 6);
}

// Keys that are searched for have a row of their own, or that of others that are gathered.
struct table_with_searches
{
  static constexpr dispatch::bulk_row rows[] = {
    {90, dispatch::memory, 8, dispatch::in_place, 32, 0, 6, 128, 208, 3, 7, 2, 1},
    {90, dispatch::gathered, 8, dispatch::in_place, 32, 3, 4, 128, 208, 3, 7, 2, 1},
    {90, dispatch::searched, 8, dispatch::in_place, 16, 3, 3, 128, 208, 3, 7, 2, 1},
  };
};

TEST(rows, of_keys_that_are_searched_for_are_others_where_they_were_measured)
{
  const auto groups_for = [](lightscan::bulk::source source, int held) {
    dispatch::item_sizes items{};
    items.source            = source;
    items.columns           = 2;
    items.placed            = dispatch::in_place;
    items.held_in_registers = held;
    return dispatch::row_for<policies_of<table_with_searches>>(90, items).groups;
  };
  EXPECT_EQ(groups_for(dispatch::searched, 16), 3);
  EXPECT_EQ(groups_for(dispatch::searched, 24), 4);
  EXPECT_EQ(groups_for(dispatch::gathered, 16), 4);
}

TEST(rows, with_lookups_are_there_for_selections_reductions_and_scans_by_key)
{
  const auto source_on = [](int compute_capability, bool looks_up, int columns, lightscan::bulk::placement placed) {
    dispatch::item_sizes items{};
    items.source            = dispatch::memory;
    items.looks_up          = looks_up;
    items.columns           = columns;
    items.placed            = placed;
    items.held_in_registers = 16;
    return dispatch::row_for<dispatch::tuned_policies>(compute_capability, items).source;
  };
  for (const int columns : {1, 2})
  {
    for (const lightscan::bulk::placement placed : {dispatch::in_place, dispatch::emitted})
    {
      EXPECT_EQ(source_on(90, true, columns, placed), dispatch::with_lookups);
      EXPECT_EQ(source_on(90, false, columns, placed), dispatch::memory);
      for (const int older_or_smaller : {75, 80, 86, 120})
      {
        EXPECT_EQ(source_on(older_or_smaller, true, columns, placed), dispatch::memory);
      }
    }
  }
}

// A test looks items up where it can hold an address, and so does the kind of a call that asks it.
struct knows_nothing
{
  template <class... Items>
  LIGHTSCAN_HOST_DEVICE bool operator()(const Items&...) const
  {
    return true;
  }
};
struct knows_an_address : knows_nothing
{
  const int* at;
};
struct knows_two_bounds : knows_nothing
{
  float from;
  float to;
};

template <class Test>
constexpr bool looks_up()
{
  namespace tile = lightscan::tile;
  static_assert(tile::select_kind<tile::if_test<Test>, true>::looks_up == tile::if_test<Test>::looks_up);
  static_assert(tile::select_kind<tile::run_test<Test>, true>::looks_up == tile::if_test<Test>::looks_up);
  static_assert(tile::reduce_kind<int, Test>::looks_up == tile::if_test<Test>::looks_up);
  static_assert(tile::runs_kind<Test, int>::looks_up == tile::if_test<Test>::looks_up);
  using by_key = dispatch::by_key_problem<int, int, const int*, const int*, int*, Test, std::plus<>, int>;
  static_assert(by_key::kind_type::looks_up == tile::if_test<Test>::looks_up);
  static_assert(tile::compared_kind<int, int, int, tile::if_test<Test>::looks_up>::looks_up
                == tile::if_test<Test>::looks_up);
  return tile::if_test<Test>::looks_up;
}
static_assert(!looks_up<knows_nothing>());
static_assert(looks_up<knows_an_address>());
static_assert(!looks_up<knows_two_bounds>(), "as large as an address, but not aligned as one");
static_assert(!lightscan::tile::three_way_test<knows_nothing, knows_nothing>::looks_up);
static_assert(lightscan::tile::three_way_test<knows_nothing, knows_an_address>::looks_up);
static_assert(lightscan::tile::three_way_test<knows_an_address, knows_nothing>::looks_up);

TEST(rows, serve_what_is_up_to_their_own_size)
{
  for (const dispatch::bulk_row& row : dispatch::bulk_rows)
  {
    if (row.compute_capability == dispatch::no_architecture)
    {
      continue;
    }
    EXPECT_TRUE(dispatch::possible(row));
    const dispatch::bulk_row found = dispatch::measured_row_for(
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
