// A group of warps scans one tile that lies in shared memory: each thread folds its segment, the group scans the folds,
// the tile's aggregate is published, the carry arrives, each thread scans its segment. `View` (items.h) says how the
// tile's items lie in its stage.
//
// Order of combination inside a tile, a function of the tile's geometry alone: a segment from left to right; the lanes
// of a warp by a shuffle scan (warp::inclusive_scan); warps from left to right.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/segment.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
#if defined(__CUDACC__)
template <class View, class Op, int Threads, int Unroll>
class group_scan
{
  using T = typename View::accumulator;

public:
  static constexpr int warps = Threads / warp::lanes;

  // In shared memory, one per group.
  struct storage
  {
    // Two sets in turn: a fast warp may write the next tile's totals while a slow one still reads these. It cannot get
    // further, because the next tile's barrier needs the slow one.
    carry::uninitialized<T> warp_total[2][warps];
  };

  // `thread` is counted from the group's first; `barrier` is a named barrier that only this group uses.
  __device__ group_scan(storage& shared, int thread, int barrier, Op op)
      : shared_(shared)
      , thread_(thread)
      , barrier_(barrier)
      , op_(op)
  {}

  __device__ bool leader() const
  {
    return thread_ == 0;
  }

  // First half, up to the aggregate, which is valid in every thread. `whole`: all of the tile lies in the range.
  __device__ carry::uninitialized<T> fold(View& view, span inside, bool whole)
  {
    turn_ ^= 1;
    // Threads whose segment holds an element of the range are the lowest ones: a lead is shorter than a segment.
    const int threads       = (inside.last + segment_items - 1) / segment_items;
    const int threads_here  = threads - (thread_ - warp::lane_id());
    const int lanes         = threads_here > warp::lanes ? warp::lanes : threads_here;
    const int warps_in_tile = (threads + warp::lanes - 1) / warp::lanes;

    active_ = thread_ < threads;
    carry::uninitialized<T> scanned;
    if (whole)
    {
      scanned = mine(view, inside).template fold<true>(op_);
    }
    else if (active_)
    {
      scanned = mine(view, inside).template fold<false>(op_);
    }
    __syncwarp();
    warp::inclusive_scan(scanned, active_, op_);
    if (warp::lane_id() == lanes - 1)
    {
      shared_.warp_total[turn_][thread_ / warp::lanes] = scanned;
    }
    const carry::uninitialized<T> before_lane = warp::shuffle_up(scanned.value, 1);
    synchronize();

    carry::uninitialized<T> aggregate = shared_.warp_total[turn_][0];
    carry::uninitialized<T> before_warp;
#  pragma unroll
    for (int w = 1; w < warps; ++w)
    {
      if (w == thread_ / warp::lanes)
      {
        before_warp = aggregate;
      }
      if (w < warps_in_tile)
      {
        aggregate = carry::combine(op_, aggregate.value, shared_.warp_total[turn_][w].value);
      }
    }
    has_before_ = thread_ > 0;
    before_     = thread_ < warp::lanes ? carry::uninitialized<T>(before_lane) : carry::uninitialized<T>(before_warp);
    if (active_ && thread_ >= warp::lanes && warp::lane_id() > 0)
    {
      before_ = carry::combine(op_, before_warp.value, before_lane.value);
    }
    return aggregate;
  }

  // Second half: puts the results into the stage.
  __device__ void scan(View& view, span inside, bool whole, carry::uninitialized<T> carry, bool has_carry)
  {
    const bool has_running = has_carry || has_before_;
    if (has_before_)
    {
      if (!has_carry)
      {
        carry = before_;
      }
      else if (active_)
      {
        carry = carry::combine(op_, carry.value, before_.value);
      }
    }
    const segment_type segment = mine(view, inside);
    const bool all             = whole && has_carry;
    if constexpr (View::in_place)
    {
      if (all)
      {
        segment.template scan<true>(carry, true, op_);
      }
      else if (active_)
      {
        segment.template scan<false>(carry, has_running, op_);
      }
    }
    else
    {
      typename segment_type::taken elements;
      if (active_)
      {
        segment.take(elements);
      }
      synchronize();
      if (all)
      {
        segment.template put<true>(elements, carry, true, op_);
      }
      else if (active_)
      {
        segment.template put<false>(elements, carry, has_running, op_);
      }
    }
  }

  __device__ void synchronize() const
  {
    __barrier_sync_count(barrier_, Threads);
  }

private:
  using segment_type = segment<View, Unroll>;

  static constexpr int segment_items = View::segment_chunks * View::chunk_items;

  __device__ segment_type mine(View& view, span inside) const
  {
    const int begin = thread_ * segment_items;
    return segment_type(view, thread_ * View::segment_chunks, inside.first - begin, inside.last - begin);
  }

  storage& shared_;
  int thread_;
  int barrier_;
  Op op_;
  int turn_ = 0;
  bool active_;
  bool has_before_;
  carry::uninitialized<T> before_; // the tile's elements before this thread's segment, folded
};
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
