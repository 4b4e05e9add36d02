// Rule: any n from 0 up, any number of resident blocks, inclusive and exclusive, with and without an initial value; the
// operator is called on adjacent elements of the range only, in order (the interval monoid); nothing else is touched.
#include "../support/launched_shape.h"
#include "../support/random_values.h"
#include "../support/scan_check.h"
#include "sizes.h"

using namespace testing_support;
using lightscan::carry::default_transport;
using lightscan::util::no_init;

namespace
{
using plain = lightscan::dispatch::plain_policy<interval, lightscan::plain::memory_source>;

constexpr std::int64_t plain_tile = plain::max_warps * plain::warp_items; // the longest, a multiple of all

std::int64_t bulk_tile()
{
  return launched_shape<interval>().tile_items;
}

// Elements [1, 2), [2, 3), ...; an initial value of [0, 1) stands before them.
std::vector<interval> intervals(std::int64_t n)
{
  std::vector<interval> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
  {
    values[static_cast<std::size_t>(i)] = interval{
      static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(i) + 2};
  }
  return values;
}

void check_all_kinds(std::int64_t n, placement where, kernels allowed, int max_blocks)
{
  const std::vector<interval> input = intervals(n);
  const interval before{0, 1};
  ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, true>(input, no_init{}, join{}, where, allowed, max_blocks)));
  ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, true>(input, before, join{}, where, allowed, max_blocks)));
  ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, false>(input, before, join{}, where, allowed, max_blocks)));
}

void check_sizes(std::int64_t tile, kernels allowed, int max_blocks, int grid)
{
  for (const std::int64_t n : boundary_sizes(tile, grid))
  {
    ASSERT_NO_FATAL_FAILURE(check_all_kinds(n, {}, allowed, max_blocks));
  }
}
} // namespace

TEST(bulk_pipeline, is_right_at_boundaries_on_any_number_of_blocks)
{
  for (const int blocks : {1, 2, 3, 7, 31})
  {
    ASSERT_NO_FATAL_FAILURE(check_sizes(bulk_tile(), kernels::bulk_only, blocks, blocks));
  }
}

TEST(bulk_pipeline, is_right_at_boundaries_on_the_whole_gpu)
{
  int blocks = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
  ASSERT_NO_FATAL_FAILURE(check_sizes(bulk_tile(), kernels::bulk_only, 0, blocks));
}

TEST(plain_kernel, is_right_at_boundaries_on_any_number_of_blocks)
{
  for (const int blocks : {1, 2, 7, 31, 132, 1000})
  {
    ASSERT_NO_FATAL_FAILURE(check_sizes(plain_tile, kernels::plain_only, blocks, blocks));
  }
}

TEST(both_kernels, are_right_at_every_small_size)
{
  for (std::int64_t n = 1; n < 700; n += n < 70 ? 1 : 13)
  {
    ASSERT_NO_FATAL_FAILURE(check_all_kinds(n, {}, kernels::bulk_only, 0));
    ASSERT_NO_FATAL_FAILURE(check_all_kinds(n, {}, kernels::plain_only, 0));
  }
}

TEST(both_kernels, scan_in_place)
{
  placement where;
  where.in_place = true;
  for (const std::int64_t n : {std::int64_t{1}, bulk_tile() - 1, 5 * bulk_tile() + 3, 300 * bulk_tile() + 11})
  {
    ASSERT_NO_FATAL_FAILURE(check_all_kinds(n, where, kernels::bulk_only, 0));
    ASSERT_NO_FATAL_FAILURE(check_all_kinds(n, where, kernels::plain_only, 0));
  }
}

TEST(both_kernels, do_nothing_for_an_empty_or_reversed_range)
{
  using problem = lightscan::dispatch::scan_problem<int, const int*, int*, plus, no_init, true>;
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{-1000000}})
  {
    for (const kernels allowed : {kernels::best, kernels::bulk_only, kernels::plain_only})
    {
      EXPECT_TRUE(
        (lightscan::dispatch::launcher<problem>(problem{nullptr, nullptr, n, {}, {}}, nullptr, allowed).run()));
    }
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
}
