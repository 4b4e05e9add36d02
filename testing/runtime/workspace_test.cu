// Rule: slots are right on every stream, from every thread and in every graph, however launches follow each other.
#include "../support/checked_sum.h"
#include "../support/expect_cuda.h"
#include "../support/guarded_memory.h"
#include "../support/held_stream.h"
#include "../support/operators.h"

#include <lightscan/device_value.h>
#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

using namespace testing_support;
using lightscan::dispatch::kernels;
using lightscan::util::no_init;
namespace dispatch = lightscan::dispatch;

namespace
{
using problem = lightscan::dispatch::scan_problem<int, const int*, int*, plus, no_init, true>;

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
  struct reference
  {
    __host__ __device__ const reference& operator=(int) const
    {
      return *this;
    }
  };
  __host__ __device__ nowhere operator+(std::int64_t) const
  {
    return {};
  }
  __host__ __device__ reference operator*() const
  {
    return {};
  }
};

using memoryless = lightscan::dispatch::scan_problem<int, ones, nowhere, plus, no_init, true>;

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
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamLegacy), cudaSuccess);
  }

  lightscan::runtime::outcome queue(cudaStream_t stream, kernels allowed = kernels::best)
  {
    return lightscan::dispatch::launcher<problem>(problem{in_.data(), out_.data(), n_, {}, {}}, stream, allowed).run();
  }

  // Complete when it returns: streams that do not wait for the legacy one are used here.
  void poison()
  {
    out_.poison_all();
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamLegacy), cudaSuccess);
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
  std::vector<std::unique_ptr<checked_sum>> scans;
  for (const int n : {100, 3000000, 70000, 5000, 12000000, 1, 900000})
  {
    scans.push_back(std::make_unique<checked_sum>(n));
  }
  for (int round = 0; round < 50; ++round)
  {
    for (const auto& scan : scans)
    {
      scan->queue(stream, round % 2 ? kernels::bulk_only : kernels::best);
    }
  }
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  for (const auto& scan : scans)
  {
    ASSERT_NO_FATAL_FAILURE(scan->expect_no_difference());
  }
}

TEST(workspace, many_streams_and_more_than_are_kept)
{
  constexpr std::size_t count = lightscan::runtime::workspace_sizes[1].max_kept + lightscan::runtime::max_settled + 40;
  for (int round = 0; round < 2; ++round)
  {
    std::vector<std::unique_ptr<stream_owner>> streams;
    std::vector<std::unique_ptr<constant_scan>> scans;
    for (std::size_t i = 0; i < count; ++i)
    {
      streams.push_back(std::make_unique<stream_owner>());
      scans.push_back(std::make_unique<constant_scan>(200000 + 1000 * static_cast<int>(i), static_cast<int>(i) + 1));
    }
    for (int call = 0; call < 3; ++call)
    {
      for (std::size_t i = 0; i < count; ++i)
      {
        ASSERT_TRUE(scans[i]->queue(*streams[i]));
      }
    }
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    for (const auto& scan : scans)
    {
      ASSERT_NO_FATAL_FAILURE(scan->check());
    }
  }
}

namespace
{
constexpr std::int64_t items_of_size[] = {300000, 2000000}; // whose scans take workspaces of that size

// Not settled.
int workspaces(int size)
{
  lightscan::runtime::stream_attributes* attributes = nullptr;
  EXPECT_TRUE(lightscan::runtime::attributes_of(nullptr, attributes));
  return lightscan::runtime::workspace_registry::instance().count(attributes->device.context, size);
}
} // namespace

// Whatever is under way on each stream when the next one comes, and when its own thread destroys it.
TEST(workspace, streams_made_and_destroyed_by_many_threads_leave_nothing_behind)
{
  constexpr int threads     = 16;
  constexpr int each        = 625; // 10,000 in all
  const auto make_and_break = [](int streams, int size) {
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
    {
      all.emplace_back([t, streams, size] {
        constant_scan scan(items_of_size[size], t + 1);
        for (int i = 0; i < streams; ++i)
        {
          const stream_owner stream;
          for (int call = 0; call <= i % 3; ++call)
          {
            ASSERT_TRUE(scan.queue(stream));
          }
          if (i % 50 == 0)
          {
            ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
            scan.check();
            scan.poison();
          }
        }
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      });
    }
    for (std::thread& thread : all)
    {
      thread.join();
    }
  };
  for (const int size : {0, 1})
  {
    make_and_break(size == 0 ? 70 : 10, size);
    std::size_t before = 0;
    std::size_t after  = 0;
    std::size_t total  = 0;
    LIGHTSCAN_EXPECT_CUDA(cudaMemGetInfo(&before, &total));
    make_and_break(each, size);
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    LIGHTSCAN_EXPECT_CUDA(cudaMemGetInfo(&after, &total));
    // Each thread may find them all busy once more.
    EXPECT_LE(workspaces(size), lightscan::runtime::workspace_sizes[size].max_kept + 10 * threads);
    EXPECT_GE(after + (std::size_t{32} << 20), before);
  }
}

