// Rule: lightscan::DeviceSegmentedScan scans each segment for itself, in one launch: rows and segments at offsets, of any lengths, in
// all forms, in place or not, at any alignment; the operator joins neighbours of one segment only.
#include "support/entry_check.h"
#include "support/segment_check.h"
#include "support/strict_join.h"

#include <lightscan/device_segmented_scan.h>
#include <lightscan/dispatch/rows_launch.h>
#include <lightscan/path.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::DeviceSegmentedScan;
using lightscan::util::no_init;

namespace
{
// Element i is the interval [i + 1, i + 2), so that a result names the elements that it is the fold of.
std::vector<interval> intervals(std::size_t n)
{
  std::vector<interval> all(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    all[i] = interval_of(static_cast<std::int64_t>(i));
  }
  return all;
}

// call(in, out, op) scans intervals in the segments that `offsets` are of.
template <class Offset, class Call>
void check_intervals(const std::vector<Offset>& offsets, std::size_t misalignment, bool in_place, Call call)
{
  const auto n = static_cast<std::size_t>(offsets.back());
  on_device<interval> in(intervals(n), misalignment);
  guarded_memory<interval> out(n, 1);
  on_device<unsigned long long> bad_calls(std::vector<unsigned long long>{0});
  interval* const to = in_place ? in.data() : out.data();
  ASSERT_EQ(call(in.data(), to, strict_join{bad_calls.data()}), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  const std::vector<interval> results = in_place ? in.memory().download() : out.download();
  std::size_t segment                 = 0;
  for (std::size_t i = 0; i < n; ++i)
  {
    while (static_cast<std::size_t>(offsets[segment + 1]) <= i)
    {
      ++segment;
    }
    ASSERT_EQ(results[i].begin, static_cast<std::uint32_t>(offsets[segment]) + 1) << "at " << i << " of " << n;
    ASSERT_EQ(results[i].end, static_cast<std::uint32_t>(i) + 2) << "at " << i << " of " << n;
  }
  EXPECT_EQ(bad_calls.memory().download()[0], 0u) << "calls with elements that are no neighbours of one segment";
  in.memory().expect_guards_untouched();
  out.expect_guards_untouched();
}

template <class Offset>
void check_rows(std::int64_t length, std::int64_t rows, std::size_t misalignment)
{
  SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(length));
  check_intervals(
    rows_of<Offset>(length, rows), misalignment, rows % 2 == 0, [&](interval* in, interval* out, auto op) {
      return DeviceSegmentedScan::InclusiveSegmentedScan(in, out, rows, length, op);
    });
}

template <class Offset>
void check_offsets(const std::vector<Offset>& offsets, std::size_t misalignment)
{
  const on_device<Offset> there(offsets, misalignment);
  const auto segments = static_cast<int>(offsets.size() - 1);
  SCOPED_TRACE(std::to_string(segments) + " segments of " + std::to_string(offsets.back()) + " elements");
  check_intervals(offsets, misalignment, segments % 2 == 0, [&](interval* in, interval* out, auto op) {
    return DeviceSegmentedScan::InclusiveSegmentedScan(in, out, there.data(), segments, op);
  });
}
} // namespace

TEST(device_segmented_scan, rows_of_any_length)
{
  for (const std::int64_t n : {1, 1000, 70000, 3000017})
  {
    for (const std::int64_t length : {1, 2, 3, 5, 7, 16, 31, 32, 33, 63, 64, 65, 100, 1000, 4097, 100000, 1 << 21})
    {
      const std::int64_t rows = std::max<std::int64_t>(1, n / length);
      if (rows * length <= 4 * n)
      {
        ASSERT_NO_FATAL_FAILURE(check_rows<std::int64_t>(length, rows, static_cast<std::size_t>(length % 3)));
      }
    }
  }
}

