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

  // The items [first, first + count) of the range. Whole: they fill the rows. Otherwise the last chunk may be short, and
  // what comes after it empty; so may all be.
  template <bool Whole>
  __device__ void load(index first, int count)
  {
    at_   = first + warp::lane_id() * chunk_items;
    left_ = count - warp::lane_id() * chunk_items;
    load_rows<Form, Whole>(source_, chunk_, at_, left_, row_items);
  }

  // The fold of the rows, in every lane.
  template <bool Whole>
  __device__ carry::uninitialized<T> fold()
  {
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
      before_[r] = chunk_[r].item(0);
#  pragma unroll
      for (int i = 1; i < chunk_items; ++i)
      {
        if (Whole || i < left_ - r * row_items)
        {
          before_[r] = carry::combine(op_, before_[r].value, chunk_[r].item(i).value);
        }
      }
    }
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
      warp::inclusive_scan(before_[r], Whole || held(r), op_);
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
          if (Whole || i < left_ - r * row_items)
          {
            const bool starts = i == 0 && !has_before && !has_inside;
            results[r].at[i]  = what_.step(running, starts, chunk_[r].item(i).value, op_);
          }
        }
      }
    }
    store_rows<Whole>(sink_, results, at_, left_, row_items);
  }

private:
  __device__ bool held(int r) const
  {
    return left_ > r * row_items;
  }

  resolved what_;
  const Source& source_;
  const Sink& sink_;
  Op op_;
  index at_; // this lane's first item
  int left_; // items of the range from there on, as far as the rows go
  chunk chunk_[Rows];
  carry::uninitialized<T> before_[Rows]; // the items before this lane's chunk of the row, folded
};
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
