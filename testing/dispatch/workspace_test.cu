// Rule: slots are right on every stream, from every thread and in every graph, however launches follow each other.
#include "../support/expect_cuda.h"
#include "../support/guarded_memory.h"
#include "../support/operators.h"

#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

using namespace testing_support;
using lightscan::carry::no_init;
using lightscan::dispatch::kernels;
namespace dispatch = lightscan::dispatch;

namespace
{
using problem = lightscan::dispatch::problem<int, const int*, int*, plus, no_init, true>;

// Yields ones; takes anything.
struct ones
{
  __host__ __device__ ones operator+(std::int64_t) const
  {
    return {};
  }
  __host__ __device__ int operator*() const
  {
    return 1;
  }
};

struct nowhere
{
  struct place
  {
    __host__ __device__ const place& operator=(int) const
    {
      return *this;
    }
  };
  __host__ __device__ nowhere operator+(std::int64_t) const
  {
    return {};
  }
  __host__ __device__ place operator*() const
  {
    return {};
  }
};

using memoryless = lightscan::dispatch::problem<int, ones, nowhere, plus, no_init, true>;

// An input of equal values and room for its scan; the scan of a constant is known without another scan.
class constant_scan
{
public:
  constant_scan(std::int64_t n, int value)
      : value_(value)
      , in_(static_cast<std::size_t>(n), 0)
      , out_(static_cast<std::size_t>(n), 0)
  {
    in_.upload(std::vector<int>(static_cast<std::size_t>(n), value));
    n_ = n;
  }

  lightscan::dispatch::outcome queue(cudaStream_t stream, kernels allowed = kernels::best)
  {
    return lightscan::dispatch::launcher<problem>(problem{in_.data(), out_.data(), n_, {}, {}}, stream, allowed).run();
  }

  void poison()
  {
    out_.poison_all();
  }

  void check() const
  {
    const std::vector<int> result = out_.download();
    for (std::int64_t i = 0; i < n_; ++i)
    {
      ASSERT_EQ(result[static_cast<std::size_t>(i)], static_cast<int>(value_ * (i + 1))) << "element " << i;
    }
    out_.expect_guards_untouched();
  }

private:
  int value_;
  std::int64_t n_ = 0;
  guarded_memory<int> in_;
  guarded_memory<int> out_;
};

class stream_owner
{
public:
  stream_owner()
  {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
  }
  stream_owner(const stream_owner&)            = delete;
  stream_owner& operator=(const stream_owner&) = delete;
  ~stream_owner()
  {
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }
  operator cudaStream_t() const
  {
    return stream_;
  }

private:
  cudaStream_t stream_ = nullptr;
};
} // namespace

TEST(workspace, launches_in_a_row_do_not_read_each_others_slots)
{
  const stream_owner stream;
  // Different sizes leave different slots behind; a stale one that were taken for valid would show.
  std::vector<std::unique_ptr<constant_scan>> scans;
  for (const int n : {100, 3000000, 70000, 5000, 12000000, 1, 900000})
  {
    scans.push_back(std::make_unique<constant_scan>(n, n % 13 + 1));
  }
  for (int round = 0; round < 50; ++round)
  {
    for (const auto& scan : scans)
    {
      ASSERT_TRUE(scan->queue(stream, round % 2 ? kernels::bulk_only : kernels::best));
    }
  }
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  for (const auto& scan : scans)
  {
    scan->check();
  }
}

TEST(workspace, many_streams_and_more_than_are_kept)
{
  constexpr std::size_t count = lightscan::dispatch::max_workspaces + 20;
  for (int round = 0; round < 2; ++round)
  {
    std::vector<std::unique_ptr<stream_owner>> streams;
    std::vector<std::unique_ptr<constant_scan>> scans;
    for (std::size_t i = 0; i < count; ++i)
    {
      streams.push_back(std::make_unique<stream_owner>());
      scans.push_back(std::make_unique<constant_scan>(200000 + 1000 * static_cast<int>(i), static_cast<int>(i) + 1));
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      ASSERT_TRUE(scans[i]->queue(*streams[i]));
    }
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    for (const auto& scan : scans)
    {
      ASSERT_NO_FATAL_FAILURE(scan->check());
    }
  }
}

TEST(workspace, a_launch_that_uses_nobody_knows_how_many_tags_has_its_own)
{
  const stream_owner stream;
  dispatch::workspace_registry registry;
  dispatch::stream_facts* facts = nullptr;
  ASSERT_TRUE(dispatch::facts_of(stream, facts));
  for (const std::uint32_t tags : {1u, 0u})
  {
    dispatch::lease lease;
    ASSERT_TRUE(registry.acquire(*facts, stream, dispatch::workspace_bytes, tags, lease));
    EXPECT_EQ(lease.for_one_launch, tags == 0);
    EXPECT_NE(lease.memory, nullptr);
    EXPECT_TRUE(dispatch::workspace_registry::release(stream, lease));
    if (!lease.for_one_launch)
    {
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
      LIGHTSCAN_EXPECT_CUDA(cudaFree(lease.memory)); // this registry's own, which ends with the test
    }
  }
  dispatch::forget(*facts);
}

TEST(workspace, many_threads_on_one_stream_and_on_their_own)
{
  constexpr int count = 16;
  const stream_owner shared;
  for (const bool own : {false, true})
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < count; ++t)
    {
      threads.emplace_back([&, t] {
        const stream_owner mine;
        const cudaStream_t stream = own ? mine : shared;
        constant_scan scan(300000 + 40000 * t, t + 1);
        for (int round = 0; round < 20; ++round)
        {
          EXPECT_TRUE(scan.queue(stream));
        }
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        scan.check();
      });
    }
    for (std::thread& thread : threads)
    {
      thread.join();
    }
  }
}

TEST(workspace, the_default_streams)
{
  for (const cudaStream_t stream : {cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread})
  {
    constant_scan scan(1000000, 3);
    ASSERT_TRUE(scan.queue(stream));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    scan.check();
  }
}

TEST(workspace, captured_graphs_replayed_side_by_side)
{
  const stream_owner capturing;
  constant_scan scans[2] = {{4000000, 2}, {150000, 5}};
  cudaGraphExec_t executables[2];
  for (int i = 0; i < 2; ++i)
  {
    cudaGraph_t graph = nullptr;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeGlobal));
    const auto done = scans[i].queue(capturing);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(capturing, &graph));
    ASSERT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error);
    LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&executables[i], graph, 0));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
  }
  const stream_owner streams[2];
  for (int round = 0; round < 200; ++round)
  {
    for (int i = 0; i < 2; ++i)
    {
      LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executables[i], streams[i]));
    }
    // Between replays, ordinary launches on the stream that was captured.
    ASSERT_TRUE(scans[0].queue(streams[0]));
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i)
  {
    scans[i].check();
    scans[i].poison();
    LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executables[i], streams[i]));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(streams[i]));
    scans[i].check();
    LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(executables[i]));
  }
}

TEST(workspace, a_device_reset_begins_anew)
{
  {
    constant_scan scan(500000, 1);
    ASSERT_TRUE(scan.queue(nullptr));
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    scan.check();
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceReset());
  // The first thing that is asked for afterwards, without memory that would begin a context.
  const dispatch::outcome first = dispatch::launcher<memoryless>(memoryless{{}, {}, 100000, {}, {}}, nullptr).run();
  EXPECT_TRUE(first) << first.doing << ": " << cudaGetErrorString(first.error);
  constant_scan scan(9000000, 1);
  ASSERT_TRUE(scan.queue(nullptr));
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  scan.check();
}
