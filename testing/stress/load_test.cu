// Rule: scans are right on every stream, from every thread, in every graph and beside everything else that a GPU may be
// doing; nobody waits for ever. Built twice: with the legacy default stream and with the per-thread one.
#include "../support/checked_sum.h"
#include "../support/expect_cuda.h"
#include "../support/gpu_noise.h"
#include "../support/held_stream.h"

#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

using namespace testing_support;
namespace dispatch = lightscan::dispatch;

namespace
{
cudaStream_t new_stream()
{
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  return stream;
}

// Holds an SM per block, by its shared memory, for some milliseconds.
__global__ void hold_a_while(int steps)
{
  extern __shared__ unsigned char all_of_it[];
  for (int i = 0; i < steps; ++i)
  {
    __nanosleep(1000);
    reinterpret_cast<volatile unsigned char*>(all_of_it)[threadIdx.x] = static_cast<unsigned char>(i);
  }
}
} // namespace

TEST(load, thirty_two_threads_on_streams_of_their_own_on_one_and_on_the_default_ones)
{
  const cudaStream_t shared = new_stream();
  for (int kind = 0; kind < 4; ++kind)
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < 32; ++t)
    {
      threads.emplace_back([&, t] {
        const cudaStream_t own    = new_stream();
        const cudaStream_t stream = kind == 0 ? own : kind == 1 ? shared : kind == 2 ? nullptr : cudaStreamPerThread;
        checked_sum scan(20000 + 130000 * t);
        for (int i = 0; i < 40; ++i)
        {
          scan.queue(stream);
        }
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        scan.expect_no_difference();
        EXPECT_EQ(cudaStreamDestroy(own), cudaSuccess);
      });
    }
    for (std::thread& thread : threads)
    {
      thread.join();
    }
  }
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(shared));
}

TEST(load, back_to_back_beside_noise)
{
  const cudaStream_t stream = new_stream();
  gpu_noise noise;
  std::vector<std::unique_ptr<checked_sum>> scans;
  for (const int n : {1, 4097, 100000, 1000003, 3000000, 9000001})
  {
    scans.push_back(std::make_unique<checked_sum>(n));
  }
  for (int i = 0; i < 6000; ++i)
  {
    if (i % 20 == 0)
    {
      noise.more(static_cast<unsigned>(i));
    }
    scans[static_cast<std::size_t>(i % 6)]->queue(stream, i % 4 == 3 ? kernels::bulk_only : kernels::best);
  }
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  for (const auto& scan : scans)
  {
    scan->expect_no_difference();
  }
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST(load, streams_destroyed_with_work_pending)
{
  std::vector<std::unique_ptr<checked_sum>> scans;
  for (int i = 0; i < 8; ++i)
  {
    scans.push_back(std::make_unique<checked_sum>(900000 * (i + 1)));
  }
  for (int round = 0; round < 100; ++round)
  {
    for (const auto& scan : scans)
    {
      const cudaStream_t stream = new_stream();
      scan->queue(stream);
      LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
    }
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize()); // the same output again
  }
  for (const auto& scan : scans)
  {
    scan->expect_no_difference();
  }
}

// Two graphs of each capture mode, 10,002 replays, the two of a mode side by side; and scans on the streams themselves in
// between.
TEST(load, graphs_of_every_capture_mode)
{
  const cudaStream_t streams[2] = {new_stream(), new_stream()};
  checked_sum captured[2]       = {checked_sum(3000000), checked_sum(200000)};
  checked_sum between(700000);
  for (const cudaStreamCaptureMode mode :
       {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed})
  {
    cudaGraphExec_t executables[2];
    for (int i = 0; i < 2; ++i)
    {
      captured[i].queue(streams[i]);
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(streams[i]));
      cudaGraph_t graph = nullptr;
      LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(streams[i], mode));
      captured[i].queue(streams[i]);
      LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(streams[i], &graph));
      LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&executables[i], graph, 0));
      LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
    }
    for (int replay = 0; replay < 1667; ++replay)
    {
      for (int i = 0; i < 2; ++i)
      {
        LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executables[i], streams[i]));
      }
      if (replay % 10 == 0)
      {
        between.queue(streams[0]);
      }
    }
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 2; ++i)
    {
      captured[i].expect_no_difference();
      LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(executables[i]));
    }
    between.expect_no_difference();
  }
  for (const cudaStream_t stream : streams)
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  }
}

// Scans of one tile a block need not be resident all at once, for a GPU starts blocks in order (runtime/launch_grid.h). Several
// streams take turns in what room there is.
TEST(load, all_multiprocessors_but_one_held_by_another_kernel)
{
  const cudaStream_t holder = new_stream();
  std::vector<std::unique_ptr<checked_sum>> scans;
  std::vector<cudaStream_t> streams;
  int multiprocessors = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  using plain = dispatch::plain_policy<int, lightscan::plain::memory_source>;
  for (const int n : {1, 5000, 65536, 262144, 1048576})
  {
    if (n > plain::items_in(1, multiprocessors))
    {
      continue; // more tiles than blocks on so small a GPU
    }
    scans.push_back(std::make_unique<checked_sum>(n));
    streams.push_back(new_stream());
    scans.back()->queue(streams.back()); // so that nothing is left to allocate, which would wait for the GPU
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(streams.back()));
  }
  {
    held_stream held(holder);
    ASSERT_NO_FATAL_FAILURE(held.hold_all_but_one_multiprocessor(20'000'000'000)); // ten seconds
    for (int round = 0; round < 50; ++round)
    {
      for (std::size_t i = 0; i < scans.size(); ++i)
      {
        scans[i]->queue(streams[i]);
      }
    }
    for (const cudaStream_t stream : streams)
    {
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    }
    EXPECT_FALSE(held.gave_up()) << "the scans waited for more room";
  }
  for (std::size_t i = 0; i < scans.size(); ++i)
  {
    scans[i]->expect_no_difference();
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(streams[i]));
  }
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(holder));
}

// Scans of more tiles wait until the whole grid fits, and then run.
TEST(load, half_of_the_gpu_held_by_another_kernel)
{
  const cudaStream_t holder = new_stream();
  const cudaStream_t stream = new_stream();
  int multiprocessors       = 0;
  int shared_bytes          = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  LIGHTSCAN_EXPECT_CUDA(cudaFuncSetAttribute(hold_a_while, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  checked_sum small(100000);
  checked_sum large(9000001);
  for (int round = 0; round < 20; ++round)
  {
    hold_a_while<<<static_cast<unsigned>(multiprocessors / 2), 32, static_cast<std::size_t>(shared_bytes), holder>>>(
      3000);
    LIGHTSCAN_EXPECT_CUDA(cudaGetLastError());
    for (int i = 0; i < 10; ++i)
    {
      small.queue(stream);
      large.queue(stream);
    }
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }
  small.expect_no_difference();
  large.expect_no_difference();
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(holder));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}
