/// @file
/// lightscan::par and lightscan::par_nosync: what a Thrust program writes where thrust::device stood.
///
/// Types only. A plain C++ file may include this header, hold policies and pass them on; the scans themselves come with
/// <lightscan/scan.h> in files that nvcc compiles.
#pragma once

#include <lightscan/util/scan_policy.h>
#include <lightscan/version.h>

#include <thrust/mr/allocator.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cuda/std/cstddef>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cuda_runtime_api.h>

LIGHTSCAN_TYPES_NAMESPACE_BEGIN
namespace policy_parts
{
// LightScan's kernels: entry/run.h.
struct gpu
{
  template <class Derived>
  using thrusts = THRUST_NS_QUALIFIER::cuda::execution_policy<Derived>;
};

// The same on several GPUs: entry/run_across.h. Thrust's base has no backend, so that no other algorithm of Thrust's takes a part
// for the whole.
struct gpus
{
  template <class Derived>
  using thrusts = THRUST_NS_QUALIFIER::execution_policy<Derived>;
};
} // namespace policy_parts

/// A policy whose scans go across the GPUs of a lightscan::group: what `.across(group)` returns. It takes scans only.
/// @tparam Policy the policy that it was made from, for this GPU's part
/// @tparam Group lightscan::group
template <class Policy, class Group>
class across_policy : public policy_parts::scan_policy<across_policy<Policy, Group>, policy_parts::gpus>
{
public:
  /// @param policy for this GPU's part: a stream, and whether a call waits; its allocator serves a group of one rank only
  /// @param group must exist as long as the policy is used
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE across_policy(const Policy& policy, Group& group)
      : policy_(policy)
      , group_(&group)
  {}

  /// @return the policy for this GPU's part
  LIGHTSCAN_HOST_DEVICE Policy& of_part()
  {
    return policy_;
  }

  /// @return the policy for this GPU's part
  LIGHTSCAN_HOST_DEVICE const Policy& of_part() const
  {
    return policy_;
  }

  /// @return the group
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE Group& group() const
  {
    return *group_;
  }

private:
  Policy policy_;
  Group* group_;
};

/// The base of every LightScan policy for GPUs. Being nearer to them than thrust::cuda::execution_policy, it wins the overload
/// resolution of the scans in <lightscan/scan.h>; every other algorithm finds Thrust's CUDA backend through its base.
///
/// A policy of your own is derived from it, or from on_stream, and says what it has to say through the functions that
/// Thrust's CUDA backend asks, found by argument-dependent lookup: get_stream(policy),
/// must_perform_optional_stream_synchronization(policy), and get_temporary_buffer<T>(policy, count) with
/// return_temporary_buffer(policy, pointer, count). Scans then take their temporary memory from there, too.
/// @tparam Derived the policy itself
template <class Derived>
struct execution_policy : policy_parts::scan_policy<Derived, policy_parts::gpu>
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

/// The base of every policy that has a stream.
/// @tparam Derived the policy itself
/// @tparam Synchronizes whether a call returns only when its result is there
template <class Derived, bool Synchronizes>
class on_stream : public execution_policy<Derived>
{
public:
  /// On the default stream, the per-thread one where the file that says so is compiled with
  /// CUDA_API_PER_THREAD_DEFAULT_STREAM.
  /// @tparam Stream which of the two default streams; a parameter so that files of one program may differ in it
  template <class Stream = policy_parts::default_stream>
  LIGHTSCAN_HOST_DEVICE on_stream()
      : stream_(Stream::get())
  {}

  /// @param stream where the work is queued; it must exist as long as the policy is used
  LIGHTSCAN_HOST_DEVICE on_stream(cudaStream_t stream)
      : stream_(stream)
  {}

  /// The same policy on another stream.
  /// @param stream where the work is queued; it must exist as long as the policy is used
  /// @return the policy with that stream
  LIGHTSCAN_EXEC_CHECK_DISABLE
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE Derived on(cudaStream_t stream) const
  {
    Derived moved(static_cast<const Derived&>(*this));
    static_cast<on_stream&>(moved).stream_ = stream;
    return moved;
  }

  /// The same policy across the GPUs of a group (<lightscan/multi_gpu.h>).
  /// @param group a lightscan::group; it must exist as long as the policy is used
  /// @return the policy across it
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Group>
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE across_policy<Derived, Group> across(Group& group) const
  {
    return across_policy<Derived, Group>(static_cast<const Derived&>(*this), group);
  }

  /// @return the stream
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE cudaStream_t stream() const
  {
    return stream_;
  }

private:
  // get_stream and must_perform_optional_stream_synchronization are the points at which Thrust's CUDA backend asks a
  // policy, found by argument-dependent lookup.
  friend LIGHTSCAN_HOST_DEVICE cudaStream_t get_stream(const on_stream& policy)
  {
    return policy.stream_;
  }

  friend LIGHTSCAN_HOST_DEVICE bool must_perform_optional_stream_synchronization(const on_stream&)
  {
    return Synchronizes;
  }

  cudaStream_t stream_;
};

/// A policy base as thrust::detail::execute_with_allocator takes one, named as Thrust's: in a class that derives from
/// execute_with_allocator<A, thrust::cuda_cub::execute_on_stream_base>, only the namespace changes.
/// @tparam Derived the policy itself
template <class Derived>
using execute_on_stream_base = on_stream<Derived, true>;