// Around what a warp and a block hold, wherever rows begin in the 16-byte words of memory; the last block has rows for some of its warps.
TEST(device_segmented_scan, rows_that_blocks_hold_as_a_whole)
{
  for (const std::int64_t length : {66, 127, 128, 129, 255, 256, 257, 511, 513, 1000, 1001, 2047})
  {
    for (const std::int64_t rows : {2, 3, 7, 1000})
    {
      for (const std::size_t misalignment : {0, 1})
      {
        ASSERT_NO_FATAL_FAILURE(check_rows<std::int64_t>(length, rows, misalignment));
        ASSERT_EQ(lightscan::last_launch().taken, lightscan::path::plain_kernel);
        ASSERT_EQ(lightscan::last_launch().tile_items, length) << "not as a whole";
      }
    }
  }
}

// After an initial value, [0, 1) in front of each row's intervals; of blocks that have room for a row more, too.
TEST(device_segmented_scan, rows_after_an_initial_value_that_blocks_hold)
{
  for (const std::int64_t length : {127, 129, 255, 257, 1000})
  {
    for (const std::int64_t rows : {2, 3, 7, 1001})
    {
      SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(length));
      std::vector<interval> values;
      for (std::int64_t i = 0; i < rows * length; ++i)
      {
        values.push_back(interval_of(i % length));
      }
      const auto offsets  = rows_of<std::int64_t>(length, rows);
      const interval init = {0, 1};
      const on_device<interval> in(values, static_cast<std::size_t>(length % 2));
      guarded_memory<interval> out(values.size(), 1);
      on_device<unsigned long long> bad_calls(std::vector<unsigned long long>{0});
      const strict_join op{bad_calls.data()};
      ASSERT_EQ(
        DeviceSegmentedScan::ExclusiveSegmentedScan(in.data(), out.data(), rows, length, op, init), cudaSuccess);
      ASSERT_EQ(lightscan::last_launch().tile_items, length) << "not as a whole";
      ASSERT_NO_FATAL_FAILURE(
        expect_equal(out.download(), host_scan_of_segments<false>(values, offsets, init, join{}), "exclusive"));
      ASSERT_EQ(
        DeviceSegmentedScan::InclusiveSegmentedScanInit(in.data(), out.data(), rows, length, op, init), cudaSuccess);
      ASSERT_NO_FATAL_FAILURE(
        expect_equal(out.download(), host_scan_of_segments<true>(values, offsets, init, join{}), "inclusive"));
      EXPECT_EQ(bad_calls.memory().download()[0], 0u) << "calls with elements that are no neighbours of one row";
      out.expect_guards_untouched();
    }
  }
}

// The same lengths in tiles, as where there are too many rows.
TEST(device_segmented_scan, rows_that_tiles_hold_parts_of)
{
  using lightscan::dispatch::kernels;
  for (const std::int64_t length : {66, 129, 1000, 2047})
  {
    for (const kernels which : {kernels::plain_only, kernels::bulk_only})
    {
      const auto in_tiles = [&](interval* in, interval* out, auto op) {
        using op_type = decltype(op);
        using problem = lightscan::dispatch::rows_problem<interval, interval*, interval*, op_type, no_init, true>;
        const lightscan::tile::row_heads heads{lightscan::tile::row_list(length)};
        return lightscan::dispatch::launcher<problem>(
                 problem{{heads, in}, out, 1000 * length, {op}, {}, {}}, nullptr, which)
          .run()
          .error;
      };
      ASSERT_NO_FATAL_FAILURE(check_intervals(rows_of<std::int64_t>(length, 1000), 1, false, in_tiles));
      ASSERT_NE(lightscan::last_launch().tile_items, length);
    }
  }
}

TEST(device_segmented_scan, offsets_of_any_kind)
{
  for (const std::int64_t n : {1, 1000, 70000, 3000017})
  {
    unsigned seed = 1;
    for (const std::int64_t longest : {1, 2, 7, 40, 1000, 100000})
    {
      ++seed;
      ASSERT_NO_FATAL_FAILURE(check_offsets(random_segments<std::int32_t>(n, longest, seed), seed % 3));
      ++seed;
      ASSERT_NO_FATAL_FAILURE(check_offsets(random_segments<std::uint64_t>(n, longest, seed), seed % 3));
    }
  }
  ASSERT_NO_FATAL_FAILURE(check_offsets(rows_of<int>(1, 1 << 20), 0));
  ASSERT_NO_FATAL_FAILURE(check_offsets(rows_of<std::int64_t>(1 << 21, 1), 1));
}

