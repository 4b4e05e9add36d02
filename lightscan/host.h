/// @file
/// Thrust's scans on the machine's cores: lightscan::host.
///
/// Call them as Thrust's, with lightscan::host first; Thrust finds these overloads by argument-dependent lookup. Plain
/// C++ files may include this header, and CUDA files:
///
///     std::vector<float> values(n, 1.0f), sums(n);
///     thrust::inclusive_scan(lightscan::host, values.begin(), values.end(), sums.begin());
///     thrust::inclusive_scan(lightscan::host.threads(4), values.begin(), values.end(), values.begin()); // in place
///
/// The same for inclusive_scan, exclusive_scan, transform_inclusive_scan, transform_exclusive_scan, and with
/// <lightscan/host_by_key.h>, which this header includes, for inclusive_scan_by_key and exclusive_scan_by_key. Every
/// other algorithm with this policy is Thrust's sequential one.
///
/// - **Ranges**: [first, last) and [result, result + (last - first)), of random-access iterators to memory that the
///   host can reach. They may be the same range, or not overlap at all. Several threads read different elements at
///   once, and write them where "Threads" below says so; iterators must allow that. A range whose last lies before its
///   first does nothing.
/// - **Operator**: associative; commutativity is not needed, operands keep their order. Each thread calls copies of its
///   own. Called only on elements of the range and what it returned for them, an unspecified number of times. A
///   transformation is called up to twice for each element.
/// - **Accumulator**: the input's value type, or what the function returns, without reference and const; with an
///   initial value, inclusive scans accumulate in the decayed result of op(init, value) and exclusive scans in the
///   initial value's type.
/// - **Work**: one pass over memory: a tile of 64 KiB is folded, and scanned while it is in the cache. Contiguous
///   output of 32 MiB or more that is not the input is written past the caches where the processor can (x86: SSE2), so
///   that (sizeof input + sizeof output) x n bytes move, and no line is read in order to be overwritten. About two
///   calls of the operator for each element.
/// - **Memory**: none that grows with n: for slots 1.3 KB (accumulators of 4 bytes) to 80 KB (of 256), for more than 26
///   threads some more, allocated by each call of more than one tile; on each thread's stack less than 128 KB.
/// - **Threads**: `lightscan::host` uses std::thread::hardware_concurrency() of them, `.threads(n)` at most n; the
///   calling thread is one. Inputs of up to three tiles run on the calling thread alone; so do accumulators that are
///   not trivially copyable or larger than 256 bytes, those from left to right; and so do outputs whose neighbouring
///   results may share memory, as in a vector<bool>. Several threads write where an iterator's reference is one to its
///   value type, or where it is a reverse, permutation, transform_output, transform_input_output or zip iterator of
///   such. All other outputs are written by the calling thread. The other threads come from one pool of the program,
///   or of the shared library that the call stands in, which starts threads when they are first needed and serves one
///   call at a time: a call that comes while another is under way, or from inside an operator of one, runs on its own
///   thread. It never waits, so calls may be nested and concurrent in any way. The threads keep step with each other:
///   where other work takes cores away from them, the slowest decides, and fewer threads are faster. In a process that
///   was forked from one whose pool had threads, calls run on the calling thread alone.
/// - **Determinism**: results have the same bits for any number of threads, in every run, and on every machine whose
///   arithmetic is the same: the order of combination is a function of an element's index and of sizeof(accumulator)
///   alone (host/tile_scan.h within a tile, carry/look_across.h between tiles).
/// - **Exceptions**: what the operator, a transformation or an iterator throws on any thread reaches the caller, once
///   no thread is in the call any more; the first to be thrown, if there are several. The results are then unspecified;
///   the next call works as ever. std::bad_alloc where there is no memory for slots. Threads that the system refuses to
///   start are done without.
/// - **Returns**: result + (last - first), when the results are there; result, for a range whose last lies before its
///   first.
/// - **In device code**: sequential, on the calling thread, as Thrust's.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/host/entry.h>
#include <lightscan/host/policy.h>
#include <lightscan/host_by_key.h>
#include <lightscan/version.h>

#include <thrust/scan.h>
#include <thrust/system/cpp/pointer.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

#include <nv/target>

LIGHTSCAN_NAMESPACE_BEGIN

/// result[i] = first[0] + ... + first[i].
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan(host_execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result)
{
  NV_IF_TARGET(
    NV_IS_HOST,
    (return host_entry::scan<true, host_entry::value_t<InputIt>>(
              policy, first, last, result, carry::no_init{}, ::cuda::std::plus<>{});),
    ((void) policy; return THRUST_NS_QUALIFIER::inclusive_scan(THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result);))
}

