// The fold of a range, without a scan: the part that one GPU has of a scan across several. Any associative operator, with no
// identity asked for; operands in order; each element is read once.
//
// Order of combination, a function of the range's length, of where it lies on the 16-byte grid and of the types, not of the GPU: the
// range is cut into warp tiles, as in the plain kernel (warp_tile.h); each warp folds as many consecutive ones, from left to
// right; a block folds its warps from left to right; and the block that is done last folds the blocks': a thread takes some
// consecutive ones from left to right, a warp's threads are scanned, warps are folded by a tree.
#pragma once

#include <lightscan/plain/sources_and_sinks.h>
#include <lightscan/plain/warp_tile.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/maybe.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/atomic>
#include <cuda/std/cstddef>

LIGHTSCAN_NAMESPACE_BEGIN
namespace plain
{
inline constexpr int fold_warps   = 8; // of a block
inline constexpr int fold_threads = fold_warps * 32;

// Blocks of a fold: enough for every GPU of today to be full and to have another block where one is done, and few enough for one
// block to fold what they leave (perf/DECISIONS.md, fold-blocks).
inline constexpr int max_fold_blocks = 2048;

// Bytes for the blocks' folds of accumulators of any size; the largest have fewer blocks.
inline constexpr ::cuda::std::size_t fold_bytes = ::cuda::std::size_t{1} << 20;

// How the warp tiles of a range are shared out.
struct fold_shares
{
  tile::index tiles_a_warp;
  int blocks; // at least one, which is there to say that there is nothing

  static constexpr fold_shares of(tile::index num_tiles, ::cuda::std::size_t accumulator_bytes)
  {
    const auto fit               = static_cast<tile::index>(fold_bytes / accumulator_bytes);
    const tile::index most       = fit < max_fold_blocks ? fit : tile::index{max_fold_blocks};
    const tile::index warps      = most * fold_warps;
    const tile::index each       = num_tiles > warps ? (num_tiles - 1) / warps + 1 : 1;
    const tile::index of_a_block = each * fold_warps;
    const tile::index blocks     = num_tiles > 0 ? (num_tiles - 1) / of_a_block + 1 : 1;
    return {each, static_cast<int>(blocks)};
  }
};

// `Last` is called by the first warp of the block that is done last, with the fold of all, if there is anything.
template <class Kind, class Source, class Op, class Last>
struct fold_arguments
{
  Source source;
  tile::geometry tiles; // of a warp each
  tile::index tiles_a_warp;
  Kind kind;
  Op op;
  void* block_folds; // device memory of fold_bytes; not used by a single block
  unsigned* done;    // blocks that have put theirs there: 0 before and after
  Last last;
};

#if defined(__CUDACC__)
struct no_sink
{};

template <class Kind, class Source, class Op, class Last, int Stripes>
struct fold_block
{
  using T            = typename Kind::accumulator;
  using tile_of_warp = warp_tile<Kind, Source, no_sink, Op, Stripes>;

  struct shared_state
  {
    util::uninitialized<T> folded[fold_warps];
    bool is_last;
  };

  const fold_arguments<Kind, Source, Op, Last>& args;
  shared_state& shared;

  // The fold of this warp's tiles, in every lane; of a warp that has any.
  __device__ util::uninitialized<T> fold_tiles(tile::index first, tile::index end) const
  {
    const no_sink nowhere{};
    tile_of_warp mine(args.kind, args.source, nowhere, args.op, args.tiles.num_items);
    Op op = args.op;
    util::uninitialized<T> running;
    for (tile::index t = first; t < end; ++t)
    {
      util::uninitialized<T> folded;
      if (args.tiles.whole(t))
      {
        mine.template load<true>(args.tiles.begin(t), args.tiles.inside(t));
        folded = mine.template fold<true>();
      }
      else
      {
        mine.template load<false>(args.tiles.begin(t), args.tiles.inside(t));
        folded = mine.template fold<false>();
      }
      running = t == first ? folded : util::combine(op, running.value, folded.value);
    }
    return running;
  }

