// Rule: the plain kernel takes a scan as long as no block of it has more tiles than the tuning row says, or, where it would
// store item by item, up to some bytes; beyond, the bulk pipeline. Held without a GPU (fake_cuda.h).
#include "../runtime/fake_cuda.h"
#include "../support/operators.h"

#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/launched.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace
{
namespace dispatch = lightscan::dispatch;
using lightscan::path;
using lightscan::util::no_init;

// Nothing is read or written: these are addresses only.
template <class T>
T* at(std::size_t byte)
{
  return reinterpret_cast<T*>(4096 + byte);
}

template <class In, class Out>
lightscan::runtime::outcome run(std::int64_t n,
                                dispatch::kernels allowed = dispatch::kernels::best,
                                std::size_t output_off    = 0)
{
  using problem = dispatch::scan_problem<Out, const In*, Out*, testing_support::plus, no_init, true>;
  const problem p{at<In>(0), at<Out>(output_off * sizeof(Out)), n, {}, {}};
  return dispatch::launcher<problem>(p, nullptr, allowed).run();
}

template <class In, class Out>
path taken(std::int64_t n, dispatch::kernels allowed = dispatch::kernels::best, std::size_t output_off = 0)
{
  EXPECT_TRUE((run<In, Out>(n, allowed, output_off)));
  return lightscan::runtime::last_report().taken;
}

template <class In, class Out>
std::int64_t most()
{
  using kind = lightscan::tile::scan_kind<Out, true>;
  return dispatch::most_for_plain<dispatch::tuned_policies, kind, Out*, const In*>(fake_cuda::multiprocessors);
}

// The tiles that a block of the plain kernel has, at most.
template <class In, class Out>
std::int64_t plain_tiles(std::int64_t n)
{
  EXPECT_EQ((taken<In, Out>(n, dispatch::kernels::plain_only)), path::plain_kernel);
  const std::int64_t one_tile_each = std::int64_t{lightscan::runtime::last_report().blocks}
                                   * lightscan::runtime::last_report().tile_items;
  return (n - 1) / one_tile_each + 1;
}

// `blocks_each`: of the plain kernel, that a multiprocessor has room for.
template <class In, class Out>
void expect_the_pipeline_beyond(int tiles, int blocks_each)
{
  fake_cuda::now             = {};
  fake_cuda::now.context     = 1 + static_cast<unsigned>(blocks_each); // nothing is known of it from other calls
  fake_cuda::now.blocks_each = blocks_each;
  fake_cuda::now.capacity    = blocks_each * fake_cuda::multiprocessors;
  const std::int64_t n       = most<In, Out>();
  EXPECT_EQ((plain_tiles<In, Out>(n)), tiles);
  EXPECT_EQ((plain_tiles<In, Out>(n + 1)), tiles + 1);
  EXPECT_EQ((taken<In, Out>(n)), path::plain_kernel);
  EXPECT_EQ((taken<In, Out>(n + 1)), path::bulk_pipeline);
  EXPECT_EQ((taken<In, Out>(n, dispatch::kernels::bulk_only)), path::bulk_pipeline);
}
} // namespace

TEST(choice, follows_the_number_of_tiles_that_a_block_would_have)
{
  expect_the_pipeline_beyond<int, int>(1, 2);
  expect_the_pipeline_beyond<std::int8_t, std::int8_t>(2, 2);
  expect_the_pipeline_beyond<std::int64_t, int>(1, 1);
  expect_the_pipeline_beyond<int, std::int64_t>(2, 1);
}

// From now on: a program whose code is for `compiled_for`, on a GPU where a block can have `shared_bytes`.
void run_code_for(int compiled_for, int shared_bytes)
{
  static unsigned contexts    = 0;
  fake_cuda::now              = {};
  fake_cuda::now.context      = 100 + contexts++; // nothing is known of that one
  fake_cuda::now.compiled_for = compiled_for;
  fake_cuda::now.shared_bytes = shared_bytes;
}

path large_scan(int compiled_for, int shared_bytes)
{
  run_code_for(compiled_for, shared_bytes);
  return taken<int, int>(most<int, int>() + 1);
}

// Whatever GPU the code meets.
TEST(choice, is_the_pipeline_of_the_architecture_that_the_code_is_for)
{
  for (const int compiled_for : {75, 80, 86, 89, 90, 100, 120})
  {
    EXPECT_EQ(large_scan(compiled_for, 227 * 1024), path::bulk_pipeline) << compiled_for;
    const lightscan::launch_report& report = lightscan::runtime::last_report();
    const dispatch::bulk_shape shape       = dispatch::shape_for<int>(compiled_for);
    EXPECT_EQ(report.compiled_for, compiled_for);
    EXPECT_EQ(report.threads, shape.threads) << compiled_for;
    EXPECT_EQ(report.tile_items, shape.tile_items) << compiled_for;
  }
}

