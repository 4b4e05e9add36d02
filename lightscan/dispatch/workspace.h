// Memory for slots, in stream order.
//
// A slot is valid only under the tag its reader waits for, so a workspace needs no clearing as long as every launch on
// it uses tags that no earlier one used. Each stream gets one workspace for good, zeroed once, and each launch takes
// the next tags; launches on one stream run one after the other, so they can share it. A launch costs no allocation and
// no second kernel.
//
// Some launches have a workspace of their own instead, allocated, cleared and freed in stream order around them: those
// on a stream that is being captured into a graph (which may be replayed at any time, with the same tags, beside
// anything); those on streams beyond the first `max_workspaces` (memory must not grow with the number of streams ever
// made); and those whose number of tiles, hence of tags, only the GPU knows.
//
// Thread safety: any thread, any stream. Two threads may launch on one stream: what matters is that tags differ, not
// which launch comes first.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/driver.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/stream.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
inline constexpr std::size_t max_workspaces = 64;

// What a launch has of a workspace.
struct lease
{
  void* memory            = nullptr;
  std::uint32_t first_tag = 1;
  bool for_one_launch     = false;
};

// A stream's own. The stream's id alone is unique, but a thread's first call on it may come while another GPU is current,
// whose memory it would be: hence the context.
//
// Threads may take tags while another one has it cleared: the tags that they then get are old ones, which none has had
// before either. A line of the processor's cache each, for threads with different streams take tags at once.
struct alignas(64) stream_workspace
{
  std::uint64_t context     = 0;
  unsigned long long stream = 0;
  void* memory              = nullptr;    // set once, before the first tag
  std::atomic<std::uint32_t> next_tag{0}; // 0: not cleared yet

  // False where there are not so many left.
  bool try_take(std::uint32_t tags, lease& result)
  {
    std::uint32_t first = next_tag.load(std::memory_order_acquire);
    do
    {
      if (first == 0 || tags > carry::last_tag - first)
      {
        return false;
      }
    } while (!next_tag.compare_exchange_weak(first, first + tags, std::memory_order_acq_rel));
    result.memory         = memory;
    result.first_tag      = first;
    result.for_one_launch = false;
    return true;
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

  // `tags`: how many the launch uses up; 0 where only the GPU knows.
  outcome acquire(stream_facts& facts, cudaStream_t stream, std::size_t bytes, std::uint32_t tags, lease& result)
  {
    if (facts.captured || tags == 0)
    {
      return allocate_for_one_launch(stream, bytes, result);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    stream_workspace* const found = find_or_add(facts.device.context, facts.id);
    if (found == nullptr)
    {
      return allocate_for_one_launch(stream, bytes, result);
    }
    stream_workspace& mine = *found;
    facts.workspace        = found;
    if (mine.memory == nullptr)
    {
      if (const outcome current = expect_current(facts.device); !current)
      {
        return current;
      }
      // Allowed while another thread captures: this allocation is nobody's graph's.
      cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
      (void) cudaThreadExchangeStreamCaptureMode(&mode);
      const cudaError_t error = cudaMalloc(&mine.memory, workspace_bytes);
      (void) cudaThreadExchangeStreamCaptureMode(&mode);
      if (error)
      {
        mine.memory = nullptr;
        return failed(error, "allocating the stream's workspace");
      }
    }
    while (!mine.try_take(tags, result))
    {
      // New, or 2^31 tags later: forget them all.
      if (const cudaError_t error = cudaMemsetAsync(mine.memory, 0, workspace_bytes, stream))
      {
        mine.next_tag.store(0);
        return failed(error, "clearing the stream's workspace");
      }
      mine.next_tag.store(1, std::memory_order_release);
    }
    return {};
  }

  // Memory that the caller has for one launch.
  static outcome clear(void* memory, std::size_t bytes, cudaStream_t stream, lease& result)
  {
    if (const cudaError_t error = cudaMemsetAsync(memory, 0, bytes, stream))
    {
      return failed(error, "clearing the temporary storage");
    }
    result.memory = memory;
    return {};
  }

  // After the launch, in stream order.
  static outcome release(cudaStream_t stream, const lease& l)
  {
    if (l.for_one_launch)
    {
      if (const cudaError_t error = cudaFreeAsync(l.memory, stream))
      {
        return failed(error, "freeing the workspace of one launch");
      }
    }
    return {};
  }

private:
  // Null where there are as many as there may be. They stay where they are: threads remember theirs.
  stream_workspace* find_or_add(std::uint64_t context, unsigned long long stream)
  {
    for (std::size_t i = 0; i < used_; ++i)
    {
      if (of_stream_[i].context == context && of_stream_[i].stream == stream)
      {
        return &of_stream_[i];
      }
    }
    if (used_ == max_workspaces)
    {
      return nullptr;
    }
    stream_workspace& added = of_stream_[used_++];
    added.context           = context;
    added.stream            = stream;
    return &added;
  }

  static outcome allocate_for_one_launch(cudaStream_t stream, std::size_t bytes, lease& result)
  {
    if (const cudaError_t error = cudaMallocAsync(&result.memory, bytes, stream))
    {
      return failed(error, "allocating a workspace for one launch");
    }
    result.first_tag      = 1;
    result.for_one_launch = true;
    if (const cudaError_t error = cudaMemsetAsync(result.memory, 0, bytes, stream))
    {
      (void) cudaFreeAsync(result.memory, stream);
      return failed(error, "clearing a workspace for one launch");
    }
    return {};
  }

  std::mutex mutex_;
  stream_workspace of_stream_[max_workspaces];
  std::size_t used_ = 0;
};

// A workspace for a launch that uses up so many tags, 0 where only the GPU knows. The thread's last stream keeps its own.
inline outcome
acquire_workspace(stream_facts& facts, cudaStream_t stream, std::size_t bytes, std::uint32_t tags, lease& result)
{
  if (tags > 0 && facts.workspace != nullptr && facts.workspace->try_take(tags, result))
  {
    return {};
  }
  return workspace_registry::instance().acquire(facts, stream, bytes, tags, result);
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
