/// @file
/// thrust::copy_if, thrust::remove and thrust::unique, with all that go with them, for LightScan's policies.
///
/// Call them as Thrust's, with lightscan::par, lightscan::par_nosync or lightscan::host first; Thrust finds these
/// overloads by argument-dependent lookup:
///
///     thrust::device_vector<int> kept(n);
///     auto end = thrust::copy_if(lightscan::par, values.begin(), values.end(), kept.begin(), is_even{});
///     kept.resize(end - kept.begin());
///
/// What they copy keeps its order, so a selection is a scan of counts. What stands in <lightscan/scan.h> about
/// determinism, errors and device code holds here too, with this instead (of lightscan::host, <lightscan/host.h> says
/// all):
///
/// - **Ranges**: of random-access iterators, where the GPU can reach them. The input, a stencil of the same length, and
///   the output, of which only as much is written as there are elements kept: nothing beyond. remove, remove_if and
///   unique work in place, in one pass; what they leave behind the returned end is unspecified. Otherwise input and
///   output do not overlap, nor the stencil and what is written. A range whose last lies before its first does nothing.
/// - **Iterators**: any, as for scans; each element is read once (up to twice where neighbours are compared), each
///   place of the output assigned once.
/// - **Predicate**: called exactly once for each element, of the range or of the stencil, in no particular order, in
///   device code. It gets a copy of the element, and must not change it. Whether two neighbours are equal is asked
///   exactly once for each two, same(element[i - 1], element[i]), also where this is no equivalence: what stands before
///   an element decides, not what was kept before it. A value in device memory that remove is given (`v[0]`) is read
///   before the call, on the default stream.
/// - **Work**: each element (and each one of the stencil) is read once (up to twice where neighbours are compared),
///   each that is kept is written once.
/// - **Memory**: as a scan's with 8-byte accumulators; none that grows with n. A page of pinned memory, in which the
///   number of elements kept comes to the host, is allocated by the first call and kept.
/// - **Streams**: the policy's. Calls wait for the result also with par_nosync, because what they return depends on the
///   data; unique_count, too. So they cannot be captured into a CUDA graph: on a stream that is being captured they
///   throw thrust::system_error with cudaErrorStreamCaptureUnsupported, and do nothing. (lightscan::DeviceSelect can
///   be.) An empty range does not even synchronise.
/// - **Accelerated**: where elements, and those of a stencil, are bitwise copyable (no copy constructor or destructor of
///   the user's) and have up to 1,024 bytes. Elsewhere Thrust's own algorithm serves, on the same stream and with the
///   same allocator, with Thrust's own guarantees.
#pragma once

#include <lightscan/entry/select_call.h>
#if defined(__CUDACC__)
#  include <lightscan/entry/run.h>
#  include <lightscan/execution_policy.h>
#endif
#include <lightscan/util/scan_policy.h>
#include <lightscan/version.h>

#include <thrust/copy.h>
#include <thrust/remove.h>
#include <thrust/unique.h>

#include <cuda/std/functional>
#include <cuda/std/iterator>

LIGHTSCAN_NAMESPACE_BEGIN

/// Copies the elements of which pred(element) holds, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param pred whether an element is wanted; called in device code, or on any of the host's threads
/// @return the end of the output
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class Predicate>
LIGHTSCAN_HOST_DEVICE OutputIt copy_if(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, Predicate pred)
{
  return entry::run<entry::selection<true>>(policy, first, last, entry::no_stencil{}, result, pred);
}

/// Copies the elements of which pred(stencil[i]) holds, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param stencil where the elements that are asked of begin: as many as there are in the input
/// @param result where the output begins
/// @param pred whether the element beside one of the stencil is wanted; called as above
/// @return the end of the output
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class StencilIt, class OutputIt, class Predicate>
LIGHTSCAN_HOST_DEVICE OutputIt copy_if(policy_parts::scan_policy<Derived, Backend>& policy,
                                       InputIt first,
                                       InputIt last,
                                       StencilIt stencil,
                                       OutputIt result,
                                       Predicate pred)
{
  return entry::run<entry::selection<true>>(policy, first, last, stencil, result, pred);
}

/// Removes the elements that equal a value: the others move up, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @param value compared as element == value; it may be an element of the range that the host can read
/// @return the end of what is left
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class T>
LIGHTSCAN_HOST_DEVICE InputIt
remove(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, const T& value)
{
  return entry::run<entry::selection<false, true>>(
    policy, first, last, entry::no_stencil{}, first, entry::equals_value<InputIt>(value));
}