/// result[i] = first[0] op ... op first[i].
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @param op associative; called on any of the threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan(host_execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Op op)
{
  NV_IF_TARGET(
    NV_IS_HOST,
    (return host_entry::scan<true, host_entry::value_t<InputIt>>(policy, first, last, result, carry::no_init{}, op);),
    ((void) policy;
     return THRUST_NS_QUALIFIER::inclusive_scan(THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result, op);))
}

/// result[i] = init op first[0] op ... op first[i].
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @param op associative; called on any of the threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan(host_execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, T init, Op op)
{
  NV_IF_TARGET(NV_IS_HOST,
               (using accumulator = host_entry::accumulator_t<Op, T, host_entry::value_t<InputIt>>;
                return host_entry::scan<true, accumulator>(policy, first, last, result, init, op);),
               ((void) policy; return THRUST_NS_QUALIFIER::inclusive_scan(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result, init, op);))
}

/// result[0] = 0, result[i] = first[0] + ... + first[i - 1].
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan(host_execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result)
{
  NV_IF_TARGET(
    NV_IS_HOST,
    (using T = host_entry::value_t<InputIt>;
     return host_entry::scan<false, T>(policy, first, last, result, T{}, ::cuda::std::plus<>{});),
    ((void) policy; return THRUST_NS_QUALIFIER::exclusive_scan(THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result);))
}

/// result[0] = init, result[i] = init + first[0] + ... + first[i - 1].
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan(host_execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, T init)
{
  NV_IF_TARGET(NV_IS_HOST,
               (return host_entry::scan<false, T>(policy, first, last, result, init, ::cuda::std::plus<>{});),
               ((void) policy; return THRUST_NS_QUALIFIER::exclusive_scan(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result, init);))
}

/// result[0] = init, result[i] = init op first[0] op ... op first[i - 1].
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @param op associative; called on any of the threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan(host_execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, T init, Op op)
{
  NV_IF_TARGET(NV_IS_HOST,
               (return host_entry::scan<false, T>(policy, first, last, result, init, op);),
               ((void) policy; return THRUST_NS_QUALIFIER::exclusive_scan(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result, init, op);))
}

/// result[i] = function(first[0]) op ... op function(first[i]).
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @param function makes the values from elements; called up to twice for each, on any of the threads
/// @param op associative; called on any of the threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Function, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_inclusive_scan(
  host_execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Function function, Op op)
{
  NV_IF_TARGET(NV_IS_HOST,
               (using V = host_entry::result_t<Function, InputIt>; return host_entry::transform_scan<true, V>(
                  policy, first, last, result, function, carry::no_init{}, op);),
               ((void) policy; return THRUST_NS_QUALIFIER::transform_inclusive_scan(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result, function, op);))
}

/// result[i] = init op function(first[0]) op ... op function(first[i]).
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @param function makes the values from elements; called up to twice for each, on any of the threads
/// @param init the value before the first
/// @param op associative; called on any of the threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Function, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_inclusive_scan(host_execution_policy<Derived>& policy,
                                                        InputIt first,
                                                        InputIt last,
                                                        OutputIt result,
                                                        Function function,
                                                        T init,
                                                        Op op)
{
  NV_IF_TARGET(NV_IS_HOST,
               (using accumulator = host_entry::accumulator_t<Op, T, host_entry::result_t<Function, InputIt>>;
                return host_entry::transform_scan<true, accumulator>(policy, first, last, result, function, init, op);),
               ((void) policy; return THRUST_NS_QUALIFIER::transform_inclusive_scan(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result, function, init, op);))
}

/// result[0] = init, result[i] = init op function(first[0]) op ... op function(first[i - 1]).
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the input
/// @param result where the output begins
/// @param function makes the values from elements; called up to twice for each, on any of the threads
/// @param init the value before the first
/// @param op associative; called on any of the threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Function, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt transform_exclusive_scan(host_execution_policy<Derived>& policy,
                                                        InputIt first,
                                                        InputIt last,
                                                        OutputIt result,
                                                        Function function,
                                                        T init,
                                                        Op op)
{
  NV_IF_TARGET(NV_IS_HOST,
               (return host_entry::transform_scan<false, T>(policy, first, last, result, function, init, op);),
               ((void) policy; return THRUST_NS_QUALIFIER::transform_exclusive_scan(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, result, function, init, op);))
}

LIGHTSCAN_NAMESPACE_END
