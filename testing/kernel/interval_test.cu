// Rule: right for every associative operator, of every length. A scan without races is right for all of them exactly if it
// is right on intervals (Chong, Donaldson, Ketema, POPL 2014; ../support/operators.h), here strictly: the operator counts
// every call on anything but two intervals that touch, in order, even one whose result is thrown away. All lengths from 1
// to 70,000, those around tiles, windows and grids, and large ones; each kernel, each kind of scan, memory and iterators. Checked
// on the GPU.
#include "../support/expect_cuda.h"
#include "../support/launched_shape.h"
#include "../support/operators.h"

#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include <nv/target>

using namespace testing_support;
using lightscan::dispatch::kernels;
namespace carry    = lightscan::carry;
namespace dispatch = lightscan::dispatch;

namespace
{
__host__ __device__ interval broken() // broken_interval, which device code cannot name
{
  return {0xffffffffu, 0u};
}

struct strict_join
{
  unsigned long long* bad_calls;

  __host__ __device__ interval operator()(const interval& left, const interval& right) const
  {
    const interval joined = join{}(left, right);
    if (joined == broken())
    {
      NV_IF_TARGET(NV_IS_DEVICE, (atomicAdd(bad_calls, 1ull);))
    }
    return joined;
  }
};

// Element i is [i + 1, i + 2); an initial value of [0, 1) stands before the first.
__host__ __device__ interval element(std::int64_t i)
{
  return {static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(i) + 2};
}

// The same without memory.
struct elements
{
  std::int64_t at;

  __host__ __device__ elements operator+(std::int64_t n) const
  {
    return {at + n};
  }
  __host__ __device__ interval operator*() const
  {
    return element(at);
  }
};

constexpr std::int64_t margin = 64; // elements behind a result that must stay as they were

__global__ void fill(interval* values, std::int64_t n)
{
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < n; i += stride)
  {
    values[i] = element(i);
  }
}

__global__ void poison(interval* values, std::int64_t n)
{
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < n; i += stride)
  {
    values[i] = broken();
  }
}

// Element i of a result is [first, i + end). Poisons it again.
__global__ void
check_and_poison(interval* result, std::int64_t n, std::uint32_t first, std::uint32_t end, unsigned long long* wrong)
{
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < n + margin; i += stride)
  {
    const interval expected = i < n ? interval{first, static_cast<std::uint32_t>(i) + end} : broken();
    if (!(result[i] == expected))
    {
      atomicAdd(wrong, 1ull);
    }
    result[i] = broken();
  }
}

class intervals : public ::testing::Test
{
protected:
  void SetUp() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&counters_, 2 * sizeof(*counters_)));
    LIGHTSCAN_EXPECT_CUDA(cudaMemset(counters_, 0, 2 * sizeof(*counters_)));
  }

  void TearDown() override
  {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaFree(in_), cudaSuccess);
    EXPECT_EQ(cudaFree(out_), cudaSuccess);
    EXPECT_EQ(cudaFree(counters_), cudaSuccess);
  }

  // Room for results of up to `longest` elements; for inputs too.
  void make_room(std::int64_t longest)
  {
    const std::size_t bytes = static_cast<std::size_t>(longest + margin) * sizeof(interval);
    LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&in_, bytes));
    LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&out_, bytes));
    fill<<<1024, 256>>>(in_, longest + margin);
    poison<<<1024, 256>>>(out_, longest + margin);
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }

  // The three kinds of scan, one after the other; does not wait.
  template <class Transport = carry::default_transport, class Input>
  void queue(Input input, std::int64_t n, kernels kernel, int blocks)
  {
    ASSERT_NO_FATAL_FAILURE((queue_kind<Transport, true>(input, n, lightscan::util::no_init{}, 1, 2, kernel, blocks)));
    ASSERT_NO_FATAL_FAILURE((queue_kind<Transport, true>(input, n, interval{0, 1}, 0, 2, kernel, blocks)));
    ASSERT_NO_FATAL_FAILURE((queue_kind<Transport, false>(input, n, interval{0, 1}, 0, 1, kernel, blocks)));
  }

  void expect_all_right(const std::string& what)
  {
    unsigned long long found[2] = {~0ull, ~0ull};
    LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(found, counters_, sizeof(found), cudaMemcpyDeviceToHost));
    ASSERT_EQ(found[0], 0u) << "bad calls of the operator, " << what;
    ASSERT_EQ(found[1], 0u) << "wrong elements, " << what;
  }

  interval* in_                 = nullptr;
  unsigned long long* counters_ = nullptr; // bad calls, wrong elements

