/// @file
/// thrust::inclusive_scan and thrust::exclusive_scan for LightScan's policies.
///
/// Call them as Thrust's, with lightscan::par, lightscan::par_nosync or lightscan::host first; Thrust finds these
/// overloads by argument-dependent lookup:
///
///     thrust::device_vector<int> values(n, 1);
///     thrust::inclusive_scan(lightscan::par, values.begin(), values.end(), values.begin());
///
/// <lightscan/host.h> has lightscan::host, and says what holds of it.
///
/// For all calls that run in LightScan's kernels (lightscan::is_accelerated_v says which; the others run in Thrust's
/// own scan on the same stream and with the same allocator, with Thrust's own guarantees):
///
/// - **Ranges**: [first, last) and [result, result + (last - first)), where the GPU can reach them. They may be the same
///   range, or not overlap at all. No other memory is read or written. A range whose last lies before its first does
///   nothing.
/// - **Iterators**: any random-access ones, input and output of the same type or of different ones, all through the bulk
///   pipeline where there is much to do. The input iterator is read once for each element, the output iterator assigned
///   once; memory, counting and constant iterators underneath reverse_, transform_ and zip_iterators are not read through
///   these, so a function sees a copy of each element, or a tuple of copies. What the output iterator writes at an index,
///   the input iterator may read at the same index, and at no other.
/// - **Operator**: associative; commutativity is not needed, operands keep their order. Called only on elements of the
///   range and what it returned for them, from device code, an unspecified number of times.
/// - **Accumulator**: the input's value type; with an initial value, inclusive_scan accumulates in the decayed result
///   of op(init, value) and exclusive_scan in the initial value's type (as Thrust's CUDA backend does). So a sum of bytes
///   is made in bytes; the output may be wider or narrower.
/// - **Work**: each element is read once and written once: (sizeof input + sizeof output) x n bytes.
/// - **Memory**: no temporary memory that grows with n. A scan of one tile (4,000 int32, say) takes none. The first larger
///   one on a stream allocates 10 or 320 KiB, which later ones use, and those of other streams once these have run. So
///   there is memory for as many streams as have scans under way, and 20 MiB at most on a GPU that is kept until the
///   process ends. Where the policy brings memory (an allocator of its own), each call takes from it what
///   lightscan::DeviceScan asks as storage for as many items (1.5 KB up to 2^16 where 8 bytes accumulate, never more than
///   320 KiB and 7 bytes) and gives it back when the scan has ended (par) or has been queued (par_nosync): then the allocator must not
///   hand it to another stream before this one has come so far.
/// - **Determinism**: the result depends on the input, on its length, on where it and the output lie on the 16-byte grid, on
///   the types and on which kernel the GPU and the build allow: not on timing, on the stream, on its context (a green one,
///   say) or on how many blocks are resident. The bits are the same in every run.
/// - **Streams**: the policy's; on different ones scans may run side by side. A scan of up to some MiB begins once
///   the GPU has room for one block, a larger one, or one whose number of items only the GPU knows, once it has room
///   for the whole grid. With par the call returns when the result is there; with par_nosync when the scan is queued.
///   Calls may be captured into a CUDA graph (with par_nosync; par synchronises), which then holds the call's
///   workspace as allocation nodes, also where the policy has an allocator, which may have given that memory to
///   others when the graph is replayed. Such a graph can be instantiated once at a time only (CUDA Driver API,
///   cuGraphAddMemAllocNode); lightscan::DeviceScan with storage makes none of these nodes. An empty range does not
///   even synchronise.
/// - **Errors**: what the policy's allocator throws, with nothing launched; thrust::system_error with
///   thrust::cuda_category(), its text naming the call and what failed. Where nothing was launched the output is
///   untouched. No GPU is such an error, and one that cannot launch cooperatively, for scans of more than a tile a block.
/// - **Returns**: result + (last - first); result, for a range whose last lies before its first.
/// - **In device code**: sequential, on the calling thread, as Thrust's.
#pragma once

#include <lightscan/entry/call.h>
#if defined(__CUDACC__)
#  include <lightscan/entry/run.h>
#  include <lightscan/execution_policy.h>
#endif
#include <lightscan/util/scan_policy.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/scan.h>

#include <cuda/std/functional>

LIGHTSCAN_NAMESPACE_BEGIN

/// result[i] = first[0] + ... + first[i].
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result)
{
  return entry::run<entry::scan<true, entry::value_t<InputIt>>>(
    policy, first, last, result, util::no_init{}, ::cuda::std::plus<>{});
}

/// result[i] = first[0] op ... op first[i].
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param op associative; called in device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, Op op)
{
  return entry::run<entry::scan<true, entry::value_t<InputIt>>>(policy, first, last, result, util::no_init{}, op);
}

/// result[i] = init op first[0] op ... op first[i].
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @param op associative; called in device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt inclusive_scan(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, T init, Op op)
{
  using accumulator = entry::checked_accumulator_t<Op, T, entry::value_t<InputIt>>;
  return entry::run<entry::scan<true, accumulator>>(policy, first, last, result, init, op);
}

/// result[0] = 0, result[i] = first[0] + ... + first[i - 1].
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result)
{
  using T = entry::value_t<InputIt>;
  return entry::run<entry::scan<false, T>>(policy, first, last, result, T{}, ::cuda::std::plus<>{});
}

/// result[0] = init, result[i] = init + first[0] + ... + first[i - 1].
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class T>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, T init)
{
  return entry::run<entry::scan<false, T>>(policy, first, last, result, init, ::cuda::std::plus<>{});
}

/// result[0] = init, result[i] = init op first[0] op ... op first[i - 1].
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param result where the output begins
/// @param init the value before the first
/// @param op associative; called in device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class OutputIt, class T, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, OutputIt result, T init, Op op)
{
  return entry::run<entry::scan<false, T>>(policy, first, last, result, init, op);
}

LIGHTSCAN_NAMESPACE_END