// Held streams each need slots of their own; afterwards theirs go.
TEST(workspace, are_as_many_as_streams_have_work_under_way)
{
  constexpr int count = 150;
  std::vector<std::unique_ptr<stream_owner>> streams;
  std::vector<std::unique_ptr<constant_scan>> scans;
  std::vector<std::unique_ptr<held_stream>> held;
  for (int i = 0; i < count; ++i)
  {
    streams.push_back(std::make_unique<stream_owner>());
    scans.push_back(std::make_unique<constant_scan>(items_of_size[1] + i, i % 9 + 1));
    held.push_back(std::make_unique<held_stream>(*streams.back()));
  }
  for (std::size_t i = 0; i < count; ++i)
  {
    held[i]->hold_for(20'000'000'000);
    ASSERT_TRUE(scans[i]->queue(*streams[i]));
  }
  EXPECT_GE(workspaces(1), count);
  for (const auto& each : held)
  {
    each->release();
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  for (const auto& each : held)
  {
    EXPECT_FALSE(each->gave_up()) << "the stream was not busy as long as it should have been";
  }
  held.clear();
  for (const auto& scan : scans)
  {
    ASSERT_NO_FATAL_FAILURE(scan->check());
  }
  for (int i = 0; i < count; ++i)
  {
    streams.push_back(std::make_unique<stream_owner>());
    ASSERT_TRUE(scans[static_cast<std::size_t>(i)]->queue(*streams.back()));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(*streams.back()));
  }
  EXPECT_LE(workspaces(1), lightscan::runtime::workspace_sizes[1].max_kept);
}

// Threads that end with work under way on their own default streams.
TEST(workspace, threads_that_end_do_not_wait_for_their_scans)
{
  constexpr int at_once = 4;
  std::vector<std::unique_ptr<constant_scan>> scans;
  for (int t = 0; t < at_once; ++t)
  {
    scans.push_back(std::make_unique<constant_scan>(900000, t + 1));
  }
  for (int round = 0; round < 40; ++round)
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < at_once; ++t)
    {
      threads.emplace_back([&, t] {
        for (int call = 0; call < 4; ++call)
        {
          ASSERT_TRUE(scans[static_cast<std::size_t>(t)]->queue(cudaStreamPerThread));
        }
      });
    }
    for (std::thread& thread : threads)
    {
      thread.join();
    }
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  for (const auto& scan : scans)
  {
    ASSERT_NO_FATAL_FAILURE(scan->check());
  }
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

// A number of items that only the GPU knows, and known ones, by turns on one stream: the same workspace, cleared in between where the
// number's type does not bound the tags.
template <class Number>
void check_counts_that_only_the_gpu_knows()
{
  using count   = lightscan::device_value<Number>;
  using counted = lightscan::dispatch::scan_problem<int, const int*, int*, plus, no_init, true, count>;
  const stream_owner stream;
  constexpr int n = 5000000;
  guarded_memory<int> in(n, 0);
  guarded_memory<int> out(n, 0);
  guarded_memory<Number> number(1, 0);
  in.upload(std::vector<int>(n, 3));
  constant_scan known(700000, 2);
  for (int round = 0; round < 20; ++round)
  {
    const int items = n / (round + 1);
    number.upload({items});
    out.poison_all();
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    ASSERT_TRUE(dispatch::launcher<counted>(counted{in.data(), out.data(), {number.data()}, {}, {}}, stream).run());
    ASSERT_TRUE(known.queue(stream));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    const std::vector<int> result = out.download();
    for (int i = 0; i < items; ++i)
    {
      ASSERT_EQ(result[static_cast<std::size_t>(i)], 3 * (i + 1)) << "element " << i << ", round " << round;
    }
    known.check();
    known.poison();
  }
}

TEST(workspace, counts_that_only_the_gpu_knows_leave_no_tags_behind)
{
  check_counts_that_only_the_gpu_knows<std::int64_t>();
}

TEST(workspace, counts_of_a_narrow_type_have_tags_of_their_own)
{
  check_counts_that_only_the_gpu_knows<int>();
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
  checked_sum scans[2] = {checked_sum(4000000), checked_sum(150000)};
  checked_sum between(4000000);
  cudaGraphExec_t executables[2];
  for (int i = 0; i < 2; ++i)
  {
    cudaGraph_t graph = nullptr;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeGlobal));
    scans[i].queue(capturing); // and its comparison
    LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(capturing, &graph));
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
    between.queue(streams[0]);
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i)
  {
    ASSERT_NO_FATAL_FAILURE(scans[i].expect_no_difference());
    LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(executables[i]));
  }
  ASSERT_NO_FATAL_FAILURE(between.expect_no_difference());
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
  const lightscan::runtime::outcome first =
    dispatch::launcher<memoryless>(memoryless{{}, {}, 100000, {}, {}}, nullptr).run();
  EXPECT_TRUE(first) << first.doing << ": " << cudaGetErrorString(first.error);
  constant_scan scan(9000000, 1);
  ASSERT_TRUE(scan.queue(nullptr));
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  scan.check();
}
