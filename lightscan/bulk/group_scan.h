// The scan of one tile in shared memory by a group of warps: each thread folds its items, the group scans the folds, the
// tile's aggregate is published, the carry arrives, each thread scans its items. `View` (stage_view.h) says how the tile's
// items lie in its stage. (group_segments.h: the same in segments.)
//
// Order of combination inside a tile, a function of the tile's geometry alone: a thread's items from left to right; the
// lanes of a warp by a shuffle scan (warp::inclusive_scan); warps from left to right.
#pragma once

#include <lightscan/bulk/group_items.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
template <class View, class Op, int Threads, int Unroll>
class group_scan : public group_items<View, Op, Threads, Unroll>
{
  using base = group_items<View, Op, Threads, Unroll>;
  using T    = typename base::T;

public:
  using base::base;
  using base::warps;

  // The first half of the scan: the tile's aggregate, in every thread. `whole`: all of the tile lies in the range.
  __device__ util::uninitialized<T> fold(View& view, tile::span inside, bool whole)
  {
    util::uninitialized<T> scanned = this->fold_items(view, inside, whole);
    warp::inclusive_scan(scanned, this->active_, this->op_);
    this->put_warp_total(scanned, inside);
    const util::uninitialized<T> before_lane = warp::shuffle_up(scanned.value, 1);
    this->synchronize();

    const int warps_here             = this->warps_with(inside);
    util::uninitialized<T> aggregate = this->warp_total(0);
    util::uninitialized<T> before_warp;
#  pragma unroll
    for (int w = 1; w < warps; ++w)
    {
      if (w == this->own_warp())
      {
        before_warp = aggregate;
      }
      if (w < warps_here)
      {
        aggregate = util::combine(this->op_, aggregate.value, this->warp_total(w).value);
      }
    }
    has_before_ = this->thread_ > 0;
    before_ = this->thread_ < warp::lanes ? util::uninitialized<T>(before_lane) : util::uninitialized<T>(before_warp);
    if (this->active_ && this->thread_ >= warp::lanes && warp::lane_id() > 0)
    {
      before_ = util::combine(this->op_, before_warp.value, before_lane.value);
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
      else if (this->active_)
      {
        carry = util::combine(this->op_, carry.value, before_.value);
      }
    }
    this->put_results(view, inside, whole && (has_carry || View::before_carry), carry, has_running);
  }

private:
  bool has_before_;
  util::uninitialized<T> before_; // the fold of the tile's elements before this thread's items
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
