// The plain kernel: ordinary loads and stores, one tile at a time. For inputs too small to fill the bulk pipeline (one
// wave: each resident block has one tile), for GPUs before sm_90, and for iterators and types that bulk copies cannot
// serve (there a persistent loop: block b takes tiles b, b + B, ...; cyclic distribution).
//
// A group of warps takes a tile through shared memory by the same group_scan as in the bulk pipeline; one more warp is
// the communicator, which looks across while the group still loads and folds. Needs every block resident.
#pragma once

#include <lightscan/carry/exchange.h>
#include <lightscan/carry/slot.h>
#include <lightscan/carry/words.h>
#include <lightscan/tile/ends.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/group_scan.h>
#include <lightscan/tile/items.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace kernel
{
// A tile is as long as the launch says, up to a limit: short for small inputs, so that they spread over the whole GPU.
template <int GroupThreads, int MaxChunks, int ChunkBytes>
struct plain_shape
{
  static constexpr int group_threads  = GroupThreads;
  static constexpr int threads        = GroupThreads + 32; // and the communicator
  static constexpr int max_chunks     = MaxChunks;         // in a thread's segment (tile/geometry.h)
  static constexpr int bytes_a_chunk  = GroupThreads * ChunkBytes;
  static constexpr int max_tile_bytes = bytes_a_chunk * MaxChunks;
  static constexpr int words_a_thread = (MaxChunks * ChunkBytes + 15) / 16;
};

template <class Form, class Source, class Sink, class Op, class Init, class Tiles>
struct plain_arguments
{
  Form what;
  Source source;
  Sink sink;
  Tiles tiles;
  int chunks; // in a thread's segment, an odd number
  carry::slot_ring<typename Form::accumulator> slots;
  Op op;
  Init init; // what converts to the accumulator in device code, or carry::no_init
};

#if defined(__CUDACC__)
template <class Form, class Source, class Sink, class Op, class Init, class Tiles, class Shape, class Exchange>
struct plain_block
{
  using index        = tile::index;
  using T            = typename Form::accumulator;
  using view_type    = tile::staged_view<Form>;
  using communicator = typename Exchange::template communicator<T, Op, warp::device_warp>;
  using group_scan   = tile::group_scan<view_type, Op, Shape::group_threads, 1>;

  static constexpr bool has_init = !::cuda::std::is_same_v<Init, carry::no_init>;

  struct shared_state
  {
    typename group_scan::storage group;
    // Two in turn: the communicator may bring the next tile's while a slow warp still reads this one.
    carry::uninitialized<T> carry[2];
  };

  const plain_arguments<Form, Source, Sink, Op, Init, Tiles>& args;
  const tile::geometry& tiles;
  shared_state& shared;
  unsigned char* stage;

  // Calls f(tile, which of the two carries) for each of the block's tiles.
  template <class F>
  __device__ void each_tile(F f) const
  {
    const index num_tiles = tiles.num_tiles;
    int which             = 0;
    for (index t = blockIdx.x; t < num_tiles; t += gridDim.x, which ^= 1)
    {
      f(t, which);
    }
  }

  // Group and communicator. Not __syncthreads, which all must reach at one place in the code.
  static __device__ void meet()
  {
    __barrier_sync_count(2, Shape::threads);
  }

  __device__ void communicate() const
  {
    communicator carries(args.slots, args.op, carry::resolved_init<T>(args.init));
    each_tile([&](index t, int which) {
      const carry::uninitialized<T> carry = carries.carry_before(t);
      if (warp::lane_id() == 0)
      {
        shared.carry[which] = carry;
      }
      meet();
    });
  }

  __device__ void scan() const
  {
    const int thread = static_cast<int>(threadIdx.x);
    group_scan tile_scan(shared.group, thread, 1, args.chunks, args.op);
    view_type view(args.what);
    view.look_at(stage);
    each_tile([&](index t, int which) {
      tile::load<Form, Shape::words_a_thread>(args.source, stage, tiles, t, thread, Shape::group_threads);
      tile_scan.synchronize();
      const bool has_carry = t > 0 || has_init;
      if (has_carry && tiles.whole(t))
      {
        scan_one<true>(tile_scan, view, t, true, which);
      }
      else
      {
        scan_one<false>(tile_scan, view, t, has_carry, which);
      }
      tile_scan.synchronize();
      tile::store<Form>(args.sink, stage, tiles, t, thread, Shape::group_threads);
      tile_scan.synchronize();
    });
  }

  template <bool Whole>
  __device__ void scan_one(group_scan& tile_scan, view_type& view, index t, bool has_carry, int which) const
  {
    const tile::span inside                 = tiles.inside(t);
    const carry::uninitialized<T> aggregate = tile_scan.template fold<Whole>(view, inside);
    if (tile_scan.leader())
    {
      communicator::publish_aggregate(args.slots, t, aggregate.value);
    }
    meet(); // the carry has arrived
    const carry::uninitialized<T> carry = shared.carry[which];
    if (tile_scan.leader())
    {
      communicator::publish_prefix(args.slots, t, has_carry, carry.value, aggregate.value, args.op);
    }
    tile_scan.template scan<Whole>(view, inside, carry, has_carry);
  }
};

template <class Form, class Source, class Sink, class Op, class Init, class Tiles, class Shape, class Exchange>
__global__ void __launch_bounds__(Shape::threads)
  plain_scan(const __grid_constant__ plain_arguments<Form, Source, Sink, Op, Init, Tiles> args)
{
  using block = plain_block<Form, Source, Sink, Op, Init, Tiles, Shape, Exchange>;
  using state = typename block::shared_state;
  __shared__ __align__(128) unsigned char stage[Shape::max_tile_bytes];
  __shared__ __align__(alignof(state)) unsigned char shared[sizeof(state)]; // T may have no constructor
  const tile::geometry& tiles = args.tiles.resolved();
  const block self{args, tiles, reinterpret_cast<state&>(shared), stage};
  if (threadIdx.x < Shape::group_threads)
  {
    self.scan();
  }
  else
  {
    self.communicate();
  }
}
#endif
} // namespace kernel
LIGHTSCAN_NAMESPACE_END
