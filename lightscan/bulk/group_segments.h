// The scan of one tile in segments by a group of warps, told by keys or by heads: as group_scan.h, with the same order of combination.
// Whether a thread's first item begins a segment is found once, by the last key of the thread before, which a shuffle brings, or the
// warp's before, which is in shared memory. From there on a fold is the values' alone, of those since the last segment began, and a lane's
// bit says whether one did; only a tile's aggregate has keys. (Folds that kept their first and last key: perf/DECISIONS.md,
// heads-of-threads.)
#pragma once

#include <lightscan/bulk/group_items.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
template <class View, class Op, int Threads, int Unroll>
class group_segments : public group_items<View, Op, Threads, Unroll>
{
  using base      = group_items<View, Op, Threads, Unroll>;
  using T         = typename base::T;
  using kind_type = typename View::kind_type;
  using Value     = typename kind_type::result;

public:
  using base::base;
  using base::warps;

  // The first half of the scan: the tile's aggregate, in every thread. `whole`: all of the tile lies in the range.
  __device__ util::uninitialized<T> fold(View& view, tile::span inside, bool whole)
  {
    const util::uninitialized<T> own = this->fold_items(view, inside, whole);
    continues_                       = continues_lane_below(own.value);
    // A lane's value reaches back to the last lane in which a segment begins, its own among them; the warp's first item is of no lane's
    // concern.
    const int lane          = warp::lane_id();
    const bool begins       = this->active_ && (own.value.broken || (lane > 0 && !continues_));
    const unsigned all      = __ballot_sync(0xffffffffu, begins);
    const unsigned below    = all & ((1u << lane) - 1);
    const unsigned so_far   = below | (begins ? 1u << lane : 0u);
    const int first_of_fold = so_far == 0 ? 0 : warp::lanes - 1 - __clz(so_far);

    util::uninitialized<Value> scanned(own.value.value);
    warp::inclusive_scan_from(first_of_fold, scanned, this->active_, this->op_.scan_op);
    const util::uninitialized<typename kind_type::head_type> first = warp::from_lane(this->noted_.first.value, 0);
    this->put_warp_total(kind_type::run(first.value, own.value, scanned.value, so_far != 0), inside);
    before_ = warp::shuffle_up(scanned.value, 1);
    broken_ = below != 0;
    this->synchronize();
    return this->fold_warps(inside);
  }

  // The second half of the scan: puts the results into the stage, given the fold of everything before the tile.
  __device__ void scan(View& view, tile::span inside, bool whole, const util::uninitialized<T>& carry, bool has_carry)
  {
    if (this->thread_ == 0)
    {
      before_    = carry.value.value;
      continues_ = has_carry && this->op_.continues(carry.value, this->noted_.first.value);
    }
    else if (has_carry && this->active_ && !broken_ && this->op_.meet(carry.value, this->warp_total(0).value))
    {
      before_ = util::combine(this->op_.scan_op, carry.value.value, before_.value);
    }
    this->put_results(view, inside, whole, before_, continues_);
  }

private:
  // Whether the thread's first item goes on with the segment of the lane below, if there is one.
  __device__ bool continues_lane_below(const T& own)
  {
    if constexpr (kind_type::heads_tell)
    {
      return this->active_ && !this->noted_.first.value;
    }
    else
    {
      const auto last = warp::shuffle_up(own.last, 1);
      return this->active_ && warp::lane_id() > 0 && this->op_.continues(last.value, this->noted_.first.value);
    }
  }

  // The fold of all warps' totals; what lies before the thread's warp comes to what lies before the thread.
  __device__ util::uninitialized<T> fold_warps(tile::span inside)
  {
    const int warps_here             = base::warps_with(inside);
    util::uninitialized<T> aggregate = this->warp_total(0);
#  pragma unroll
    for (int w = 1; w < warps; ++w)
    {
      if (w < warps_here)
      {
        const util::uninitialized<T> total = this->warp_total(w);
        const bool meet                    = this->op_.meet(aggregate.value, total.value);
        if (w == this->own_warp())
        {
          add_before_warp(aggregate.value, meet);
        }
        const bool joins = meet && !total.value.broken;
        aggregate        = util::uninitialized<T>(
          this->op_.joined(aggregate.value, total.value, joins, aggregate.value.broken || !joins));
      }
    }
    return aggregate;
  }

  // `meet`: whether the warp's first item goes on with the last segment before it.
  __device__ void add_before_warp(const T& before_warp, bool meet)
  {
    if (warp::lane_id() == 0)
    {
      before_    = before_warp.value;
      broken_    = before_warp.broken;
      continues_ = meet && (!kind_type::heads_tell || continues_);
    }
    else
    {
      if (this->active_ && !broken_ && meet)
      {
        before_ = util::combine(this->op_.scan_op, before_warp.value, before_.value);
      }
      broken_ = broken_ || before_warp.broken || !meet;
    }
  }

  // Of the tile's items before the thread's: the fold of the last segment's values, whether one begins behind the tile's first item, and
  // whether the thread's first item goes on with the last one.
  util::uninitialized<Value> before_;
  bool broken_;
  bool continues_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