/// Removes the elements of which pred(element) holds: the others move up, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @param pred whether an element goes; called in device code, or on any of the host's threads
/// @return the end of what is left
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class Predicate>
LIGHTSCAN_HOST_DEVICE InputIt
remove_if(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, Predicate pred)
{
  return entry::run<entry::selection<false, true>>(policy, first, last, entry::no_stencil{}, first, pred);
}

/// Removes the elements of which pred(stencil[i]) holds: the others move up, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @param stencil where the elements that are asked of begin: as many as there are in the input
/// @param pred whether the element beside one of the stencil goes; called as above
/// @return the end of what is left
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class StencilIt, class Predicate>
LIGHTSCAN_HOST_DEVICE InputIt remove_if(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, StencilIt stencil, Predicate pred)
{
  return entry::run<entry::selection<false, true>>(policy, first, last, stencil, first, pred);
}

/// Copies the elements that do not equal a value, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param value compared as element == value
/// @return the end of the output
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class T>
LIGHTSCAN_HOST_DEVICE OutputIt remove_copy(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, const T& value)
{
  return entry::run<entry::selection<false>>(
    policy, first, last, entry::no_stencil{}, result, entry::equals_value<InputIt>(value));
}

/// Copies the elements of which pred(element) does not hold, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param pred whether an element is left out; called in device code, or on any of the host's threads
/// @return the end of the output
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class Predicate>
LIGHTSCAN_HOST_DEVICE OutputIt remove_copy_if(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, Predicate pred)
{
  return entry::run<entry::selection<false>>(policy, first, last, entry::no_stencil{}, result, pred);
}

/// Copies the elements of which pred(stencil[i]) does not hold, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param stencil where the elements that are asked of begin: as many as there are in the input
/// @param result where the output begins
/// @param pred whether the element beside one of the stencil is left out; called as above
/// @return the end of the output
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class StencilIt, class OutputIt, class Predicate>
LIGHTSCAN_HOST_DEVICE OutputIt remove_copy_if(policy_parts::scan_policy<Derived, Backend>& policy,
                                              InputIt first,
                                              InputIt last,
                                              StencilIt stencil,
                                              OutputIt result,
                                              Predicate pred)
{
  return entry::run<entry::selection<false>>(policy, first, last, stencil, result, pred);
}

/// Leaves of each run of equal neighbours the first element: these move up, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @return the end of what is left
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt>
LIGHTSCAN_HOST_DEVICE InputIt unique(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last)
{
  return entry::run<entry::unique_selection<true>>(policy, first, last, first, ::cuda::std::equal_to<>{});
}

/// Leaves the first element, and each one that is not equal to the one before it: these move up, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @param same whether two neighbours, the earlier one first, are equal; called in device code, or on any of the
///   host's threads
/// @return the end of what is left
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class Same>
LIGHTSCAN_HOST_DEVICE InputIt
unique(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, Same same)
{
  return entry::run<entry::unique_selection<true>>(policy, first, last, first, same);
}

/// Copies of each run of equal neighbours the first element.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @return the end of the output
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
unique_copy(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result)
{
  return entry::run<entry::unique_selection<false>>(policy, first, last, result, ::cuda::std::equal_to<>{});
}

/// Copies the first element, and each one that is not equal to the one before it.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param same whether two neighbours, the earlier one first, are equal; called in device code, or on any of the
///   host's threads
/// @return the end of the output
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class Same>
LIGHTSCAN_HOST_DEVICE OutputIt unique_copy(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, Same same)
{
  return entry::run<entry::unique_selection<false>>(policy, first, last, result, same);
}

/// Counts the runs of equal neighbours.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @return how many elements unique would leave
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt>
LIGHTSCAN_HOST_DEVICE typename ::cuda::std::iterator_traits<InputIt>::difference_type
unique_count(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last)
{
  return entry::run<entry::unique_counting>(policy, first, last, ::cuda::std::equal_to<>{});
}

/// Counts the runs of neighbours of which same(element, next element) holds.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param same whether two neighbours, the earlier one first, are equal; called in device code, or on any of the
///   host's threads
/// @return how many elements unique would leave
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class Same>
LIGHTSCAN_HOST_DEVICE typename ::cuda::std::iterator_traits<InputIt>::difference_type
unique_count(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, Same same)
{
  return entry::run<entry::unique_counting>(policy, first, last, same);
}

LIGHTSCAN_NAMESPACE_END
