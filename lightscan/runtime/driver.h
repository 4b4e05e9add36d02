// How a CUDA call ended, and the calls that go to the driver itself.
#pragma once

#include <lightscan/version.h>

#include <atomic>

#include <cuda.h> // types of the driver's functions; the library itself is not linked
#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
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

// Whether only a kernel can have caused an error. No call here waits for one, so it was one that ran before.
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

inline outcome reported(cudaError_t error, const char* doing)
{
  return {error, is_from_earlier_work(error) ? "reaching a GPU on which earlier work has failed" : doing};
}

// Reports a failed call of the runtime and takes it out of the thread's last-error state, so that nobody else is blamed for
// it. An error of the caller's own that was there before, the failed call has overwritten.
inline outcome failed(cudaError_t error, const char* doing)
{
  (void) cudaGetLastError();
  return reported(error, doing);
}

// Reports a failed call of the driver, which leaves nothing behind: what cudaGetLastError would say is the caller's own. The
// two number their errors alike.
inline outcome failed(CUresult result, const char* doing)
{
  return reported(static_cast<cudaError_t>(result), doing);
}

// The driver's functions that scans call. Through the runtime each of these questions takes three times as long, and a launch 0.4
// microseconds more than for a kernel with a short name, probably because the handle is found by it: a template's is several
// hundred characters long (perf/DECISIONS.md, driver-calls).
struct driver
{
#if CUDA_VERSION >= 12040
  using resource      = CUdevResource;
  using resource_type = CUdevResourceType;
#else // no green contexts
  struct resource;
  using resource_type = int;
#endif

  CUresult (*context_id)(CUcontext, unsigned long long*);
  CUresult (*context_resource)(CUcontext, resource*, resource_type); // null before CUDA 12.4
  CUresult (*stream_id)(CUstream, unsigned long long*);
  CUresult (*stream_context)(CUstream, CUcontext*);
  CUresult (*stream_is_capturing)(CUstream, CUstreamCaptureStatus*);
  CUresult (*event_record)(CUevent, CUstream);
  CUresult (*event_query)(CUevent);
  CUresult (*launch)(
    CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**, void**);
  CUresult (*launch_cooperatively)(
    CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**);
  decltype(&cuTensorMapEncodeTiled) encode_tensor_map;
};

// Finds a function of the driver: null where the driver is older than `version`.
template <class Function>
outcome find_in_driver(const char* name, Function*& function, unsigned version)
{
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  if (const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &status))
  {
    return failed(error, "looking into the driver (is there a usable GPU and driver?)");
  }
  function = reinterpret_cast<Function*>(found);
  return {};
}

template <class Function>
outcome find_in_driver(const char* name, Function*& function)
{
  const outcome done = find_in_driver(name, function, 12000);
  return done && function == nullptr ? outcome{cudaErrorInsufficientDriver, "looking for a function of the driver"}
                                     : done;
}

// The driver's functions, looked up until that succeeds, and then never again.
inline outcome find_driver(const driver*& result)
{
  static std::atomic<const driver*> known{nullptr};
  result = known.load(std::memory_order_acquire);
  if (result != nullptr)
  {
    return {};
  }
  driver found{};
  outcome done = find_in_driver("cuCtxGetId", found.context_id);
  done         = done ? find_in_driver("cuCtxGetDevResource", found.context_resource, 12040) : done;
  done         = done ? find_in_driver("cuStreamGetId", found.stream_id) : done;
  done         = done ? find_in_driver("cuStreamGetCtx", found.stream_context) : done;
  done         = done ? find_in_driver("cuStreamIsCapturing", found.stream_is_capturing) : done;
  done         = done ? find_in_driver("cuEventRecord", found.event_record) : done;
  done         = done ? find_in_driver("cuEventQuery", found.event_query) : done;
  done         = done ? find_in_driver("cuLaunchKernel", found.launch) : done;
  done         = done ? find_in_driver("cuLaunchCooperativeKernel", found.launch_cooperatively) : done;
  done         = done ? find_in_driver("cuTensorMapEncodeTiled", found.encode_tensor_map) : done;
  if (done)
  {
    const driver* const mine = new driver(found);
    if (known.compare_exchange_strong(result, mine, std::memory_order_acq_rel))
    {
      result = mine;
    }
    else
    {
      delete mine; // another thread was first
    }
  }
  return done;
}

// An object with which, as long as it lives, this thread may call what CUDA forbids where a stream is being captured: for memory
// that is nobody's graph's, and with questions about other streams' work.
class outside_of_captures
{
public:
  outside_of_captures()
  {
    (void) cudaThreadExchangeStreamCaptureMode(&mode_);
  }
  outside_of_captures(const outside_of_captures&)            = delete;
  outside_of_captures& operator=(const outside_of_captures&) = delete;
  ~outside_of_captures()
  {
    (void) cudaThreadExchangeStreamCaptureMode(&mode_);
  }

private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
