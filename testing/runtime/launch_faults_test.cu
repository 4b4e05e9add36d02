// Rules, held without a GPU (fake_cuda.h): whichever CUDA call of a scan fails, the scan reports it, launches nothing
// afterwards, leaves no error behind for others to find, loses no memory, and works the next time; launches in which a block
// has several tiles are cooperative, and a grid that is refused as too large is made smaller until it fits; an error that only earlier work can
// have caused is reported as that. The GPU is asked about itself and about each kernel once in a context, by whichever thread;
// a call on the stream of the thread's last one asks the driver for two things only; where a launch failed, nothing of the
// stream is taken for granted. A grid has no more blocks than the stream's context has room for.
#include "fake_scan.h"

#include <lightscan/entry/temporary_buffer.h>
#include <lightscan/runtime/host_counts.h>
#include <lightscan/runtime/pool.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <thread>

namespace
{
using namespace fake_scan;

class launch_faults : public without_gpu
{};

const std::set<std::string> after_the_launch{"cudaFreeAsync", "cudaEventCreateWithFlags", "cuEventRecord"};

// Fails each call of a scan in turn, until a scan makes no more calls. Returns the calls that failed.
std::set<std::string> fail_every_call(std::int64_t n, bool capturing)
{
  std::set<std::string> failed;
  for (int call = 1; call < 100; ++call)
  {
    fake_cuda::now                          = {};
    fake_cuda::now.context                  = new_context();
    fake_cuda::now.capturing                = capturing;
    fake_cuda::now.failing_call             = call;
    const lightscan::runtime::outcome first = scan(n);
    if (fake_cuda::now.failed.empty())
    {
      EXPECT_TRUE(first);
      return failed;
    }
    SCOPED_TRACE("call " + std::to_string(call) + ", " + fake_cuda::now.failed);
    failed.insert(fake_cuda::now.failed);
    // The driver is asked for its functions until that succeeds, which it does below: the calls then move up by one.
    call -= fake_cuda::now.failed == "cudaGetDriverEntryPointByVersion" ? 1 : 0;
    EXPECT_EQ(first.error, cudaErrorMemoryAllocation);
    EXPECT_STRNE(first.doing, "");
    EXPECT_EQ(fake_cuda::now.last, cudaSuccess) << "an error was left behind";
    EXPECT_EQ(fake_cuda::now.launched_grids.size(), after_the_launch.count(fake_cuda::now.failed));
    if (capturing)
    {
      EXPECT_TRUE(fake_cuda::now.memory.empty()) << "memory was lost";
    }
    const std::size_t launched = fake_cuda::now.launched_grids.size();
    EXPECT_TRUE(scan(n));
    EXPECT_EQ(fake_cuda::now.launched_grids.size(), launched + 1);
    EXPECT_EQ(fake_cuda::now.memory.size(), capturing ? 0u : 1u) << "memory was lost, or taken twice";
  }
  ADD_FAILURE() << "a scan makes a hundred CUDA calls and more";
  return failed;
}
} // namespace

TEST_F(launch_faults, every_call_may_fail)
{
  const std::set<std::string> bulk = fail_every_call(large, false);
  EXPECT_TRUE(bulk.count("cudaFree") && bulk.count("cudaMalloc") && bulk.count("cudaMemsetAsync")
              && bulk.count("cuLaunchCooperativeKernel") && bulk.count("cudaDeviceGetAttribute")
              && bulk.count("cudaFuncSetAttribute") && bulk.count("cuEventRecord") && bulk.count("cuStreamGetCtx"));
  const std::set<std::string> plain = fail_every_call(10000, false);
  EXPECT_TRUE(plain.count("cudaFuncGetAttributes") && plain.count("cuLaunchKernel"));
}

TEST_F(launch_faults, every_call_of_a_captured_scan_may_fail)
{
  const std::set<std::string> calls = fail_every_call(large, true);
  EXPECT_TRUE(calls.count("cudaMallocAsync") && calls.count("cudaMemsetAsync") && calls.count("cudaFreeAsync")
              && calls.count("cuLaunchCooperativeKernel"));
}

