// Memory for slots, in stream order.
//
// A slot is valid only under the tag its reader waits for, so a workspace needs no clearing as long as every launch in it uses
// tags that no earlier one used. A thread takes a workspace for itself while it queues a launch, with the next tags, and gives
// it back at once. Then
//
//   a launch on the same stream   may follow in it: launches of one stream run one after the other;
//   one on any other stream       may once the last launch has run, which an event after that one tells.
//
// So there are as many workspaces as streams with scans under way, and some that are kept; where a stream ends, its workspace
// serves others. An event costs a launch 0.2 us of the host's time, the question whether it has come 1 us (perf/DECISIONS.md,
// workspace-event). A stream that has launched often enough is taken for one that stays: it settles, keeps its workspace, and
// needs no events any more. Only so many may. Small scans have small workspaces, and more are kept, for a thousand streams in turn.
//
// A launch that is captured into a graph, which may be replayed at any time beside anything, with the same tags, allocates,
// clears and frees memory of its own in the graph.
//
// cudaMallocAsync and cudaFreeAsync around each launch would do without all this, but take 3 to 90 us, and programs hang in which
// threads end with such work under way on their own default streams (CUDA 13.0, driver 580, without any scan in them).
//
// Thread safety: any thread, any stream. Two threads on one stream at once have two workspaces. CUDA is called without a lock.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/version.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
// Launches on a stream before it settles: streams that are made for a few calls have ended by then.
inline constexpr unsigned settles_after = 256; // perf/DECISIONS.md, settles-after
inline constexpr int max_settled        = 16;  // of each context (max-settled)

// Workspaces that are kept without a stream that needs them, in each context: 15 MiB, and 5 MiB of those that have settled
// (perf/DECISIONS.md, workspace-sizes).
struct workspace_size
{
  std::size_t bytes;
  int max_kept;
};
inline constexpr workspace_size workspace_sizes[] = {
  {std::size_t{8} * 160 * sizeof(carry::slot_word), 1024}, // eight copies of a window, for accumulators of four bytes
  {carry::workspace_bytes, 16}};
inline constexpr int workspace_size_count = 2;

constexpr int workspace_size_for(std::size_t bytes)
{
  return bytes <= workspace_sizes[0].bytes ? 0 : 1;
}

// A workspace. Each has a line of the processor's cache, for threads with different streams take theirs at once, and keeps its
// address: threads remember the last one they had.
struct alignas(64) workspace
{
  const int size; // of workspace_sizes
  std::atomic<bool> taken{true};

  // All below is the taker's.
  bool settled              = false;
  bool in_pool              = false; // its memory, which can then be freed without a wait
  std::uint32_t next_tag    = 0;     // 0: must be cleared first
  unsigned launches         = 0;     // on that stream
  std::uint64_t context     = 0;     // the memory's
  unsigned long long stream = 0;     // the last launch's
  void* memory              = nullptr;
  cudaEvent_t has_run       = nullptr; // after the last launch, where not settled
  std::size_t position      = 0;       // in the registry
  workspace* next           = nullptr; // in a list of the registry's, which alone uses it

  std::size_t bytes() const
  {
    return workspace_sizes[size].bytes;
  }

  bool try_take()
  {
    return !taken.load(std::memory_order_relaxed) && !taken.exchange(true, std::memory_order_acquire);
  }

  bool try_take_for(const stream_attributes& attributes)
  {
    if (!try_take())
    {
      return false;
    }
    if (stream == attributes.id && context == attributes.device.context)
    {
      return true;
    }
    give_back();
    return false;
  }

  void give_back()
  {
    taken.store(false, std::memory_order_release);
  }
};

class workspace_registry
{
public:
  static workspace_registry& instance()
  {
    // Never destroyed: a scan may run in another object's destructor, and the driver frees the memory at exit.
    static workspace_registry* const registry = new workspace_registry;
    return *registry;
  }

  // Takes a workspace of at least `bytes` that the stream may use; it may have no memory yet.
  workspace& take(const stream_attributes& attributes, std::size_t bytes)
  {
    if (workspace* const last = take_last_of(attributes, bytes))
    {
      return *last;
    }
    const int size        = workspace_size_for(bytes);
    workspace* const idle = take_idle(attributes, size);
    workspace& found      = idle != nullptr ? *idle : add(size);
    const std::lock_guard<std::mutex> lock(mutex_);
    take_out(found);
    all_[size][found.position].context = attributes.device.context;
    found.launches                     = 0;
    found.context                      = attributes.device.context;
    found.stream                       = attributes.id;
    found.next                         = std::exchange(of_stream(attributes.id), &found);
    return found;
  }

