// The sizes that kernels are compiled for; dispatch/tuning.h says which, and why.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace kernel
{
// Of the bulk pipeline (bulk_scan.h).
template <int Groups,
          int GroupThreads,
          int Chunks,
          int Unroll,
          int ChunkItems,
          int ChunkBytes,
          int Stages,
          int LoadsAhead,
          int LoadsAtOnce>
struct bulk_shape
{
  static constexpr int groups        = Groups;
  static constexpr int group_threads = GroupThreads;
  static constexpr int chunks        = Chunks; // in a thread's segment (tile/geometry.h)
  static constexpr int unroll        = Unroll; // chunks in flight: too many at once spill, one at a time waits
  static constexpr int stages        = Stages;
  static constexpr int loads_ahead   = LoadsAhead;  // tiles that may be loaded beyond the last one with a carry
  static constexpr int loads_at_once = LoadsAtOnce; // tiles whose loads may be under way
  static constexpr int tile_chunks   = GroupThreads * Chunks;
  static constexpr int tile_items    = tile_chunks * ChunkItems;
  static constexpr int tile_bytes    = tile_chunks * ChunkBytes;       // of a stage
  static constexpr int threads       = Groups * GroupThreads + 3 * 32; // and loader, communicator, storer
  static constexpr int shared_bytes  = Stages * tile_bytes;            // dynamic
  static_assert(Chunks % 2 == 1, "an even number would let neighbouring threads meet in a bank");
  static_assert(Groups < 16, "a named barrier each, and one for the block");
  static_assert(Stages >= Groups, "a group steps through the ring by the number of groups");
  static_assert(LoadsAhead >= Groups, "every group needs a tile to work on before the first carry arrives");
  static_assert(LoadsAhead < Stages, "the carry waited for is one of the last turn of the ring");
  static_assert(LoadsAtOnce <= LoadsAhead, "nor is the tile waited for any older");
};

// At most what a block has in shared memory besides its stages (bulk_block::shared_state): the ring's barriers and carries,
// and the totals of the groups' warps.
constexpr int bulk_state_bytes(int stages, int groups, int group_threads, int accumulator)
{
  constexpr int barriers = 4 * 8; // of a stage
  constexpr int aligning = 64;
  return stages * (barriers + accumulator) + groups * 2 * (group_threads / 32) * accumulator + aligning;
}

// That a multiprocessor has room for, as far as the shapes below go: of those served, only sm_75's has fewer.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int multiprocessor_threads = 1024;
#else
inline constexpr int multiprocessor_threads = 1536;
#endif

// Of the plain kernel (plain_scan.h). How many warps there are is said by the launch, up to these.
template <int MaxWarps, int Rows, int ChunkItems, int MinBlocks>
struct plain_shape
{
  static constexpr int max_warps   = MaxWarps; // that hold items
  static constexpr int rows        = Rows;     // of each
  static constexpr int max_threads = (MaxWarps + 1) * 32;
  static constexpr int min_blocks  = MinBlocks; // that a multiprocessor should have registers for
  static constexpr int warp_items  = Rows * 32 * ChunkItems;
  static_assert(MaxWarps <= 32, "one lane of the communicator for each");

  // Of the compiler, which warns of more than there can be.
  static constexpr int blocks_asked_for = min_blocks * max_threads <= multiprocessor_threads ? min_blocks : 1;
};
} // namespace kernel
LIGHTSCAN_NAMESPACE_END
