// The plain kernel: ordinary loads and stores, a tile in the registers of a block. For inputs too small to fill the bulk
// pipeline (one wave: each resident block has one tile), and for accumulators that are too wide for it (there a persistent loop:
// block b takes tiles b, b + B, ...; cyclic distribution).
//
// Each warp but the last takes a run of the tile (plain/warp_tile.h). The last is the lookahead warp: it scans the warps' folds,
// publishes the tile's aggregate, looks ahead, and hands every warp the fold of all that lies before it. It has no
// items, so its registers are free for slots while the others' hold the tile. All blocks must be resident where one has
// several tiles (runtime/launch_grid.h).
#pragma once

#include <lightscan/carry/aggregate.h>
#include <lightscan/carry/lookahead.h>
#include <lightscan/carry/slot.h>
#include <lightscan/plain/sources_and_sinks.h>
#include <lightscan/plain/warp_tile.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/maybe.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace plain
{
// The members' order: what a thread needs before it can load comes first. With plain memory it is one line of the constant
// cache, and each line more that must be fetched takes a hundred cycles (perf/DECISIONS.md, parameters-in-one-line).
template <class Kind, class Source, class Sink, class Op, class Init, class Tiles>
struct plain_arguments
{
  Source source;
  Sink sink;
  Tiles tiles;
  Kind kind;
  carry::slot_ring<carry::aggregate_t<typename Kind::accumulator>> slots;
  unsigned first_poll_delay; // nanoseconds from publishing to the first poll (perf/DECISIONS.md, delay-policy)
  Op op;
  Init init; // converts to the accumulator in device code; or util::no_init, or util::init_if_there
};

#if defined(__CUDACC__)
// Blocks that the compiler is to leave registers for; it warns of more than there can be.
template <class Policy>
inline constexpr int blocks_asked_for =
  Policy::min_blocks* Policy::max_threads <= warp::multiprocessor_threads ? Policy::min_blocks : 1;

template <class Kind, class Source, class Sink, class Op, class Init, class Tiles, class Policy, class Transport>
struct plain_block
{
  using index        = tile::index;
  using T            = typename Kind::accumulator;
  using lookahead    = carry::lookahead<T, Op, carry::no_delay<Transport>, warp::device_warp>;
  using slot_address = typename lookahead::slot_address;
  using tile_of_warp = warp_tile<Kind, Source, Sink, Op, Policy::stripes>;

  static constexpr bool has_init = util::always_has_init<Init>;

  // What the warps and the lookahead warp hand each other: folds one way, what lies before each warp the other way. A warp is
  // at the next tile's fold only after both have met twice.
  struct shared_state
  {
    util::uninitialized<T> folded[Policy::max_warps];
    util::uninitialized<T> before[Policy::max_warps];
    slot_address publish_to[warp::lanes]; // the lookahead warp's own, one for each lane
  };

  const plain_arguments<Kind, Source, Sink, Op, Init, Tiles>& args;
  const tile::geometry& tiles;
  shared_state& shared;

  // The block's barrier, which warps reach from different lines of the code, where __syncthreads would not do.
  static __device__ void meet()
  {
    __barrier_sync(0);
  }

  __device__ int warps() const
  {
    return static_cast<int>(blockDim.x / warp::lanes) - 1;
  }

  __device__ void scan(int warp) const
  {
    tile_of_warp mine(args.kind, args.source, args.sink, args.op, tiles.num_items);
    // Whole tiles have code of their own, and it comes first: they are the rule, and what comes first in the code is fetched
    // first (perf/DECISIONS.md, whole-tiles-apart).
    for (tile::index t = blockIdx.x;; t += gridDim.x)
    {
      for (; tiles.whole(t) && args.sink.on_grid; t += gridDim.x)
      {
        scan_one<true>(mine, warp, t);
      }
      if (t >= tiles.num_tiles)
      {
        return;
      }
      scan_one<false>(mine, warp, t);
    }
  }

  template <bool Whole>
  __device__ void scan_one(tile_of_warp& mine, int warp, tile::index t) const
  {
    const int begin         = warp * tile_of_warp::items;
    const tile::span inside = tiles.inside(t);
    mine.template load<Whole>(tiles.begin(t) + begin, {inside.first - begin, inside.last - begin});
    const util::uninitialized<T> folded = mine.template fold<Whole>();
    if (warp::lane_id() == 0)
    {
      shared.folded[warp] = folded;
    }
    meet();
    meet(); // the lookahead warp has what lies before
    if constexpr (util::is_init_if_there<Init>)
    {
      mine.template scan<Whole>(shared.before[warp], t > 0 || warp > 0 || util::finds_init(args.init));
    }
    else
    {
      mine.template scan<Whole>(shared.before[warp], has_init || t > 0 || warp > 0);
    }
  }

  __device__ util::uninitialized<T> carry_before(lookahead& preceding, tile::index t) const
  {
    if constexpr (is_marked_source<Source>)
    {
      // A segment begins in every tile that has another one behind it (perf/DECISIONS.md, carry-of-rows).
      if (t > 0 && tiles.num_tiles <= gridDim.x && args.source.list.longest() <= tiles.tile_items)
      {
        return preceding.aggregate_before(t);
      }
    }
    if (args.first_poll_delay > 0)
    {
      __nanosleep(args.first_poll_delay);
    }
    return preceding.carry_before(t);
  }

  __device__ void look_ahead() const
  {
    const int lane = warp::lane_id();
    lookahead preceding(args.slots.copy_for(blockIdx.x), args.op, util::resolved_init<T>(args.init));
    Op op = args.op;
    if constexpr (Kind::emits)
    {
      if (tiles.num_tiles == 0 && blockIdx.x == 0 && lane == 0)
      {
        tile::put_totals<Kind>(args.sink.to.total, Kind::nothing().value, 0);
      }
    }
    for (tile::index t = blockIdx.x; t < tiles.num_tiles; t += gridDim.x)
    {
      const int folds = (tiles.inside(t).last - 1) / tile_of_warp::items + 1; // warps that have items
      // The address goes through shared memory, because the compiler otherwise sinks its arithmetic below the barrier, where
      // it delays publishing (perf/DECISIONS.md, address-before-barrier).
      shared.publish_to[lane] = args.slots.address_of(t, lane);
      meet();
      const slot_address to = shared.publish_to[lane];
      util::uninitialized<T> folded;
      if (lane < folds)
      {
        folded = shared.folded[lane];
      }
      warp::inclusive_scan(folded, lane < folds, op, folds);
      const util::uninitialized<T> total = warp::from_lane(folded.value, folds - 1);
      lookahead::publish_aggregate(args.slots, to, carry::aggregate_of<T>::narrowed(total.value), lane, warp::lanes);
      util::uninitialized<T> before        = warp::shuffle_up(folded.value, 1);
      const util::uninitialized<T> carried = carry_before(preceding, t);
      bool has_carry                       = has_init || t > 0;
      if constexpr (util::is_init_if_there<Init>)
      {
        has_carry = has_carry || util::finds_init(args.init);
      }
      if constexpr (Kind::emits)
      {
        if (t == tiles.num_tiles - 1 && lane == 0)
        {
          tile::put_totals<Kind>(
            args.sink.to.total, has_carry ? op(carried.value, total.value) : total.value, tiles.num_items);
        }
      }
      if (lane < folds)
      {
        if (lane == 0)
        {
          before = carried;
        }
        else if (has_carry)
        {
          before = util::combine(op, carried.value, before.value);
        }
        shared.before[lane] = before;
      }
      meet();
    }
  }
};

template <class Kind, class Source, class Sink, class Op, class Init, class Tiles, class Policy, class Transport>
__global__ void __launch_bounds__(Policy::max_threads, blocks_asked_for<Policy>)
  plain_scan(const __grid_constant__ plain_arguments<Kind, Source, Sink, Op, Init, Tiles> args)
{
  using block = plain_block<Kind, Source, Sink, Op, Init, Tiles, Policy, Transport>;
  using state = typename block::shared_state;
  __shared__ __align__(alignof(state)) unsigned char shared[sizeof(state)]; // T may have no constructor
  const tile::geometry& tiles = args.tiles.resolved();
  const block self{args, tiles, reinterpret_cast<state&>(shared)};
  const int warp = warp::warp_id();
  // Two ifs instead of if and else: of those the compiler puts the lookahead warp first, and the scan's loads begin only when
  // the code that follows it has been fetched (perf/DECISIONS.md, scan-first).
  if (warp < self.warps())
  {
    self.scan(warp);
  }
  __syncwarp();
  if (warp == self.warps())
  {
    self.look_ahead();
  }
}
#endif
} // namespace plain
LIGHTSCAN_NAMESPACE_END