private:
  template <class Transport, bool Inclusive, class Input, class Init>
  void
  queue_kind(Input input, std::int64_t n, Init init, std::uint32_t first, std::uint32_t end, kernels kernel, int blocks)
  {
    using problem = dispatch::scan_problem<interval, Input, interval*, strict_join, Init, Inclusive>;
    const lightscan::runtime::outcome done =
      dispatch::launcher<problem, Transport>(
        problem{input, out_, n, strict_join{counters_}, init}, nullptr, kernel, blocks)
        .run();
    ASSERT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error) << ", n = " << n;
    const std::int64_t checkers = (n + margin) / 256 + 1;
    check_and_poison<<<static_cast<unsigned>(checkers < 1024 ? checkers : 1024), 256>>>(
      out_, n, first, end, counters_ + 1);
  }

  interval* out_ = nullptr;
};

std::int64_t bulk_tile()
{
  return launched_shape<interval>().tile_items;
}

using plain                       = dispatch::plain_policy<interval, lightscan::plain::memory_source>;
constexpr std::int64_t plain_tile = plain::max_warps * plain::warp_items; // the longest
} // namespace

// Each check can fail.
TEST_F(intervals, the_check_sees_what_is_wrong)
{
  ASSERT_NO_FATAL_FAILURE(make_room(1000));
  const interval apart{5000, 5001};
  LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(in_ + 999, &apart, sizeof(apart), cudaMemcpyHostToDevice));
  ASSERT_NO_FATAL_FAILURE(queue(static_cast<const interval*>(in_), 999, kernels::plain_only, 0));
  ASSERT_NO_FATAL_FAILURE(expect_all_right("the last element is out of the range"));
  ASSERT_NO_FATAL_FAILURE(queue(static_cast<const interval*>(in_), 1000, kernels::plain_only, 0));
  unsigned long long found[2] = {};
  LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(found, counters_, sizeof(found), cudaMemcpyDeviceToHost));
  EXPECT_GT(found[0], 0u);
  EXPECT_EQ(found[1], 2u); // the last element of both inclusive scans
}

TEST_F(intervals, of_every_length_to_70000)
{
  ASSERT_NO_FATAL_FAILURE(make_room(70000));
  const interval* const in = in_;
  for (std::int64_t n = 1; n <= 70000; ++n)
  {
    ASSERT_NO_FATAL_FAILURE(queue(in, n, kernels::bulk_only, 0));
    ASSERT_NO_FATAL_FAILURE(queue(in, n, kernels::plain_only, 0));
    if (n % 7 == 1)
    {
      ASSERT_NO_FATAL_FAILURE(queue(elements{0}, n, kernels::plain_only, 0));
    }
    if (n % 1000 == 0)
    {
      ASSERT_NO_FATAL_FAILURE(expect_all_right("up to n = " + std::to_string(n)));
    }
  }
}

TEST_F(intervals, around_tiles_windows_and_grids)
{
  int multiprocessors = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const std::int64_t window = carry::slot_position::window_size;
  ASSERT_NO_FATAL_FAILURE(make_room((2 * window + multiprocessors + 3) * bulk_tile()));
  const interval* const in = in_;
  for (const bool bulk : {true, false})
  {
    const std::int64_t tile = bulk ? bulk_tile() : plain_tile;
    const kernels kernel    = bulk ? kernels::bulk_only : kernels::plain_only;
    for (const int blocks : {0, 1, 2, 7, 31, multiprocessors / 2})
    {
      const std::int64_t grid = blocks == 0 ? multiprocessors : blocks;
      for (const std::int64_t tiles :
           std::set<std::int64_t>{1, 2, 3, grid, grid + 1, 2 * grid, 2 * grid + 1, window, window + 1, 2 * window})
      {
        for (int offset = -2; offset <= 2; ++offset)
        {
          const std::int64_t n = tiles * tile + offset;
          ASSERT_NO_FATAL_FAILURE(queue(in, n, kernel, blocks));
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_all_right(std::to_string(blocks) + " blocks"));
    }
  }
}

TEST_F(intervals, large_ones)
{
  const std::int64_t longest = (std::int64_t{1} << 28) + 3;
  std::size_t free           = 0;
  std::size_t total          = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaMemGetInfo(&free, &total));
  if (free < 3 * static_cast<std::size_t>(longest) * sizeof(interval))
  {
    GTEST_SKIP() << "needs 7 GB of free GPU memory";
  }
  ASSERT_NO_FATAL_FAILURE(make_room(longest));
  const interval* const in = in_;
  for (const std::int64_t n : {longest / 16 - 1, longest / 3, longest})
  {
    ASSERT_NO_FATAL_FAILURE(queue(in, n, kernels::bulk_only, 0));
    ASSERT_NO_FATAL_FAILURE(queue(in, n, kernels::plain_only, 0));
    ASSERT_NO_FATAL_FAILURE(expect_all_right("n = " + std::to_string(n)));
  }
}