  outcome allocate(workspace& taken, const device_attributes& device)
  {
    if (const outcome current = expect_current(device); !current)
    {
      return current;
    }
    const outside_of_captures allowed;
    // Workspaces that are kept are ordinary memory (perf/DECISIONS.md, kept-memory). Each is counted before it has any, or several
    // threads would keep the last one.
    const bool beyond = count(taken.context, taken.size, 1) > workspace_sizes[taken.size].max_kept;
    taken.in_pool     = beyond && allocate_in_pool(taken, device.device);
    if (const cudaError_t error = taken.in_pool ? cudaSuccess : cudaMalloc(&taken.memory, taken.bytes()))
    {
      taken.memory = nullptr;
      (void) count(taken.context, taken.size, -1);
      return failed(error, "allocating a workspace");
    }
    taken.next_tag = 0;
    return {};
  }

  // Whether the taker may keep it for its stream for good.
  bool settle(workspace& taken)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    context_state& here = of(taken.context);
    if (here.settled == max_settled)
    {
      return false;
    }
    ++here.settled;
    --here.to_be_shared[taken.size];
    all_[taken.size][taken.position].settled = true;
    taken.settled                            = true;
    return true;
  }

  // The number of workspaces of a size that have memory in a context, or get it, and have not settled; with so many more.
  int count(std::uint64_t context, int size, int more = 0)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    return of(context).to_be_shared[size] += more;
  }

