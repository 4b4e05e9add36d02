// Rule: what is known of one GPU, of its kernels and streams, and its memory for slots, is never used on another. Needs two
// GPUs; skipped, and said so, where there is one.
#include "../support/checked_sum.h"
#include "../support/expect_cuda.h"
#include "../support/gpus.h"

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
constexpr std::int64_t small = 50000;   // several blocks of the plain kernel
constexpr std::int64_t large = 6000001; // the bulk pipeline

class on_gpu
{
public:
  explicit on_gpu(int gpu)
  {
    EXPECT_EQ(cudaGetDevice(&before_), cudaSuccess);
    EXPECT_EQ(cudaSetDevice(gpu), cudaSuccess);
  }
  on_gpu(const on_gpu&)            = delete;
  on_gpu& operator=(const on_gpu&) = delete;
  ~on_gpu()
  {
    EXPECT_EQ(cudaSetDevice(before_), cudaSuccess);
  }

private:
  int before_ = 0;
};

// What a GPU has to do here.
class work
{
public:
  explicit work(int gpu)
      : gpu_(gpu)
  {
    const on_gpu here(gpu_);
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
    for (const std::int64_t n : {small, large, std::int64_t{1}})
    {
      scans_.push_back(std::make_unique<checked_sum>(n + gpu_));
    }
  }
  work(const work&)            = delete;
  work& operator=(const work&) = delete;
  ~work()
  {
    const on_gpu here(gpu_);
    scans_.clear();
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }

  cudaStream_t stream() const
  {
    return stream_;
  }
  checked_sum& scan(std::size_t which)
  {
    return *scans_[which % scans_.size()];
  }

  // On the stream of its own, and on both default ones.
  void queue(std::size_t which)
  {
    const on_gpu here(gpu_);
    const cudaStream_t streams[] = {stream_, nullptr, cudaStreamPerThread};
    const cudaStream_t stream    = streams[which / scans_.size() % 3];
    scan(which).queue(stream);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream)); // the next scan of this output may have another stream
  }

  void expect_no_difference()
  {
    const on_gpu here(gpu_);
    for (const auto& scan : scans_)
    {
      scan->expect_no_difference();
    }
  }

private:
  int gpu_;
  cudaStream_t stream_ = nullptr;
  std::vector<std::unique_ptr<checked_sum>> scans_;
};

class two_gpus : public ::testing::Test
{
protected:
  void SetUp() override
  {
    if (gpus_are_missing(2))
    {
      GTEST_SKIP() << "needs two GPUs";
    }
  }
};
} // namespace

// Nothing is looked up again for a thread's last stream: what is not known yet must not be asked of the wrong GPU. (As in
// launch_faults_test.cu, without GPUs.)
TEST_F(two_gpus, a_thread_goes_on_with_its_last_stream_while_the_other_gpu_is_current)
{
  work second(1);
  // By a kernel of which no other test has made anything known.
  const auto largest = [&] {
    using problem    = dispatch::scan_problem<int, const int*, int*, maximum, lightscan::util::no_init, true>;
    checked_sum& any = second.scan(0);
    return dispatch::launcher<problem>({any.input(), any.output(), any.size(), {}, {}}, second.stream()).run();
  };
  const auto queue_there = [&] {
    const on_gpu there(1);
    second.scan(0).queue(second.stream());
    const lightscan::runtime::outcome done = largest();
    EXPECT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(second.stream()));
  };
  {
    const on_gpu there(1);
    second.scan(0).queue(second.stream());
  }
  EXPECT_EQ(largest().error, cudaErrorInvalidResourceHandle); // from GPU 0
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an error was left behind";
  queue_there();
  std::thread(queue_there).join();
  second.expect_no_difference();
}

TEST_F(two_gpus, one_thread_scans_on_both_by_turns)
{
  work first(0);
  work second(1);
  for (std::size_t i = 0; i < 900; ++i)
  {
    (i % 2 == 0 ? first : second).queue(i / 2);
  }
  first.expect_no_difference();
  second.expect_no_difference();
}

TEST_F(two_gpus, many_threads_scan_on_both)
{
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
  {
    threads.emplace_back([t] {
      work mine(t % 2);
      work other(1 - t % 2);
      for (std::size_t i = 0; i < 150; ++i)
      {
        (i % 3 == 0 ? other : mine).queue(i);
      }
      mine.expect_no_difference();
      other.expect_no_difference();
    });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
}

// As a kernel's launch by <<<>>> does: it is an error, or works; either way nothing wrong is remembered.
TEST_F(two_gpus, a_stream_of_the_other_gpu)
{
  work first(0);
  work second(1);
  for (std::size_t i = 0; i < 30; ++i)
  {
    first.queue(i);
    {
      const on_gpu there(1);
      second.scan(i).poison(second.stream());
    }
    const lightscan::runtime::outcome done = second.scan(i).scan(second.stream());
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an error was left behind";
    {
      const on_gpu there(1);
      if (done)
      {
        second.scan(i).compare(second.stream());
      }
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(second.stream()));
    }
    second.queue(i);
    first.queue(i);
  }
  first.expect_no_difference();
  second.expect_no_difference();
}

TEST_F(two_gpus, one_is_reset_while_the_other_goes_on)
{
  work first(0);
  for (int round = 0; round < 3; ++round)
  {
    {
      work second(1);
      for (std::size_t i = 0; i < 12; ++i)
      {
        first.queue(i);
        second.queue(i);
      }
      second.expect_no_difference();
    }
    {
      const on_gpu there(1);
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceReset());
    }
    first.queue(0);
  }
  first.expect_no_difference();
}
