// The scan of one tile in shared memory by a group of warps: each thread folds its items, the group scans the folds, the
// tile's aggregate is published, the carry arrives, each thread scans its items. `View` (stage_view.h) says how the tile's
// items lie in its stage.
//
// Order of combination inside a tile, a function of the tile's geometry alone: a thread's items from left to right; the
// lanes of a warp by a shuffle scan (warp::inclusive_scan); warps from left to right.
#pragma once

#include <lightscan/bulk/thread_items.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
template <class View, class Op, int Threads, int Unroll>
class group_scan
{
  using T = typename View::accumulator;

public:
  static constexpr int warps = Threads / warp::lanes;

  // The group's part of shared memory.
  struct storage
  {
    // Two sets, used alternately: a fast warp may write the next tile's totals while a slow one still reads these. It
    // cannot get further, because the next tile's barrier needs the slow one.
    util::uninitialized<T> warp_total[2][warps];
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

  // The first half of the scan: the tile's aggregate, in every thread. `whole`: all of the tile lies in the range.
  __device__ util::uninitialized<T> fold(View& view, tile::span inside, bool whole)
  {
    buffer_ ^= 1;
    // Threads that have an element of the range are the lowest ones: a lead is shorter than a thread's items.
    const int threads       = (inside.last + items_per_thread - 1) / items_per_thread;
    const int threads_here  = threads - (thread_ - warp::lane_id());
    const int lanes         = threads_here > warp::lanes ? warp::lanes : threads_here;
    const int warps_in_tile = (threads + warp::lanes - 1) / warp::lanes;

    active_ = thread_ < threads;
    util::uninitialized<T> scanned;
    if (whole)
    {
      scanned = items_of_thread(view, inside).template fold<true>(op_, noted_);
    }
    else if (active_)
    {
      scanned = items_of_thread(view, inside).template fold<false>(op_, noted_);
    }
    __syncwarp();
    warp::inclusive_scan(scanned, active_, op_);
    if (warp::lane_id() == lanes - 1)
    {
      shared_.warp_total[buffer_][thread_ / warp::lanes] = scanned;
    }
    const util::uninitialized<T> before_lane = warp::shuffle_up(scanned.value, 1);
    synchronize();

    util::uninitialized<T> aggregate = shared_.warp_total[buffer_][0];
    util::uninitialized<T> before_warp;
#  pragma unroll
    for (int w = 1; w < warps; ++w)
    {
      if (w == thread_ / warp::lanes)
      {
        before_warp = aggregate;
      }
      if (w < warps_in_tile)
      {
        aggregate = util::combine(op_, aggregate.value, shared_.warp_total[buffer_][w].value);
      }
    }
    has_before_ = thread_ > 0;
    before_     = thread_ < warp::lanes ? util::uninitialized<T>(before_lane) : util::uninitialized<T>(before_warp);
    if (active_ && thread_ >= warp::lanes && warp::lane_id() > 0)
    {
      before_ = util::combine(op_, before_warp.value, before_lane.value);
    }
    return aggregate;
  }

  // The second half of the scan: puts the results into the stage, given the fold of everything before the tile.
  __device__ void scan(View& view, tile::span inside, bool whole, util::uninitialized<T> carry, bool has_carry)
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
        carry = util::combine(op_, carry.value, before_.value);
      }
    }
    const own_items mine = items_of_thread(view, inside);
    const bool all       = whole && (has_carry || View::before_carry);
    if constexpr (View::in_place)
    {
      if (all)
      {
        mine.template scan<true>(carry, true, op_, noted_);
      }
      else if (active_)
      {
        mine.template scan<false>(carry, has_running, op_, noted_);
      }
    }
    else
    {
      typename own_items::taken elements;
      if (active_)
      {
        mine.take(elements);
      }
      synchronize();
      if (all)
      {
        mine.template put<true>(elements, carry, has_running, op_, noted_);
      }
      else if (active_)
      {
        mine.template put<false>(elements, carry, has_running, op_, noted_);
      }
    }
  }

  __device__ void synchronize() const
  {
    __barrier_sync_count(barrier_, Threads);
  }

private:
  using own_items = thread_items<View, Unroll>;

  static constexpr int items_per_thread = View::chunks_per_thread * View::chunk_items;

  __device__ own_items items_of_thread(View& view, tile::span inside) const
  {
    const int begin = thread_ * items_per_thread;
    return own_items(view, thread_ * View::chunks_per_thread, inside.first - begin, inside.last - begin);
  }

  storage& shared_;
  int thread_;
  int barrier_;
  Op op_;
  int buffer_ = 0;
  bool active_;
  bool has_before_;
  util::uninitialized<T> before_; // the fold of the tile's elements before this thread's items
  typename own_items::notes noted_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