// A segment begins with each element around the boundaries of tiles, of those of the first block's second tile, too.
TEST(device_segmented_scan, boundaries_of_tiles)
{
  const std::int64_t n = 6000000;
  ASSERT_NO_FATAL_FAILURE(check_offsets(std::vector<std::int64_t>{0, n}, 0));
  const std::int64_t tile  = lightscan::last_launch().tile_items;
  const std::int64_t round = tile * lightscan::last_launch().blocks;
  EXPECT_EQ(lightscan::last_launch().taken, lightscan::path::bulk_pipeline);
  ASSERT_GT(n, round + tile) << "or no block has a second tile";
  for (const std::int64_t boundary : {tile, 2 * tile, 7 * tile, round, round + tile})
  {
    for (std::int64_t distance = -2; distance <= 2; ++distance)
    {
      const std::int64_t at = boundary + distance;
      ASSERT_NO_FATAL_FAILURE(check_offsets(std::vector<std::int64_t>{0, at, n}, 0));
      ASSERT_NO_FATAL_FAILURE(check_offsets(std::vector<std::int64_t>{0, at, at, at + 1, n}, 0));
    }
  }
}

TEST(device_segmented_scan, rows_of_every_form_and_type)
{
  const std::int64_t rows = 2001, length = 499;
  const auto offsets = rows_of<std::int64_t>(length, rows);
  const auto check   = [&](auto value, auto op) {
    using T                     = decltype(value);
    const std::vector<T> values = random_values<T>(static_cast<std::size_t>(rows * length), 3);
    const T init                = random_values<T>(1, 4)[0];
    on_device<T> in(values, 1);
    guarded_memory<T> out(values.size(), 2);
    ASSERT_EQ(DeviceSegmentedScan::InclusiveSegmentedScan(in.data(), out.data(), rows, length, op), cudaSuccess);
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(out.download(), host_scan_of_segments<true>(values, offsets, no_init{}, op), "inclusive"));
    ASSERT_EQ(
      DeviceSegmentedScan::InclusiveSegmentedScanInit(in.data(), out.data(), rows, length, op, init), cudaSuccess);
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(out.download(), host_scan_of_segments<true>(values, offsets, init, op), "inclusive with init"));
    ASSERT_EQ(DeviceSegmentedScan::ExclusiveSegmentedScan(in.data(), in.data(), rows, length, op, init), cudaSuccess);
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(in.memory().download(), host_scan_of_segments<false>(values, offsets, init, op), "exclusive"));
    in.memory().expect_guards_untouched();
    out.expect_guards_untouched();
  };
  ASSERT_NO_FATAL_FAILURE(check(std::uint8_t{}, cuda::std::bit_xor<std::uint8_t>{}));
  ASSERT_NO_FATAL_FAILURE(check(std::uint16_t{}, maximum{}));
  ASSERT_NO_FATAL_FAILURE(check(std::uint32_t{}, plus{}));
  ASSERT_NO_FATAL_FAILURE(check(std::uint64_t{}, plus{}));
  ASSERT_NO_FATAL_FAILURE(check(affine{}, compose{}));
}

namespace
{
struct square
{
  __host__ __device__ std::int64_t operator()(std::int64_t j) const
  {
    return j * j;
  }
};
} // namespace

