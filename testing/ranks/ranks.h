// Ranks as a program has them: a thread with a GPU each, and a communicator of NCCL's.
#pragma once

#include "../support/expect_cuda.h"
#include "../support/gpus.h"

#include <lightscan/multi_gpu.h>

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#define LIGHTSCAN_EXPECT_NCCL(call)                                                \
  do                                                                               \
  {                                                                                \
    const ncclResult_t status = (call);                                            \
    EXPECT_EQ(status, ncclSuccess) << #call << ": " << ncclGetErrorString(status); \
  } while (false)

namespace testing_support
{
// Ends the process where a test takes four minutes: a rank that waits for another one for ever must not keep all other tests waiting. It
// does not take one where the driver has kernels ready; where it compiles them first, for a GPU newer than the program, more than one.
class watchdog
{
public:
  watchdog()
      : thread_([this] {
        std::unique_lock<std::mutex> lock(mutex_);
        const bool ended = end_.wait_for(lock, std::chrono::minutes(4), [this] {
          return over_;
        });
        if (!ended)
        {
          std::fprintf(stderr, "a test has taken four minutes: some rank waits for ever\n");
          std::abort();
        }
      })
  {}
  watchdog(const watchdog&)            = delete;
  watchdog& operator=(const watchdog&) = delete;
  ~watchdog()
  {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    end_.notify_all();
    thread_.join();
  }

private:
  std::mutex mutex_;
  std::condition_variable end_;
  bool over_ = false;
  std::thread thread_; // last: it uses the others
};

// All ranks come, or none goes on. Between ranks' calls nobody may do what waits for another's GPU, so memory is made before
// a meeting and freed after one.
class meeting
{
public:
  explicit meeting(int count)
      : count_(count)
  {}

  void wait()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    const int turn = turn_;
    if (++here_ == count_)
    {
      here_ = 0;
      ++turn_;
      all_here_.notify_all();
      return;
    }
    all_here_.wait(lock, [&] {
      return turn_ != turn;
    });
  }

private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int count_;
  int here_ = 0;
  int turn_ = 0;
};

struct rank_here
{
  int rank;
  int size;
  ncclComm_t comm;
  cudaStream_t stream;
  meeting& all;
};

// f(rank) on a thread for each of `size` GPUs.
template <class F>
void on_ranks(int size, F f)
{
  const watchdog watches;
  std::vector<int> devices;
  for (int r = 0; r < size; ++r)
  {
    devices.push_back(r);
  }
  std::vector<ncclComm_t> comms(devices.size());
  ASSERT_EQ(ncclCommInitAll(comms.data(), size, devices.data()), ncclSuccess);
  meeting all(size);
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r)
  {
    threads.emplace_back([&, r] {
      cudaStream_t stream = nullptr;
      EXPECT_EQ(cudaSetDevice(r), cudaSuccess);
      EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
      f(rank_here{r, size, comms[static_cast<std::size_t>(r)], stream, all});
      EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      all.wait();
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  for (const ncclComm_t comm : comms)
  {
    LIGHTSCAN_EXPECT_NCCL(ncclCommDestroy(comm));
  }
}

// Memory of a rank's GPU with `count` T, behind `offset` others.
template <class T>
class part_of
{
public:
  explicit part_of(std::int64_t count, std::int64_t offset = 0)
      : count_(static_cast<std::size_t>(count))
      , offset_(static_cast<std::size_t>(offset))
  {
    EXPECT_EQ(cudaMalloc(&memory_, sizeof(T) * (count_ + offset_ + 1)), cudaSuccess);
    EXPECT_EQ(cudaMemset(memory_, 0xff, sizeof(T) * (count_ + offset_ + 1)), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess); // other streams do not wait for it
  }
  part_of(const part_of&)            = delete;
  part_of& operator=(const part_of&) = delete;
  ~part_of()
  {
    EXPECT_EQ(cudaFree(memory_), cudaSuccess);
  }

  T* get() const
  {
    return static_cast<T*>(memory_) + offset_;
  }
  void upload(const std::vector<T>& values)
  {
    EXPECT_EQ(cudaMemcpy(get(), values.data(), sizeof(T) * values.size(), cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess); // other streams do not wait for it
  }
  std::vector<T> download() const
  {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaMemcpy(values.data(), get(), sizeof(T) * count_, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

private:
  std::size_t count_;
  std::size_t offset_;
  void* memory_ = nullptr;
};
} // namespace testing_support
