// Attributes of the stream of a call: the GPU, the part of it that the stream may have, whether the stream is being captured,
// and the workspace of its last launch.
#pragma once

#include <lightscan/runtime/device.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/version.h>

#include <cstdint>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
struct workspace; // workspace.h

struct stream_attributes
{
  device_attributes device;
  int multiprocessors       = 0; // those that its blocks may have
  bool captured             = false;
  unsigned long long id     = 0;       // where not captured
  workspace* last_workspace = nullptr; // of its last launch; it may be another stream's meanwhile
};

// The attributes of `stream` in the context that was current when this thread first came with it, this thread's own until its
// next call. A call on the same stream as the thread's last one asks the driver two questions; nothing else is looked up.
// For that the stream's id is enough: it is unique for the life of the process (CUDA Driver API, cuStreamGetId), and the
// default streams have another one in every context (measured, across cudaDeviceReset and on two GPUs).
inline outcome attributes_of(cudaStream_t stream, stream_attributes*& attributes)
{
  alignas(64) thread_local stream_attributes last; // one cache line (perf/DECISIONS.md, last-stream)
  const driver* calls = nullptr;
  if (const outcome found = find_driver(calls); !found)
  {
    return found;
  }
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  CUresult asked                = calls->stream_is_capturing(stream, &capture);
  if (asked == CUDA_ERROR_INVALID_CONTEXT || asked == CUDA_ERROR_CONTEXT_IS_DESTROYED)
  {
    // A thread without a context yet, or with one from before a cudaDeviceReset: this gets it one.
    std::uint64_t context = 0;
    if (const outcome found = current_context(*calls, context); !found)
    {
      return found;
    }
    asked = calls->stream_is_capturing(stream, &capture);
  }
  if (asked)
  {
    return failed(asked, "asking whether the stream is being captured");
  }
  const bool captured   = capture != CU_STREAM_CAPTURE_STATUS_NONE;
  unsigned long long id = 0;
  if (!captured) // or the question would end the capture
  {
    if (const CUresult refused = calls->stream_id(stream, &id))
    {
      return failed(refused, "asking for the stream's id");
    }
  }
  attributes = &last;
  if (captured || last.id != id || last.captured || last.device.calls == nullptr)
  {
    last = {};
    if (const outcome found = current_device(*calls, last.device); !found)
    {
      return found;
    }
    if (const outcome found = multiprocessors_for(last.device, stream, last.multiprocessors); !found)
    {
      last = {};
      return found;
    }
    last.captured = captured;
    last.id       = id;
  }
  return {};
}

// Whether memory that a user's allocator gives for one launch must not be taken: the graph may be replayed when the allocator
// has long given that memory to others. A question that fails is asked again by the launch, which reports it.
inline bool is_captured(cudaStream_t stream)
{
  stream_attributes* attributes = nullptr;
  return attributes_of(stream, attributes) && attributes->captured;
}

// Forgets a stream after a scan that failed: it may have been another GPU's than the one that was current.
inline void forget(stream_attributes& attributes)
{
  attributes = {};
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
