// The plain kernel: ordinary loads and stores, a tile in the registers of a block. For inputs too small to fill the bulk
// pipeline (one wave: each resident block has one tile), for GPUs before sm_90, and for iterators and types that bulk
// copies cannot serve (there a persistent loop: block b takes tiles b, b + B, ...; cyclic distribution).
//
// Each warp but the last takes a run of the tile (tile/rows.h). The last is the communicator: it scans the warps' folds,
// publishes the tile's aggregate, looks across, and hands every warp the fold of all that lies before it. It has no
// items, so its registers are free for slots while the others' hold the tile. Needs every block resident where one has
// several tiles (dispatch/resident.h).
#pragma once

#include <lightscan/carry/exchange.h>
#include <lightscan/carry/slot.h>
#include <lightscan/carry/words.h>
#include <lightscan/kernel/shapes.h>
#include <lightscan/tile/ends.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/rows.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace kernel
{
// What a thread needs before it can load comes first: with plain memory it is one line of the constants' cache, and each
// line more that must be fetched takes a hundred cycles.
template <class Form, class Source, class Sink, class Op, class Init, class Tiles>
struct plain_arguments
{
  Source source;
  Sink sink;
  Tiles tiles;
  Form what;
  carry::slot_ring<typename Form::accumulator> slots;
  unsigned first_look; // nanoseconds after publishing
  Op op;
  Init init; // what converts to the accumulator in device code, or carry::no_init
};

#if defined(__CUDACC__)
template <class Form, class Source, class Sink, class Op, class Init, class Tiles, class Shape, class Exchange>
struct plain_block
{
  using index        = tile::index;
  using T            = typename Form::accumulator;
  using communicator = typename Exchange::impatient::template communicator<T, Op, warp::device_warp>;
  using slot_place   = typename carry::slot_ring<T>::place;
  using rows_of_warp = tile::rows_of_warp<Form, Source, Sink, Op, Shape::rows>;

  static constexpr bool has_init = !::cuda::std::is_same_v<Init, carry::no_init>;

  // The warps write their folds, the communicator reads them; the other way round for what lies before each. A warp is at
  // the next tile's folds only after both have met twice.
  struct shared_state
  {
    carry::uninitialized<T> folded[Shape::max_warps];
    carry::uninitialized<T> before[Shape::max_warps];
    slot_place publish_to[warp::lanes]; // the communicator's own notes
  };

  const plain_arguments<Form, Source, Sink, Op, Init, Tiles>& args;
  const tile::geometry& tiles;
  shared_state& shared;

  // Not __syncthreads, which all must reach at one place in the code.
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
    rows_of_warp rows(args.what, args.source, args.sink, args.op);
    // Whole tiles first: they are the rule, and what comes first in the code is fetched first.
    for (index t = blockIdx.x;; t += gridDim.x)
    {
      for (; tiles.whole(t) && args.sink.on_grid; t += gridDim.x)
      {
        scan_one<true>(rows, warp, t);
      }
      if (t >= tiles.num_tiles)
      {
        return;
      }
      scan_one<false>(rows, warp, t);
    }
  }

  template <bool Whole>
  __device__ void scan_one(rows_of_warp& rows, int warp, index t) const
  {
    const int begin         = warp * rows_of_warp::items;
    const tile::span inside = tiles.inside(t);
    rows.template load<Whole>(tiles.begin(t) + begin, {inside.first - begin, inside.last - begin});
    const carry::uninitialized<T> folded = rows.template fold<Whole>();
    if (warp::lane_id() == 0)
    {
      shared.folded[warp] = folded;
    }
    meet();
    meet(); // the communicator has what lies before
    rows.template scan<Whole>(shared.before[warp], has_init || t > 0 || warp > 0);
  }

  __device__ void communicate() const
  {
    const int lane = warp::lane_id();
    communicator carries(args.slots.copy_for(blockIdx.x), args.op, carry::resolved_init<T>(args.init));
    Op op = args.op;
    for (index t = blockIdx.x; t < tiles.num_tiles; t += gridDim.x)
    {
      const int folds = (tiles.inside(t).last - 1) / rows_of_warp::items + 1; // warps that have items
      // In memory, for the compiler would move what it may to behind the barrier, where there is no time left for it.
      shared.publish_to[lane] = args.slots.place_of(t, lane);
      meet();
      const slot_place to = shared.publish_to[lane];
      carry::uninitialized<T> folded;
      if (lane < folds)
      {
        folded = shared.folded[lane];
      }
      warp::inclusive_scan(folded, lane < folds, op, folds);
      const carry::uninitialized<T> total = warp::from_lane(folded.value, folds - 1);
      communicator::publish_aggregate(args.slots, to, total.value, lane, warp::lanes);
      carry::uninitialized<T> before = warp::shuffle_up(folded.value, 1);
      if (args.first_look > 0)
      {
        __nanosleep(args.first_look);
      }
      const carry::uninitialized<T> carry = carries.carry_before(t);
      const bool has_carry                = has_init || t > 0;
      communicator::publish_prefix(args.slots, to, has_carry, carry.value, total.value, op, lane, warp::lanes);
      if (lane < folds)
      {
        if (lane == 0)
        {
          before = carry;
        }
        else if (has_carry)
        {
          before = carry::combine(op, carry.value, before.value);
        }
        shared.before[lane] = before;
      }
      meet();
    }
  }
};

template <class Form, class Source, class Sink, class Op, class Init, class Tiles, class Shape, class Exchange>
__global__ void __launch_bounds__(Shape::max_threads, Shape::blocks_asked_for)
  plain_scan(const __grid_constant__ plain_arguments<Form, Source, Sink, Op, Init, Tiles> args)
{
  using block = plain_block<Form, Source, Sink, Op, Init, Tiles, Shape, Exchange>;
  using state = typename block::shared_state;
  __shared__ __align__(alignof(state)) unsigned char shared[sizeof(state)]; // T may have no constructor
  const tile::geometry& tiles = args.tiles.resolved();
  const block self{args, tiles, reinterpret_cast<state&>(shared)};
  const int warp = warp::warp_id();
  // Not if and else: of those the compiler puts the communicator first, and the scan's loads begin only when the code that
  // follows it has been fetched (perf/NOTES.md).
  if (warp < self.warps())
  {
    self.scan(warp);
  }
  __syncwarp();
  if (warp == self.warps())
  {
    self.communicate();
  }
}
#endif
} // namespace kernel
LIGHTSCAN_NAMESPACE_END
