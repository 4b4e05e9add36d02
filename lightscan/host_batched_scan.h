/// @file
/// lightscan::HostBatchedScan: scans along any axis of an array on the machine's cores.
///
/// The calls of lightscan::DeviceBatchedScan, with lightscan::host first, for memory that the host can reach; plain C++ files may include
/// this header:
///
///     std::vector<float> pixels(rows * columns), sums(rows * columns);
///     const lightscan::axis downwards(1, rows, columns);
///     lightscan::HostBatchedScan::InclusiveSum(lightscan::host, pixels.begin(), sums.begin(), downwards);
///
/// - **Arrays**: as lightscan::axis says (<lightscan/axis.h>): outer x length x inner elements, scanned along the middle one, with strides
///   and backward. Output may take the place of the input, if it lies as that does; ranges do not overlap otherwise. What lies in the
///   gaps of the output is left as it is. No two results may have one place. Nothing is done where a dimension is 0; a negative one is
///   std::invalid_argument, and nothing is written.
/// - **init**: a value, which stands before each line.
/// - **Operator**: associative; need not be commutative. It is called on neighbours of one line only, in the order of the scan.
/// - **Accumulator**: the decayed result of op(init, value), of op(value, value) without an initial value.
/// - **Work**: one pass over memory; cache lines of the output are read before they are written. Threads share out bands of lines (with
///   2 KiB of accumulators side by side, or all lines) where there are 16 in all, and each element takes one call of the operator. Else
///   all threads scan each band, in tiles along the axis, in two calls for each element; so does one thread one to three long lines.
///   (Accumulators of more than 256 bytes: threads share out bands, however few.) Rows without gaps are segments.
/// - **Memory**: 16 KiB of folds for each thread, or one fold, and twice as much for each call; else as <lightscan/host.h> says.
/// - **Threads**, **Exceptions**: as <lightscan/host.h> says, but that accumulators of more than 256 bytes may have several threads; those
///   that are not trivially copyable have the calling one. Calls return when the results are there.
/// - **Determinism**: the same bits for any number of threads, in every run; they depend on the axis.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/entry/axis_shape.h>
#include <lightscan/entry/offered.h>
#include <lightscan/entry/types.h>
#include <lightscan/host.h>
#if !defined(__CUDA_ARCH__) // the engine, as in host/entry.h
#  include <lightscan/host/elements.h>
#  include <lightscan/host/engine.h>
#  include <lightscan/host/lines.h>
#  include <lightscan/host/results_apart.h>
#  include <lightscan/host/segments.h>
#endif
#include <lightscan/tile/segment_heads.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/functional>

#include <stdexcept>

LIGHTSCAN_NAMESPACE_BEGIN

/// Scans along an axis on host threads. Any number of threads may call at once.
class HostBatchedScan
{
  using plus = ::cuda::std::plus<>;

public:
  /// A result is the sum of its line up to its element.
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  template <class InputIt, class OutputIt>
  static void InclusiveSum(const host_policy& policy, InputIt in, OutputIt out, const axis& along)
  {
    InclusiveScan(policy, in, out, along, plus{});
  }

  /// A result is the sum of its line up to the element before; 0 for the first.
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  template <class InputIt, class OutputIt>
  static void ExclusiveSum(const host_policy& policy, InputIt in, OutputIt out, const axis& along)
  {
    ExclusiveScan(policy, in, out, along, plus{}, entry::value_t<InputIt>{});
  }

  /// A result is the fold of its line up to its element, in the order of the scan.
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  template <class InputIt, class OutputIt, class Op>
  static void InclusiveScan(const host_policy& policy, InputIt in, OutputIt out, const axis& along, Op op)
  {
    using T = entry::checked_accumulator_t<Op, entry::value_t<InputIt>, entry::value_t<InputIt>>;
    scan<true, T>(policy, in, out, along, op, util::no_init{});
  }

  /// A result is op(init, the fold of its line up to its element).
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  /// @param init stands before each line
  template <class InputIt, class OutputIt, class Op, class Init>
  static void
  InclusiveScanInit(const host_policy& policy, InputIt in, OutputIt out, const axis& along, Op op, Init init)
  {
    using T = entry::checked_accumulator_t<Op, Init, entry::value_t<InputIt>>;
    scan<true, T>(policy, in, out, along, op, init);
  }

  /// A result is op(init, the fold of its line up to the element before); init for the first.
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  /// @param init stands before each line
  template <class InputIt, class OutputIt, class Op, class Init>
  static void ExclusiveScan(const host_policy& policy, InputIt in, OutputIt out, const axis& along, Op op, Init init)
  {
    using T = entry::checked_accumulator_t<Op, Init, entry::value_t<InputIt>>;
    scan<false, T>(policy, in, out, along, op, init);
  }

private:
  template <bool Inclusive, class T, class InputIt, class OutputIt, class Op, class Init>
  static void
  scan(const host_policy& policy, InputIt in, OutputIt out, const axis& along, const Op& op, const Init& init)
  {
    if constexpr (entry::offered_scan<false, T, InputIt, OutputIt, Init, Op>::value)
    {
#if !defined(__CUDA_ARCH__) // nvcc's pass for the device would look for device code of the operator (util/call.h)
      if (!entry::makes_sense(along))
      {
        throw std::invalid_argument("lightscan::HostBatchedScan: an axis has a negative dimension");
      }
      const bool apart  = host_engine::results_apart<util::unwrapped_t<OutputIt>>;
      const int threads = host_engine::threads_for(policy.threads(), apart);
      const auto start  = host_engine::start_of<T>(init);
      if (along.outer == 0 || along.length == 0 || along.inner == 0)
      {
        return;
      }
      if (entry::follow_one_another(along))
      {
        host_engine::scan_segments<host_engine::default_tuning, Inclusive, T>(
          threads, along.outer * along.length, tile::row_list(along.length), in, out, op, start);
        return;
      }
      host_engine::scan_lines<host_engine::default_tuning, Inclusive, T>(
        threads, along, util::unwrapped(in), util::unwrapped(out), op, start);
#endif
    }
  }
};

LIGHTSCAN_NAMESPACE_END