// Of bytes that are summed as ints, and of what a function makes of them, forward and backward.
TEST(device_segmented_scan, rows_that_iterators_yield)
{
  for (const std::int64_t length : {130, 511, 512, 513, 2001})
  {
    const std::int64_t rows               = 37;
    const std::vector<std::int8_t> values = random_values<std::int8_t>(static_cast<std::size_t>(rows * length), 5);
    const auto offsets                    = rows_of<std::int64_t>(length, rows);
    const on_device<std::int8_t> in(values, 1);
    guarded_memory<std::int8_t> narrow(values.size(), 3);
    ASSERT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), narrow.data(), rows, length), cudaSuccess);
    ASSERT_EQ(lightscan::last_launch().tile_items, length) << "not as a whole";
    const std::vector<int> wide(values.begin(), values.end());
    const std::vector<int> sums = host_scan_of_segments<true>(wide, offsets, no_init{}, plus{});
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(narrow.download(), std::vector<std::int8_t>(sums.begin(), sums.end()), "sums of bytes"));
    narrow.expect_guards_untouched();

    std::vector<std::int64_t> squares;
    for (auto value = values.rbegin(); value != values.rend(); ++value)
    {
      squares.push_back(square{}(*value));
    }
    guarded_memory<std::int64_t> out(values.size(), 1);
    const auto backward = thrust::make_reverse_iterator(in.data() + values.size());
    ASSERT_EQ(DeviceSegmentedScan::ExclusiveSegmentedSum(
                thrust::make_transform_iterator(backward, square{}), out.data(), rows, length),
              cudaSuccess);
    ASSERT_EQ(lightscan::last_launch().tile_items, length) << "not as a whole";
    ASSERT_NO_FATAL_FAILURE(expect_equal(
      out.download(), host_scan_of_segments<false>(squares, offsets, std::int64_t{0}, plus{}), "sums of squares"));
    out.expect_guards_untouched();
  }
}

TEST(device_segmented_scan, offsets_and_values_that_iterators_yield)
{
  const std::int64_t segments = 1500;
  std::vector<std::int64_t> offsets;
  for (std::int64_t j = 0; j <= segments; ++j)
  {
    offsets.push_back(j * j);
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(offsets.back()));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = static_cast<std::int64_t>(i);
  }
  guarded_memory<std::int64_t> out(values.size(), 0);
  const thrust::counting_iterator<std::int64_t> counting(0);
  ASSERT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(
              counting, out.data(), thrust::make_transform_iterator(counting, square{}), segments),
            cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(
    expect_equal(out.download(), host_scan_of_segments<true>(values, offsets, no_init{}, plus{}), "sums"));
}

namespace
{
__global__ void count_wrong(const std::uint8_t* sums, std::int64_t n, std::int64_t length, unsigned long long* wrong)
{
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += gridDim.x * std::int64_t{blockDim.x})
  {
    if (sums[i] != static_cast<std::uint8_t>(i % length + 1))
    {
      atomicAdd(wrong, 1ull);
    }
  }
}
} // namespace

TEST(device_segmented_scan, beyond_32_bits)
{
  const std::int64_t length = 1000003, rows = 4300;
  const std::int64_t n = rows * length;
  ASSERT_GT(n, std::int64_t{1} << 32);
  std::uint8_t* data = nullptr;
  if (cudaMalloc(&data, static_cast<std::size_t>(n)) != cudaSuccess)
  {
    cudaGetLastError();
    GTEST_SKIP() << "no memory for " << n << " bytes";
  }
  on_device<unsigned long long> wrong(std::vector<unsigned long long>{0});
  const on_device<std::int64_t> offsets(rows_of<std::int64_t>(length, rows));
  LIGHTSCAN_EXPECT_CUDA(cudaMemset(data, 1, static_cast<std::size_t>(n)));
  EXPECT_EQ(DeviceSegmentedScan::InclusiveSegmentedScan(data, data, rows, length, plus{}), cudaSuccess);
  count_wrong<<<1024, 256>>>(data, n, length, wrong.data());
  LIGHTSCAN_EXPECT_CUDA(cudaMemset(data, 1, static_cast<std::size_t>(n)));
  EXPECT_EQ(DeviceSegmentedScan::InclusiveSegmentedScan(data, data, offsets.data(), rows, plus{}), cudaSuccess);
  count_wrong<<<1024, 256>>>(data, n, length, wrong.data());
  EXPECT_EQ(wrong.memory().download()[0], 0u);
  LIGHTSCAN_EXPECT_CUDA(cudaFree(data));
}
