// What is known of the current GPU: looked up once per host thread and CUDA context; of a kernel: once per context.
#pragma once

#include <lightscan/dispatch/driver.h>
#include <lightscan/version.h>

#include <cstdint>
#include <mutex>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Number of the current context, unique for the life of the process; cudaDeviceReset makes a new one. Everything cached
// here is keyed on it.
inline outcome current_context(const driver& calls, std::uint64_t& id)
{
  unsigned long long value = 0;
  if (calls.context_id(nullptr, &value) != CUDA_SUCCESS)
  {
    // A thread without a context yet: the runtime makes one. Allowed while another thread captures.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void) cudaThreadExchangeStreamCaptureMode(&mode);
    const cudaError_t error = cudaFree(nullptr);
    (void) cudaThreadExchangeStreamCaptureMode(&mode);
    if (error)
    {
      return failed(error, "starting CUDA on the current device (is there a usable GPU and driver?)");
    }
    if (calls.context_id(nullptr, &value) != CUDA_SUCCESS)
    {
      return failed(cudaErrorDeviceUninitialized, "asking the driver for the current context");
    }
  }
  id = value;
  return {};
}

struct device_facts
{
  const driver* calls   = nullptr;
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
  const driver* calls   = nullptr;
  std::uint64_t context = 0;
  if (const outcome found = find_driver(calls); !found)
  {
    return found;
  }
  if (const outcome found = current_context(*calls, context); !found)
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
    cached.calls = calls;
  }
  facts = cached;
  return {};
}

// What is known of one kernel on one device, for one number of threads in a block.
struct kernel_facts
{
  std::uint64_t context = 0;
  CUfunction function   = nullptr; // in that context
  int resident_blocks   = 0;       // on the whole device
  int compiled_for      = 0;       // compute capability of the code that runs, 90 for sm_90
};

template <auto Kernel>
outcome query(const device_facts& device, int threads, int dynamic_shared_bytes, kernel_facts& facts)
{
  cudaFuncAttributes attributes{};
  cudaError_t error = cudaFuncGetAttributes(&attributes, Kernel);
  if (!error)
  {
    error = cudaGetFuncBySymbol(&facts.function, reinterpret_cast<const void*>(Kernel));
  }
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
  facts.context = device.context;
  return {};
}

// Asked once per kernel, number of threads and context: `Kernel` makes each one's cache a different object.
template <auto Kernel>
outcome kernel_on(const device_facts& device, int threads, int dynamic_shared_bytes, kernel_facts& facts)
{
  static std::mutex mutex;
  static kernel_facts cache[4][33];
  const std::lock_guard<std::mutex> lock(mutex);
  kernel_facts& known = cache[device.context % 4][threads / 32];
  if (known.context != device.context)
  {
    kernel_facts found;
    if (const outcome asked = query<Kernel>(device, threads, dynamic_shared_bytes, found); !asked)
    {
      return asked;
    }
    known = found;
  }
  facts = known;
  return {};
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
