// A thread's items of a tile in shared memory: folded in one pass, scanned in a second one.
//
// Two passes over shared memory cost a third of the registers of a tile held in registers, and are what makes 1- and
// 2-byte elements fast. Accesses to the widest column are 16 bytes wide (stage_view.h).
//
// In segments, the first pass notes where they begin, and the second one needs neither keys nor heads any more: it reads fewer bytes,
// and has no runs to join (perf/DECISIONS.md, noted-heads).
//
// `Whole`: all of the thread's items lie in the range. Otherwise those outside are loaded from shared memory with their
// neighbours but never handed to the operator.
#pragma once

#include <lightscan/bulk/byte_sum.h>
#include <lightscan/bulk/item_flags.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// `View` is one of stage_view.h; `Unroll`: for how many chunks the loops below are unrolled (perf/DECISIONS.md, unroll). Threads
// whose items are not whole are too few for that.
template <class View, int Unroll>
class thread_items
{
  using T = typename View::accumulator;

  static constexpr bool in_segments = View::in_segments;

  // Whether a thread's segments are told by its items' bits, or, where these are few, by the comparisons themselves: ptxas 13.0 takes the
  // question whether one of two bits is set for whether one is not, where a third condition is asked beside it (perf/NOTES.md, "Two bits";
  // 13.5 does not). Of many items, bits take fewer instructions.
  static constexpr bool told_by_bits = View::chunks_per_thread * View::chunk_items > 4;

public:
  // What comes before a thread's items, as the second pass wants it: in segments, the fold of the last one's values.
  using before_type = ::cuda::std::conditional_t<in_segments, typename View::result, T>;

  // What the first pass leaves for the second one: in segments, what tells of the thread's first item whether one begins with it, given
  // what comes before; and with which of the others one does.
  template <bool InSegments, class Kind>
  struct noted_heads
  {
    util::uninitialized<typename Kind::head_type> first;
    item_flags<View::chunk_items, View::chunks_per_thread> begins;
  };
  template <class Kind>
  struct noted_heads<false, Kind>
  {};
  using notes = noted_heads<in_segments, typename View::kind_type>;

  // The items of View::chunks_per_thread chunks of the stage, from `first_chunk` on; [first, last), counted from the first of
  // these items, lie in the range.
  __device__ thread_items(View& view, int first_chunk, int first, int last)
      : view_(view)
      , first_chunk_(first_chunk)
      , first_(first > 0 ? first : 0)
      , last_(last)
  {}

  // The fold of the thread's elements, left to right. Call it only where there is one.
  template <bool Whole, class Op>
  __device__ util::uninitialized<T> fold(Op& op, notes& noted) const
  {
    util::uninitialized<T> running;
    noted                     = {};
    [[maybe_unused]] bool any = false; // whether a segment begins with another item than the thread's first
    view_.template begin_chunks<Whole>(first_chunk_);
#  pragma unroll(Whole ? Unroll : 1)
    for (int c = 0; c < View::chunks_per_thread; ++c)
    {
      const typename View::chunk loaded = view_.template first_load<Whole>(
        first_chunk_ + c, {first_ - c * View::chunk_items, last_ - c * View::chunk_items});
      if constexpr (Whole && sums_bytes<typename View::items_type, Op>)
      {
        running.value = static_cast<T>(fold_bytes(c == 0 ? 0 : running.value, ::cuda::std::get<0>(loaded.out)));
      }
      else if constexpr (in_segments)
      {
        noted.begins.append(fold_runs<Whole>(running, any, loaded, c, op, noted));
      }
      else
      {
        fold_items<Whole>(running, loaded, c, op);
      }
    }
    if constexpr (in_segments)
    {
      any                  = told_by_bits ? noted.begins.any() : any;
      running.value.broken = View::kind_type::breaks(noted.first.value) || any;
    }
    return running;
  }

  // Replaces each element by its result, given the fold of everything before the thread's items; in segments, of what there is of the
  // one that the thread's first item goes on with.
  template <bool Whole, class Op>
  __device__ void scan(const util::uninitialized<before_type>& before, bool has_before, Op& op, notes& noted) const
  {
    running_scan running{before, has_before};
#  pragma unroll(Whole ? Unroll : 1)
    for (int c = 0; c < View::chunks_per_thread; ++c)
    {
      typename View::chunk block = view_.second_load(first_chunk_ + c);
      scan_chunk<Whole>(block, c, running, op, noted);
      view_.store(first_chunk_ + c, block);
    }
  }

  // A thread's elements in registers. Where results lie on other threads' elements, the second pass has two steps: all threads
  // take their elements before any puts a result.
  struct taken
  {
    typename View::taken_chunk chunk[View::chunks_per_thread];

    // Moves the chunks forward by `Count`, so that a rolled loop finds its next ones first: registers cannot be indexed.
    template <int Count>
    __device__ void drop()
    {
#  pragma unroll
      for (int c = Count; c < View::chunks_per_thread; ++c)
      {
        chunk[c - Count] = chunk[c];
      }
    }
  };

