// Memory in stream order that grows with the input, for one call: from a pool of our own, which keeps some of it. CUDA's default pool
// gives all back to the system whenever somebody waits for the GPU, unless a program has told it not to, and getting 5 KB of it again
// took a millisecond (perf/DECISIONS.md, pool-threshold).
#pragma once

#include <lightscan/runtime/device.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/version.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
// That a pool keeps while nobody has it.
inline constexpr std::uint64_t kept_pool_bytes = std::uint64_t{64} << 20;

inline outcome make_pool(int device, cudaMemPool_t& pool)
{
  cudaMemPoolProps properties{};
  properties.allocType     = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id   = device;
  std::uint64_t threshold  = kept_pool_bytes;
  if (const cudaError_t error = cudaMemPoolCreate(&pool, &properties))
  {
    return failed(error, "making a pool of memory");
  }
  if (const cudaError_t error = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold))
  {
    (void) cudaMemPoolDestroy(pool);
    return failed(error, "telling a pool how much memory to keep");
  }
  return {};
}

struct context_pool
{
  std::uint64_t context;
  cudaMemPool_t pool;
};

// The current context's pool. A context that is reset takes its own with it.
inline outcome current_pool(cudaMemPool_t& pool)
{
  static std::mutex mutex;
  // As few as GPUs: <map> is more to compile than this header. Never destroyed: a global's destructor may call.
  static auto& pools  = *new std::vector<context_pool>;
  const driver* calls = nullptr;
  device_attributes device;
  outcome done = find_driver(calls);
  done         = done ? current_device(*calls, device) : done;
  if (!done)
  {
    return done;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  for (const context_pool& known : pools)
  {
    if (known.context == device.context)
    {
      pool = known.pool;
      return {};
    }
  }
  pools.reserve(pools.size() + 1); // a pool that could not be noted would be lost
  const outside_of_captures allowed;
  done = make_pool(device.device, pool);
  if (done)
  {
    pools.push_back({device.context, pool});
  }
  return done;
}

// A graph's memory is the graph's. An error where the stream is another GPU's than the current one, whose pool this would be: the
// stream's GPU may not reach that.
inline outcome allocate(void*& memory, std::size_t bytes, cudaStream_t stream)
{
  stream_attributes* attributes = nullptr;
  if (const outcome asked = attributes_of(stream, attributes); !asked)
  {
    return asked;
  }
  if (attributes->captured)
  {
    const cudaError_t error = cudaMallocAsync(&memory, bytes, stream);
    return error ? failed(error, "allocating memory in a graph") : outcome{};
  }
  cudaMemPool_t pool = nullptr;
  outcome found      = expect_current(attributes->device);
  found              = found ? current_pool(pool) : found;
  if (!found)
  {
    forget(*attributes);
    return found;
  }
  const cudaError_t error = cudaMallocFromPoolAsync(&memory, bytes, pool, stream);
  return error ? failed(error, "allocating memory from a pool") : outcome{};
}

// The same for a call that waits in any case: more than the pool keeps is CUDA's plain memory. The pool would get it from the system for
// each call and give it back at the next wait, which takes several times as long (perf/DECISIONS.md, plain-memory).
inline outcome allocate_for_waiting(void*& memory, std::size_t bytes, cudaStream_t stream)
{
  if (bytes <= kept_pool_bytes)
  {
    return allocate(memory, bytes, stream);
  }
  stream_attributes* attributes = nullptr;
  if (const outcome asked = attributes_of(stream, attributes); !asked)
  {
    return asked;
  }
  if (const outcome current = expect_current(attributes->device); !current)
  {
    forget(*attributes);
    return current;
  }
  const outside_of_captures allowed;
  const cudaError_t error = cudaMalloc(&memory, bytes);
  return error ? failed(error, "allocating memory") : outcome{};
}

// Gives it back behind what was queued. What fails is left for later calls to report.
inline void release_waited(void* memory, std::size_t bytes, cudaStream_t stream)
{
  if (bytes <= kept_pool_bytes)
  {
    (void) cudaFreeAsync(memory, stream);
    return;
  }
  const outside_of_captures allowed;
  (void) cudaStreamSynchronize(stream);
  (void) cudaFree(memory);
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
