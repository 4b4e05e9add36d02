// The memory for slots that one launch has: a workspace, taken while the launch is queued, or memory that a graph allocates and
// frees.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/runtime/workspace.h>
#include <lightscan/version.h>

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
// A launch's part in a workspace, or in other memory: where its slots are, and which tags are its own.
struct lease
{
  void* memory            = nullptr;
  std::uint32_t first_tag = 1;
  workspace* from         = nullptr;
  bool in_graph           = false; // memory that the graph allocates and frees
};

inline constexpr std::uint64_t unknown_tags = 0;

// Records the event that tells when the workspace is free. Where that fails, no event tells, and no other stream gets it.
inline outcome mark(const driver& calls, cudaStream_t stream, workspace& taken)
{
  if (taken.has_run == nullptr)
  {
    const outside_of_captures allowed;
    if (const cudaError_t error = cudaEventCreateWithFlags(&taken.has_run, cudaEventDisableTiming))
    {
      taken.has_run = nullptr;
      return failed(error, "making the event that tells when a workspace is free");
    }
  }
  if (const CUresult refused = calls.event_record(taken.has_run, stream))
  {
    (void) cudaEventDestroy(taken.has_run);
    taken.has_run = nullptr;
    return failed(refused, "recording the event that tells when a workspace is free");
  }
  return {};
}

// Gives a lease back, after the launch or where it failed: what has been queued may use the workspace until it has run.
inline outcome release(const driver& calls, cudaStream_t stream, const lease& done)
{
  if (done.in_graph)
  {
    const cudaError_t error = cudaFreeAsync(done.memory, stream);
    return error ? failed(error, "freeing the workspace of a captured launch") : outcome{};
  }
  if (done.from == nullptr)
  {
    return {};
  }
  workspace& taken = *done.from;
  const bool stays = taken.settled
                  || (++taken.launches > settles_after && workspace_registry::instance().settle(taken));
  const outcome marked = stays ? outcome{} : mark(calls, stream, taken);
  taken.give_back();
  return marked;
}

inline outcome clear(void* memory, std::size_t bytes, cudaStream_t stream)
{
  const cudaError_t error = cudaMemsetAsync(memory, 0, bytes, stream);
  return error ? failed(error, "clearing the memory for slots") : outcome{};
}

// Leases `bytes` of memory for a launch that uses up so many tags at most, or unknown_tags where only the GPU knows and nothing
// bounds them.
inline outcome
acquire(stream_attributes& attributes, cudaStream_t stream, std::size_t bytes, std::uint64_t tags, lease& result)
{
  workspace* taken = attributes.last_workspace;
  if (taken == nullptr || taken->bytes() < bytes || !taken->try_take_for(attributes))
  {
    taken                     = &workspace_registry::instance().take(attributes, bytes);
    attributes.last_workspace = taken;
  }
  result.from  = taken;
  outcome done = taken->memory != nullptr ? outcome{}
                                          : workspace_registry::instance().allocate(*taken, attributes.device);
  if (done && (tags == unknown_tags || taken->next_tag == 0 || tags > carry::last_tag - taken->next_tag))
  {
    // A workspace that is new, or at its last tags, or for tags without number, after which it is cleared again: forget them all.
    done            = clear(taken->memory, taken->bytes(), stream);
    taken->next_tag = done ? 1 : 0;
  }
  if (!done)
  {
    (void) release(*attributes.device.calls, stream, result);
    return done;
  }
  result.memory    = taken->memory;
  result.first_tag = taken->next_tag;
  taken->next_tag  = tags == unknown_tags ? 0 : taken->next_tag + static_cast<std::uint32_t>(tags);
  return {};
}

// So many bytes at least a graph clears, as far as there are so many: then a kernel of the driver's does it, which runs beside other
// branches' work, and right before the kernel that waits for it (perf/DECISIONS.md, cleared-in-graph).
inline constexpr std::size_t least_cleared_in_graph = 8192;

// Clears the memory for a captured launch's slots: of `there` bytes those that it uses, and more where that is faster.
inline outcome clear_in_graph(void* memory, std::size_t bytes, std::size_t there, cudaStream_t stream)
{
  const std::size_t least = there < least_cleared_in_graph ? there : least_cleared_in_graph;
  return clear(memory, bytes < least ? least : bytes, stream);
}

// Leases memory for a captured launch.
inline outcome acquire_in_graph(cudaStream_t stream, std::size_t bytes, lease& result)
{
  bytes = bytes < least_cleared_in_graph ? least_cleared_in_graph : bytes;
  if (const cudaError_t error = cudaMallocAsync(&result.memory, bytes, stream))
  {
    return failed(error, "allocating a workspace in a graph");
  }
  result.in_graph          = true;
  const outcome is_cleared = clear(result.memory, bytes, stream);
  if (!is_cleared)
  {
    (void) cudaFreeAsync(result.memory, stream);
  }
  return is_cleared;
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