  __device__ void take(taken& all) const
  {
#  pragma unroll
    for (int c = 0; c < View::chunks_per_thread; ++c)
    {
      all.chunk[c] = view_.take(first_chunk_ + c);
    }
  }

  // Puts the results of a few chunks at a time, in a rolled loop: items and bounds of all chunks would fill the registers and
  // spill (perf/DECISIONS.md, rolled-results).
  template <bool Whole, class Op>
  __device__ void
  put(taken& all, const util::uninitialized<before_type>& before, bool has_before, Op& op, notes& noted) const
  {
    constexpr int at_once = Whole ? Unroll : 1;
    running_scan running{before, has_before};
#  pragma unroll 1
    for (int first = 0; first < View::chunks_per_thread; first += at_once)
    {
#  pragma unroll
      for (int c = 0; c < at_once; ++c)
      {
        if (View::chunks_per_thread % at_once == 0 || first + c < View::chunks_per_thread)
        {
          // A copy: else all results stay in registers, and spill.
          typename View::chunk block = view_.chunk_of(all.chunk[c], first_chunk_ + first + c);
          scan_chunk<Whole>(block, first + c, running, op, noted);
          view_.store(first_chunk_ + first + c, block);
        }
      }
      all.template drop<at_once>();
    }
  }

private:
  // What is carried from item to item in the second pass.
  struct running_scan
  {
    util::uninitialized<before_type> value;
    bool there; // in segments: whether the thread's first item goes on with it
  };

  // In segments. Returns a bit for each item with which one begins, but for the thread's first; `any`: whether one has.
  template <bool Whole, class Op>
  __device__ unsigned fold_runs(
    util::uninitialized<T>& running, bool& any, const typename View::chunk& loaded, int c, Op& op, notes& noted) const
  {
    unsigned begins = 0;
#  pragma unroll
    for (int i = 0; i < View::chunk_items; ++i)
    {
      const int position = c * View::chunk_items + i;
      if (Whole || inside(position))
      {
        const T element = view_.item(loaded, i);
        if (position == (Whole ? 0 : first_))
        {
          running     = util::uninitialized<T>(element);
          noted.first = View::kind_type::head_of(element);
        }
        else
        {
          const bool joins = op.continues(running.value, View::kind_type::head_of(element));
          running          = util::uninitialized<T>(op.joined(running.value, element, joins, false));
          begins |= joins ? 0u : 1u << i;
          any = any || !joins;
        }
      }
    }
    return begins;
  }

  template <bool Whole, class Op>
  __device__ void fold_items(util::uninitialized<T>& running, const typename View::chunk& loaded, int c, Op& op) const
  {
#  pragma unroll
    for (int i = 0; i < View::chunk_items; ++i)
    {
      const int position = c * View::chunk_items + i;
      if (Whole || inside(position))
      {
        const T element = view_.item(loaded, i);
        running         = position == (Whole ? 0 : first_) ? util::uninitialized<T>(element)
                                                           : util::combine(op, running.value, element);
      }
    }
  }

  template <bool Whole, class Op>
  __device__ void
  scan_chunk(typename View::chunk& block, int c, running_scan& running, Op& op, [[maybe_unused]] notes& noted) const
  {
    if constexpr (in_segments)
    {
      scan_segments<Whole>(block, c, running, noted.begins.take(), op);
    }
    else if constexpr (Whole && sums_bytes<typename View::items_type, Op>)
    {
      running.value =
        static_cast<T>(scan_bytes<View::kind_type::inclusive>(running.value.value, ::cuda::std::get<0>(block.out)));
    }
    else
    {
      scan_items<Whole>(block, c, running, op);
    }
  }

  template <bool Whole, class Op>
  __device__ void
  scan_segments(typename View::chunk& block, int c, running_scan& running, unsigned begins, Op& op) const
  {
#  pragma unroll
    for (int i = 0; i < View::chunk_items; ++i)
    {
      const int position = c * View::chunk_items + i;
      if (Whole || inside(position))
      {
        const bool at_head = position == (Whole ? 0 : first_) ? !running.there : (begins >> i & 1) != 0;
        view_.set(block, i, view_.kind().step_in_segment(running.value, at_head, view_.value(block, i), op).value);
      }
    }
  }

  template <bool Whole, class Op>
  __device__ void scan_items(typename View::chunk& block, int c, running_scan& running, Op& op) const
  {
#  pragma unroll
    for (int i = 0; i < View::chunk_items; ++i)
    {
      const int position = c * View::chunk_items + i;
      if (Whole || inside(position))
      {
        const bool starts = (!Whole || View::before_carry) && !running.there && position == (Whole ? 0 : first_);
        view_.set(block, i, view_.kind().step(running.value, starts, view_.item(block, i), op).value);
      }
    }
  }

  __device__ bool inside(int position) const
  {
    return first_ <= position && position < last_;
  }

  View& view_;
  int first_chunk_;
  int first_;
  int last_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
