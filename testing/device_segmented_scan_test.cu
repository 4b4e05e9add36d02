// Rule: lightscan::DeviceSegmentedScan scans each segment for itself, in one launch: rows and segments at offsets, of any lengths, in
// all forms, in place or not, at any alignment; the operator joins neighbours of one segment only. The number of segments and the
// offsets may lie in device memory, where a kernel of the same captured graph writes them.
#include "support/entry_check.h"
#include "support/strict_join.h"

#include <lightscan/device_segmented_scan.h>
#include <lightscan/path.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::DeviceSegmentedScan;
using lightscan::in_device_memory;
using lightscan::util::no_init;

namespace
{
// Offsets of rows.
template <class Offset>
std::vector<Offset> rows_of(std::int64_t length, std::int64_t rows)
{
  std::vector<Offset> offsets;
  for (std::int64_t row = 0; row <= rows; ++row)
  {
    offsets.push_back(static_cast<Offset>(row * length));
  }
  return offsets;
}

// Segments of up to `longest` elements, some empty, a few a hundred times as long; `n` elements in all.
template <class Offset>
std::vector<Offset> random_segments(std::int64_t n, std::int64_t longest, unsigned seed)
{
  std::mt19937_64 random(seed);
  std::vector<Offset> offsets{0};
  while (static_cast<std::int64_t>(offsets.back()) < n)
  {
    const auto drawn          = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(longest + 1));
    const std::int64_t length = random() % 50 == 0 ? 100 * drawn : drawn;
    offsets.push_back(
      static_cast<Offset>(std::min<std::int64_t>(n, static_cast<std::int64_t>(offsets.back()) + length)));
  }
  offsets.push_back(offsets.back()); // an empty one at the end
  return offsets;
}

template <bool Inclusive, class T, class Offset, class Init, class Op>
std::vector<T> host_scan_of_segments(const std::vector<T>& in, const std::vector<Offset>& offsets, Init init, Op op)
{
  std::vector<T> out(in.size());
  for (std::size_t j = 0; j + 1 < offsets.size(); ++j)
  {
    T running{};
    for (auto i = static_cast<std::size_t>(offsets[j]); i < static_cast<std::size_t>(offsets[j + 1]); ++i)
    {
      const bool first = i == static_cast<std::size_t>(offsets[j]);
      const T before   = running;
      running          = first ? in[i] : op(running, in[i]);
      if constexpr (std::is_same_v<Init, no_init>)
      {
        out[i] = running;
      }
      else
      {
        out[i] = Inclusive ? op(init, running) : first ? init : op(init, before);
      }
    }
  }
  return out;
}

template <class T>
class on_device
{
public:
  explicit on_device(const std::vector<T>& values, std::size_t offset = 0)
      : memory_(values.size(), offset)
  {
    memory_.upload(values);
  }
  T* data() const
  {
    return memory_.data();
  }
  guarded_memory<T>& memory()
  {
    return memory_;
  }

private:
  guarded_memory<T> memory_;
};

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

TEST(device_segmented_scan, offsets_of_any_kind)
{
  for (const std::int64_t n : {1, 1000, 70000, 3000017})
  {
    unsigned seed = 1;
    for (const std::int64_t longest : {1, 2, 7, 40, 1000, 100000})
    {
      ASSERT_NO_FATAL_FAILURE(check_offsets(random_segments<std::int32_t>(n, longest, ++seed), seed % 3));
      ASSERT_NO_FATAL_FAILURE(check_offsets(random_segments<std::uint64_t>(n, longest, ++seed), seed % 3));
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

TEST(device_segmented_scan, every_entry_point)
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

TEST(device_segmented_scan, nothing_to_do)
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
TEST(device_segmented_scan, captured_and_replayed_on_other_offsets)
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
