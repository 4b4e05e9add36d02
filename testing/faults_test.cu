// Rules: an illegal pointer is thrown at the next synchronisation, by a message that names the call; an error left over from
// earlier work is reported as that, and one that the caller has not yet asked for is still there for him afterwards; no
// memory is lost, however many streams, graphs and scans there were.
//
// A faulting kernel ends its process's CUDA context, so each such test has a process of its own (a "death test" that ends
// well: EXPECT_EXIT with status 0). Failures of single CUDA calls: dispatch/launch_faults_test.cu, without a GPU.
#include "support/expect_cuda.h"

#include <lightscan/lightscan.h>

#include <thrust/scan.h>
#include <thrust/system_error.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace
{
__global__ void write_to(int* where)
{
  *where = 1;
}

__global__ void write_later(int* where, int steps)
{
  unsigned value = 1;
  for (int i = 0; i < steps; ++i)
  {
    value = value * 1664525u + 1013904223u;
    __nanosleep(1000);
  }
  *where = static_cast<int>(value);
}

__global__ void do_nothing() {}

// No memory of anybody's, not even of the host's, which a GPU may be able to reach: its addresses end below.
int* nowhere()
{
  return reinterpret_cast<int*>(std::uintptr_t{1} << 47);
}

int* device_ints(std::size_t n)
{
  int* memory = nullptr;
  if (cudaMalloc(&memory, n * sizeof(int)) != cudaSuccess || cudaMemset(memory, 0, n * sizeof(int)) != cudaSuccess)
  {
    std::fputs("no memory for the test\n", stderr);
    std::exit(2);
  }
  return memory;
}

// What a GPU says of one: bulk copies do not tell addresses.
bool is_illegal_access(int error)
{
  return error == cudaErrorIllegalAddress || error == cudaErrorLaunchFailure;
}

// Ends the process: well if the scan throws an illegal access. The message goes to stderr, where the test looks at it.
template <class Scan>
[[noreturn]] void expect_illegal_access(Scan scan)
{
  try
  {
    scan();
    std::fputs("nothing was thrown\n", stderr);
  }
  catch (const thrust::system_error& error)
  {
    std::fprintf(stderr, "%s\n", error.what());
    std::_Exit(is_illegal_access(error.code().value()) ? 0 : 1);
  }
  std::_Exit(1);
}

class faults : public ::testing::Test
{
protected:
  void SetUp() override
  {
    GTEST_FLAG_SET(death_test_style, "threadsafe"); // a process from scratch: a forked one could not use CUDA
  }
};
using faults_DeathTest = faults;
} // namespace

TEST_F(faults_DeathTest, an_illegal_input_is_thrown_by_the_call)
{
  for (const int n : {1000, 5000000})
  {
    EXPECT_EXIT(expect_illegal_access([n] {
                  int* const out = device_ints(static_cast<std::size_t>(n));
                  thrust::inclusive_scan(lightscan::par, nowhere(), nowhere() + n, out);
                }),
                ::testing::ExitedWithCode(0),
                "lightscan: inclusive_scan of " + std::to_string(n) + " items failed while running");
  }
}

TEST_F(faults_DeathTest, an_illegal_output_is_thrown_by_the_call)
{
  EXPECT_EXIT(expect_illegal_access([] {
                int* const in = device_ints(5000000);
                thrust::exclusive_scan(lightscan::par, in, in + 5000000, nowhere(), 0);
              }),
              ::testing::ExitedWithCode(0),
              "lightscan: exclusive_scan of 5000000 items failed while running");
}

TEST_F(faults_DeathTest, without_synchronisation_the_next_one_reports_it)
{
  EXPECT_EXIT(
    {
      int* const out = device_ints(1000);
      thrust::inclusive_scan(lightscan::par_nosync, nowhere(), nowhere() + 1000, out);
      std::_Exit(is_illegal_access(cudaStreamSynchronize(nullptr)) ? 0 : 1);
    },
    ::testing::ExitedWithCode(0),
    "");
}

TEST_F(faults_DeathTest, an_error_of_work_that_has_failed_before_is_named_as_that)
{
  EXPECT_EXIT(expect_illegal_access([] {
                int* const values = device_ints(1000);
                write_to<<<1, 1>>>(nowhere());
                (void) cudaDeviceSynchronize(); // nobody looks
                thrust::inclusive_scan(lightscan::par, values, values + 1000, values);
              }),
              ::testing::ExitedWithCode(0),
              "lightscan: inclusive_scan of 1000 items failed while .*earlier work");
}

TEST_F(faults_DeathTest, an_error_of_work_that_fails_meanwhile_is_not_blamed_on_the_scan)
{
  EXPECT_EXIT(expect_illegal_access([] {
                int* const values = device_ints(1000);
                thrust::inclusive_scan(lightscan::par, values, values + 1000, values);
                write_later<<<1, 1>>>(nowhere(), 20000);
                thrust::inclusive_scan(lightscan::par, values, values + 1000, values);
              }),
              ::testing::ExitedWithCode(0),
              "failed while (running, or in work queued on the stream before it|.*earlier work)");
}

TEST_F(faults, an_error_that_nobody_asked_for_yet_stays)
{
  int* const values = device_ints(1000);
  do_nothing<<<1, 5000>>>(); // no block has so many threads
  const cudaError_t left = cudaPeekAtLastError();
  ASSERT_NE(left, cudaSuccess);
  thrust::inclusive_scan(lightscan::par, values, values + 1000, values);
  EXPECT_EQ(cudaGetLastError(), left);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaFree(values));
}

namespace
{
std::size_t free_memory()
{
  cudaMemPool_t pool = nullptr;
  int device         = 0;
  std::size_t free   = 0;
  std::size_t total  = 0;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, device), cudaSuccess);
  EXPECT_EQ(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGraphMemTrim(device), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return free;
}

std::uint64_t used_in_pool()
{
  cudaMemPool_t pool = nullptr;
  std::uint64_t used = ~std::uint64_t{0};
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
  return used;
}

// Streams come and go, with work pending when they are destroyed; graphs are captured, replayed and thrown away.
void use_everything(int* values, int rounds)
{
  for (int round = 0; round < rounds; ++round)
  {
    cudaStream_t stream = nullptr;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (const int n : {100, 100000, 5000000})
    {
      thrust::inclusive_scan(lightscan::par_nosync.on(stream), values, values + n, values);
    }
    cudaGraph_t graph          = nullptr;
    cudaGraphExec_t executable = nullptr;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    thrust::inclusive_scan(lightscan::par_nosync.on(stream), values, values + 100000, values);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executable, stream));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executable, stream));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(executable));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  }
}
} // namespace

TEST_F(faults, no_memory_is_lost)
{
  int* const values = device_ints(5000000);
  // As many streams as workspaces are kept for, and more: from then on nothing may stay.
  ASSERT_NO_FATAL_FAILURE(use_everything(values, lightscan::runtime::workspace_sizes[0].max_kept + 60));
  const std::size_t before        = free_memory();
  const std::uint64_t used_before = used_in_pool();
  ASSERT_NO_FATAL_FAILURE(use_everything(values, 300));
  EXPECT_GT(free_memory() + (std::size_t{4} << 20), before)
    << "more than the driver may need for itself; 300 workspaces are 94 MiB";
  EXPECT_EQ(used_in_pool(), used_before);
  LIGHTSCAN_EXPECT_CUDA(cudaFree(values));
}