/// As execute_on_stream_base, of a policy that waits for nothing.
/// @tparam Derived the policy itself
template <class Derived>
using execute_on_stream_nosync_base = on_stream<Derived, false>;

/// A policy with an allocator and a stream: what `par(allocator)` and `par(memory_resource*)` return. Temporary memory
/// of every algorithm called with it comes from the allocator.
/// @tparam Synchronizes whether a call returns only when its result is there
/// @tparam Allocator a reference for one that was given as a variable, which must then outlive the policy; a temporary
///   one is kept as a copy
template <bool Synchronizes, class Allocator>
class allocator_policy : public on_stream<allocator_policy<Synchronizes, Allocator>, Synchronizes>
{
public:
  /// @param allocator where temporary memory comes from
  /// @param stream where the work is queued; it must exist as long as the policy is used
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE allocator_policy(Allocator allocator, cudaStream_t stream)
      : on_stream<allocator_policy, Synchronizes>(stream)
      , allocator_(static_cast<Allocator&&>(allocator))
  {}

  /// @return the allocator
  LIGHTSCAN_HOST_DEVICE ::cuda::std::remove_reference_t<Allocator>& get_allocator()
  {
    return allocator_;
  }

private:
  Allocator allocator_;
};

namespace policy_parts
{
template <class Allocator, class = void>
inline constexpr bool allocates = false;
template <class Allocator>
inline constexpr bool allocates<
  Allocator,
  ::cuda::std::void_t<typename Allocator::value_type, decltype(::cuda::std::declval<Allocator&>().allocate(1))>> = true;

template <class MemoryResource, class = void>
inline constexpr bool is_memory_resource = false;
template <class MemoryResource>
inline constexpr bool is_memory_resource<MemoryResource, ::cuda::std::void_t<typename MemoryResource::pointer>> =
  ::cuda::std::is_base_of_v<THRUST_NS_QUALIFIER::mr::memory_resource<typename MemoryResource::pointer>, MemoryResource>;

// `policy(allocator)` and `policy(memory_resource*)` for policies with and without a stream.
template <class Derived, bool Synchronizes>
class takes_allocator
{
public:
  template <class MemoryResource>
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE auto operator()(MemoryResource* resource) const
  {
    if constexpr (is_memory_resource<MemoryResource>)
    {
      using allocator = THRUST_NS_QUALIFIER::mr::allocator<::cuda::std::max_align_t, MemoryResource>;
      return attach<allocator>(allocator(resource));
    }
    else
    {
      return attach<MemoryResource*>(resource);
    }
  }

  template <class Allocator>
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE auto operator()(Allocator& allocator) const
  {
    return attach<Allocator&>(allocator);
  }

  template <class Allocator>
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE auto operator()(const Allocator& allocator) const
  {
    return attach<Allocator>(allocator);
  }

private:
  // Kept: a reference to a variable, the type of a temporary.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Kept, class Given>
  LIGHTSCAN_HOST_DEVICE auto attach(Given&& allocator) const
  {
    constexpr bool is_allocator = allocates<::cuda::std::remove_reference_t<Kept>>;
    static_assert(is_allocator,
                  "lightscan: par(...) takes an allocator or a pointer to a thrust::mr::memory_resource; a stream is "
                  "given as par.on(stream)");
    if constexpr (is_allocator)
    {
      return allocator_policy<Synchronizes, Kept>(
        static_cast<Given&&>(allocator), static_cast<const Derived&>(*this).stream());
    }
    else
    {
      return static_cast<const Derived&>(*this);
    }
  }
};
} // namespace policy_parts

/// A policy with a stream: what `.on(stream)` returns. One that is made from nothing is on the default stream.
/// @tparam Synchronizes whether a call returns only when its result is there
template <bool Synchronizes>
class stream_policy : public on_stream<stream_policy<Synchronizes>, Synchronizes>,
                      public policy_parts::takes_allocator<stream_policy<Synchronizes>, Synchronizes>
{
public:
  /// On the default stream, as on_stream says.
  /// @tparam Stream which of the two default streams
  template <class Stream = policy_parts::default_stream>
  LIGHTSCAN_HOST_DEVICE stream_policy()
      : on_stream<stream_policy, Synchronizes>(Stream::get())
  {}

  /// @param stream where the work is queued; it must exist as long as the policy is used
  LIGHTSCAN_HOST_DEVICE explicit stream_policy(cudaStream_t stream)
      : on_stream<stream_policy, Synchronizes>(stream)
  {}
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

  /// The same policy across the GPUs of a group (<lightscan/multi_gpu.h>).
  /// @param group a lightscan::group; it must exist as long as the policy is used
  /// @return the policy across it
  template <class Group>
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE across_policy<default_policy, Group> across(Group& group) const
  {
    return across_policy<default_policy, Group>(*this, group);
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
/// it; a scan takes 320 KiB and 7 bytes at most, and none where one block does it all.
///
/// Thread safety: policies are values; any number of threads may call with them at once, on one stream or several.
LIGHTSCAN_HIDDEN inline constexpr par_t par{};

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
LIGHTSCAN_HIDDEN inline constexpr par_nosync_t par_nosync{};
#endif
LIGHTSCAN_TYPES_NAMESPACE_END
