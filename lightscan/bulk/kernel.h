// The bulk pipeline: the persistent kernel for large inputs. Tiles move by bulk copies from sm_90 on, word by word on older GPUs
// (movers.h); everything else is the same on all.
//
// One resident block per SM. Block b takes tiles b, b + B, b + 2B, ... (cyclic distribution; the paper, section 3.1).
// Its warps have roles, and tiles flow through a ring of stages in shared memory from one to the next:
//
//   loaders        copies of coming tiles into empty stages: one warp, where copies are bulk copies
//   evaluators     the same for iterators that read memory in their own way, where there are any
//   groups         tiles in turn: fold, publish the aggregate, wait for the carry, scan in place; and store, where the
//                  output lies differently on the 16-byte grid than the input. They help the evaluators while they wait;
//                  what only calculates they read themselves, as they fold it.
//                  Where results are in another number (emission.h): put them into the stage, and store them once the next
//                  tile's are there, too, and the carry
//   lookahead warp reads the aggregates of all tiles, ahead of the groups, and hands each tile its carry
//   storers        copies of scanned tiles to the output; empty the stage
//
// Each element is read once, each result written once. All blocks must be resident where one has several tiles
// (runtime/launch_grid.h).
#pragma once

#include <lightscan/bulk/block.h>
#include <lightscan/bulk/ring.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// The compute capability that code is compiled for. What the host compiler sees has none, and needs none.
#  if defined(__CUDA_ARCH__)
inline constexpr int compute_capability_here = __CUDA_ARCH__ / 10;
#  else
inline constexpr int compute_capability_here = 90;
#  endif

// `Policies` has a policy for each architecture: one kernel, and on each GPU the shape that its host code asks for (dispatch/launch.h).
template <class Items, class Op, class Init, class Tiles, class Policies, class Transport>
__global__ void __launch_bounds__(Policies::template on<compute_capability_here>::threads, 1)
  bulk_scan(const __grid_constant__ bulk_arguments<Items, Op, Init, Tiles> args)
{
#  if defined(__CUDA_ARCH__)
  using Policy = typename Policies::template on<compute_capability_here>;
  // Where an architecture has no room for the items, there is an empty kernel, which no launch takes.
  if constexpr (Policy::serves)
  {
    using block = bulk_block<Items, Op, Init, Tiles, Policy, Transport>;
    using state = typename block::shared_state;
    extern __shared__ __align__(128) unsigned char stages[];
    __shared__ __align__(alignof(state)) unsigned char state_bytes[sizeof(state)]; // T may have no constructor
    auto& shared = reinterpret_cast<state&>(state_bytes);

    if (threadIdx.x == 0)
    {
      initialize(shared.ring, block::filling_threads, Policy::group_threads, block::storing_threads);
      shared.parts_taken = 0;
    }
    __syncthreads();

    const tile::geometry& tiles = args.tiles.resolved();
    const block self{args, tiles, shared.ring, shared.parts_taken, stages};
    if constexpr (Items::emits)
    {
      if (tiles.num_tiles == 0 && blockIdx.x == 0 && threadIdx.x == 0)
      {
        using kind = typename Items::kind_type;
        tile::put_totals<kind>(args.items.to.total, kind::nothing().value, 0);
      }
    }
    constexpr int warps_of_group = Policy::group_threads / warp::lanes;
    const int warp               = warp::warp_id();
    const int group              = warp / warps_of_group;
    if (group < Policy::groups)
    {
      const int thread = static_cast<int>(threadIdx.x) % Policy::group_threads;
      if constexpr (Items::emits)
      {
        self.emit(shared.group[group], group, thread);
      }
      else
      {
        self.scan(shared.group[group], group, thread);
      }
      return;
    }
    constexpr int first_service = (Policy::groups + Policy::evaluators) * warps_of_group;
    if constexpr (Policy::evaluators > 0)
    {
      if (warp < first_service)
      {
        self.evaluate();
        return;
      }
    }
    constexpr int first_storer = first_service + Policy::loaders + 1;
    switch (Policy::loaders == 1 ? warp - first_service : warp < first_storer - 1 ? 0 : warp - (first_storer - 2))
    {
      case 0:
        self.load(static_cast<int>(threadIdx.x) - first_service * warp::lanes);
        break;
      case 1:
        self.look_ahead();
        break;
      default:
        self.store(static_cast<int>(threadIdx.x) - first_storer * warp::lanes);
        break;
    }
  }
#  endif
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
