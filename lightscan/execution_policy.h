/// @file
/// lightscan::par and lightscan::par_nosync: what a Thrust program writes where thrust::device stood.
///
/// Types only. A plain C++ file may include this header, hold policies and pass them on; the scans themselves come with
/// <lightscan/scan.h> in files that nvcc compiles.
#pragma once

#include <lightscan/version.h>

#include <thrust/mr/allocator.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cuda/std/cstddef>
#include <cuda/std/type_traits>

#include <cuda_runtime_api.h>

namespace lightscan
{
/// The base of every LightScan policy. Being nearer to them than thrust::cuda::execution_policy, it wins the overload
/// resolution of the scans in <lightscan/scan.h>; every other algorithm finds Thrust's CUDA backend through its base.
/// @tparam Derived the policy itself
template <class Derived>
struct execution_policy : THRUST_NS_QUALIFIER::cuda::execution_policy<Derived>
{};

namespace policy_parts
{
// The stream of a policy that names none. Types, so that files of one program may differ in it.
struct legacy_stream
{
  static LIGHTSCAN_HOST_DEVICE cudaStream_t get()
  {
    return cudaStreamLegacy;
  }
};
struct per_thread_stream
{
  static LIGHTSCAN_HOST_DEVICE cudaStream_t get()
  {
    return cudaStreamPerThread;
  }
};
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
using default_stream = per_thread_stream;
#else
using default_stream = legacy_stream;
#endif
} // namespace policy_parts

/// A policy with an allocator and a stream: what `par(allocator)` and `par(memory_resource*)` return. Temporary memory
/// of every algorithm called with it comes from the allocator.
/// @tparam Synchronizes whether a call returns only when its result is there
/// @tparam Allocator a reference for one that was given as a variable, which must then outlive the policy; a temporary
///   one is kept as a copy
template <bool Synchronizes, class Allocator>
class allocator_policy : public execution_policy<allocator_policy<Synchronizes, Allocator>>
{
public:
  /// @param allocator where temporary memory comes from
  /// @param stream where the work is queued; it must exist as long as the policy is used
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE allocator_policy(Allocator allocator, cudaStream_t stream)
      : allocator_(static_cast<Allocator&&>(allocator))
      , stream_(stream)
  {}

  /// The same policy on another stream.
  /// @param stream where the work is queued; it must exist as long as the policy is used
  /// @return the policy with that stream
  LIGHTSCAN_EXEC_CHECK_DISABLE
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE allocator_policy on(cudaStream_t stream) const
  {
    allocator_policy moved(*this);
    moved.stream_ = stream;
    return moved;
  }

  /// @return the allocator
  LIGHTSCAN_HOST_DEVICE ::cuda::std::remove_reference_t<Allocator>& get_allocator()
  {
    return allocator_;
  }

private:
  friend LIGHTSCAN_HOST_DEVICE cudaStream_t get_stream(const allocator_policy& policy)
  {
    return policy.stream_;
  }

  friend LIGHTSCAN_HOST_DEVICE bool must_perform_optional_stream_synchronization(const allocator_policy&)
  {
    return Synchronizes;
  }

  Allocator allocator_;
  cudaStream_t stream_;
};

namespace policy_parts
{
// `policy(allocator)` and `policy(memory_resource*)` for policies with and without a stream.
template <class Derived, bool Synchronizes>
class takes_allocator
{
public:
  template <class MemoryResource>
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE auto operator()(MemoryResource* resource) const
  {
    using allocator = THRUST_NS_QUALIFIER::mr::allocator<::cuda::std::max_align_t, MemoryResource>;
    return attach<allocator>(allocator(resource));
  }

  template <class Allocator>
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE auto operator()(Allocator& allocator) const
  {
    return attach<Allocator&>(allocator);
  }

  template <class Allocator>
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE auto operator()(const Allocator& allocator) const
  {
    return attach<Allocator>(Allocator(allocator));
  }

private:
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Allocator>
  LIGHTSCAN_HOST_DEVICE allocator_policy<Synchronizes, Allocator> attach(Allocator&& allocator) const
  {
    return {static_cast<Allocator&&>(allocator), static_cast<const Derived&>(*this).stream()};
  }
};
} // namespace policy_parts

/// A policy with a stream: what `.on(stream)` returns.
/// @tparam Synchronizes whether a call returns only when its result is there
template <bool Synchronizes>
class stream_policy : public execution_policy<stream_policy<Synchronizes>>,
                      public policy_parts::takes_allocator<stream_policy<Synchronizes>, Synchronizes>
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

  /// @return the stream
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE cudaStream_t stream() const
  {
    return stream_;
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

/// A policy on the default stream, the per-thread one under CUDA_API_PER_THREAD_DEFAULT_STREAM. It has no data members:
/// thrust::reference asks through a null policy.
/// @tparam Synchronizes whether a call returns only when its result is there
/// @tparam Stream which of the two default streams
template <bool Synchronizes, class Stream>
struct default_policy : execution_policy<default_policy<Synchronizes, Stream>>,
                        policy_parts::takes_allocator<default_policy<Synchronizes, Stream>, Synchronizes>
{
  constexpr default_policy() = default;

  /// The same policy on a stream.
  /// @param stream where the work is queued; it must exist as long as the policy is used
  /// @return the policy on that stream
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE stream_policy<Synchronizes> on(cudaStream_t stream) const
  {
    return stream_policy<Synchronizes>(stream);
  }

  /// @return the stream
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE cudaStream_t stream() const
  {
    return Stream::get();
  }

private:
  friend LIGHTSCAN_HOST_DEVICE cudaStream_t get_stream(const default_policy&)
  {
    return Stream::get();
  }

  friend LIGHTSCAN_HOST_DEVICE bool must_perform_optional_stream_synchronization(const default_policy&)
  {
    return Synchronizes;
  }
};

/// The type of lightscan::par.
using par_t = default_policy<true, policy_parts::default_stream>;

/// The type of lightscan::par_nosync.
using par_nosync_t = default_policy<false, policy_parts::default_stream>;

#if defined(__CUDA_ARCH__)
static __device__ constexpr par_t par{};
static __device__ constexpr par_nosync_t par_nosync{};
#else
/// Runs on the GPU and returns when the result is there. The stream is the default one, or that of `par.on(stream)`.
///
/// It takes a stream, an allocator or both, in either order: par.on(stream), par(allocator), par(memory_resource*),
/// par(allocator).on(stream), par.on(stream)(allocator). Where an allocator is attached, temporary memory comes from
/// it; a scan takes 320 KiB and a little.
///
/// Thread safety: policies are values; any number of threads may call with them at once, on one stream or several.
inline constexpr par_t par{};

/// Runs on the GPU and returns as soon as the work is queued: the result is there for later work on the same stream,
/// and for the host after it has waited for the stream. The ranges must live that long. As with
/// thrust::cuda::par_nosync, an algorithm whose return value depends on the data waits all the same; our own scans do
/// not.
///
/// Streams and allocators as for lightscan::par. Temporary memory is given back right after the launch, in stream
/// order, so the allocator must be one that may be used so, as thrust::cuda::par_nosync asks too: it must not hand the
/// memory to another stream before this one has come that far. (testing/examples/own_memory.cu has one.)
///
/// Thread safety: as lightscan::par.
inline constexpr par_nosync_t par_nosync{};
#endif
} // namespace lightscan
