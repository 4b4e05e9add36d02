// Rows of a user's own, handed over by a macro (lightscan/version.h).
#define LIGHTSCAN_BULK_ROWS                                      \
  {80, memory, 1, in_place, 4, 0, 5, 128, 176, 3, 6, 2, 3, 163}, \
    {120, memory, 1, in_place, 4, 0, 4, 96, 112, 5, 4, 2, 2},

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

  EXPECT_EQ(on<int>(89).plain_tiles, 3) << "code for sm_86 has it, too";
  EXPECT_LE(on<int>(89).shared_bytes, 99 * 1024) << "fitted to what there is";

  const dispatch::bulk_shape small = on<int>(120);
  EXPECT_EQ(small.groups, 4);
  EXPECT_EQ(small.group_threads, 96);
  EXPECT_EQ(small.tile_bytes, 96 * 112);
  EXPECT_EQ(small.unroll, 5);
}

TEST(own_rows, leave_other_kinds_and_architectures_alone)
{
  EXPECT_EQ(on<int>(90).groups, 6);
  EXPECT_EQ(on<int>(90).tile_bytes, 128 * 208);
  EXPECT_EQ(on<double>(80).groups, 5) << "wider than the rows";
}

// An older architecture has the nearest newer one's row, in its own shared memory.
TEST(own_rows, are_fitted_to_older_architectures)
{
  const dispatch::bulk_shape oldest = on<int>(75);
  EXPECT_TRUE(oldest.serves);
  EXPECT_EQ(oldest.group_threads, 128);
  EXPECT_EQ(oldest.plain_tiles, 3) << "the row's own";
  EXPECT_LE(oldest.shared_bytes, 64 * 1024);
}

using items = lightscan::bulk::
  column_items<lightscan::tile::scan_kind<int, true>, lightscan::tile::column<int>, lightscan::tile::column<int>>;
using policies = dispatch::bulk_policies<items, dispatch::tuned_policies>;

template <int ComputeCapability>
void expect_the_hosts_to_be_the_kernels()
{
  using kernels                     = policies::on<ComputeCapability>;
  const dispatch::bulk_shape& hosts = policies::shape(ComputeCapability);
  EXPECT_EQ(hosts.tile_items, kernels::tile_items) << ComputeCapability;
  EXPECT_EQ(hosts.threads, kernels::threads) << ComputeCapability;
  EXPECT_EQ(hosts.shared_bytes, kernels::shape.shared_bytes) << ComputeCapability;
}

// The host asks by the number of the code that runs, the kernel by that of the code that it is.
TEST(own_rows, give_the_host_the_shape_that_the_kernel_has)
{
  expect_the_hosts_to_be_the_kernels<75>();
  expect_the_hosts_to_be_the_kernels<80>();
  expect_the_hosts_to_be_the_kernels<86>();
  expect_the_hosts_to_be_the_kernels<89>();
  expect_the_hosts_to_be_the_kernels<90>();
  expect_the_hosts_to_be_the_kernels<100>();
  expect_the_hosts_to_be_the_kernels<121>();
}

constexpr dispatch::bulk_row good = {80, dispatch::memory, 1, dispatch::in_place, 4, 0, 4, 96, 112, 5, 4, 2, 2};

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
    r.compute_capability = 89;
  }))
    << "its code is sm_86's";
  EXPECT_FALSE(possible_with([](row& r) {
    r.shared = 164;
  }))
    << "sm_80 has 163";
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
    r.group_threads = 32;
  }))
    << "bytes at a tile's edges would have no thread";
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
