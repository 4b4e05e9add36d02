/// @file
/// thrust::inclusive_scan and thrust::exclusive_scan for LightScan's policies.
///
/// Call them as Thrust's, with lightscan::par or lightscan::par_nosync first; Thrust finds these overloads by
/// argument-dependent lookup:
///
///     thrust::device_vector<int> values(n, 1);
///     thrust::inclusive_scan(lightscan::par, values.begin(), values.end(), values.begin());
///
/// For all calls that run in LightScan's kernels (lightscan::is_accelerated_v says which; the others run in Thrust's own
/// scan on the same stream, with Thrust's own guarantees):
///
/// - **Ranges**: [first, last) and [result, result + (last - first)), on the device. They may be the same range, or not
///   overlap at all. No other memory is read or written. A range whose last lies before its first does nothing.
/// - **Operator**: associative; commutativity is not needed, operands keep their order. Called only on elements of the
///   range and what it returned for them, from device code, an unspecified number of times.
/// - **Accumulator**: the input's value type; with an initial value, inclusive_scan accumulates in the decayed result of
///   op(init, value) and exclusive_scan in the initial value's type (as Thrust's CUDA backend does).
/// - **Work**: each element is read once and written once: (sizeof input + sizeof output) x n bytes.
/// - **Memory**: no temporary memory that grows with n. The first call on a stream allocates 320 KiB that is kept; from
///   the 65th stream of a process on, each call allocates and frees in stream order instead.
/// - **Determinism**: the result depends on the input, on its length and alignment to 16 bytes, on the types and on which
///   kernel the GPU and the build allow: not on timing, on the stream or on how many blocks are resident. The bits are
///   the same in every run.
/// - **Streams**: the policy's. With par the call returns when the result is there; with par_nosync when the scan is
///   queued. Calls may be captured into a CUDA graph (with par_nosync; par synchronises), which then holds the call's
///   workspace as allocation nodes. An empty range does not even synchronise.
/// - **Errors**: thrust::system_error with thrust::cuda_category(), its text naming the call and what failed. Where
///   nothing was launched the output is untouched. A GPU that cannot launch cooperatively, or none at all, is such an
///   error.
/// - **Returns**: result + (last - first); result, for a range whose last lies before its first.
/// - **In device code**: sequential, on the calling thread, as Thrust's.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/execution_policy.h>
#include <lightscan/version.h>

#include <thrust/execution_policy.h>
#include <thrust/memory.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cuda/std/type_traits>

#include <nv/target>

#include <cstdint>
#include <string>

LIGHTSCAN_NAMESPACE_BEGIN

/// Whether a scan that accumulates in T runs in LightScan's kernels; elsewhere Thrust's own scan serves. T must be
/// trivially copyable and of at most 16 bytes. Any random-access iterators will do; the bulk pipeline needs both ranges
/// to be contiguous memory of T itself (pointers, device_ptr, iterators of thrust::device_vector).
/// @tparam T the type that is accumulated in
template <class T>
inline constexpr bool is_accelerated_v = dispatch::accumulates_in_kernels<T>;

