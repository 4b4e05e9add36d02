/// @file
/// lightscan::HostSegmentedScan: scans of many segments on the machine's cores, whatever their lengths.
///
/// The calls of lightscan::DeviceSegmentedScan, with lightscan::host first, for memory that the host can reach; plain C++ files may
/// include this header:
///
///     std::vector<float> in(n), out(n);
///     std::vector<int> offsets{0, 3, 3, 10}; // three segments, of which the second is empty; n is 10
///     lightscan::HostSegmentedScan::InclusiveSegmentedSum(lightscan::host, in.begin(), out.begin(), offsets.begin(), 3);
///
/// or rows of one length, by their number and that:
///
///     lightscan::HostSegmentedScan::ExclusiveSegmentedSum(lightscan::host, in.begin(), out.begin(), rows, length);
///
/// - **Offsets**: segment j has the elements from offsets[j] to offsets[j + 1] - 1. So there are num_segments + 1 offsets, of any integer
///   type, behind any random-access iterator; offsets[0] is 0 and they ascend; equal ones are an empty segment. Several threads read
///   them. No segments, or a negative number of them, do nothing. Offsets that do not ascend put segments in wrong places; nothing is
///   written in front of the output's first element or behind offsets[num_segments]; with CCCL's assertions (CCCL_ENABLE_ASSERTIONS), the
///   program stops at one it reads that is negative or above the next. Were offsets[0] not 0, elements before it would be a
///   segment, too. CUB's begin and end offsets apart are not offered.
/// - **Ranges**: the elements of all segments, in random-access iterators to memory that the host can reach. Output may take the place of
///   the input; ranges do not overlap otherwise, nor the offsets.
/// - **init**: a value, which stands before each segment.
/// - **Operator**: associative; need not be commutative. It is called on neighbours of one segment only, in their order.
/// - **Accumulator**: the decayed result of op(init, value), of op(value, value) without an initial value, with a flag.
/// - **Work**: (sizeof input + sizeof output) bytes for each element, and the offsets, in one pass over memory: of a tile of 64 KiB the
///   part is folded that its last segment has in it, and the tile is scanned while that is in the cache. Only tiles in which no segment
///   begins are written past the caches; of others, lines of the output are read before they are written. Two searches among the
///   offsets for each tile; a run of empty segments is skipped by another.
/// - **Memory**: as <lightscan/host.h> says, of accumulators with a flag.
/// - **Threads**, **Exceptions**: as said there; accumulators that no slot holds (with their flag) are scanned from left to right on the
///   calling thread. Calls return when the results are there.
/// - **Determinism**: the same bits for any number of threads, in every run; they depend on the segments.
#pragma once

#include <lightscan/entry/offered.h>
#include <lightscan/entry/types.h>
#include <lightscan/host.h>
#if !defined(__CUDA_ARCH__) // the engine, as in host/entry.h
#  include <lightscan/host/elements.h>
#  include <lightscan/host/engine.h>
#  include <lightscan/host/results_apart.h>
#  include <lightscan/host/segments.h>
#endif
#include <lightscan/tile/segment_heads.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN

/// Scans of segments on host threads. Any number of threads may call at once. Two arguments `first` and `second` tell of segments: offsets
/// and the number of segments, or the number of segments and the size of each.
class HostSegmentedScan
{
  using plus = ::cuda::std::plus<>;

public:
  /// out[i] is the sum of its segment up to in[i].
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  template <class InputIt, class OutputIt, class First, class Second>
  static void InclusiveSegmentedSum(const host_policy& policy, InputIt in, OutputIt out, First first, Second second)
  {
    InclusiveSegmentedScan(policy, in, out, first, second, plus{});
  }

  /// out[i] is the sum of its segment up to the element before; 0 for the first.
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  template <class InputIt, class OutputIt, class First, class Second>
  static void ExclusiveSegmentedSum(const host_policy& policy, InputIt in, OutputIt out, First first, Second second)
  {
    ExclusiveSegmentedScan(policy, in, out, first, second, plus{}, entry::value_t<InputIt>{});
  }

  /// out[i] is the fold of its segment up to in[i], from left to right.
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  template <class InputIt, class OutputIt, class First, class Second, class Op>
  static void
  InclusiveSegmentedScan(const host_policy& policy, InputIt in, OutputIt out, First first, Second second, Op op)
  {
    using T = entry::checked_accumulator_t<Op, entry::value_t<InputIt>, entry::value_t<InputIt>>;
    scan<true, T>(policy, in, out, first, second, op, util::no_init{});
  }

  /// out[i] is op(init, the fold of its segment up to in[i]).
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  /// @param init stands before each segment
  template <class InputIt, class OutputIt, class First, class Second, class Op, class Init>
  static void InclusiveSegmentedScanInit(
    const host_policy& policy, InputIt in, OutputIt out, First first, Second second, Op op, Init init)
  {
    using T = entry::checked_accumulator_t<Op, Init, entry::value_t<InputIt>>;
    scan<true, T>(policy, in, out, first, second, op, init);
  }

  /// out[i] is op(init, the fold of its segment up to the element before); init for the first.
  /// @param policy lightscan::host, or what it makes
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  /// @param init stands before each segment
  template <class InputIt, class OutputIt, class First, class Second, class Op, class Init>
  static void ExclusiveSegmentedScan(
    const host_policy& policy, InputIt in, OutputIt out, First first, Second second, Op op, Init init)
  {
    using T = entry::checked_accumulator_t<Op, Init, entry::value_t<InputIt>>;
    scan<false, T>(policy, in, out, first, second, op, init);
  }

private:
  template <bool Inclusive, class T, class InputIt, class OutputIt, class First, class Second, class Op, class Init>
  static void
  scan(const host_policy& policy, InputIt in, OutputIt out, First first, Second second, const Op& op, const Init& init)
  {
    if constexpr (entry::offered_scan<false, T, InputIt, OutputIt, Init, Op>::value)
    {
#if !defined(__CUDA_ARCH__) // nvcc's pass for the device would look for device code of the operator (util/call.h)
      using host_engine::index;
      const auto all = [&](const auto& list, index num_items) {
        const bool apart = host_engine::results_apart<util::unwrapped_t<OutputIt>>;
        host_engine::scan_segments<host_engine::default_tuning, Inclusive, T>(
          host_engine::threads_for(policy.threads(), apart),
          num_items,
          list,
          in,
          out,
          op,
          host_engine::start_of<T>(init));
      };
      if constexpr (::cuda::std::is_integral_v<First>)
      {
        const index rows   = static_cast<index>(first);
        const index length = static_cast<index>(second);
        if (rows > 0 && length > 0)
        {
          all(tile::row_list(length), rows * length);
        }
      }
      else
      {
        const index segments = static_cast<index>(second);
        if (segments > 0)
        {
          const tile::offset_list<First, index> list{first, segments};
          all(list, list.offset(segments));
        }
      }
#endif
    }
  }
};

LIGHTSCAN_NAMESPACE_END