private:
  // What a workspace is searched by, side by side: the rest is its taker's.
  struct entry
  {
    std::uint64_t context;
    bool settled;
    workspace* is;
  };

  workspace* take_last_of(const stream_attributes& attributes, std::size_t bytes)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (workspace* each = of_stream(attributes.id); each != nullptr; each = each->next)
    {
      if (each->stream == attributes.id && each->bytes() >= bytes && each->try_take_for(attributes))
      {
        return each;
      }
    }
    return nullptr;
  }

  // The list that a stream's workspaces are in; with 10,000 streams, two or three others' are in it, too.
  workspace*& of_stream(unsigned long long id)
  {
    return of_streams_[id * 0x9E3779B97F4A7C15u >> 52]; // Fibonacci hashing, to 12 bits
  }

  // Takes a workspace out of its stream's list, where it is in that.
  void take_out(const workspace& listed)
  {
    workspace** link = &of_stream(listed.stream);
    while (*link != nullptr && *link != &listed)
    {
      link = &(*link)->next;
    }
    *link = *link != nullptr ? listed.next : nullptr;
  }

  // A workspace whose last launch has run; null where there is none, or where there are so few that a stream had better get one
  // of its own. Tries some, from where the last call ended (perf/DECISIONS.md, idle-tries). Others that are found idle lose their
  // memory, where there are more than are kept.
  workspace* take_idle(const stream_attributes& attributes, int size)
  {
    constexpr int tries = 18; // two more than are kept of the large ones, so that one too many is found
    workspace* found    = nullptr;
    for (int t = 0; t < tries && beyond_kept(attributes.device.context, size) >= (found == nullptr ? 0 : 1); ++t)
    {
      const outside_of_captures allowed;
      workspace* next = take_next(attributes.device.context, size);
      if (next == nullptr)
      {
        break;
      }
      const bool idle = next->memory == nullptr
                     || (next->has_run != nullptr
                         && attributes.device.calls->event_query(next->has_run) == CUDA_SUCCESS);
      if (idle && (found == nullptr || (found->in_pool && !next->in_pool)))
      {
        std::swap(found, next); // memory that is kept serves first
      }
      if (next != nullptr && (!idle || !forget(*next)))
      {
        next->give_back();
      }
    }
    return found;
  }

  // Takes the next workspace, round and round, that has not settled.
  workspace* take_next(std::uint64_t context, int size)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::vector<entry>& entries = all_[size];
    std::size_t& next                 = next_[size];
    for (std::size_t tried = 0; tried < entries.size(); ++tried)
    {
      next = next + 1 < entries.size() ? next + 1 : 0;
      if (!entries[next].settled && entries[next].context == context && entries[next].is->try_take())
      {
        return entries[next].is;
      }
    }
    return nullptr;
  }

  // How many more workspaces there are than are kept.
  int beyond_kept(std::uint64_t context, int size)
  {
    return count(context, size) - workspace_sizes[size].max_kept;
  }

  // Frees the memory; true where that is done, and the workspace is nobody's until `add` gives it out again.
  bool forget(workspace& taken)
  {
    const context_state from = state_of(taken.context);
    if (!taken.in_pool || cudaFreeAsync(taken.memory, from.stream))
    {
      (void) (taken.in_pool ? cudaGetLastError() : cudaSuccess); // another error is the caller's own
      return false;
    }
    // The event goes: the workspace's next taker may be in another context, where it is none.
    (void) cudaEventDestroy(taken.has_run);
    taken.has_run = nullptr;
    taken.memory  = nullptr;
    taken.in_pool = false;
    const std::lock_guard<std::mutex> lock(mutex_);
    all_[taken.size][taken.position].context = 0;
    take_out(taken);
    taken.next = std::exchange(empty_[taken.size], &taken);
    --of(taken.context).to_be_shared[taken.size];
    return true;
  }

  workspace& add(int size)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (workspace* const again = empty_[size])
    {
      empty_[size] = again->next;
      return *again;
    }
    workspace* const added = new workspace{size};
    added->position        = all_[size].size();
    all_[size].push_back({0, false, added});
    return *added;
  }

  // Allocates from a pool, in a stream of our own in which nothing is ever waited for: such memory can be freed while others'
  // work is under way, where cudaFree would wait. False without pools, or without such a stream (a green context is current).
  bool allocate_in_pool(workspace& taken, int device)
  {
    if (state_of(taken.context).pool == nullptr && !make_pool(taken.context, device))
    {
      return false;
    }
    const context_state now = state_of(taken.context);
    cudaError_t error       = cudaMallocFromPoolAsync(&taken.memory, taken.bytes(), now.pool, now.stream);
    if (!error)
    {
      error = cudaStreamSynchronize(now.stream);
      (void) (error ? cudaFreeAsync(taken.memory, now.stream) : error);
    }
    (void) (error ? cudaGetLastError() : error);
    return !error;
  }

  // Makes the context's pool and stream. Of two threads that come here at once, the second one's are destroyed.
  bool make_pool(std::uint64_t context, int device)
  {
    cudaStream_t stream = nullptr;
    cudaMemPool_t pool  = nullptr;
    cudaMemPoolProps props{};
    props.allocType     = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id   = device;
    const bool streams  = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess;
    if (!streams || cudaMemPoolCreate(&pool, &props))
    {
      (void) cudaGetLastError();
      (void) (streams ? cudaStreamDestroy(stream) : cudaSuccess);
      return false;
    }
    std::unique_lock<std::mutex> lock(mutex_);
    context_state& here = of(context);
    if (here.pool == nullptr)
    {
      here.stream = stream;
      here.pool   = pool;
      return true;
    }
    lock.unlock();
    (void) cudaMemPoolDestroy(pool);
    (void) cudaStreamDestroy(stream);
    return true;
  }

  struct context_state
  {
    std::uint64_t context;
    context_state* next; // in the list
    int settled = 0;
    int to_be_shared[workspace_size_count]{}; // with memory, and not settled
    cudaStream_t stream = nullptr;
    cudaMemPool_t pool  = nullptr;
  };

  context_state state_of(std::uint64_t context)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    return of(context);
  }

  // A context's state; to be called, and used, under the lock.
  context_state& of(std::uint64_t context)
  {
    for (context_state* each = contexts_; each != nullptr; each = each->next)
    {
      if (each->context == context)
      {
        return *each;
      }
    }
    contexts_ = new context_state{context, contexts_};
    return *contexts_;
  }

  std::mutex mutex_;
  std::vector<entry> all_[workspace_size_count];
  std::size_t next_[workspace_size_count]{};
  workspace* of_streams_[4096]{};            // lists: <unordered_map> takes 5 % of a call's compile time
  workspace* empty_[workspace_size_count]{}; // lists: taken, by nobody
  context_state* contexts_ = nullptr;
};
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