  // The fold of the lowest `count` values of shared.folded, in every lane of a warp.
  __device__ util::uninitialized<T> fold_warps_of(int count) const
  {
    Op op = args.op;
    util::uninitialized<T> value;
    if (warp::lane_id() < count)
    {
      value = shared.folded[warp::lane_id()];
    }
    return warp::device_warp::fold(value, count, op);
  }

  // Of `count` folds of blocks, by the whole block.
  __device__ util::uninitialized<T> fold_blocks(const util::uninitialized<T>* folds, int count, int warp) const
  {
    Op op            = args.op;
    const int each   = (count - 1) / fold_threads + 1;
    const int first  = static_cast<int>(threadIdx.x) * each;
    const bool holds = first < count;
    util::uninitialized<T> running;
    if (holds)
    {
      running       = folds[first];
      const int end = first + each < count ? first + each : count;
      for (int b = first + 1; b < end; ++b)
      {
        running = util::combine(op, running.value, folds[b].value);
      }
    }
    __syncwarp();
    warp::inclusive_scan(running, holds, op);
    const int threads = (count - 1) / each + 1; // that hold any
    const int here    = threads - warp * warp::lanes;
    if (here > 0 && warp::lane_id() == (here < warp::lanes ? here : warp::lanes) - 1)
    {
      shared.folded[warp] = running;
    }
    __syncthreads();
    return fold_warps_of((threads - 1) / warp::lanes + 1);
  }

  __device__ void fold() const
  {
    const int warp          = warp::warp_id();
    const int blocks        = static_cast<int>(gridDim.x);
    const tile::index first = (blockIdx.x * tile::index{fold_warps} + warp) * args.tiles_a_warp;
    const tile::index last  = first + args.tiles_a_warp;
    const tile::index end   = last < args.tiles.num_tiles ? last : args.tiles.num_tiles;
    if (first < end)
    {
      const util::uninitialized<T> folded = fold_tiles(first, end);
      if (warp::lane_id() == 0)
      {
        shared.folded[warp] = folded;
      }
    }
    __syncthreads();
    const tile::index before = blockIdx.x * tile::index{fold_warps} * args.tiles_a_warp;
    const tile::index here = before < args.tiles.num_tiles ? (args.tiles.num_tiles - before - 1) / args.tiles_a_warp + 1
                                                           : 0;
    const int warps        = here < fold_warps ? static_cast<int>(here) : fold_warps; // that have a tile
    if (blocks == 1)
    {
      if (warp == 0)
      {
        args.last(warps > 0 ? util::maybe<T>::of(fold_warps_of(warps)) : util::maybe<T>::none());
      }
      return;
    }
    auto* const folds = static_cast<util::uninitialized<T>*>(args.block_folds);
    if (warp == 0)
    {
      const util::uninitialized<T> of_block = fold_warps_of(warps);
      if (warp::lane_id() == 0)
      {
        folds[blockIdx.x] = of_block;
        // Releases this block's fold, and acquires those that others have released.
        const ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device> done(*args.done);
        shared.is_last = done.fetch_add(1u, ::cuda::std::memory_order_acq_rel) == gridDim.x - 1;
      }
    }
    __syncthreads();
    if (!shared.is_last)
    {
      return;
    }
    if (threadIdx.x == 0)
    {
      *args.done = 0;
    }
    const util::uninitialized<T> all = fold_blocks(folds, blocks, warp);
    if (warp == 0)
    {
      args.last(util::maybe<T>::of(all));
    }
  }
};

template <class Kind, class Source, class Op, class Last, int Stripes>
__global__ void __launch_bounds__(fold_threads)
  fold_part(const __grid_constant__ fold_arguments<Kind, Source, Op, Last> args)
{
  using block = fold_block<Kind, Source, Op, Last, Stripes>;
  using state = typename block::shared_state;
  __shared__ __align__(alignof(state)) unsigned char shared[sizeof(state)]; // T may have no constructor
  const block self{args, reinterpret_cast<state&>(shared)};
  self.fold();
}
#endif
} // namespace plain
LIGHTSCAN_NAMESPACE_END
