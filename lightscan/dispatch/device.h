// What is known of the current GPU: looked up once per host thread and CUDA context; of a kernel: once per context.
#pragma once

#include <lightscan/version.h>

#include <atomic>
#include <cstdint>
#include <mutex>

#include <cuda.h> // types of the driver's functions; the library itself is not linked
#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// How a call ended and, if badly, what was being done.
struct outcome
{
  cudaError_t error = cudaSuccess;
  const char* doing = "";

  explicit operator bool() const
  {
    return error == cudaSuccess;
  }
};

// Whether only a kernel can have caused it. No call here waits for one, so it was one that ran before.
inline bool is_from_earlier_work(cudaError_t error)
{
  switch (error)
  {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
      return true;
    default:
      return false;
  }
}

// Reports a failed call and takes it out of the thread's last-error state, so that nobody else is blamed for it.
inline outcome failed(cudaError_t error, const char* doing)
{
  (void) cudaGetLastError();
  return {error, is_from_earlier_work(error) ? "reaching a GPU on which earlier work has failed" : doing};
}

// Number of the current context, unique for the life of the process; cudaDeviceReset makes a new one. Everything cached
// here is keyed on it.
inline outcome current_context(std::uint64_t& id)
{
  using get_id = CUresult (*)(CUcontext, unsigned long long*);
  static std::atomic<get_id> cached{nullptr};
  get_id function          = cached.load(std::memory_order_relaxed);
  unsigned long long value = 0;
  if (function == nullptr || function(nullptr, &value) != CUDA_SUCCESS)
  {
    // The first call, or a thread without a context yet: the runtime makes one.
    if (const cudaError_t error = cudaFree(nullptr))
    {
      return failed(error, "starting CUDA on the current device (is there a usable GPU and driver?)");
    }
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status{};
    if (const cudaError_t error = cudaGetDriverEntryPointByVersion(
          "cuCtxGetId", &found, 12000, cudaEnableDefault, &status))
    {
      return failed(error, "looking up cuCtxGetId in the driver");
    }
    function = reinterpret_cast<get_id>(found);
    if (function == nullptr || function(nullptr, &value) != CUDA_SUCCESS)
    {
      return failed(cudaErrorDeviceUninitialized, "asking the driver for the current context");
    }
    cached.store(function, std::memory_order_relaxed);
  }
  id = value;
  return {};
}

struct device_facts
{
  std::uint64_t context = 0;
  int multiprocessors   = 0;
  int shared_bytes      = 0; // that one block can be given
  bool cooperative      = false;
};

inline outcome query(std::uint64_t context, device_facts& facts)
{
  int device        = 0;
  int cooperative   = 0;
  facts.context     = context;
  cudaError_t error = cudaGetDevice(&device);
  if (!error)
  {
    error = cudaDeviceGetAttribute(&facts.multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (!error)
  {
    error = cudaDeviceGetAttribute(&facts.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  }
  if (!error)
  {
    error = cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
  }
  facts.cooperative = cooperative != 0;
  return error ? failed(error, "asking what the GPU can do") : outcome{};
}

// The facts of the current context's device.
inline outcome current_device(device_facts& facts)
{
  std::uint64_t context = 0;
  if (const outcome found = current_context(context); !found)
  {
    return found;
  }
  thread_local device_facts cached;
  if (cached.context != context)
  {
    if (const outcome asked = query(context, cached); !asked)
    {
      cached.context = 0;
      return asked;
    }
  }
  facts = cached;
  return {};
}

// What is known of one kernel on one device.
struct kernel_facts
{
  int resident_blocks = 0; // on the whole device
  int compiled_for    = 0; // compute capability of the code that runs, 90 for sm_90
};

// Looked up once per kernel and context: `Kernel` makes each one's cache a different object.
template <auto Kernel>
outcome kernel_on(const device_facts& device, int threads, int dynamic_shared_bytes, kernel_facts& facts)
{
  // One word, so that it is read and written whole: context, then both facts.
  static std::atomic<std::uint64_t> cache[16];
  std::atomic<std::uint64_t>& entry = cache[device.context % 16];
  const std::uint64_t known         = entry.load(std::memory_order_relaxed);
  if (known != 0 && known >> 32 == (device.context & 0xffffffffu))
  {
    facts.resident_blocks = static_cast<int>(known & 0xffff);
    facts.compiled_for    = static_cast<int>((known >> 16) & 0xffff);
    return {};
  }

  cudaFuncAttributes attributes{};
  cudaError_t error = cudaFuncGetAttributes(&attributes, Kernel);
  if (error)
  {
    return failed(error, "looking for the kernel's code (was it compiled for this GPU?)");
  }
  facts.compiled_for    = attributes.ptxVersion;
  facts.resident_blocks = 0;
  const int shared_left = device.shared_bytes - static_cast<int>(attributes.sharedSizeBytes);
  if (dynamic_shared_bytes <= shared_left)
  {
    if (dynamic_shared_bytes > 0)
    {
      error = cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic_shared_bytes);
    }
    int per_multiprocessor = 0;
    if (!error)
    {
      error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &per_multiprocessor, Kernel, threads, static_cast<std::size_t>(dynamic_shared_bytes));
    }
    if (error)
    {
      return failed(error, "asking how many blocks can be resident");
    }
    facts.resident_blocks = per_multiprocessor * device.multiprocessors;
  }
  entry.store((device.context & 0xffffffffu) << 32 | static_cast<std::uint64_t>(facts.compiled_for) << 16
                | static_cast<std::uint64_t>(facts.resident_blocks),
              std::memory_order_relaxed);
  return {};
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
