// From a problem's size and addresses to one launch: which kernel, which tiles, how many blocks, how many slots.
// Constexpr arithmetic; nothing here calls CUDA.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
using index = ::cuda::std::int64_t;

struct plan
{
  tile::geometry tiles;
  int grid;              // resident blocks
  int log2_ring_windows; // of slots (carry/slot.h)
  int ring_copies;
  unsigned first_look; // nanoseconds from publishing to the first look for a tile, in the plain kernel
};

// One wave or several blocks' turns: never more blocks than can be resident, never one without a tile.
constexpr int grid_for(index num_tiles, int resident_blocks)
{
  return num_tiles < resident_blocks ? static_cast<int>(num_tiles) : resident_blocks;
}

// How many windows of slots the ring needs.
//
// A block publishes its k-th tile once the same group has finished its (k - groups)-th, for which the block's
// communicator has read the aggregates of every tile before that one: all other blocks have then published their
// (k - groups - 1)-th tile, hence finished their (k - 2 * groups - 1)-th, hence read every slot before it. So when tile
// k * grid + b is published, nobody still needs a slot of a turn before k - 2 * groups - 1: the slots in use span
// 2 * groups + 2 turns of `grid` tiles. The plain kernel is the case of one group.
//
// A power of two, so that window / ring and window % ring are a shift and a mask; never more than there are tiles for.
constexpr int log2_ring_windows_for(index num_tiles, int grid, int groups)
{
  const index size = carry::slot_position::window_size;
  const index span = (static_cast<index>(2 * groups + 2) * grid + size - 1) / size;
  const index all  = num_tiles > 0 ? (num_tiles - 1) / size + 1 : 1;
  const index need = all < span ? all : span;
  int log2_windows = 0;
  while ((index{1} << log2_windows) < need)
  {
    ++log2_windows;
  }
  return log2_windows;
}

// Enough for the ring of 2,048 blocks of the plain kernel with 16-byte accumulators.
inline constexpr ::cuda::std::size_t workspace_bytes = ::cuda::std::size_t{64} * 160 * 4 * sizeof(carry::slot_word);

// The most resident blocks whose ring of slots fits into a workspace.
constexpr int max_resident_blocks(int groups, int words_per_slot)
{
  constexpr int window_size = carry::slot_position::window_size;
  const int all             = static_cast<int>(
    workspace_bytes / (window_size * static_cast<::cuda::std::size_t>(words_per_slot) * sizeof(carry::slot_word)));
  int windows = 1;
  while (windows * 2 <= all)
  {
    windows *= 2;
  }
  return windows * window_size / (2 * groups + 2);
}

constexpr plan plan_for(tile::geometry tiles, int resident_blocks, int groups)
{
  const index num_tiles = tiles.num_tiles;
  const int grid        = grid_for(num_tiles, resident_blocks);
  return plan{tiles, grid, log2_ring_windows_for(num_tiles, grid, groups), 1, 0};
}

// Whether no block has a second tile, for which it would wait for blocks of higher index.
constexpr bool one_tile_each(const plan& p)
{
  return p.tiles.num_tiles <= p.grid;
}

// Tags that the launch uses up: one for each turn of the ring.
constexpr ::cuda::std::uint32_t tags_for(const plan& p)
{
  const index windows = (p.tiles.num_tiles - 1) / carry::slot_position::window_size + 1;
  return static_cast<::cuda::std::uint32_t>((windows - 1) >> p.log2_ring_windows) + 1;
}

constexpr ::cuda::std::size_t slot_bytes_for(const plan& p, int words_per_slot)
{
  return (static_cast<::cuda::std::size_t>(p.ring_copies) << p.log2_ring_windows) * carry::slot_position::window_size
       * static_cast<::cuda::std::size_t>(words_per_slot) * sizeof(carry::slot_word);
}

// The same with so many copies of the ring, or with as many as a workspace holds.
constexpr plan with_copies(plan p, int copies, int words_per_slot)
{
  p.ring_copies = copies;
  while (p.ring_copies > 1 && slot_bytes_for(p, words_per_slot) > workspace_bytes)
  {
    p.ring_copies /= 2;
  }
  return p;
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
