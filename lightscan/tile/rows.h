// A warp's part of a tile, in registers: consecutive rows of 32 chunks, chunk l of a row in lane l, so that every access
// of the warp to memory is one contiguous run. The rows' shuffles do not wait for one another.
//
// Order of combination, a function of the tile's geometry alone: a chunk from left to right; the lanes of a row by a
// shuffle scan (warp::inclusive_scan); rows from left to right.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/tile/ends.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
#if defined(__CUDACC__)
template <class Form, class Source, class Sink, class Op, int Rows>
class rows_of_warp
{
  using T        = typename Form::accumulator;
  using result   = typename Form::result;
  using chunk    = decltype(chunk_of<Form>(::cuda::std::declval<const Source&>()));
  using resolved = decltype(::cuda::std::declval<const Form&>().resolved());

  static constexpr int chunk_items = Source::template chunk_items<T>;
  static constexpr int row_items   = warp::lanes * chunk_items;

public:
  static constexpr int items = Rows * row_items;

  __device__ rows_of_warp(const Form& what, const Source& source, const Sink& sink, Op op)
      : what_(what.resolved())
      , source_(source)
      , sink_(sink)
      , op_(op)
  {}

  // The rows begin at item `at` of the range, or before the range's first, and hold the items [inside.first, inside.last)
  // counted from there. Whole: these fill the rows. Otherwise the first chunk may lack its first items, the last one its
  // last, and what comes after that is empty; so may all be.
  template <bool Whole>
  __device__ void load(index at, span inside)
  {
    const int mine = warp::lane_id() * chunk_items;
    at_            = at + mine;
    first_         = inside.first > mine ? inside.first - mine : 0;
    left_          = inside.last - mine;
    load_rows<Form, Whole>(source_, chunk_, at_, span{first_, left_}, row_items);
  }

  // The fold of the rows, in every lane.
  template <bool Whole>
  __device__ carry::uninitialized<T> fold()
  {
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
#  pragma unroll
      for (int i = 0; i < chunk_items; ++i)
      {
        if (begins<Whole>(r, i))
        {
          before_[r] = chunk_[r].item(i);
        }
        else if (inside<Whole>(r, i))
        {
          before_[r] = carry::combine(op_, before_[r].value, chunk_[r].item(i).value);
        }
      }
    }
    // The rows side by side, so that none waits for another's shuffles. Rolled where there is little to do in all.
#  pragma unroll(Whole ? warp::lanes : 1)
    for (int distance = 1; distance < warp::lanes; distance *= 2)
    {
#  pragma unroll
      for (int r = 0; r < Rows; ++r)
      {
        warp::scan_step(before_[r], Whole || held(r) ? warp::lane_id() : 0, distance, op_);
      }
    }
    carry::uninitialized<T> running;
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
      const int lanes                     = Whole ? warp::lanes : __popc(__ballot_sync(0xffffffffu, held(r)));
      const carry::uninitialized<T> total = warp::from_lane(before_[r].value, lanes - 1);
      before_[r]                          = warp::shuffle_up(before_[r].value, 1);
      if (r == 0)
      {
        running = total;
      }
      else if (Whole || lanes > 0)
      {
        if (warp::lane_id() == 0)
        {
          before_[r] = running;
        }
        else if (Whole || held(r))
        {
          before_[r] = carry::combine(op_, running.value, before_[r].value);
        }
        running = carry::combine(op_, running.value, total.value);
      }
    }
    return running;
  }

  // Puts out the results, given the fold of everything before the rows.
  template <bool Whole>
  __device__ void scan(carry::uninitialized<T> before, bool has_before)
  {
    item_chunk<result, chunk_items> results[Rows];
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
      if (Whole || held(r))
      {
        const bool has_inside           = r > 0 || warp::lane_id() > 0;
        carry::uninitialized<T> running = before;
        if (has_inside)
        {
          running = before_[r];
          if (has_before)
          {
            running = carry::combine(op_, before.value, before_[r].value);
          }
        }
#  pragma unroll
        for (int i = 0; i < chunk_items; ++i)
        {
          if (inside<Whole>(r, i))
          {
            const bool starts = begins<Whole>(r, i) && !has_before && !has_inside;
            results[r].at[i]  = what_.step(running, starts, chunk_[r].item(i).value, op_);
          }
        }
      }
    }
    store_rows<Whole>(sink_, results, at_, span{first_, left_}, row_items);
  }

private:
  // Whether this lane has an item of the range in row r.
  __device__ bool held(int r) const
  {
    return left_ > r * row_items;
  }

  // Whether item i of its chunk there is one, and the chunk's first.
  template <bool Whole>
  __device__ bool inside(int r, int i) const
  {
    return Whole || holds(span{first_, left_}, row_items, r, i);
  }
  template <bool Whole>
  __device__ bool begins(int r, int i) const
  {
    return Whole || r > 0 ? i == 0 : i == first_;
  }

  resolved what_;
  const Source& source_;
  const Sink& sink_;
  Op op_;
  index at_;  // this lane's first place
  int first_; // the items of the range from there on: [first_, left_)
  int left_;
  chunk chunk_[Rows];
  carry::uninitialized<T> before_[Rows]; // the items before this lane's chunk of the row, folded
};
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