TEST_F(launch_faults, the_gpu_is_asked_once)
{
  fake_cuda::now.context = new_context();
  EXPECT_TRUE(scan(large));
  EXPECT_TRUE(scan(1000));
  const int questions = fake_cuda::now.questions;
  EXPECT_GT(questions, 0);
  int threads = 0;
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{40000}, std::int64_t{500000}, large + 1})
  {
    EXPECT_TRUE(scan(n));
    std::thread([n] {
      EXPECT_TRUE(scan(n));
    }).join();
    ++threads;
  }
  // A thread asks once which context is the current one, and which one the stream's.
  EXPECT_EQ(fake_cuda::now.questions, questions + 2 * threads);
  EXPECT_EQ(fake_cuda::now.launched_grids.size(), 10u);
}

TEST_F(launch_faults, another_call_on_the_stream_asks_twice_and_launches)
{
  fake_cuda::now.context = new_context();
  EXPECT_TRUE(scan(large));
  EXPECT_TRUE(scan(1000));
  for (const std::int64_t n : {std::int64_t{1000}, large})
  {
    const int calls     = fake_cuda::now.calls;
    const int questions = fake_cuda::now.questions;
    EXPECT_TRUE(scan(n));
    // Capturing? Which stream? And the launch; until the stream has settled, an event after it, where there were slots.
    EXPECT_EQ(fake_cuda::now.calls, calls + (n == large ? 4 : 3));
    EXPECT_EQ(fake_cuda::now.questions, questions);
  }
}

// Only a launch in which a block has a second tile needs all blocks at once.
TEST_F(launch_faults, a_gpu_that_cannot_launch_cooperatively_is_refused_only_where_that_is_needed)
{
  fake_cuda::now.context     = new_context();
  fake_cuda::now.cooperative = false;
  EXPECT_TRUE(scan(1000));
  EXPECT_TRUE(scan(100000));
  const lightscan::runtime::outcome refused = scan(large);
  EXPECT_EQ(refused.error, cudaErrorNotSupported);
  EXPECT_STREQ(refused.doing, "launching cooperatively, which this GPU cannot");
  EXPECT_EQ(fake_cuda::now.launched_grids.size(), 2u);
}

// A captured launch is not refused where it is made: only its graph would find that not all blocks have room, by never ending.
TEST_F(launch_faults, a_grid_is_bounded_by_what_the_streams_context_has)
{
  for (const bool capturing : {false, true})
  {
    for (const int part : {16, 1, fake_cuda::multiprocessors})
    {
      fake_cuda::now                         = {};
      fake_cuda::now.context                 = new_context();
      fake_cuda::now.capturing               = capturing;
      fake_cuda::now.streams_multiprocessors = part;
      EXPECT_TRUE(scan(large, nullptr, dispatch::kernels::bulk_only));
      EXPECT_EQ(fake_cuda::now.launched_grids, std::vector<int>{part});
      EXPECT_TRUE(fake_cuda::now.refused_grids.empty());
    }
  }
}

TEST_F(launch_faults, an_error_of_the_callers_own_stays)
{
  fake_cuda::now.context = new_context();
  ASSERT_TRUE(scan(large));
  for (int call = 1; call <= 3; ++call)
  {
    const unsigned long long context = fake_cuda::now.context;
    fake_cuda::now                   = {};
    fake_cuda::now.context           = context;
    fake_cuda::now.has_context       = true;
    fake_cuda::now.last              = cudaErrorInvalidConfiguration;
    fake_cuda::now.failing_call      = call;
    EXPECT_FALSE(scan(large));
    EXPECT_EQ(fake_cuda::now.last, cudaErrorInvalidConfiguration) << fake_cuda::now.failed;
  }
}

