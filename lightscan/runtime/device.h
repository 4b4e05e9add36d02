// Attributes of the current GPU, and of a kernel on it: asked for once in a CUDA context, whatever the thread and the size of
// the scan.
#pragma once

#include <lightscan/runtime/driver.h>
#include <lightscan/version.h>

#include <cstdint>
#include <mutex>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
// The number of the current context, unique for the life of the process; cudaDeviceReset makes a new one. Everything cached
// here is keyed on it.
inline outcome current_context(const driver& calls, std::uint64_t& id)
{
  unsigned long long value = 0;
  if (calls.context_id(nullptr, &value) != CUDA_SUCCESS)
  {
    // A thread without a context yet: the runtime makes one.
    const outside_of_captures allowed;
    if (const cudaError_t error = cudaFree(nullptr))
    {
      return failed(error, "starting CUDA on the current device (is there a usable GPU and driver?)");
    }
    if (const CUresult refused = calls.context_id(nullptr, &value))
    {
      return failed(refused, "asking the driver for the current context");
    }
  }
  id = value;
  return {};
}

// Attributes that were found, for all threads: a direct-mapped cache of 16 entries, indexed by the context's number. Contexts'
// numbers follow one another, so those of a machine's GPUs do not meet in one entry (perf/DECISIONS.md, remembered-contexts).
template <class Attributes>
class found_before
{
public:
  // The attributes in a context; calls `query(attributes)` where nothing is known yet. Not under the lock: a query loads a kernel, for
  // which CUDA may wait for what this GPU runs, and that for another GPU (ranks/queue.h), whose thread must not wait here. So two
  // threads may ask the same.
  template <class Query>
  outcome get(std::uint64_t context, Attributes& attributes, Query query)
  {
    if (knows(context, attributes))
    {
      return {};
    }
    Attributes found;
    if (const outcome asked = query(found); !asked)
    {
      return asked;
    }
    found.context = context;
    attributes    = found;
    const std::lock_guard<std::mutex> lock(mutex_);
    of_context_[context % remembered] = found;
    return {};
  }

private:
  static constexpr std::uint64_t remembered = 16;

  bool knows(std::uint64_t context, Attributes& attributes)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Attributes& known = of_context_[context % remembered];
    if (known.context != context)
    {
      return false;
    }
    attributes = known;
    return true;
  }

  std::mutex mutex_;
  Attributes of_context_[remembered];
};

struct device_attributes
{
  const driver* calls   = nullptr;
  std::uint64_t context = 0;
  int device            = 0;
  int multiprocessors   = 0;
  int shared_bytes      = 0; // that one block can be given
  bool cooperative      = false;
};

