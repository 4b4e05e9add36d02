// The bulk pipeline: the persistent kernel for contiguous data on sm_90 and newer.
//
// One resident block per SM. Block b takes tiles b, b + B, b + 2B, ... (cyclic distribution; the paper, section 3.1).
// Its warps have roles, and tiles flow through a ring of stages in shared memory from one to the next:
//
//   loader         bulk copies of coming tiles into empty stages
//   groups         tiles in turn: fold, publish the aggregate, wait for the carry, scan in place; and store, where the
//                  output lies differently on the 16-byte grid than the input
//   communicator   runs ahead of the groups through the look-across and hands each tile its carry
//   storer         bulk copies of scanned tiles to the output; empties the stage
//
// Each element is read once and written once. Needs: every block resident where one has several tiles
// (dispatch/resident.h), shared memory for the ring.
#pragma once

#include <lightscan/carry/exchange.h>
#include <lightscan/carry/slot.h>
#include <lightscan/carry/words.h>
#include <lightscan/kernel/shapes.h>
#include <lightscan/ptx/bulk_copy.h>
#include <lightscan/tile/copy.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/group_scan.h>
#include <lightscan/tile/items.h>
#include <lightscan/tile/ring.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/ptx>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace kernel
{
template <class Items, class Op, class Init, class Tiles>
struct bulk_arguments
{
  using accumulator = typename Items::form::accumulator;

  Items items;
  Tiles tiles;
  carry::slot_ring<accumulator> slots;
  Op op;
  Init init; // what converts to the accumulator in device code, or carry::no_init
};

#if defined(__CUDACC__)
template <class Items, class Op, class Init, class Tiles, class Shape, class Exchange>
struct bulk_block
{
  using index         = tile::index;
  using arguments     = bulk_arguments<Items, Op, Init, Tiles>;
  using T             = typename arguments::accumulator;
  using view_type     = tile::column_view<Items, Shape::group_threads, Shape::chunks>;
  using communicator  = typename Exchange::template communicator<T, Op, warp::device_warp>;
  using group_scan    = tile::group_scan<view_type, Op, Shape::group_threads, Shape::unroll>;
  using group_storage = typename group_scan::storage;

  struct shared_state
  {
    tile::ring<T, Shape::stages> ring;
    group_storage group[Shape::groups];
  };

  static_assert(sizeof(shared_state)
                  <= bulk_state_bytes(Shape::stages, Shape::groups, Shape::group_threads, static_cast<int>(sizeof(T))),
                "or a launch may want more shared memory than there is");

  const arguments& args;
  const tile::geometry& tiles;
  tile::ring<T, Shape::stages>& ring;
  unsigned char* stages;

  __device__ unsigned char* stage(int s) const
  {
    return stages + s * Shape::tile_bytes;
  }

  // Calls f(tile, turn) for each of the block's tiles from its `first`th, every `step`th.
  template <class F>
  __device__ void each_tile(int first, int step, F f) const
  {
    const index num_tiles = tiles.num_tiles;
    tile::turn turn(Shape::stages, first);
    for (index t = blockIdx.x + static_cast<index>(first) * gridDim.x; t < num_tiles;
         t += static_cast<index>(step) * gridDim.x, turn.advance(step))
    {
      f(t, turn);
    }
  }

  // The loader keeps pace with the carries: it starts a tile only once the carry of the block's tile `loads_ahead`
  // earlier has arrived. Left alone, SMs drift apart (on an H200 the fastest finish a plain copy ring in two thirds of
  // the slowest's time) and the slowest decides. A carry means that every block has come that far, so this holds the
  // blocks together at no cost; the lines read are kept in L2 in preference to those written, which then leave for
  // memory early and in order. Together they took int32 from 0.94 of cudaMemcpyAsync to 0.99 (perf/NOTES.md).
  //
  // Of the tiles that it may load, only `loads_at_once` are under way, just enough to keep the memory busy. Looks queue
  // behind loads: with six tiles under way the first carries took 9.7 microseconds, with two 7, though in both cases all
  // first aggregates were published after 3.5 (perf/NOTES.md).
  __device__ void load() const
  {
    const ::cuda::std::uint64_t policy = ptx::evict_last_policy();
    tile::turn paced(Shape::stages, 0);   // of the tile whose carry is waited for
    tile::turn arrived(Shape::stages, 0); // of the tile whose load is
    int begun = 0;                        // tiles, as far as that matters
    each_tile(0, 1, [&](index t, tile::turn turn) {
      if (begun >= Shape::loads_at_once)
      {
        tile::wait(ring.full[arrived.stage()], arrived.parity());
        arrived.advance(1);
      }
      if (begun == Shape::loads_ahead)
      {
        tile::wait(ring.carried[paced.stage()], paced.parity());
        paced.advance(1);
      }
      else
      {
        ++begun;
      }
      tile::wait(ring.empty[turn.stage()], turn.parity() ^ 1);
      unsigned bulk_bytes = 0;
      view_type::each_input(
        args.items, stage(turn.stage()), [&](const auto& column, int tile_bytes, unsigned char* to) {
          const unsigned char* const from = column.tile(t, tile_bytes);
          const tile::byte_span range     = column.bytes_of(tiles.inside(t), Shape::tile_items);
          const tile::byte_span words     = range.whole_words(to);
          if (range.first != words.first || range.last != words.last)
          {
            tile::copy_edges(to, from, range, words, warp::lane_id());
          }
          if (words.first < words.last)
          {
            const unsigned bytes = static_cast<unsigned>(words.last - words.first);
            if (warp::lane_id() == 0)
            {
              ptx::copy_bulk_to_shared(to + words.first, from + words.first, bytes, &ring.full[turn.stage()], policy);
            }
            bulk_bytes += bytes;
          }
        });
      // What has arrived by now counts too: the barrier waits for the loader in any case.
      if (warp::lane_id() == 0)
      {
        tile::arrive_expecting(ring.full[turn.stage()], bulk_bytes);
      }
      else
      {
        tile::arrive(ring.full[turn.stage()]);
      }
      __syncwarp();
    });
  }

  __device__ void communicate() const
  {
    communicator carries(args.slots.copy_for(blockIdx.x), args.op, carry::resolved_init<T>(args.init));
    each_tile(0, 1, [&](index t, tile::turn turn) {
      const carry::uninitialized<T> carry = carries.carry_before(t);
      tile::wait(ring.full[turn.stage()], turn.parity()); // the stage's last carry has been read
      if (warp::lane_id() == 0)
      {
        ring.carry[turn.stage()] = carry;
      }
      tile::arrive(ring.carried[turn.stage()]);
    });
  }

  __device__ void scan(group_storage& shared, int group, int thread) const
  {
    group_scan tile_scan(shared, thread, 1 + group, args.op);
    view_type view(args.items);
    each_tile(group, Shape::groups, [&](index t, tile::turn turn) {
      tile::wait(ring.full[turn.stage()], turn.parity());
      scan_one(tile_scan, view, t, turn);
      // Written by ordinary stores, read or overwritten by bulk copies next: each thread orders its own.
      ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);
      if (!args.items.to.on_grid())
      {
        // Bulk copies cannot shift. The group does, word by word, which one storer warp would be too slow for.
        tile_scan.synchronize();
        tile::store_tile(output_tile(t), output_area(turn), output_range(t), thread, Shape::group_threads);
      }
      tile::arrive(ring.scanned[turn.stage()]);
    });
  }

  __device__ void scan_one(group_scan& tile_scan, view_type& view, index t, tile::turn turn) const
  {
    view.look_at(stage(turn.stage()));
    const tile::span inside                 = tiles.inside(t);
    const bool has_carry                    = t > 0 || !::cuda::std::is_same_v<Init, carry::no_init>;
    const bool whole                        = tiles.whole(t);
    const carry::uninitialized<T> aggregate = tile_scan.fold(view, inside, whole);
    if (tile_scan.leader())
    {
      communicator::publish_aggregate(args.slots, args.slots.place_of(t), aggregate.value);
    }
    tile::wait(ring.carried[turn.stage()], turn.parity());
    const carry::uninitialized<T> carry = ring.carry[turn.stage()];
    if (tile_scan.leader())
    {
      communicator::publish_prefix(
        args.slots, args.slots.place_of(t), has_carry, carry.value, aggregate.value, args.op);
    }
    tile_scan.scan(view, inside, whole, carry, has_carry);
  }

  __device__ void store() const
  {
    each_tile(0, 1, [&](index t, tile::turn turn) {
      tile::wait(ring.scanned[turn.stage()], turn.parity());
      if (args.items.to.on_grid())
      {
        copy_out(t, output_area(turn));
      }
      tile::arrive(ring.empty[turn.stage()]);
      __syncwarp();
    });
    ::cuda::ptx::cp_async_bulk_wait_group(::cuda::ptx::n32_t<0>{}); // all of it written before the block ends
  }

  // Returns when the stage has been read.
  __device__ void copy_out(index t, const unsigned char* from) const
  {
    unsigned char* const to     = output_tile(t);
    const tile::byte_span range = output_range(t);
    const tile::byte_span words = range.whole_words(from);
    if (range.first != words.first || range.last != words.last)
    {
      tile::copy_edges(to, from, range, words, warp::lane_id());
    }
    if (warp::lane_id() == 0 && words.first < words.last)
    {
      ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_global,
                                 ::cuda::ptx::space_shared,
                                 to + words.first,
                                 from + words.first,
                                 static_cast<unsigned>(words.last - words.first));
      ::cuda::ptx::cp_async_bulk_commit_group();
      ::cuda::ptx::cp_async_bulk_wait_group_read(::cuda::ptx::n32_t<0>{});
    }
  }

  __device__ unsigned char* output_tile(index t) const
  {
    return args.items.to.tile(t, view_type::tile_bytes(args.items.to));
  }

  __device__ tile::byte_span output_range(index t) const
  {
    return args.items.to.bytes_of(tiles.inside(t), Shape::tile_items);
  }

  __device__ unsigned char* output_area(tile::turn turn) const
  {
    return view_type::output_area(stage(turn.stage()));
  }
};

