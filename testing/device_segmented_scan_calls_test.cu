// Rule: lightscan::DeviceSegmentedScan has CUB's entry points, in two phases and in a single call; the number of segments, the offsets
// and the initial value may lie in device memory, where a kernel of the same captured graph writes them; without segments nothing is done.
#include "support/entry_check.h"
#include "support/segment_check.h"

#include <lightscan/device_segmented_scan.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::DeviceSegmentedScan;
using lightscan::in_device_memory;
using lightscan::util::no_init;

TEST(device_segmented_scan_calls, every_entry_point)
{
  constexpr unsigned init = 1u << 20;
  for (const std::int64_t n : {33, 100003, 3000017})
  {
    const auto offsets                 = random_segments<int>(n, 90, 5);
    const auto segments                = static_cast<std::int64_t>(offsets.size() - 1);
    const std::vector<unsigned> values = random_values<unsigned>(static_cast<std::size_t>(n), 1);
    const on_device<int> there(offsets);
    const on_device<unsigned> in(values);
    guarded_memory<unsigned> out(values.size(), 1);
    const auto check = [&](const char* name, const std::vector<unsigned>& expected, auto two_phases, auto at_once) {
      SCOPED_TRACE(std::string(name) + ", n = " + std::to_string(n));
      std::size_t bytes = 0;
      ASSERT_EQ(two_phases(static_cast<void*>(nullptr), bytes), cudaSuccess);
      EXPECT_GT(bytes, 0u);
      guarded_memory<unsigned char> storage(bytes, 1);
      ASSERT_EQ(two_phases(static_cast<void*>(storage.data()), bytes), cudaSuccess);
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "in two phases"));
      out.expect_guards_untouched();
      storage.expect_guards_untouched();
      out.poison_all();
      std::size_t too_few = bytes - 1;
      EXPECT_EQ(two_phases(static_cast<void*>(storage.data()), too_few), cudaErrorInvalidValue);
      ASSERT_EQ(at_once(), cudaSuccess);
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "in a single call"));
      out.poison_all();
    };
    check(
      "InclusiveSegmentedSum",
      host_scan_of_segments<true>(values, offsets, no_init{}, plus{}),
      [&](void* s, std::size_t& b) {
        return DeviceSegmentedScan::InclusiveSegmentedSum(s, b, in.data(), out.data(), there.data(), segments);
      },
      [&] {
        return DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), out.data(), there.data(), segments);
      });
    check(
      "ExclusiveSegmentedSum",
      host_scan_of_segments<false>(values, offsets, 0u, plus{}),
      [&](void* s, std::size_t& b) {
        return DeviceSegmentedScan::ExclusiveSegmentedSum(s, b, in.data(), out.data(), there.data(), segments);
      },
      [&] {
        return DeviceSegmentedScan::ExclusiveSegmentedSum(in.data(), out.data(), there.data(), segments);
      });
    check(
      "InclusiveSegmentedScan",
      host_scan_of_segments<true>(values, offsets, no_init{}, maximum{}),
      [&](void* s, std::size_t& b) {
        return DeviceSegmentedScan::InclusiveSegmentedScan(
          s, b, in.data(), out.data(), there.data(), segments, maximum{});
      },
      [&] {
        return DeviceSegmentedScan::InclusiveSegmentedScan(
          in.data(), out.data(), there.data(), segments, maximum{}, nullptr);
      });
    check(
      "InclusiveSegmentedScanInit",
      host_scan_of_segments<true>(values, offsets, init, plus{}),
      [&](void* s, std::size_t& b) {
        return DeviceSegmentedScan::InclusiveSegmentedScanInit(
          s, b, in.data(), out.data(), there.data(), segments, plus{}, init);
      },
      [&] {
        return DeviceSegmentedScan::InclusiveSegmentedScanInit(
          in.data(), out.data(), there.data(), segments, plus{}, init);
      });
    const on_device<unsigned> init_there(std::vector<unsigned>{init});
    check(
      "ExclusiveSegmentedScan",
      host_scan_of_segments<false>(values, offsets, init, plus{}),
      [&](void* s, std::size_t& b) {
        return DeviceSegmentedScan::ExclusiveSegmentedScan(
          s, b, in.data(), out.data(), there.data(), segments, plus{}, init, nullptr);
      },
      [&] {
        return DeviceSegmentedScan::ExclusiveSegmentedScan(
          in.data(), out.data(), there.data(), segments, plus{}, in_device_memory(init_there.data()));
      });
  }
}

TEST(device_segmented_scan_calls, nothing_to_do)
{
  const on_device<int> offsets(std::vector<int>{0, 5});
  guarded_memory<unsigned> out(5, 0);
  const auto untouched = out.download();
  const on_device<unsigned> in(std::vector<unsigned>{1, 2, 3, 4, 5});
  EXPECT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), out.data(), offsets.data(), 0), cudaSuccess);
  EXPECT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), out.data(), offsets.data(), -1), cudaSuccess);
  EXPECT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), out.data(), 0, 5), cudaSuccess);
  EXPECT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), out.data(), -1, 5), cudaSuccess);
  EXPECT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), out.data(), 5, 0), cudaSuccess);
  EXPECT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), out.data(), 5, -1), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), untouched, "output"));
}

// A graph is replayed on offsets and a number of segments that the GPU wrote.
TEST(device_segmented_scan_calls, captured_and_replayed_on_other_offsets)
{
  const std::size_t n = 500000, most = 200000;
  const std::vector<unsigned> values = random_values<unsigned>(n, 1);
  on_device<unsigned> in(values);
  guarded_memory<unsigned> out(n, 0);
  guarded_memory<int> offsets(most, 0);
  guarded_memory<int> number(1, 0);
  std::size_t bytes   = 0;
  const auto segments = in_device_memory(static_cast<const int*>(number.data()));
  const int* const at = offsets.data();
  ASSERT_EQ(
    DeviceSegmentedScan::InclusiveSegmentedSum(nullptr, bytes, in.data(), out.data(), at, segments), cudaSuccess);
  guarded_memory<unsigned char> storage(bytes, 0);
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t replay{};
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(
    DeviceSegmentedScan::InclusiveSegmentedSum(storage.data(), bytes, in.data(), out.data(), at, segments, stream),
    cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
  for (const int longest : {1, 30, 100000})
  {
    const auto elements    = longest == 1 ? most / 8 : n / static_cast<std::size_t>(longest % 7 + 1);
    std::vector<int> drawn = random_segments<int>(static_cast<std::int64_t>(elements), longest, 9);
    ASSERT_LE(drawn.size(), most);
    const std::vector<unsigned> part(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(elements));
    auto expected = host_scan_of_segments<true>(part, drawn, no_init{}, plus{});
    expected.resize(n, 0xeeeeeeeeu); // poison
    ASSERT_NO_FATAL_FAILURE(number.upload({static_cast<int>(drawn.size() - 1)}));
    drawn.resize(most, -1);
    ASSERT_NO_FATAL_FAILURE(offsets.upload(drawn));
    out.poison_all();
    ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "replayed"));
  }
  LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(replay));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}