#if defined(__CUDACC__)
namespace entry
{
namespace thr = THRUST_NS_QUALIFIER;

template <class It>
using value_t = typename ::cuda::std::iterator_traits<It>::value_type;

template <class Op, class T, class V>
using accumulator_t = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, T, V>>;

// Contiguous iterators as raw pointers, others as they are.
template <class It>
auto unwrapped(It it)
{
  if constexpr (thr::is_contiguous_iterator<It>::value)
  {
    return thr::raw_pointer_cast(&*it);
  }
  else
  {
    return it;
  }
}

[[noreturn]] inline void raise(cudaError_t error, const char* call, std::int64_t num_items, const char* doing)
{
  throw thr::system_error(
    error,
    thr::cuda_category(),
    "lightscan: " + std::string(call) + " of " + std::to_string(num_items) + " items failed while " + doing);
}

template <class Derived>
void synchronize(execution_policy<Derived>& policy, const char* call, std::int64_t num_items)
{
  Derived& derived = static_cast<Derived&>(policy);
  if (must_perform_optional_stream_synchronization(derived))
  {
    if (const cudaError_t error = cudaStreamSynchronize(get_stream(derived)))
    {
      (void) cudaGetLastError();
      raise(error, call, num_items, "running, or in work queued on the stream before it");
    }
  }
}

// Thrust's own scan under one of Thrust's own policies: for what our kernels do not take, and in device code.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <bool Inclusive, class Policy, class InputIt, class OutputIt, class Init, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
scan_by_thrust(Policy policy, InputIt first, InputIt last, OutputIt result, Init init, Op op)
{
  if constexpr (!Inclusive)
  {
    return thr::exclusive_scan(policy, first, last, result, init, op);
  }
  else if constexpr (::cuda::std::is_same_v<Init, carry::no_init>)
  {
    return thr::inclusive_scan(policy, first, last, result, op);
  }
  else
  {
    return thr::inclusive_scan(policy, first, last, result, init, op);
  }
}

template <bool Inclusive, class T, class Derived, class InputIt, class OutputIt, class Init, class Op>
OutputIt scan_on_gpu(execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Init init, Op op)
{
  Derived& derived             = static_cast<Derived&>(policy);
  const std::int64_t num_items = static_cast<std::int64_t>(last - first);
  if (num_items <= 0)
  {
    return result;
  }
  if constexpr (is_accelerated_v<T>)
  {
    constexpr const char* call = Inclusive ? "inclusive_scan" : "exclusive_scan";
    using input                = decltype(unwrapped(first));
    using output               = decltype(unwrapped(result));
    using start                = ::cuda::std::conditional_t<::cuda::std::is_same_v<Init, carry::no_init>, Init, T>;
    using problem              = dispatch::problem<T, input, output, Op, start, Inclusive>;

    const dispatch::outcome done =
      dispatch::launcher<problem>(
        problem{unwrapped(first), unwrapped(result), num_items, op, static_cast<start>(init)}, get_stream(derived))
        .run();
    if (!done)
    {
      raise(done.error, call, num_items, done.doing);
    }
    synchronize(policy, call, num_items);
    return result + (last - first);
  }
  else if (must_perform_optional_stream_synchronization(derived))
  {
    return scan_by_thrust<Inclusive>(thr::cuda::par.on(get_stream(derived)), first, last, result, init, op);
  }
  else
  {
    return scan_by_thrust<Inclusive>(thr::cuda::par_nosync.on(get_stream(derived)), first, last, result, init, op);
  }
}

// The body of every overload: on the host a launch, in device code Thrust's sequential scan. In the device pass the dead
// branch is what makes nvcc emit the kernel when the only caller is a host-device function.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <bool Inclusive, class T, class Derived, class InputIt, class OutputIt, class Init, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
scan([[maybe_unused]] execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Init init, Op op)
{
#  if defined(__CUDA_ARCH__)
  if (false)
  {
    NV_IF_TARGET(NV_ANY_TARGET, (return entry::scan_on_gpu<Inclusive, T>(policy, first, last, result, init, op);))
  }
#  endif
  NV_IF_TARGET(NV_IS_HOST,
               (return entry::scan_on_gpu<Inclusive, T>(policy, first, last, result, init, op);),
               (return entry::scan_by_thrust<Inclusive>(thr::seq, first, last, result, init, op);))
}
} // namespace entry

/// result[i] = first[0] + ... + first[i].
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not
/// @param first,last the input
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan(execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result)
{
  return entry::scan<true, entry::value_t<InputIt>>(
    policy, first, last, result, carry::no_init{}, ::cuda::std::plus<>{});
}

/// result[i] = first[0] op ... op first[i].
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not
/// @param first,last the input
/// @param result where the output begins
/// @param op associative; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan(execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Op op)
{
  return entry::scan<true, entry::value_t<InputIt>>(policy, first, last, result, carry::no_init{}, op);
}

/// result[i] = init op first[0] op ... op first[i].
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @param op associative; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan(execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, T init, Op op)
{
  return entry::scan<true, entry::accumulator_t<Op, T, entry::value_t<InputIt>>>(policy, first, last, result, init, op);
}

/// result[0] = 0, result[i] = first[0] + ... + first[i - 1].
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not
/// @param first,last the input
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan(execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result)
{
  using T = entry::value_t<InputIt>;
  return entry::scan<false, T>(policy, first, last, result, T{}, ::cuda::std::plus<>{});
}

/// result[0] = init, result[i] = init + first[0] + ... + first[i - 1].
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan(execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, T init)
{
  return entry::scan<false, T>(policy, first, last, result, init, ::cuda::std::plus<>{});
}

/// result[0] = init, result[i] = init op first[0] op ... op first[i - 1].
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @param op associative; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan(execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, T init, Op op)
{
  return entry::scan<false, T>(policy, first, last, result, init, op);
}
#endif

LIGHTSCAN_NAMESPACE_END
