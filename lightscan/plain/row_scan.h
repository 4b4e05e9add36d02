// The scan of rows that a block holds as a whole: each row for itself, so that there is no carry, no slot, and nobody to wait for
// outside a block. For rows of one length, short enough for the registers of a block, and long enough to fill the warps that hold them;
// in arrays of which the pipeline makes no more (dispatch/whole_rows.h).
//
// A row belongs to one warp of a block or to several, each of which takes a run of it (plain/warp_tile.h), on the grid of its chunks.
//
// Order of combination, a function of the row's length and of where it lies on that grid: the initial value, if there is one; the folds of
// the row's warps before, by a tree over adjacent ones (warp::device_warp::fold); then the warp's own items, as in the plain kernel.
#pragma once

#include <lightscan/plain/sources_and_sinks.h>
#include <lightscan/plain/warp_tile.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/row_geometry.h>
#include <lightscan/util/maybe.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace plain
{
template <class Kind, class Source, class Sink, class Op, class Init>
struct row_arguments
{
  Source source;
  Sink sink;
  tile::row_geometry rows;
  int log2_warps; // of a row, rounded up
  int rows_a_block;
  Kind kind;
  Op op;
  Init init; // converts to the accumulator in device code; or util::no_init
};

#if defined(__CUDACC__)
template <class Kind, class Source, class Sink, class Op, class Init, class Policy>
struct row_block
{
  using T            = typename Kind::accumulator;
  using tile_of_warp = warp_tile<Kind, Source, Sink, Op, Policy::stripes>;

  struct shared_state
  {
    util::uninitialized<T> folded[Policy::max_warps];
  };

  const row_arguments<Kind, Source, Sink, Op, Init>& args;
  shared_state& shared;

  __device__ void scan(int warp) const
  {
    const int row_here      = warp >> args.log2_warps;
    const int first_warp    = row_here << args.log2_warps; // of this warp's row
    const int begin         = (warp - first_warp) * tile_of_warp::items;
    const tile::index row   = blockIdx.x * tile::index{args.rows_a_block} + row_here;
    const tile::span of_row = args.rows.inside(row);
    const tile::span inside{of_row.first - begin, of_row.last - begin};
    if (row >= args.rows.num_rows || inside.last <= 0)
    {
      // Of no row, or of none of its items: nobody reads this warp's fold.
      meet_others();
      return;
    }
    tile_of_warp mine(args.kind, args.source, args.sink, args.op, 0);
    if (inside.first <= 0 && inside.last >= tile_of_warp::items && args.sink.on_grid)
    {
      scan_part<true>(mine, warp, first_warp, args.rows.begin(row) + begin, inside);
    }
    else
    {
      scan_part<false>(mine, warp, first_warp, args.rows.begin(row) + begin, inside);
    }
  }

private:
  // Once, where a row has several warps. They come from different lines of the code, where __syncthreads would not do.
  __device__ void meet_others() const
  {
    if (args.log2_warps > 0)
    {
      __barrier_sync(0);
    }
  }

  template <bool Whole>
  __device__ void scan_part(tile_of_warp& mine, int warp, int first_warp, tile::index at, tile::span inside) const
  {
    mine.template load<Whole>(at, inside);
    const util::uninitialized<T> folded = mine.template fold<Whole>();
    util::uninitialized<T> before;
    bool has_before = false;
    if constexpr (util::always_has_init<Init>)
    {
      before     = util::uninitialized<T>(util::resolved_init<T>(args.init));
      has_before = true;
    }
    if (warp::lane_id() == 0)
    {
      shared.folded[warp] = folded;
    }
    meet_others();
    const int parts = warp - first_warp;
    if (parts > 0)
    {
      Op op = args.op;
      util::uninitialized<T> part;
      if (warp::lane_id() < parts)
      {
        part = shared.folded[first_warp + warp::lane_id()];
      }
      part       = warp::device_warp::fold(part, parts, op);
      before     = has_before ? util::combine(op, before.value, part.value) : part;
      has_before = true;
    }
    mine.template scan<Whole>(before, has_before);
  }
};

template <class Kind, class Source, class Sink, class Op, class Init, class Policy>
__global__ void __launch_bounds__(Policy::max_warps* warp::lanes)
  scan_rows(const __grid_constant__ row_arguments<Kind, Source, Sink, Op, Init> args)
{
  using block = row_block<Kind, Source, Sink, Op, Init, Policy>;
  using state = typename block::shared_state;
  __shared__ __align__(alignof(state)) unsigned char shared[sizeof(state)]; // T may have no constructor
  const block self{args, reinterpret_cast<state&>(shared)};
  self.scan(warp::warp_id());
}
#endif
} // namespace plain
LIGHTSCAN_NAMESPACE_END
