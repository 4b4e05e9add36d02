// A warp's part of a tile, in registers: consecutive stripes of 32 chunks, chunk l of a stripe in lane l, so that every access
// of the warp to memory is one contiguous run (perf/DECISIONS.md, warp-striped). The stripes' shuffles do not wait for one
// another.
//
// Order of combination, a function of the tile's geometry alone: a chunk from left to right; the lanes of a stripe by a
// shuffle scan (warp::inclusive_scan); stripes from left to right.
#pragma once

#include <lightscan/plain/emission.h>
#include <lightscan/plain/sources_and_sinks.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace plain
{
#if defined(__CUDACC__)
template <class Kind, class Source, class Sink, class Op, int Stripes>
class warp_tile
{
  using T        = typename Kind::accumulator;
  using result   = typename Kind::result;
  using chunk    = decltype(chunk_of<Kind>(::cuda::std::declval<const Source&>()));
  using resolved = ::cuda::std::remove_cvref_t<decltype(::cuda::std::declval<const Kind&>().resolved())>;

  static constexpr int chunk_items  = Source::template chunk_items<T>;
  static constexpr int stripe_items = warp::lanes * chunk_items;

public:
  static constexpr int items = Stripes * stripe_items;

  __device__ warp_tile(const Kind& kind, const Source& source, const Sink& sink, Op op, tile::index num_items)
      : kind_(kind.resolved())
      , source_(source)
      , sink_(sink)
      , op_(op)
      , num_items_(num_items)
  {}

  // Loads the stripes. They begin at item `at` of the range, or before the range's first, and hold the items [inside.first,
  // inside.last) counted from there. `Whole`: these fill the stripes. Otherwise the first chunk may lack its first items, the
  // last one its last, and what comes after that is empty; so may all be.
  template <bool Whole>
  __device__ void load(tile::index at, tile::span inside)
  {
    const int mine = warp::lane_id() * chunk_items;
    at_            = at + mine;
    first_         = inside.first > mine ? inside.first - mine : 0;
    left_          = inside.last - mine;
    if constexpr (Kind::emits)
    {
      load_kept<Whole>(kind_, source_, chunk_, at_, tile::span{first_, left_}, stripe_items);
    }
    else
    {
      load_striped<Kind, Whole>(source_, chunk_, at_, tile::span{first_, left_}, stripe_items);
    }
  }

  // The fold of the stripes, in every lane.
  template <bool Whole>
  __device__ util::uninitialized<T> fold()
  {
#  pragma unroll
    for (int r = 0; r < Stripes; ++r)
    {
#  pragma unroll
      for (int i = 0; i < chunk_items; ++i)
      {
        if (inside<Whole>(r, i))
        {
          before_[r] = follows<Whole>(r, i) ? util::combine(op_, before_[r].value, chunk_[r].item(i).value)
                                            : chunk_[r].item(i);
        }
      }
    }
    // The stripes are scanned side by side, so that none waits for another's shuffles. Rolled where there is little to do in all.
#  pragma unroll(Whole ? warp::lanes : 1)
    for (int distance = 1; distance < warp::lanes; distance *= 2)
    {
#  pragma unroll
      for (int r = 0; r < Stripes; ++r)
      {
        warp::scan_step(before_[r], Whole || held(r) ? warp::lane_id() : 0, distance, op_);
      }
    }
    util::uninitialized<T> running;
#  pragma unroll
    for (int r = 0; r < Stripes; ++r)
    {
      const int lanes                    = Whole ? warp::lanes : __popc(__ballot_sync(0xffffffffu, held(r)));
      const util::uninitialized<T> total = warp::from_lane(before_[r].value, lanes - 1);
      before_[r]                         = warp::shuffle_up(before_[r].value, 1);
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
          before_[r] = util::combine(op_, running.value, before_[r].value);
        }
        running = util::combine(op_, running.value, total.value);
      }
    }
    return running;
  }

  // Puts out the results, given the fold of everything before the stripes.
  template <bool Whole>
  __device__ void scan(util::uninitialized<T> before, bool has_before)
  {
    item_chunk<result, chunk_items> results[Stripes];
#  pragma unroll
    for (int r = 0; r < Stripes; ++r)
    {
      if (Whole || held(r))
      {
        const bool has_inside          = r > 0 || warp::lane_id() > 0;
        util::uninitialized<T> running = before;
        if (has_inside)
        {
          running = before_[r];
          if (has_before)
          {
            running = util::combine(op_, before.value, before_[r].value);
          }
        }
#  pragma unroll
        for (int i = 0; i < chunk_items; ++i)
        {
          if (inside<Whole>(r, i))
          {
            const bool starts = !follows<Whole>(r, i) && !has_before && !has_inside;
            results[r].at[i]  = kind_.step(running, starts, chunk_[r].item(i).value, op_);
          }
        }
      }
    }
    const tile::span inside{first_, left_};
    if constexpr (Kind::emits)
    {
      emit_striped<Whole>(kind_, sink_, chunk_, results, at_, inside, stripe_items, num_items_, op_);
    }
    else
    {
      store_striped<Whole>(sink_, results, at_, inside, stripe_items);
    }
  }

private:
  // Whether this lane has an item of the range in stripe r.
  __device__ bool held(int r) const
  {
    return left_ > r * stripe_items;
  }

  // Whether item i of its chunk there is an item of the range, and whether another one stands before it. (Asked whether it is
  // the first one, i == first_, compilers for sm_100 and newer read item first_ instead, and keep the chunks in memory for that.)
  template <bool Whole>
  __device__ bool inside(int r, int i) const
  {
    return Whole || holds(tile::span{first_, left_}, stripe_items, r, i);
  }
  template <bool Whole>
  __device__ bool follows(int r, int i) const
  {
    return Whole || r > 0 ? i > 0 : i > first_;
  }

  resolved kind_;
  const Source& source_;
  const Sink& sink_;
  Op op_;
  tile::index num_items_; // of the range
  tile::index at_;        // the index of this lane's first item
  int first_;             // the items of the range, counted from there: [first_, left_)
  int left_;
  chunk chunk_[Stripes];
  util::uninitialized<T> before_[Stripes]; // the fold of the items before this lane's chunk of the stripe
};
#endif
} // namespace plain
LIGHTSCAN_NAMESPACE_END
