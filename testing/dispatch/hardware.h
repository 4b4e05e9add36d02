// What GPUs have, and whether a shape of the pipeline fits one.
#pragma once

#include <lightscan/bulk/state_bytes.h>
#include <lightscan/dispatch/architectures.h>
#include <lightscan/dispatch/shape.h>
#include <lightscan/dispatch/tuning.h>

namespace testing_support
{
namespace dispatch = lightscan::dispatch;

template <int Size, int Alignment = 1>
struct alignas(Alignment) element
{
  unsigned char byte[Size];
};

constexpr int size_of_warp = 32;

// What a multiprocessor of each architecture has (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability";
// CCCL's cuda::arch_traits says the same): kilobytes of shared memory that a block can have, resident threads.
struct hardware
{
  int compute_capability;
  int block_shared;
  int threads;
};
constexpr hardware gpus[]        = {{75, 64, 1024},
                                    {80, 163, 2048},
                                    {86, 99, 1536},
                                    {87, 163, 1536},
                                    {88, 99, 1536},
                                    {89, 99, 1536},
                                    {90, 227, 2048},
                                    {100, 227, 2048},
                                    {103, 227, 2048},
                                    {110, 227, 1536},
                                    {120, 99, 1536},
                                    {121, 99, 1536}};
constexpr int registers_of_block = 64 * 1024; // everywhere
constexpr int threads_of_block   = 1024;

// What a launch asks for, or it takes the plain kernel without a word; and what the kernel rests on (bulk/block.h). `least`: bytes
// of registers that a thread is left with.
constexpr bool
fits(const dispatch::bulk_shape& shape, const dispatch::item_sizes& items, const hardware& gpu, int least)
{
  const int state = lightscan::bulk::state_bytes(
    shape.stages, shape.groups, shape.group_threads, items.accumulator, items.alignment, items.emits);
  return shape.shared_bytes + state <= gpu.block_shared * 1024 && shape.threads <= gpu.threads
      && shape.threads <= threads_of_block && registers_of_block / shape.threads >= least && shape.groups >= 1
      && shape.stages > shape.groups && shape.stages >= shape.tiles_in_hand && shape.loads_ahead >= shape.groups
      && shape.loads_ahead < shape.stages && shape.loads_at_once >= 1 && shape.loads_at_once <= shape.loads_ahead
      && shape.chunks % 2 == 1 && shape.group_threads % size_of_warp == 0 && shape.loaders >= 1 && shape.storers >= 1
      && (shape.prefetched == 0
          || dispatch::architecture_row_for(gpu.compute_capability).copies != lightscan::bulk::copies::async)
      && shape.tile_items == shape.group_threads * shape.chunks * items.chunk_items;
}

// Of items that the pipeline serves on sm_90, on every architecture that has room for two of their tiles.
template <class Items>
constexpr bool fits_everywhere()
{
  constexpr dispatch::item_sizes items = dispatch::item_sizes_of<Items>();
  for (const hardware& gpu : gpus)
  {
    const dispatch::bulk_shape shape = dispatch::shape_on<Items, dispatch::tuned_policies>(gpu.compute_capability);
    if (shape.serves && !fits(shape, items, gpu, 56))
    {
      return false;
    }
  }
  return dispatch::shape_on<Items, dispatch::tuned_policies>(90).serves;
}

template <class Items>
void expect_room()
{
  static_assert(fits_everywhere<Items>());
}
} // namespace testing_support
