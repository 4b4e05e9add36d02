// The plain kernel: ordinary loads and stores, one tile at a time, every thread of the block in every step. For inputs
// too small to fill the bulk pipeline (one wave: each resident block has one tile), for GPUs before sm_90, and for
// iterators and types that bulk copies cannot serve (there a persistent loop: block b takes tiles b, b + B, ...).
//
// The tile goes through shared memory and the same group_scan as in the bulk pipeline. Needs every block resident.
#pragma once

#include <lightscan/carry/exchange.h>
#include <lightscan/carry/slot.h>
#include <lightscan/carry/words.h>
#include <lightscan/tile/ends.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/group_scan.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace kernel
{
template <int Threads, int SegmentBytes>
struct plain_shape
{
  static constexpr int threads       = Threads;
  static constexpr int segment_bytes = SegmentBytes;
  static constexpr int tile_bytes    = Threads * SegmentBytes;
};

template <class T, class Source, class Sink, class Op, class Init>
struct plain_arguments
{
  Source source;
  Sink sink;
  tile::geometry tiles;
  carry::slot_ring<T> slots;
  Op op;
  Init init; // T or carry::no_init
};

#if defined(__CUDACC__)
template <class T, class Source, class Sink, class Op, class Init, class Shape, class Exchange, bool Inclusive>
struct plain_block
{
  using index        = tile::index;
  using communicator = typename Exchange::template communicator<T, Op, warp::device_warp>;
  using group_scan   = tile::group_scan<T, Op, Shape::threads, Shape::segment_bytes>;

  static constexpr bool has_init = !::cuda::std::is_same_v<Init, carry::no_init>;

  struct shared_state
  {
    typename group_scan::storage group;
    carry::uninitialized<T> carry;
  };

  const plain_arguments<T, Source, Sink, Op, Init>& args;
  shared_state& shared;
  unsigned char* stage;

  __device__ void run() const
  {
    const int thread = static_cast<int>(threadIdx.x);
    group_scan tile_scan(shared.group, thread, 0, args.op);
    communicator carries(args.slots, args.op, args.init);
    const index num_tiles = args.tiles.num_tiles();
    for (index t = blockIdx.x; t < num_tiles; t += gridDim.x)
    {
      tile::load<T, Shape::segment_bytes / 16>(args.source, stage, args.tiles, t, thread, Shape::threads);
      tile_scan.synchronize();
      const bool has_carry = t > 0 || has_init;
      if (has_carry && args.tiles.whole(t))
      {
        scan_one<true>(tile_scan, carries, t, true);
      }
      else
      {
        scan_one<false>(tile_scan, carries, t, has_carry);
      }
      tile_scan.synchronize();
      tile::store<T>(args.sink, stage, args.tiles, t, thread, Shape::threads);
      tile_scan.synchronize();
    }
  }

  template <bool Whole>
  __device__ void scan_one(group_scan& tile_scan, communicator& carries, index t, bool has_carry) const
  {
    const tile::span inside                 = args.tiles.inside(t);
    const carry::uninitialized<T> aggregate = tile_scan.template fold<Whole>(stage, inside);
    if (tile_scan.leader())
    {
      communicator::publish_aggregate(args.slots, t, aggregate.value);
    }
    if (threadIdx.x < warp::lanes)
    {
      const carry::uninitialized<T> carry = carries.carry_before(t);
      if (tile_scan.leader())
      {
        shared.carry = carry;
        communicator::publish_prefix(args.slots, t, has_carry, carry.value, aggregate.value, args.op);
      }
    }
    tile_scan.synchronize();
    tile_scan.template scan<Whole, Inclusive>(stage, inside, shared.carry, has_carry);
  }
};

template <class T, class Source, class Sink, class Op, class Init, class Shape, class Exchange, bool Inclusive>
__global__ void __launch_bounds__(Shape::threads)
  plain_scan(const __grid_constant__ plain_arguments<T, Source, Sink, Op, Init> args)
{
  using block = plain_block<T, Source, Sink, Op, Init, Shape, Exchange, Inclusive>;
  __shared__ __align__(128) unsigned char stage[Shape::tile_bytes];
  __shared__ __align__(16) unsigned char state[sizeof(typename block::shared_state)]; // T may have no constructor
  block{args, reinterpret_cast<typename block::shared_state&>(state), stage}.run();
}
#endif
} // namespace kernel
LIGHTSCAN_NAMESPACE_END
