/// @file
/// lightscan::par and lightscan::par_nosync: what a Thrust program writes where thrust::device stood.
///
/// Types only. A plain C++ file may include this header, hold policies and pass them on; the scans themselves come with
/// <lightscan/scan.h> in files that nvcc compiles.
#pragma once

#include <lightscan/version.h>

#include <thrust/system/cuda/execution_policy.h>

#include <cuda_runtime_api.h>

namespace lightscan
{
/// The base of every LightScan policy. Being nearer to them than thrust::cuda::execution_policy, it wins the overload
/// resolution of the scans in <lightscan/scan.h>; every other algorithm finds Thrust's CUDA backend through its base.
/// @tparam Derived the policy itself
template <class Derived>
struct execution_policy : THRUST_NS_QUALIFIER::cuda::execution_policy<Derived>
{};

/// A policy with a stream: what `.on(stream)` returns.
/// @tparam Synchronizes whether a call returns only when its result is there
template <bool Synchronizes>
class stream_policy : public execution_policy<stream_policy<Synchronizes>>
{
public:
  /// @param stream where the work is queued; it must exist as long as the policy is used
  LIGHTSCAN_HOST_DEVICE explicit stream_policy(cudaStream_t stream)
      : stream_(stream)
  {}

  /// The same policy on another stream.
  /// @param stream where the work is queued
  /// @return the policy on that stream
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE stream_policy on(cudaStream_t stream) const
  {
    return stream_policy(stream);
  }

private:
  // get_stream and must_perform_optional_stream_synchronization are the points at which Thrust's CUDA backend asks a
  // policy, found by argument-dependent lookup.
  friend LIGHTSCAN_HOST_DEVICE cudaStream_t get_stream(const stream_policy& policy)
  {
    return policy.stream_;
  }

  friend LIGHTSCAN_HOST_DEVICE bool must_perform_optional_stream_synchronization(const stream_policy&)
  {
    return Synchronizes;
  }

  cudaStream_t stream_;
};

/// A policy on the default stream, which Thrust's own get_stream supplies (the per-thread one under
/// CUDA_API_PER_THREAD_DEFAULT_STREAM). It has no data members: thrust::reference asks through a null policy.
/// @tparam Synchronizes whether a call returns only when its result is there
template <bool Synchronizes>
struct default_policy : execution_policy<default_policy<Synchronizes>>
{
  constexpr default_policy() = default;

  /// The same policy on a stream.
  /// @param stream where the work is queued; it must exist as long as the policy is used
  /// @return the policy on that stream
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE stream_policy<Synchronizes> on(cudaStream_t stream) const
  {
    return stream_policy<Synchronizes>(stream);
  }

private:
  friend LIGHTSCAN_HOST_DEVICE bool must_perform_optional_stream_synchronization(const default_policy&)
  {
    return Synchronizes;
  }
};

/// The type of lightscan::par.
using par_t = default_policy<true>;

/// The type of lightscan::par_nosync.
using par_nosync_t = default_policy<false>;

#if defined(__CUDA_ARCH__)
static __device__ constexpr par_t par{};
static __device__ constexpr par_nosync_t par_nosync{};
#else
/// Runs on the GPU and returns when the result is there. The stream is the default one, or that of `par.on(stream)`.
///
/// Thread safety: policies are values; any number of threads may call with them at once, on one stream or several.
inline constexpr par_t par{};

/// Runs on the GPU and returns as soon as the work is queued: the result is there for later work on the same stream, and
/// for the host after it has waited for the stream. The ranges must live that long. As with thrust::cuda::par_nosync,
/// an algorithm whose return value depends on the data waits all the same; our own scans do not.
///
/// Thread safety: as lightscan::par.
inline constexpr par_nosync_t par_nosync{};
#endif
} // namespace lightscan
