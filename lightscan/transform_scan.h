/// @file
/// thrust::transform_inclusive_scan and thrust::transform_exclusive_scan for LightScan's policies.
///
///     // Lengths to starts, without a pass of its own for the conversion.
///     thrust::transform_exclusive_scan(lightscan::par, rows.begin(), rows.end(), starts.begin(), length{}, 0, plus{});
///
/// Each is the scan of <lightscan/scan.h> over function(element). All that stands there about ranges, memory,
/// determinism, streams, errors and device code holds here too, with this instead (of lightscan::host,
/// <lightscan/host.h> says all):
///
/// - **Function**: called in device code, at least once for each element, an unspecified number of times, on a copy of
///   the element: its address means nothing. It may have state; each thread has its own copy of it. (Large scans call it
///   once, where what it returns, of up to 16 bytes, is as wide as the elements; twice where a kernel has no room for it
///   between two passes.)
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

namespace entry
{
template <class Function, class It, class V>
using transformed_iterator = thr::transform_iterator<Function, It, V, V>;
} // namespace entry

/// result[i] = f(first[0]) op ... op f(first[i]).
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param f makes the values from elements; called in device code, or on any of the host's threads
/// @param op associative; called in device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class Function, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_inclusive_scan(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, Function f, Op op)
{
  using T  = entry::transformed_by_t<Backend, Function, InputIt>;
  using It = entry::transformed_iterator<Function, InputIt, T>;
  return entry::run<entry::scan<true, T>>(policy, It(first, f), It(last, f), result, util::no_init{}, op);
}

/// result[i] = init op f(first[0]) op ... op f(first[i]).
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param f makes the values from elements; called in device code, or on any of the host's threads
/// @param init the value before the first
/// @param op associative; called in device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class Function, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_inclusive_scan(policy_parts::scan_policy<Derived, Backend>& policy,
                                                        InputIt first,
                                                        InputIt last,
                                                        OutputIt result,
                                                        Function f,
                                                        T init,
                                                        Op op)
{
  using V  = entry::transformed_by_t<Backend, Function, InputIt>;
  using It = entry::transformed_iterator<Function, InputIt, V>;
  return entry::run<entry::scan<true, entry::checked_accumulator_t<Op, T, V>>>(
    policy, It(first, f), It(last, f), result, init, op);
}

/// result[0] = init, result[i] = init op f(first[0]) op ... op f(first[i - 1]).
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param f makes the values from elements; called in device code, or on any of the host's threads
/// @param init the value before the first
/// @param op associative; called in device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class Function, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_exclusive_scan(policy_parts::scan_policy<Derived, Backend>& policy,
                                                        InputIt first,
                                                        InputIt last,
                                                        OutputIt result,
                                                        Function f,
                                                        T init,
                                                        Op op)
{
  using It = entry::transformed_iterator<Function, InputIt, T>;
  return entry::run<entry::scan<false, T>>(policy, It(first, f), It(last, f), result, init, op);
}

LIGHTSCAN_NAMESPACE_END
