/// @file
/// Thrust's scans, selections and reductions by key on the machine's cores: lightscan::host.
///
/// Call them as Thrust's, with lightscan::host first; Thrust finds these overloads by argument-dependent lookup. Plain
/// C++ files may include this header, and CUDA files:
///
///     std::vector<float> values(n, 1.0f), sums(n);
///     thrust::inclusive_scan(lightscan::host, values.begin(), values.end(), sums.begin());
///     thrust::inclusive_scan(lightscan::host.threads(4), values.begin(), values.end(), values.begin()); // in place
///
/// and every run of equal consecutive keys by itself:
///
///     std::vector<int> keys{1, 1, 2, 2, 2}, ones(5, 1), positions(5);
///     thrust::inclusive_scan_by_key(lightscan::host, keys.begin(), keys.end(), ones.begin(), positions.begin());
///     // positions: 1 2 1 2 3
///
/// The overloads are those of <lightscan/scan.h>, <lightscan/transform_scan.h>, <lightscan/scan_by_key.h>,
/// <lightscan/select.h>, <lightscan/unique_by_key.h>, <lightscan/partition.h> and <lightscan/reduce_by_key.h>, which
/// this header includes. Every other algorithm with this policy is Thrust's sequential one. Of scans:
///
/// - **Ranges**: [first, last) and [result, result + (last - first)), of random-access iterators to memory that the
///   host can reach. They may be the same range, or not overlap at all. Several threads read different elements at
///   once, and write them where "Threads" below says so; iterators must allow that. A range whose last lies before its
///   first does nothing.
/// - **By key**: neighbours are compared, the earlier one first: same(keys[i - 1], keys[i]), an unspecified number of
///   times. Results may take the place of the values, or of the keys; over the keys, the scan runs from left to right on
///   the calling thread. That is seen where both iterators yield references or are of one type; elsewhere results must
///   not overlap the keys.
/// - **Operator**: associative; commutativity is not needed, operands keep their order. Each thread calls copies of its
///   own. Called only on elements of the range and what it returned for them, an unspecified number of times. A
///   transformation is called up to twice for each element.
/// - **Accumulator**: the input's value type, or what the function returns, without reference and const; with an
///   initial value, inclusive scans accumulate in the decayed result of op(init, value) and exclusive scans in the
///   initial value's type. By key: the values' type, or the initial value's, with a flag.
/// - **Work**: one pass over memory: a tile of 64 KiB is folded, and scanned while it is in the cache. Contiguous
///   output of 32 MiB or more that is not the input is written past the caches where the processor can (x86: SSE2), so
///   that (sizeof input + sizeof output) x n bytes move, and no line is read in order to be overwritten. About two
///   calls of the operator for each element.
/// - **Memory**: none that grows with n: for slots 1.3 KB (accumulators of 4 bytes) to 80 KB (of 256), for more than 26
///   threads some more, allocated by each call of more than one tile; on each thread's stack less than 128 KB.
/// - **Threads**: `lightscan::host` uses std::thread::hardware_concurrency() of them, `.threads(n)` at most n; the
///   calling thread is one. Inputs of up to three tiles run on the calling thread alone; so do accumulators that are
///   not trivially copyable or (by key with their flag) larger than 256 bytes, those from left to right; and so do outputs whose neighbouring
///   results may share memory, as in a vector<bool>. Several threads write where an iterator's reference is one to its
///   value type, or where it is a reverse, permutation, transform_output, transform_input_output or zip iterator of
///   such. All other outputs are written by the calling thread. The other threads come from one pool of the program,
///   or of the shared library that the call stands in, which starts threads when they are first needed and serves one
///   call at a time: a call that comes while another is under way, or from inside an operator of one, runs on its own
///   thread. It never waits, so calls may be nested and concurrent in any way. The threads keep step with each other:
///   where other work takes cores away from them, the slowest decides, and fewer threads are faster. In a process that
///   was forked from one whose pool had threads, calls run on the calling thread alone. The pool's threads keep to
///   themselves which floating-point exceptions they raise (std::fetestexcept), and to the processors that the thread
///   which first called was bound to.
/// - **Determinism**: results have the same bits for any number of threads, in every run, and on every machine whose
///   arithmetic is the same (all threads round as the calling one does): the order of combination is a function of an
///   element's index and of sizeof(accumulator) alone (host/tile_scan.h within a tile, carry/lookahead.h between
///   tiles).
/// - **Exceptions**: what the operator, a transformation or an iterator throws on any thread reaches the caller, once
///   no thread is in the call any more; the first to be thrown, if there are several. The results are then unspecified;
///   the next call works as ever. std::bad_alloc where there is no memory for slots. What another language throws,
///   and C++ cannot keep, ends the program. Threads that the system refuses to start are done without.
/// - **Returns**: result + (last - first), when the results are there; result, for a range whose last lies before its
///   first.
/// - **In device code**: sequential, on the calling thread, as Thrust's.
///
/// The same holds of selections (copy_if, remove, unique, partition and their like) and of reduce_by_key, with this
/// instead:
///
/// - **Ranges**: as their headers say, in memory that the host can reach. remove, unique and unique_by_key work in place
///   in one pass, partition and stable_partition with room for as many elements as there are in the range.
/// - **Predicates** and equality are called exactly once for each element, or each two neighbours, in no particular
///   order, by copies that each thread has of its own, with copies of the elements. The operator of reduce_by_key gets
///   values of one run only.
/// - **Work**: one pass: what is kept of a tile of 64 KiB waits in a buffer of its thread's until the tiles before have
///   been counted.
/// - **Memory**: two such buffers for each thread, besides the slots.
/// - **Threads**: elements, keys and values that are not bitwise copyable, and values that no slot holds (as above, with
///   a 64-bit number), are taken from left to right by the calling thread.
/// - **Determinism**: of reduce_by_key as of scans (host/reduce_runs.h); selections move elements, and nothing else.
/// - **Returns**: what Thrust's do, when the results are there.
#pragma once

#include <lightscan/host/entry.h>
#include <lightscan/host/policy.h>
#include <lightscan/partition.h>
#include <lightscan/reduce_by_key.h>
#include <lightscan/scan.h>
#include <lightscan/scan_by_key.h>
#include <lightscan/select.h>
#include <lightscan/transform_scan.h>
#include <lightscan/unique_by_key.h>