// It may have been another GPU's than the current one: whichever call found out, the next scan asks again, and has memory of
// its own context.
TEST_F(launch_faults, a_stream_whose_scan_failed_is_asked_about_again)
{
  static char streams[200];
  int made = 0;
  for (int call = 1; call < 100; ++call)
  {
    const auto stream                      = reinterpret_cast<cudaStream_t>(&streams[made++]);
    fake_cuda::now                         = {};
    fake_cuda::now.has_context             = true;
    fake_cuda::now.context                 = new_context();
    fake_cuda::now.failing_call            = call;
    const lightscan::runtime::outcome done = scan(1000, stream);
    if (fake_cuda::now.failed.empty())
    {
      EXPECT_TRUE(done);
      EXPECT_GT(call, 8) << "so few calls can have failed";
      return;
    }
    SCOPED_TRACE("call " + std::to_string(call) + ", " + fake_cuda::now.failed);
    EXPECT_FALSE(done);
    call -= fake_cuda::now.failed == "cudaGetDriverEntryPointByVersion" ? 1 : 0;
    fake_cuda::now.context                = new_context();
    const int questions                   = fake_cuda::now.questions;
    const lightscan::runtime::outcome now = scan(1000, stream);
    EXPECT_TRUE(now) << now.doing;
    EXPECT_GT(fake_cuda::now.questions, questions + 1); // not only for the context
  }
  ADD_FAILURE() << "a scan makes a hundred CUDA calls and more";
}

// A thread that goes on with its last stream while another GPU is current: whatever comes of that scan, no thread is told
// later what CUDA said of the wrong GPU, and no stream gets memory there.
TEST_F(launch_faults, what_a_gpu_that_is_not_the_streams_answers_is_not_remembered)
{
  static char streams[2];
  const auto stream              = reinterpret_cast<cudaStream_t>(&streams[0]);
  const auto with_storage        = reinterpret_cast<cudaStream_t>(&streams[1]);
  const unsigned long long here  = new_context();
  const unsigned long long there = new_context();
  const auto on                  = [&](unsigned long long context) {
    fake_cuda::now.context = context;
  };
  const auto largest = [&] {
    using other =
      dispatch::scan_problem<int, const int*, int*, testing_support::maximum, lightscan::util::no_init, true>;
    return dispatch::launcher<other>(other{nullptr, nullptr, 1000, {}, {}}, stream).run();
  };
  fake_cuda::now.has_context         = true;
  fake_cuda::context_of_stream       = {{stream, there}, {with_storage, there}};
  fake_cuda::context_of[&streams[0]] = there;

  on(there);
  EXPECT_TRUE(scan(1000, stream));
  on(here);
  EXPECT_EQ(largest().error, cudaErrorInvalidResourceHandle); // a kernel of which nothing was known there
  on(there);
  EXPECT_TRUE(largest());
  std::thread([&] {
    EXPECT_TRUE(largest());
  }).join();

  const auto brought = lightscan::runtime::slots_brought(&streams[0], lightscan::carry::workspace_bytes);
  EXPECT_TRUE(dispatch::launcher<problem>(problem{nullptr, nullptr, 10000, {}, {}}, with_storage).run(brought));
  on(here);
  EXPECT_EQ(scan(10000, with_storage).error, cudaErrorInvalidResourceHandle); // its first need of memory for slots
  on(there);
  EXPECT_TRUE(scan(1, with_storage));
  on(here);
  void* memory = nullptr; // of the GPU that is current, which the stream's may not reach
  EXPECT_EQ(lightscan::runtime::allocate(memory, 4096, with_storage).error, cudaErrorInvalidResourceHandle);
  EXPECT_EQ(memory, nullptr);
  lightscan::runtime::host_counts counts;
  on(there);
  EXPECT_TRUE(scan(1, with_storage));
  on(here);
  EXPECT_EQ(counts.take_for(with_storage).error, cudaErrorInvalidResourceHandle);
  on(there);
  EXPECT_TRUE(scan(10000, with_storage));
  EXPECT_EQ(fake_cuda::now.last, cudaSuccess) << "an error was left behind";
  fake_cuda::context_of_stream = {};
}

