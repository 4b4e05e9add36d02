// Rows of a user's own, handed over by a macro (lightscan/version.h).
#define LIGHTSCAN_BULK_ROWS                                      \
  {80, memory, 1, in_place, 4, 0, 5, 128, 176, 3, 6, 2, 3, 163}, \
    {86, memory, 1, in_place, 4, 0, 4, 96, 112, 5, 4, 2, 2},

#include <lightscan/dispatch/shape.h>

#include <gtest/gtest.h>

namespace
{
namespace dispatch = lightscan::dispatch;

template <class T>
dispatch::bulk_shape on(int compute_capability)
{
  return dispatch::shape_for<T, dispatch::tuned_policies>(compute_capability);
}

TEST(own_rows, are_taken_as_they_stand)
{
  const dispatch::bulk_shape large = on<int>(80);
  EXPECT_EQ(large.groups, 5);
  EXPECT_EQ(large.tile_bytes, 128 * 176);
  EXPECT_EQ(large.loads_ahead, 6);
  EXPECT_EQ(large.plain_tiles, 3);
  EXPECT_EQ(large.stages, 7) << "in 163 KB, more than code for sm_80 has otherwise";

  const dispatch::bulk_shape small = on<int>(86);
  EXPECT_EQ(small.groups, 4);
  EXPECT_EQ(small.group_threads, 96);
  EXPECT_EQ(small.tile_bytes, 96 * 112);
  EXPECT_EQ(small.unroll, 5);
  EXPECT_EQ(on<int>(89).tile_bytes, small.tile_bytes) << "and newer ones";
}

TEST(own_rows, leave_other_kinds_and_newer_architectures_alone)
{
  EXPECT_EQ(on<int>(90).groups, 6);
  EXPECT_EQ(on<int>(90).tile_bytes, 128 * 208);
  EXPECT_EQ(on<double>(86).groups, 5) << "wider than the rows";
}

// An older architecture has the nearest newer one's row, in its own shared memory.
TEST(own_rows, are_fitted_to_older_architectures)
{
  const dispatch::bulk_shape oldest = on<int>(75);
  EXPECT_TRUE(oldest.serves);
  EXPECT_EQ(oldest.group_threads, 128);
  EXPECT_LE(oldest.shared_bytes, 64 * 1024);
}

constexpr dispatch::bulk_row good = {86, dispatch::memory, 1, dispatch::in_place, 4, 0, 4, 96, 112, 5, 4, 2, 2};

template <class Change>
constexpr bool possible_with(Change change)
{
  dispatch::bulk_row row = good;
  change(row);
  return dispatch::possible(row);
}

// What is not possible does not compile (shape.h).
TEST(own_rows, that_no_kernel_can_be_made_of_are_found)
{
  using row = dispatch::bulk_row;
  EXPECT_TRUE(dispatch::possible(good));
  EXPECT_FALSE(possible_with([](row& r) {
    r.compute_capability = 70;
  }));
  EXPECT_FALSE(possible_with([](row& r) {
    r.shared = 163;
  }))
    << "sm_86 has 99";
  EXPECT_FALSE(possible_with([](row& r) {
    r.bytes_per_thread = 528;
  }))
    << "two tiles";
  EXPECT_FALSE(possible_with([](row& r) {
    r.groups = 16;
  }));
  EXPECT_FALSE(possible_with([](row& r) {
    r.groups = 0;
  }));
  EXPECT_FALSE(possible_with([](row& r) {
    r.group_threads = 100;
  }));
  EXPECT_FALSE(possible_with([](row& r) {
    r.group_threads = 256;
  }))
    << "1,024 threads and services";
  EXPECT_FALSE(possible_with([](row& r) {
    r.loads_ahead = 3;
  }))
    << "a group without a tile";
  EXPECT_FALSE(possible_with([](row& r) {
    r.loads_at_once = 0;
  }));
  EXPECT_FALSE(possible_with([](row& r) {
    r.unroll = 0;
  }));
  EXPECT_FALSE(possible_with([](row& r) {
    r.plain_tiles = 0;
  }));
}
} // namespace
