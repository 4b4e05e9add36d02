// A thread's segment of a tile in shared memory: folded in one pass, scanned in a second one.
//
// Two passes over shared memory cost a third of the registers of a tile held in registers, and are what makes 1- and
// 2-byte elements fast. Accesses are 16 bytes wide, of the widest column (items.h).
//
// `Whole` segments lie in the range entirely. Otherwise elements outside `span` are loaded from shared memory with
// their neighbours but never handed to the operator.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/tile/byte_sum.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
#if defined(__CUDACC__)
// `View` is one of items.h; `Unroll`: how many chunks of the loops below stand in the code one after the other. Segments that
// are not whole are too few for that.
template <class View, int Unroll>
class segment
{
  using T = typename View::accumulator;

public:
  // View::segment_chunks chunks of the stage. `first` and `last`: the part of the segment inside the range, counted from
  // the segment's beginning.
  __device__ segment(View& view, int first_chunk, int first, int last)
      : view_(view)
      , first_chunk_(first_chunk)
      , first_(first > 0 ? first : 0)
      , last_(last)
  {}

  // The fold of the segment's elements, left to right. Call it only where there is one.
  template <bool Whole, class Op>
  __device__ carry::uninitialized<T> fold(Op& op) const
  {
    carry::uninitialized<T> running;
#  pragma unroll(Whole ? Unroll : 1)
    for (int c = 0; c < View::segment_chunks; ++c)
    {
      const typename View::chunk loaded = view_.load(first_chunk_ + c);
      if constexpr (Whole && sums_bytes<typename View::items_type, Op>)
      {
        running.value = static_cast<T>(fold_bytes(c == 0 ? 0 : running.value, loaded.out));
      }
      else
      {
        fold_items<Whole>(running, loaded, c, op);
      }
    }
    return running;
  }

  // Replaces each element by its result, given the fold of everything before the segment.
  template <bool Whole, class Op>
  __device__ void scan(carry::uninitialized<T> running, bool has_running, Op& op) const
  {
#  pragma unroll(Whole ? Unroll : 1)
    for (int c = 0; c < View::segment_chunks; ++c)
    {
      typename View::chunk block = view_.load(first_chunk_ + c);
      scan_chunk<Whole>(block, c, running, has_running, op);
      view_.store(first_chunk_ + c, block);
    }
  }

  // The same in two steps, for results that lie on other threads' elements: all threads take their elements before any
  // puts a result.
  struct taken
  {
    typename View::chunk chunk[View::segment_chunks];

    // So that a loop that is not unrolled finds the next ones first: what is in registers has no number to be found by.
    template <int Count>
    __device__ void drop()
    {
#  pragma unroll
      for (int c = Count; c < View::segment_chunks; ++c)
      {
        chunk[c - Count] = chunk[c];
      }
    }
  };

  __device__ void take(taken& all) const
  {
#  pragma unroll
    for (int c = 0; c < View::segment_chunks; ++c)
    {
      all.chunk[c] = view_.load(first_chunk_ + c);
    }
  }

  // A few chunks after the other, or items and bounds of all of them fill the registers: spills.
  template <bool Whole, class Op>
  __device__ void put(taken& all, carry::uninitialized<T> running, bool has_running, Op& op) const
  {
    constexpr int at_once = Whole ? Unroll : 1;
#  pragma unroll 1
    for (int first = 0; first < View::segment_chunks; first += at_once)
    {
#  pragma unroll
      for (int c = 0; c < at_once; ++c)
      {
        if (View::segment_chunks % at_once == 0 || first + c < View::segment_chunks)
        {
          typename View::chunk block = all.chunk[c]; // a copy, or the results of all stay in registers: spills
          scan_chunk<Whole>(block, first + c, running, has_running, op);
          view_.store(first_chunk_ + first + c, block);
        }
      }
      all.template drop<at_once>();
    }
  }

private:
  template <bool Whole, class Op>
  __device__ void fold_items(carry::uninitialized<T>& running, const typename View::chunk& loaded, int c, Op& op) const
  {
#  pragma unroll
    for (int i = 0; i < View::chunk_items; ++i)
    {
      const int position = c * View::chunk_items + i;
      if (Whole || inside(position))
      {
        const T element = view_.item(loaded, i);
        running         = position == (Whole ? 0 : first_) ? carry::uninitialized<T>(element)
                                                           : carry::combine(op, running.value, element);
      }
    }
  }

  template <bool Whole, class Op>
  __device__ void
  scan_chunk(typename View::chunk& block, int c, carry::uninitialized<T>& running, bool has_running, Op& op) const
  {
    if constexpr (Whole && sums_bytes<typename View::items_type, Op>)
    {
      running.value = static_cast<T>(scan_bytes<View::form_type::inclusive>(running.value, block.out));
    }
    else
    {
      scan_items<Whole>(block, c, running, has_running, op);
    }
  }

  template <bool Whole, class Op>
  __device__ void
  scan_items(typename View::chunk& block, int c, carry::uninitialized<T>& running, bool has_running, Op& op) const
  {
#  pragma unroll
    for (int i = 0; i < View::chunk_items; ++i)
    {
      const int position = c * View::chunk_items + i;
      if (Whole || inside(position))
      {
        const bool starts = !Whole && !has_running && position == first_;
        view_.set(block, i, view_.form().step(running, starts, view_.item(block, i), op).value);
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
} // namespace tile
LIGHTSCAN_NAMESPACE_END
