/// @file
/// thrust::transform_inclusive_scan and thrust::transform_exclusive_scan for LightScan's policies.
///
///     // Lengths to starts, without a pass of its own for the conversion.
///     thrust::transform_exclusive_scan(lightscan::par, rows.begin(), rows.end(), starts.begin(), length{}, 0, plus{});
///
/// Each is the scan of <lightscan/scan.h> over function(element). All that stands there about ranges, memory,
/// determinism, streams, errors and device code holds here too, with this instead:
///
/// - **Function**: called in device code, at least once for each element, an unspecified number of times, on a copy of
///   the element: its address means nothing. It may have state; each thread has its own copy of it.
/// - **Accumulator**: transform_inclusive_scan: the function's result without reference and const; with an initial
///   value, the decayed result of op(init, that). transform_exclusive_scan: the initial value's type, to which the
///   function's result is converted first (as Thrust's CUDA backend does).
/// - **Work**: the same bytes as the plain scan, (sizeof input + sizeof output) x n: the function is applied on the
///   way.
#pragma once

#include <lightscan/scan.h>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform_scan.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
namespace entry
{
template <class Function, class It, class V>
using transformed_iterator = thr::transform_iterator<Function, It, V, V>;
} // namespace entry

/// result[i] = f(first[0]) op ... op f(first[i]).
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the input
/// @param result where the output begins
/// @param f makes the values from elements; called in device code, on copies
/// @param op associative; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Function, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_inclusive_scan(
  execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Function f, Op op)
{
  using T  = entry::checked_transformed_t<Function, InputIt>;
  using It = entry::transformed_iterator<Function, InputIt, T>;
  return entry::scan<true, T>(policy, It(first, f), It(last, f), result, carry::no_init{}, op);
}

/// result[i] = init op f(first[0]) op ... op f(first[i]).
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the input
/// @param result where the output begins
/// @param f makes the values from elements; called in device code, on copies
/// @param init the value before the first
/// @param op associative; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Function, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_inclusive_scan(
  execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Function f, T init, Op op)
{
  using V  = entry::checked_transformed_t<Function, InputIt>;
  using It = entry::transformed_iterator<Function, InputIt, V>;
  return entry::scan<true, entry::checked_accumulator_t<Op, T, V>>(policy, It(first, f), It(last, f), result, init, op);
}

/// result[0] = init, result[i] = init op f(first[0]) op ... op f(first[i - 1]).
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the input
/// @param result where the output begins
/// @param f makes the values from elements; called in device code, on copies
/// @param init the value before the first
/// @param op associative; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Function, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_exclusive_scan(
  execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Function f, T init, Op op)
{
  using It = entry::transformed_iterator<Function, InputIt, T>;
  return entry::scan<false, T>(policy, It(first, f), It(last, f), result, init, op);
}
#endif

LIGHTSCAN_NAMESPACE_END
