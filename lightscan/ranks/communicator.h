// A group's own communicator of NCCL's, so used that nobody waits for other ranks for ever, whatever NCCL does.
//
// NCCL may wait for other ranks on the host: as it splits a communicator, as it connects, which it does in the first all-gather of a
// kind, and as it ends one, be it destroyed or aborted. No setting changes that: a split waits as the user's communicator does,
// and an abort always. (One that does not block would moreover start a thread for each all-gather.) So all of that runs on threads of its
// own, which are left to themselves where they do not come back in time; and no later all-gather has to connect anything.
#pragma once

#include <lightscan/ranks/message.h>
#include <lightscan/ranks/nccl.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/version.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ranks
{
#if defined(LIGHTSCAN_DETAIL_NCCL)
using std::chrono::milliseconds;

// How long NCCL may take where it need not wait for anybody (perf/DECISIONS.md, nccl-respite).
inline constexpr milliseconds respite_for_nccl = std::chrono::seconds(2);

// Longer than anybody waits, and so short that no clock overflows.
inline constexpr milliseconds longest_limit = std::chrono::hours(24 * 365);

// Runs f() on a thread of its own; whether it has come back in time, which is longest_limit at most. Where it has not, that thread
// goes on, so f must refer to nothing that ends.
template <class F>
bool comes_back(milliseconds limit, F f)
{
  const auto task             = std::make_shared<std::packaged_task<void()>>([f] {
    const runtime::outside_of_captures allowed;
    f();
  });
  const std::future<void> end = task->get_future();
  try
  {
    std::thread thread([task] {
      (*task)();
    });
    const bool in_time = end.wait_for(limit) == std::future_status::ready;
    in_time ? thread.join() : thread.detach();
    return in_time;
  }
  catch (const std::system_error&) // no more threads
  {
    (*task)();
    return true;
  }
}

class communicator
{
public:
  communicator()                               = default;
  communicator(const communicator&)            = delete;
  communicator& operator=(const communicator&) = delete;

  // Collective.
  runtime::outcome open(ncclComm_t users, int rank, int size, int device, milliseconds limit)
  {
    const auto split   = std::make_shared<being_made>();
    const bool in_time = ranks::comes_back(limit, [=] {
      make(users, rank, size, device, split);
    });
    const std::lock_guard<std::mutex> lock(split->mutex);
    split->given_up = !in_time;
    if (split->error)
    {
      return runtime::failed(split->error, "connecting a communicator");
    }
    if (split->result)
    {
      return failed(split->result, "splitting a communicator off");
    }
    if (!in_time && split->own == nullptr)
    {
      return {cudaErrorTimeout, "waiting for the other ranks' groups"};
    }
    own_ = split->own;
    return {};
  }

  bool is_open() const
  {
    return own_ != nullptr;
  }

  // `words` of each rank, one of the two numbers of message.h.
  runtime::outcome gather(const std::uint32_t* from, std::uint32_t* to, int words, cudaStream_t stream)
  {
    const ncclResult_t result = ncclAllGather(from, to, static_cast<std::size_t>(words), ncclUint32, own_, stream);
    return result ? failed(result, "gathering the ranks' totals") : runtime::outcome{};
  }

  // What NCCL has found since.
  ncclResult_t error() const
  {
    ncclResult_t found = ncclSuccess;
    const bool asked   = own_ != nullptr && ncclCommGetAsyncError(own_, &found) == ncclSuccess;
    return asked && found != ncclInProgress ? found : ncclSuccess;
  }

  // NCCL's kernels end, and with them what is queued behind: that is the first thing it does. To free memory it may wait
  // for the other ranks, which need not have heard of it.
  void abort()
  {
    if (const ncclComm_t own = std::exchange(own_, nullptr))
    {
      (void) ranks::comes_back(respite_for_nccl, [own] {
        (void) ncclCommAbort(own);
      });
    }
  }

  // After calls that have all run.
  void close(milliseconds limit)
  {
    if (const ncclComm_t own = std::exchange(own_, nullptr))
    {
      (void) ranks::comes_back(std::max(limit, respite_for_nccl), [own] {
        (void) ncclCommDestroy(own);
      });
    }
  }

private:
  struct being_made
  {
    std::mutex mutex; // of all else
    bool given_up       = false;
    ncclComm_t own      = nullptr; // once it is connected
    ncclResult_t result = ncclSuccess;
    cudaError_t error   = cudaSuccess;
  };

  // On the thread that may have to be given up: it then ends what it has made.
  static void make(ncclComm_t users, int rank, int size, int device, const std::shared_ptr<being_made>& split)
  {
    ncclComm_t own      = nullptr;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking     = 1;
    config.splitShare   = 0;
    cudaError_t error   = cudaSetDevice(device);
    ncclResult_t result = error ? ncclSuccess : ncclCommSplit(users, 0, rank, &own, &config);
    while (result == ncclInProgress) // the user's does not block
    {
      std::this_thread::sleep_for(milliseconds(1));
      const ncclResult_t asked = ncclCommGetAsyncError(users, &result);
      result                   = asked ? asked : result;
    }
    if (!error && !result)
    {
      result = connect(own, size, error);
    }
    {
      const std::lock_guard<std::mutex> lock(split->mutex);
      split->result = result;
      split->error  = error;
      if (!result && !error && !split->given_up)
      {
        split->own = std::exchange(own, nullptr);
      }
    }
    if (own != nullptr) // may wait for the other ranks, and nobody is to wait for that
    {
      (void) ncclCommAbort(own);
    }
  }

  // All-gathers of both sizes, in memory and on a stream that are nobody else's.
  static ncclResult_t connect(ncclComm_t own, int size, cudaError_t& error)
  {
    constexpr std::size_t most = long_words * sizeof(std::uint32_t);
    void* memory               = nullptr;
    cudaStream_t stream        = nullptr;
    ncclResult_t result        = ncclSuccess;
    error                      = cudaMalloc(&memory, most * (static_cast<std::size_t>(size) + 1));
    error                      = error ? error : cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (const int words : {short_words, long_words})
    {
      if (!error && !result)
      {
        void* const to = static_cast<unsigned char*>(memory) + most;
        result         = ncclAllGather(memory, to, static_cast<std::size_t>(words), ncclUint32, own, stream);
        error          = result ? cudaSuccess : cudaStreamSynchronize(stream);
      }
    }
    if (stream != nullptr)
    {
      (void) cudaStreamDestroy(stream);
    }
    (void) cudaFree(memory);
    return result;
  }

  ncclComm_t own_ = nullptr;
};
#endif
} // namespace ranks
LIGHTSCAN_NAMESPACE_END