template <class Items, class Op, class Init, class Tiles, class Shape, class Exchange>
__global__ void __launch_bounds__(Shape::threads, 1)
  bulk_scan(const __grid_constant__ bulk_arguments<Items, Op, Init, Tiles> args)
{
#  if __CUDA_ARCH__ >= 900
  using block = bulk_block<Items, Op, Init, Tiles, Shape, Exchange>;
  using state = typename block::shared_state;
  extern __shared__ __align__(128) unsigned char stages[];
  __shared__ __align__(alignof(state)) unsigned char state_bytes[sizeof(state)]; // T may have no constructor
  auto& shared = reinterpret_cast<state&>(state_bytes);

  if (threadIdx.x == 0)
  {
    tile::initialize(shared.ring, Shape::group_threads);
  }
  __syncthreads();

  const tile::geometry& tiles = args.tiles.resolved();
  const block self{args, tiles, shared.ring, stages};
  constexpr int warps_of_group = Shape::group_threads / warp::lanes;
  const int warp               = warp::warp_id();
  const int group              = warp / warps_of_group;
  if (group < Shape::groups)
  {
    self.scan(shared.group[group], group, static_cast<int>(threadIdx.x) % Shape::group_threads);
    return;
  }
  switch (warp - Shape::groups * warps_of_group)
  {
    case 0:
      self.load();
      break;
    case 1:
      self.communicate();
      break;
    default:
      self.store();
      break;
  }
#  endif
}
#endif
} // namespace kernel
LIGHTSCAN_NAMESPACE_END