TEST_F(launch_faults, a_grid_that_is_refused_shrinks_until_it_fits)
{
  for (const dispatch::kernels allowed : {dispatch::kernels::plain_only, dispatch::kernels::bulk_only})
  {
    for (int capacity = 131; capacity > 0; capacity -= capacity > 8 ? 40 : 1)
    {
      fake_cuda::now                         = {};
      fake_cuda::now.capacity                = capacity;
      const lightscan::runtime::outcome done = scan(large, nullptr, allowed);
      ASSERT_TRUE(done) << done.doing << ", room for " << capacity;
      ASSERT_EQ(fake_cuda::now.launched_grids.size(), 1u);
      const int grid = fake_cuda::now.launched_grids.front();
      EXPECT_LE(grid, capacity);
      EXPECT_LT(capacity / 2, 2 * grid) << "smaller than need be";
      EXPECT_LE(fake_cuda::now.refused_grids.size(), 8u);
      EXPECT_EQ(fake_cuda::now.last, cudaSuccess) << "the refusal was left behind";
    }
  }
  fake_cuda::now          = {};
  fake_cuda::now.capacity = 0;
  EXPECT_FALSE(scan(large));
  EXPECT_EQ(fake_cuda::now.refused_grids.back(), 1);
  EXPECT_TRUE(fake_cuda::now.launched_grids.empty());
}

// A block of one tile waits for blocks of lower index only, so room for one block is enough; with a second tile it waits for
// blocks of higher index, too, and all must be resident.
TEST_F(launch_faults, launches_are_ordinary_where_no_block_has_a_second_tile)
{
  constexpr std::int64_t tile = 2048;
  const struct
  {
    std::int64_t items;
    int blocks;
    bool ordinary;
  } cases[] = {{1, 1, true},
               {3 * tile, 3, true},
               {3 * tile + 1, 3, false},
               {3 * tile + 1, 4, true},
               {16 * tile, 16, true},
               {16 * tile, 15, false},
               {16 * tile, 1, false}};
  for (const auto& c : cases)
  {
    SCOPED_TRACE(std::to_string(c.items) + " items, " + std::to_string(c.blocks) + " blocks");
    fake_cuda::now = {};
    EXPECT_TRUE(scan(c.items, nullptr, dispatch::kernels::plain_only, c.blocks));
    EXPECT_EQ(fake_cuda::now.launched_grids, std::vector<int>{c.blocks});
    EXPECT_EQ(!fake_cuda::now.ordinary_grids.empty(), c.ordinary);
  }
  fake_cuda::now = {};
  EXPECT_TRUE(scan(large));
  EXPECT_TRUE(fake_cuda::now.ordinary_grids.empty());
}

TEST_F(launch_faults, an_error_of_earlier_work_is_reported_as_that)
{
  for (const cudaError_t error : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorAssert})
  {
    for (int call = 1; call <= 3; ++call)
    {
      fake_cuda::now = {};
      ASSERT_TRUE(scan(large)); // so that no question about the GPU is left
      fake_cuda::now                         = {};
      fake_cuda::now.has_context             = true;
      fake_cuda::now.error                   = error;
      fake_cuda::now.failing_call            = call;
      const lightscan::runtime::outcome done = scan(large);
      EXPECT_EQ(done.error, error);
      EXPECT_NE(std::string(done.doing).find("earlier work"), std::string::npos) << done.doing;
    }
  }
}

// As under Thrust's own policy.
TEST_F(launch_faults, temporary_memory_is_cudas_where_stream_order_has_none)
{
  namespace policy_parts         = lightscan::policy_parts;
  fake_cuda::now                 = {};
  fake_cuda::now.failing_call    = 1;
  const cudaStream_t some_stream = nullptr;
  int* const memory              = policy_parts::temporary<int>(100, some_stream);
  EXPECT_EQ(fake_cuda::now.failed, "cudaMallocAsync");
  EXPECT_NE(memory, nullptr);
  EXPECT_EQ(fake_cuda::now.last, cudaSuccess) << "an error was left behind";
  policy_parts::give_back(memory, some_stream);
  EXPECT_TRUE(fake_cuda::now.memory.empty()) << "memory was lost";
  EXPECT_EQ(fake_cuda::now.last, cudaSuccess) << "an error was left behind";
}