TEST(choice, is_the_plain_kernel_where_the_code_needs_more_shared_memory_than_there_is)
{
  EXPECT_EQ(large_scan(75, 64 * 1024), path::bulk_pipeline);
  EXPECT_EQ(large_scan(80, 99 * 1024), path::bulk_pipeline) << "on sm_86, say";
  EXPECT_EQ(large_scan(90, 99 * 1024), path::plain_kernel) << "PTX on sm_120";
  EXPECT_EQ(large_scan(120, 99 * 1024), path::bulk_pipeline);
}

TEST(choice, is_an_error_on_a_gpu_older_than_all)
{
  for (const std::int64_t n : {std::int64_t{1}, most<int, int>() + 1})
  {
    run_code_for(70, 96 * 1024);
    const lightscan::runtime::outcome done = run<int, int>(n);
    EXPECT_EQ(done.error, cudaErrorNotSupported) << n;
    EXPECT_STREQ(done.doing, "running code for a GPU of a compute capability below 7.5");
    EXPECT_TRUE(fake_cuda::now.launched_grids.empty());
    EXPECT_EQ(lightscan::runtime::last_report().taken, path::none);
  }
}

// Sums in rows of floats, `off` floats behind a multiple of 16 bytes.
lightscan::launch_report rows_taken(std::int64_t rows, std::int64_t length, std::size_t off = 0)
{
  using problem = dispatch::rows_problem<float, const float*, float*, testing_support::plus, no_init, true>;
  const lightscan::tile::row_heads heads{lightscan::tile::row_list(length)};
  const problem asked{{heads, at<float>(4 * off)}, at<float>(4 * off), rows * length, {}, {}, {}};
  dispatch::launched<problem>::with(asked, [](const auto& launched) {
    EXPECT_TRUE(dispatch::launcher<std::decay_t<decltype(launched)>>(launched, nullptr).run());
  });
  return lightscan::runtime::last_report();
}

TEST(choice, is_a_block_for_rows_that_fill_its_warps)
{
  fake_cuda::now = {};
  using policy   = dispatch::plain_policy<float, lightscan::plain::memory_source>;
  for (const std::int64_t length : {policy::warp_items - 12, 2 * policy::warp_items, 7 * policy::warp_items - 1})
  {
    for (const std::size_t off : {0, 1, 2, 3})
    {
      const lightscan::launch_report report = rows_taken(101, length, off);
      EXPECT_EQ(report.taken, path::plain_kernel);
      EXPECT_STREQ(report.call, "inclusive_segmented_scan");
      EXPECT_EQ(report.num_items, 101 * length);
      EXPECT_EQ(report.tile_items, length);
      const std::int64_t warps        = report.threads / 32;
      const std::int64_t rows_a_block = length < policy::warp_items                  ? 4
                                      : length == 2 * policy::warp_items && off == 0 ? 2
                                                                                     : 1;
      EXPECT_EQ(report.blocks, (101 - 1) / rows_a_block + 1);
      EXPECT_GE(warps * policy::warp_items, rows_a_block * length);
    }
  }
  EXPECT_NE(rows_taken(101, 16).tile_items, 16) << "too short";
  EXPECT_NE(
    rows_taken(3, policy::max_warps * policy::warp_items + 1).tile_items, policy::max_warps * policy::warp_items + 1)
    << "too long";
  EXPECT_EQ(rows_taken(101, policy::max_warps * policy::warp_items).tile_items, policy::max_warps * policy::warp_items);
  EXPECT_NE(
    rows_taken(101, policy::max_warps * policy::warp_items, 1).tile_items, policy::max_warps * policy::warp_items)
    << "with the items before it in its first chunk";
}

TEST(choice, goes_to_the_pipeline_sooner_where_the_output_lies_differently)
{
  fake_cuda::now           = {};
  constexpr std::int64_t n = dispatch::most_bytes_for_items / std::int64_t{sizeof(int)};
  EXPECT_LT(n, (most<int, int>()));
  for (const std::size_t off : {1, 2, 3})
  {
    EXPECT_EQ((taken<int, int>(n, dispatch::kernels::best, off)), path::plain_kernel);
    EXPECT_EQ((taken<int, int>(n + 1, dispatch::kernels::best, off)), path::bulk_pipeline);
  }
  EXPECT_EQ((taken<int, int>(n + 1, dispatch::kernels::best, 4)), path::plain_kernel) << "the output is on the grid";
}
