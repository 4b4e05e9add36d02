// Rules of LIGHTSCAN_DEBUG_SYNC, which lightscan/path.h describes: each launch is waited for and said on stderr, with
// the call, the number of items and the kernel; so is a scan that Thrust takes; one into a captured stream is reported as
// captured and does not disturb the capture; an illegal pointer is thrown by the call itself, also where the policy does
// not synchronise.
//
// A program of its own, because all of a program's files must agree about the macro.
#define LIGHTSCAN_DEBUG_SYNC

#include "support/copied_by_hand.h"
#include "support/expect_cuda.h"
#include "support/held_stream.h"

#include <lightscan/device_scan.h>
#include <lightscan/path.h>
#include <lightscan/scan.h>

#include <thrust/scan.h>
#include <thrust/system_error.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda_runtime_api.h>

namespace
{
// The line that belongs to the calling thread's last launch.
std::string line_of_last_launch(const char* kernel, const char* end)
{
  const lightscan::launch_report last = lightscan::last_launch();
  return "lightscan: " + std::string(last.call) + " of " + std::to_string(last.num_items) + " items: " + kernel + ", "
       + std::to_string(last.blocks) + " blocks of " + std::to_string(last.threads) + " threads, tiles of "
       + std::to_string(last.tile_items) + " items: " + end + "\n";
}

class debug_sync : public ::testing::Test
{
protected:
  static constexpr int n = 100000;

  void SetUp() override
  {
    GTEST_FLAG_SET(death_test_style, "threadsafe"); // a process from scratch: a forked one could not use CUDA
    LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&values, n * sizeof(int)));
    LIGHTSCAN_EXPECT_CUDA(cudaMemset(values, 0, n * sizeof(int)));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }
  void TearDown() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
    LIGHTSCAN_EXPECT_CUDA(cudaFree(values));
  }

  int* values         = nullptr;
  cudaStream_t stream = nullptr;
};
using debug_sync_DeathTest = debug_sync;

// Ends the process: well if the call itself throws an illegal access, whose message then is on stderr.
[[noreturn]] void expect_that_the_call_throws()
{
  // No memory of anybody's, not even of the host's, which a GPU may be able to reach: its addresses end below.
  int* const nowhere = reinterpret_cast<int*>(std::uintptr_t{1} << 47);
  try
  {
    thrust::inclusive_scan(lightscan::par_nosync, nowhere, nowhere + 1000, nowhere);
    std::fputs("nothing was thrown\n", stderr);
  }
  catch (const thrust::system_error& error)
  {
    std::fprintf(stderr, "%s\n", error.what());
    const int code = error.code().value();
    std::_Exit(code == cudaErrorIllegalAddress || code == cudaErrorLaunchFailure ? 0 : 1);
  }
  std::_Exit(1);
}
} // namespace

TEST_F(debug_sync, a_line_names_the_call_the_size_and_the_kernel)
{
  testing::internal::CaptureStderr();
  thrust::inclusive_scan(lightscan::par_nosync.on(stream), values, values + n, values);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said, line_of_last_launch("plain kernel", "done"));
  EXPECT_EQ(said.find("lightscan: inclusive_scan of 100000 items: plain kernel, "), 0u) << said;
}

TEST_F(debug_sync, there_is_a_line_for_each_launch)
{
  testing::internal::CaptureStderr();
  thrust::exclusive_scan(lightscan::par.on(stream), values, values + n, values);
  const std::string first = line_of_last_launch("plain kernel", "done");
  thrust::inclusive_scan(lightscan::par.on(stream), values, values, values); // empty
  thrust::inclusive_scan(lightscan::par.on(stream), values, values + 7, values);
  const std::string second = line_of_last_launch("plain kernel", "done");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), first + second);
  EXPECT_NE(first, second);
}

TEST_F(debug_sync, a_scan_that_thrust_takes_is_said_too)
{
  auto* const numbers = reinterpret_cast<testing_support::copied_by_hand*>(values);
  testing::internal::CaptureStderr();
  thrust::exclusive_scan(
    lightscan::par_nosync.on(stream), numbers, numbers + 1000, numbers, testing_support::copied_by_hand{});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "lightscan: exclusive_scan of 1000 items: Thrust: done\n");
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
}

TEST_F(debug_sync, a_number_of_items_that_only_the_gpu_knows_is_minus_one)
{
  int* count = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&count, sizeof(int)));
  LIGHTSCAN_EXPECT_CUDA(cudaMemset(count, 0, sizeof(int)));
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  testing::internal::CaptureStderr();
  EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(values, values, count, stream), cudaSuccess);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("lightscan: inclusive_scan of -1 items: "), 0u) << said;
  LIGHTSCAN_EXPECT_CUDA(cudaFree(count));
}

TEST_F(debug_sync, a_launch_is_waited_for)
{
  // The stream's workspace is there afterwards: what the second call waits for is not an allocation.
  thrust::inclusive_scan(lightscan::par_nosync.on(stream), values, values + n, values);
  testing_support::held_stream held(stream);
  held.hold_for(200000000); // nobody releases it: a call that does not wait ends long before
  thrust::inclusive_scan(lightscan::par_nosync.on(stream), values, values + n, values);
  EXPECT_TRUE(held.gave_up());
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
}

TEST_F(debug_sync, a_launch_into_a_captured_stream_is_reported_as_captured)
{
  cudaGraph_t graph          = nullptr;
  cudaGraphExec_t executable = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  testing::internal::CaptureStderr();
  thrust::inclusive_scan(lightscan::par_nosync.on(stream), values, values + n, values);
  const std::string said = testing::internal::GetCapturedStderr();
  LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
  EXPECT_EQ(said, line_of_last_launch("plain kernel", "captured"));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executable, stream));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(executable));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
}

TEST_F(debug_sync_DeathTest, an_illegal_pointer_is_thrown_by_the_call_itself)
{
  EXPECT_EXIT(expect_that_the_call_throws(),
              ::testing::ExitedWithCode(0),
              "lightscan: inclusive_scan of 1000 items: plain kernel.*\n"
              "lightscan: inclusive_scan of 1000 items failed while running \\(LIGHTSCAN_DEBUG_SYNC");
}
