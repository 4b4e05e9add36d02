// What a group of ranks has on one GPU: a communicator of its own, memory for the exchange, and the way to wait for it.
//
// The communicator is split off the user's, so that neither's life, nor what else runs there, touches the other's; and where a rank never
// calls it is this one that is aborted.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/plain/part_fold.h>
#include <lightscan/ranks/communicator.h>
#include <lightscan/ranks/exchange.h>
#include <lightscan/ranks/kernels.h>
#include <lightscan/ranks/message.h>
#include <lightscan/ranks/nccl.h>
#include <lightscan/ranks/neighbours.h>
#include <lightscan/ranks/way.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/slot_source.h>
#include <lightscan/version.h>

#include <cuda/atomic>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ranks
{
#if defined(LIGHTSCAN_DETAIL_NCCL)
// Makes another GPU the current one while it lives.
class on_device
{
public:
  explicit on_device(int device)
  {
    changed_ = cudaGetDevice(&before_) == cudaSuccess && before_ != device && cudaSetDevice(device) == cudaSuccess;
  }
  on_device(const on_device&)            = delete;
  on_device& operator=(const on_device&) = delete;
  ~on_device()
  {
    if (changed_)
    {
      (void) cudaSetDevice(before_);
    }
  }

private:
  int before_   = 0;
  bool changed_ = false;
};

class team
{
public:
  // Room for a maybe<T> of the largest accumulator.
  static constexpr std::size_t carry_bytes = 2048;

  team()                       = default;
  team(const team&)            = delete;
  team& operator=(const team&) = delete;
  ~team()
  {
    close();
  }

  // Collective. `limit`: how long this waits for the other ranks, and later calls, until that is changed.
  runtime::outcome open(ncclComm_t users, cudaStream_t stream, exchange wanted, milliseconds limit)
  {
    const runtime::outside_of_captures allowed;
    set_limit(limit);
    ncclResult_t asked = ncclCommCount(users, &size_);
    asked              = asked ? asked : ncclCommUserRank(users, &rank_);
    asked              = asked ? asked : ncclCommCuDevice(users, &device_);
    if (asked)
    {
      return failed(asked, "asking a communicator for its ranks");
    }
    int current = -1;
    if (const cudaError_t error = cudaGetDevice(&current))
    {
      return runtime::failed(error, "asking for the current GPU");
    }
    if (current != device_)
    {
      return {cudaErrorInvalidDevice, "making a group while another GPU than the communicator's is current"};
    }
    if (size_ == 1)
    {
      return {};
    }
    runtime::outcome done = own_.open(users, rank_, size_, device_, limit_);
    done                  = done ? allocate() : done;
    if (done && wanted != exchange::nccl)
    {
      done = meet_neighbours(stream, wanted);
    }
    return done;
  }

  int rank() const
  {
    return rank_;
  }
  int size() const
  {
    return size_;
  }
  exchange way() const
  {
    return neighbours_.reached() ? exchange::peer : exchange::nccl;
  }
  milliseconds limit() const
  {
    return limit_;
  }
  void set_limit(milliseconds limit)
  {
    limit_ = std::min(limit, longest_limit);
  }

  // A call has failed on this rank's host: other ranks may have made theirs, and the next one would be taken for it.
  void fail(const runtime::outcome& why)
  {
    failed_ = failed_ ? why : failed_;
  }

  // What has become of the calls that were made.
  runtime::outcome state() const
  {
    if (on_host_ == nullptr || !failed_)
    {
      return failed_;
    }
    const auto found =
      static_cast<verdict>(::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_system>(*on_host_).load(
        ::cuda::std::memory_order_relaxed));
    if (aborted_ || found == verdict::gave_up)
    {
      return {cudaErrorTimeout, "waiting for the other ranks' totals"};
    }
    return found == verdict::disagreed
           ? runtime::outcome{cudaErrorInvalidValue, "comparing the ranks' calls, which are not the same"}
           : runtime::outcome{};
  }

  // Waits for the stream, for the other ranks as long as the limit says.
  runtime::outcome wait(cudaStream_t stream)
  {
    const runtime::outcome waited = wait_until([stream] {
      return cudaStreamQuery(stream);
    });
    return waited && size_ > 1 ? state() : waited;
  }

  // Remembers a call that has been queued, or a part of one that failed, so that the group can wait for it as it ends. In a graph it is
  // remembered anew by each replay.
  runtime::outcome queued(cudaStream_t stream, bool captured)
  {
    const cudaError_t error = cudaEventRecordWithFlags(
      last_call_, stream, captured ? cudaEventRecordExternal : cudaEventRecordDefault);
    return error ? runtime::failed(error, "recording the event that tells when a group's call has run")
                 : runtime::outcome{};
  }

  // The all-gather of the messages in send(), `words` of each rank, to messages().
  runtime::outcome gather(int words, cudaStream_t stream)
  {
    return own_.gather(send_, messages_, words, stream);
  }

  device_state* device() const
  {
    return state_;
  }
  std::uint32_t* verdict_on_host() const
  {
    return on_host_as_mapped_;
  }
  void* carry() const
  {
    return carry_;
  }
  void* block_folds() const
  {
    return block_folds_;
  }
  // Of this rank's scans.
  runtime::kept_slots& slots()
  {
    return slots_;
  }
  std::uint32_t* sent() const
  {
    return send_;
  }
  const std::uint32_t* messages() const
  {
    return messages_;
  }
  slot_word* const* mailboxes() const
  {
    return neighbours_.mailboxes();
  }

private:
  // Asks query() until it is no longer cudaErrorNotReady; aborts where a rank has died or does not come, and waits a little for what that
  // ends. Kernels that wait in mailboxes give up by themselves.
  template <class Query>
  runtime::outcome wait_until(Query query)
  {
    const runtime::outside_of_captures allowed;
    const auto begin = std::chrono::steady_clock::now();
    for (;;)
    {
      const cudaError_t now = query();
      if (now == cudaSuccess)
      {
        return {};
      }
      if (now != cudaErrorNotReady)
      {
        return runtime::failed(now, "running, or in work queued on the stream before it");
      }
      (void) cudaGetLastError();
      if (own_.is_open() && !neighbours_.reached())
      {
        const ncclResult_t found = own_.error();
        if (found || std::chrono::steady_clock::now() - begin > limit_)
        {
          abort();
          const auto until = std::chrono::steady_clock::now() + respite_for_nccl;
          while (query() == cudaErrorNotReady && std::chrono::steady_clock::now() < until)
          {
            std::this_thread::yield();
          }
          (void) cudaGetLastError();
          return found ? failed(found, "exchanging totals with the other ranks")
                       : runtime::outcome{cudaErrorTimeout, "waiting for the other ranks' totals"};
        }
      }
      std::this_thread::yield();
    }
  }

  void abort()
  {
    aborted_ = true;
    own_.abort();
  }

  // Device memory in one piece: the parts begin at multiples of 256 bytes.
  runtime::outcome allocate()
  {
    std::size_t bytes = 0;
    const auto place  = [&](std::size_t of_part) {
      const std::size_t at = bytes;
      bytes += (of_part + 255) / 256 * 256;
      return at;
    };
    const std::size_t state    = place(sizeof(device_state));
    const std::size_t send     = place(long_words * sizeof(std::uint32_t));
    const std::size_t messages = place(long_words * sizeof(std::uint32_t) * static_cast<std::size_t>(size_));
    const std::size_t carry    = place(carry_bytes);
    const std::size_t folds    = place(plain::fold_bytes);
    const std::size_t slots    = place(carry::workspace_bytes);
    void* on_host              = nullptr;
    void* mapped               = nullptr;
    void* memory               = nullptr;
    cudaError_t error          = cudaMalloc(&memory, bytes);
    memory_                    = static_cast<unsigned char*>(memory);
    error                      = error ? error : cudaMemset(memory_, 0, bytes);
    error                      = error ? error : cudaHostAlloc(&on_host, sizeof(std::uint32_t), cudaHostAllocMapped);
    on_host_                   = static_cast<std::uint32_t*>(on_host);
    error                      = error ? error : cudaHostGetDevicePointer(&mapped, on_host_, 0);
    error                      = error ? error : cudaEventCreateWithFlags(&last_call_, cudaEventDisableTiming);
    error                      = error ? error : cudaDeviceSynchronize();
    if (error)
    {
      return runtime::failed(error, "allocating a group's memory");
    }
    *on_host_          = 0;
    on_host_as_mapped_ = static_cast<std::uint32_t*>(mapped);
    state_             = reinterpret_cast<device_state*>(memory_ + state);
    send_              = reinterpret_cast<std::uint32_t*>(memory_ + send);
    messages_          = reinterpret_cast<std::uint32_t*>(memory_ + messages);
    carry_             = memory_ + carry;
    block_folds_       = memory_ + folds;
    slots_.memory      = memory_ + slots;
    return {};
  }

  // Introduces this rank's mailbox to the others, and tells them whether it reaches theirs. The two all-gathers are also what makes
  // sure that every mailbox is there and empty before anybody writes to it.
  runtime::outcome meet_neighbours(cudaStream_t stream, exchange wanted)
  {
    introduction mine{};
    std::vector<introduction> all(static_cast<std::size_t>(size_));
    bool reaches          = bool(neighbours_.open(device_, size_, mine));
    runtime::outcome done = tell_all(mine, all, stream);
    reaches               = done && reaches && neighbours_.reach(all, rank_);
    // Others may know of this rank's mailbox from here on, however the rest ends.
    const bool unknown = !done || reaches;
    std::vector<std::uint64_t> reached(static_cast<std::size_t>(size_));
    done = done ? tell_all(std::uint64_t{reaches}, reached, stream) : done;
    for (const std::uint64_t one : reached)
    {
      reaches = reaches && one != 0;
    }
    neighbours_.settle(done && reaches, unknown && !done);
    return done && !reaches && wanted == exchange::peer
           ? runtime::outcome{cudaErrorPeerAccessUnsupported, "reaching every other rank's memory"}
           : done;
  }

  template <class T>
  runtime::outcome tell_all(const T& mine, std::vector<T>& all, cudaStream_t stream)
  {
    static_assert(sizeof(T) <= long_words * sizeof(std::uint32_t) && sizeof(T) % sizeof(std::uint32_t) == 0,
                  "it goes where messages go");
    if (const cudaError_t error = cudaMemcpyAsync(send_, &mine, sizeof(T), cudaMemcpyHostToDevice, stream))
    {
      return runtime::failed(error, "introducing a rank to the others");
    }
    runtime::outcome done = gather(long_words, stream);
    done                  = done ? wait(stream) : done;
    if (!done)
    {
      return done;
    }
    const cudaError_t error = cudaMemcpy2DAsync(all.data(),
                                                sizeof(T),
                                                messages_,
                                                long_words * sizeof(std::uint32_t),
                                                sizeof(T),
                                                all.size(),
                                                cudaMemcpyDeviceToHost,
                                                stream);
    return error ? runtime::failed(error, "introducing a rank to the others") : wait(stream);
  }

  void close()
  {
    if (size_ == 1)
    {
      return;
    }
    const on_device here(device_);
    const runtime::outside_of_captures allowed;
    bool has_run = true;
    if (last_call_ != nullptr)
    {
      has_run = bool(wait_until([this] {
        return cudaEventQuery(last_call_);
      }));
      (void) cudaEventDestroy(last_call_);
    }
    if (has_run && state())
    {
      own_.close(limit_);
    }
    else
    {
      own_.abort();
    }
    neighbours_.close();
    (void) cudaFree(memory_);
    (void) cudaFreeHost(on_host_);
    (void) cudaGetLastError();
  }

  communicator own_;
  int rank_     = 0;
  int size_     = 1;
  int device_   = 0;
  bool aborted_ = false;
  runtime::outcome failed_;
  milliseconds limit_{};
  cudaEvent_t last_call_ = nullptr;
  neighbours neighbours_;
  unsigned char* memory_            = nullptr;
  std::uint32_t* on_host_           = nullptr; // a verdict
  std::uint32_t* on_host_as_mapped_ = nullptr;
  device_state* state_              = nullptr;
  std::uint32_t* send_              = nullptr;
  std::uint32_t* messages_          = nullptr;
  void* carry_                      = nullptr;
  void* block_folds_                = nullptr;
  runtime::kept_slots slots_;
};
#endif
} // namespace ranks
LIGHTSCAN_NAMESPACE_END