inline outcome query(device_attributes& attributes)
{
  int cooperative   = 0;
  cudaError_t error = cudaGetDevice(&attributes.device);
  const auto ask    = [&](int& answer, cudaDeviceAttr what) {
    error = error ? error : cudaDeviceGetAttribute(&answer, what, attributes.device);
  };
  ask(attributes.multiprocessors, cudaDevAttrMultiProcessorCount);
  ask(attributes.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  ask(cooperative, cudaDevAttrCooperativeLaunch);
  attributes.cooperative = cooperative != 0;
  return error ? failed(error, "asking what the GPU can do") : outcome{};
}

// The attributes of the current context's device.
inline outcome current_device(const driver& calls, device_attributes& attributes)
{
  std::uint64_t context = 0;
  if (const outcome found = current_context(calls, context); !found)
  {
    return found;
  }
  static found_before<device_attributes> all;
  return all.get(context, attributes, [&](device_attributes& asked) {
    asked.calls = &calls;
    return query(asked);
  });
}

// An error unless `device` is current. Checked before CUDA is asked, or gives memory, for `device`: it would answer for the
// current one. They differ where a thread goes on with its last stream while another GPU is current; what came of that must not
// be remembered.
inline outcome expect_current(const device_attributes& device)
{
  std::uint64_t context = 0;
  if (const outcome found = current_context(*device.calls, context); !found)
  {
    return found;
  }
  return context == device.context
         ? outcome{}
         : outcome{cudaErrorInvalidResourceHandle, "scanning on a stream of a GPU that is not current"};
}

struct context_attributes
{
  std::uint64_t context = 0;
  int multiprocessors   = 0;
};

// The number of multiprocessors that work on `stream` may have: the GPU's, or those of the green context that it belongs to.
// `device` is the stream's. Being captured changes nothing, and a graph's kernels run in the context where they were captured,
// wherever it is launched (measured with CUDA 13.0).
inline outcome multiprocessors_for(const device_attributes& device, cudaStream_t stream, int& multiprocessors)
{
  multiprocessors = device.multiprocessors;
#if CUDA_VERSION >= 12040
  const driver& calls = *device.calls;
  if (calls.context_resource == nullptr)
  {
    return {};
  }
  CUcontext context = nullptr;
  unsigned long long id{};
  CUresult asked = calls.stream_context(stream, &context);
  asked          = asked ? asked : calls.context_id(context, &id);
  if (asked)
  {
    return failed(asked, "asking for the stream's context");
  }
  static found_before<context_attributes> all;
  context_attributes found;
  const outcome done = all.get(id, found, [&](context_attributes& attributes) {
    driver::resource part{};
    const CUresult refused     = calls.context_resource(context, &part, CU_DEV_RESOURCE_TYPE_SM);
    attributes.multiprocessors = static_cast<int>(part.sm.smCount);
    return refused ? failed(refused, "asking how many multiprocessors the stream's context has") : outcome{};
  });
  multiprocessors    = found.multiprocessors;
  return done;
#else
  (void) stream;
  return {};
#endif
}

inline constexpr int max_warps = 32; // of a block, on every GPU there is

// Attributes of one kernel in one context.
struct kernel_attributes
{
  std::uint64_t context = 0;
  CUfunction function   = nullptr;           // in that context
  int compiled_for      = 0;                 // compute capability of the code that runs, 90 for sm_90
  std::uint8_t blocks_each[max_warps + 1]{}; // resident on a multiprocessor, by the number of warps in a block
};

// Asks for everything at once: a scan of another size, hence with other blocks, asks nothing again.
template <auto Kernel, class SharedBytes>
outcome query(const device_attributes& device, SharedBytes dynamic_shared_bytes_for, kernel_attributes& attributes)
{
  cudaFuncAttributes code{};
  cudaError_t error = cudaFuncGetAttributes(&code, Kernel);
  if (!error)
  {
    error = cudaGetFuncBySymbol(&attributes.function, reinterpret_cast<const void*>(Kernel));
  }
  if (error)
  {
    return failed(error, "looking for the kernel's code (was it compiled for this GPU?)");
  }
  attributes.compiled_for        = code.ptxVersion;
  const int dynamic_shared_bytes = dynamic_shared_bytes_for(attributes.compiled_for);
  const int shared_left          = device.shared_bytes - static_cast<int>(code.sharedSizeBytes);
  if (dynamic_shared_bytes <= shared_left)
  {
    if (dynamic_shared_bytes > 0)
    {
      error = cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic_shared_bytes);
    }
    for (int warps = 1; warps <= max_warps && warps * 32 <= code.maxThreadsPerBlock && !error; ++warps)
    {
      int per_multiprocessor = 0;
      error                  = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &per_multiprocessor, Kernel, warps * 32, static_cast<std::size_t>(dynamic_shared_bytes));
      attributes.blocks_each[warps] = static_cast<std::uint8_t>(per_multiprocessor);
    }
    if (error)
    {
      return failed(error, "asking how many blocks can be resident");
    }
  }
  return {};
}

// The kernel's attributes, valid until this thread's next call. `Kernel` makes each one's caches different objects.
// dynamic_shared_bytes_for(c) says how much the code for compute capability c takes.
template <auto Kernel, class SharedBytes>
outcome kernel_on(const device_attributes& device,
                  SharedBytes dynamic_shared_bytes_for,
                  const kernel_attributes*& attributes)
{
  static found_before<kernel_attributes> all;
  thread_local kernel_attributes last;
  attributes = &last;
  if (last.context == device.context)
  {
    return {};
  }
  return all.get(device.context, last, [&](kernel_attributes& asked) {
    const outcome current = expect_current(device);
    return current ? query<Kernel>(device, dynamic_shared_bytes_for, asked) : current;
  });
}

// Of one that takes none.
template <auto Kernel>
outcome kernel_on(const device_attributes& device, const kernel_attributes*& attributes)
{
  return kernel_on<Kernel>(
    device,
    [](int) {
      return 0;
    },
    attributes);
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
