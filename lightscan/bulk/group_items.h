// What any scan of a tile by a group of warps is made of: the threads, their items, and the warps' totals in shared memory.
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
class group_items
{
protected:
  using T         = typename View::accumulator;
  using own_items = thread_items<View, Unroll>;

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
  __device__ group_items(storage& shared, int thread, int barrier, Op op)
      : thread_(thread)
      , op_(op)
      , shared_(shared)
      , barrier_(barrier)
  {}

  __device__ bool leader() const
  {
    return thread_ == 0;
  }

  __device__ void synchronize() const
  {
    __barrier_sync_count(barrier_, Threads);
  }

protected:
  __device__ int own_warp() const
  {
    return thread_ / warp::lanes;
  }

  // The fold of the thread's items, of those threads that have one in the range: they are `active_`. Begins a tile.
  __device__ util::uninitialized<T> fold_items(View& view, tile::span inside, bool whole)
  {
    buffer_ ^= 1;
    active_ = thread_ < threads_with(inside);
    util::uninitialized<T> folded;
    if (whole)
    {
      folded = items_of_thread(view, inside).template fold<true>(op_, noted_);
    }
    else if (active_)
    {
      folded = items_of_thread(view, inside).template fold<false>(op_, noted_);
    }
    __syncwarp();
    return folded;
  }

  // The warp's total is what its last active lane has; read it once the group has met.
  __device__ void put_warp_total(const util::uninitialized<T>& folded, tile::span inside)
  {
    const int threads_here = threads_with(inside) - (thread_ - warp::lane_id());
    const int lanes        = threads_here > warp::lanes ? warp::lanes : threads_here;
    if (warp::lane_id() == lanes - 1)
    {
      shared_.warp_total[buffer_][own_warp()] = folded;
    }
  }
  __device__ const util::uninitialized<T>& warp_total(int w) const
  {
    return shared_.warp_total[buffer_][w];
  }
  __device__ static int warps_with(tile::span inside)
  {
    return (threads_with(inside) + warp::lanes - 1) / warp::lanes;
  }

  // Puts the thread's results into the stage, given what comes before its items; `all`: of all that it may have.
  __device__ void put_results(View& view,
                              tile::span inside,
                              bool all,
                              const util::uninitialized<typename own_items::before_type>& before,
                              bool has_before)
  {
    const own_items mine = items_of_thread(view, inside);
    if constexpr (View::in_place)
    {
      if (all)
      {
        mine.template scan<true>(before, has_before, op_, noted_);
      }
      else if (active_)
      {
        mine.template scan<false>(before, has_before, op_, noted_);
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
        mine.template put<true>(elements, before, has_before, op_, noted_);
      }
      else if (active_)
      {
        mine.template put<false>(elements, before, has_before, op_, noted_);
      }
    }
  }

  int thread_;
  Op op_;
  bool active_;
  typename own_items::notes noted_;

private:
  static constexpr int items_per_thread = View::chunks_per_thread * View::chunk_items;

  // Threads that have an element of the range are the lowest ones: a lead is shorter than a thread's items.
  __device__ static int threads_with(tile::span inside)
  {
    return (inside.last + items_per_thread - 1) / items_per_thread;
  }

  __device__ own_items items_of_thread(View& view, tile::span inside) const
  {
    const int begin = thread_ * items_per_thread;
    return own_items(view, thread_ * View::chunks_per_thread, inside.first - begin, inside.last - begin);
  }

  storage& shared_;
  int barrier_;
  int buffer_ = 0;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
