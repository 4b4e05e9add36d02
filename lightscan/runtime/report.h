/// @file
/// What a launch says of itself: an NVTX range, which profilers show; the record that lightscan::last_launch() returns;
/// and, where LIGHTSCAN_DEBUG_SYNC is defined, a line on stderr once the kernel has run.
//
// NVTX_DISABLE leaves the ranges out, as in any other library. Without a profiler they cost a few nanoseconds.
#pragma once

#include <lightscan/runtime/device.h>
#include <lightscan/version.h>

#include <cstdint>
#include <cstdio>

#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

LIGHTSCAN_TYPES_NAMESPACE_BEGIN
/// The path that a call takes: a scan, a selection, a reduction by key.
enum class path
{
  none,           ///< nothing was launched: an empty range, or none asked for yet
  bulk_pipeline,  ///< the persistent pipeline for large inputs: of bulk copies from sm_90 on, of others on older GPUs
  plain_kernel,   ///< ordinary loads and stores
  batched_kernel, ///< lines of an array that lie side by side
  thrust,         ///< Thrust's own algorithm
  cub             ///< CUB's own, in the calls of lightscan::DeviceScan and the others
};

/// What a call launched. Only the call and the number of items are known of Thrust's and CUB's own.
struct launch_report
{
  path taken             = path::none; ///< the kernel
  const char* call       = ""; ///< "inclusive_scan", "select", say; a transform scan is one over a transform_iterator
  std::int64_t num_items = 0;  ///< of the range; -1 where only the GPU knows
  int blocks             = 0;  ///< resident blocks; or of whole rows all blocks
  int threads            = 0;  ///< of a block
  int tile_items         = 0;  ///< of a tile, or of a whole row
  int compiled_for       = 0;  ///< compute capability of the kernel's code: 80 where compute_80's PTX runs, on any GPU
};
LIGHTSCAN_TYPES_NAMESPACE_END

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
// The report of the calling thread's last call.
inline launch_report& last_report()
{
  thread_local launch_report report;
  return report;
}

inline const char* name_of(path taken)
{
  switch (taken)
  {
    case path::bulk_pipeline:
      return "bulk pipeline";
    case path::plain_kernel:
      return "plain kernel";
    case path::batched_kernel:
      return "batched kernel";
    case path::thrust:
      return "Thrust";
    case path::cub:
      return "CUB";
    default:
      return "nothing";
  }
}

// A range named after the call and the kernel, with the number of items as its payload.
class nvtx_range
{
public:
  explicit nvtx_range([[maybe_unused]] const launch_report& report)
  {
#if !defined(NVTX_DISABLE)
    static const nvtxDomainHandle_t domain = nvtxDomainCreateA("lightscan");
    domain_                                = domain;
    if (domain == nullptr) // no profiler listens
    {
      return;
    }
    char text[64];
    std::snprintf(text, sizeof text, "%s (%s)", report.call, name_of(report.taken));
    nvtxEventAttributes_t event{};
    event.version         = NVTX_VERSION;
    event.size            = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType     = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii   = text;
    event.payloadType     = NVTX_PAYLOAD_TYPE_INT64;
    event.payload.llValue = report.num_items;
    (void) nvtxDomainRangePushEx(domain_, &event);
#endif
  }
  nvtx_range(const nvtx_range&)            = delete;
  nvtx_range& operator=(const nvtx_range&) = delete;
  ~nvtx_range()
  {
#if !defined(NVTX_DISABLE)
    if (domain_ != nullptr)
    {
      (void) nvtxDomainRangePop(domain_);
    }
#endif
  }

private:
  [[maybe_unused]] nvtxDomainHandle_t domain_ = nullptr; // with NVTX_DISABLE, too: files may differ in it
};

// Waits for a launch by wait(), says what ran and reports how it ended, where LIGHTSCAN_DEBUG_SYNC is defined. A stream that is being
// captured cannot be waited for.
template <class Wait>
outcome watch([[maybe_unused]] const launch_report& report,
              [[maybe_unused]] cudaStream_t stream,
              [[maybe_unused]] Wait wait)
{
#if defined(LIGHTSCAN_DEBUG_SYNC)
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaError_t error               = cudaStreamIsCapturing(stream, &capture);
  if (!error && capture == cudaStreamCaptureStatusNone)
  {
    error = wait();
  }
  char shape[96] = "";
  if (report.blocks > 0) // a launch of ours
  {
    std::snprintf(shape,
                  sizeof shape,
                  ", %d blocks of %d threads, tiles of %d items",
                  report.blocks,
                  report.threads,
                  report.tile_items);
  }
  std::fprintf(stderr,
               "lightscan: %s of %lld items: %s%s: %s\n",
               report.call,
               static_cast<long long>(report.num_items),
               name_of(report.taken),
               shape,
               error                                    ? cudaGetErrorString(error)
               : capture == cudaStreamCaptureStatusNone ? "done"
                                                        : "captured");
  if (error)
  {
    (void) cudaGetLastError(); // it is reported here, and to nobody else
    return {error, "running (LIGHTSCAN_DEBUG_SYNC waits for it), or in work queued on the stream before it"};
  }
#endif
  return {};
}

inline outcome watch(const launch_report& report, cudaStream_t stream)
{
  return runtime::watch(report, stream, [stream] {
    return cudaStreamSynchronize(stream);
  });
}

// Runs another library's algorithm, which queue() puts on `stream`, and reports it in all the ways in which a launch of ours is.
template <class Queue>
outcome run_reported(path taken, const char* call, std::int64_t num_items, cudaStream_t stream, Queue queue)
{
  last_report() = launch_report{};
  const launch_report report{taken, call, num_items};
  const nvtx_range range(report);
  if (const outcome done = queue(); !done)
  {
    return done;
  }
  last_report() = report;
  return watch(report, stream);
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
