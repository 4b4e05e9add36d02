/// @file
/// Which way a call takes: asked of a scan's types at compile time, and of the calling thread's last call at run time.
///
///     static_assert(lightscan::fastest_path_v<const int*, long long*, long long> == lightscan::path::bulk_pipeline);
///
///     thrust::inclusive_scan(lightscan::par, in.begin(), in.end(), out.begin());
///     const bool small_or_another_gpu = lightscan::last_launch().taken != lightscan::path::bulk_pipeline;
///
/// Profilers show each scan, selection and reduction by key, Thrust's and CUB's own too, as an NVTX range of the domain
/// "lightscan", named after the call and the kernel, with the number of items as payload. A program compiled with
/// LIGHTSCAN_DEBUG_SYNC defined waits for each of them, reports its errors at once, and says on stderr what ran.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/entry/types.h>
#include <lightscan/runtime/report.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
namespace entry
{
template <class InputIt, class OutputIt, class T>
constexpr path fastest_path()
{
  if constexpr (!is_accelerated_v<T>)
  {
    return path::thrust;
  }
  else
  {
    using view = dispatch::bulk_view<dispatch::tuned_policies, tile::scan_kind<T, true>, OutputIt, InputIt>;
    return view::type::serves ? path::bulk_pipeline : path::plain_kernel;
  }
}
} // namespace entry

/// The fastest way that a scan of these types, not one by key, can take (of other calls last_launch() tells): the one for large inputs.
/// Smaller inputs take the plain kernel where this says bulk_pipeline, and so do large ones that find too little shared memory: those of a program that brings PTX for sm_90
/// to a GPU of compute capability 12.x. Where it says thrust, a scan with a LightScan policy is Thrust's own, and one by
/// lightscan::DeviceScan is CUB's own (path::cub).
/// @tparam InputIt the input's iterator
/// @tparam OutputIt the output's iterator
/// @tparam T the type that is accumulated in
template <class InputIt, class OutputIt, class T>
inline constexpr path fastest_path_v = entry::fastest_path<InputIt, OutputIt, T>();

/// What the calling thread's last call with a LightScan policy for GPUs, or by lightscan::DeviceScan or its like, launched.
/// @return the kernel and its shape; path::thrust where Thrust's own algorithm ran, path::cub where CUB's did; path::none
///   before the first call, for an empty range (but for `Device...` calls that write a number of results, which launch for it), and
///   where nothing was launched, because CUDA, arguments or storage did not allow it
inline launch_report last_launch()
{
  return runtime::last_report();
}
#endif

LIGHTSCAN_NAMESPACE_END
