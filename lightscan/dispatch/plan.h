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
using tile::index;

struct plan
{
  tile::geometry tiles;
  int grid;              // resident blocks
  int log2_ring_windows; // of slots (carry/slot.h)
  int ring_copies;
  unsigned first_poll_delay; // nanoseconds from publishing to the first poll for a tile, in the plain kernel
};

// The grid: one wave, or blocks with several tiles each; never more than can be resident, never one without a tile.
constexpr int grid_for(index num_tiles, int resident_blocks)
{
  return num_tiles < resident_blocks ? static_cast<int>(num_tiles) : resident_blocks;
}

// How many slots must be there at once.
//
// `in_hand`: how many tiles a block publishes before it has finished the first of them: one for each of its groups, two where they
// come back to store (bulk/block.h). It publishes its k-th tile once it has finished its (k - in_hand)-th, for which the block's lookahead
// warp has read the aggregates of every tile before that one: all other blocks have then published their
// (k - in_hand - 1)-th tile, hence finished their (k - 2 * in_hand - 1)-th, hence read every slot before it. So when tile
// k * grid + b is published, nobody still needs a slot of tiles before (k - 2 * in_hand - 1) * grid: the slots in use span
// 2 * in_hand + 2 times `grid` tiles. The plain kernel has one in hand. (perf/DECISIONS.md, ring-size)
//
// A lane may read its run of slots from the beginning (carry/lookahead.h), and need four more that it has had. There is room for them: of
// two blocks the one of lower index has published a tile more, so (2 * in_hand + 1) * grid + 4 slots are needed, no more than that from
// four blocks on; and for fewer a ring, of whole windows, has more, as long as in_hand is less than 39 (with fewer than 16 groups, 30).
constexpr index slots_in_use(int grid, int in_hand)
{
  return static_cast<index>(2 * in_hand + 2) * grid;
}

// A power of two, so that window / ring and window % ring are a shift and a mask; never more than there are tiles for.
constexpr int log2_ring_windows_for(index num_tiles, int grid, int in_hand)
{
  const index size = carry::slot_position::window_size;
  const index span = (slots_in_use(grid, in_hand) + size - 1) / size;
  const index all  = num_tiles > 0 ? (num_tiles - 1) / size + 1 : 1;
  const index need = all < span ? all : span;
  int log2_windows = 0;
  while ((index{1} << log2_windows) < need)
  {
    ++log2_windows;
  }
  return log2_windows;
}

constexpr ::cuda::std::size_t bytes_of_slots(index slots, int words_per_slot)
{
  return static_cast<::cuda::std::size_t>(slots) * static_cast<::cuda::std::size_t>(words_per_slot)
       * sizeof(carry::slot_word);
}

// Slots that must have memory where every tile has one of its own: whole halves of windows (carry/slot.h).
constexpr index own_slots(index num_tiles)
{
  constexpr index half = carry::slot_position::lanes_of_line * carry::slot_position::slots_per_lane;
  return num_tiles > 0 ? ((num_tiles - 1) / half + 1) * half : 0;
}

constexpr index slots_in(::cuda::std::size_t bytes, int words_per_slot)
{
  return static_cast<index>(bytes / (static_cast<unsigned>(words_per_slot) * sizeof(carry::slot_word)));
}

// How many of the blocks that could be resident may take part where there are `bytes` for slots: all, where every tile has one
// of its own; otherwise as many as a ring of that size serves (log2_ring_windows_for), none where there is no room for one.
constexpr int
resident_within(::cuda::std::size_t bytes, index num_tiles, int resident_blocks, int in_hand, int words_per_slot)
{
  const index there = slots_in(bytes, words_per_slot);
  if (num_tiles <= there && own_slots(num_tiles) <= there)
  {
    return resident_blocks;
  }
  index ring = 0;
  for (index more = carry::slot_position::window_size; more <= there; more *= 2)
  {
    ring = more;
  }
  const int served = static_cast<int>(ring / slots_in_use(1, in_hand));
  return resident_blocks < served ? resident_blocks : served;
}

constexpr plan plan_for(tile::geometry tiles, int resident_blocks, int in_hand)
{
  const index num_tiles = tiles.num_tiles;
  const int grid        = grid_for(num_tiles, resident_blocks);
  return plan{tiles, grid, log2_ring_windows_for(num_tiles, grid, in_hand), 1, 0};
}

// Whether no block has a second tile, for which it would wait for blocks of higher index.
constexpr bool one_tile_each(const plan& p)
{
  return p.tiles.num_tiles <= p.grid;
}

// Tags that the launch uses up: one for each round of the ring.
constexpr ::cuda::std::uint64_t tags_for(const plan& p)
{
  const index windows = (p.tiles.num_tiles - 1) / carry::slot_position::window_size + 1;
  return static_cast<::cuda::std::uint64_t>((windows - 1) >> p.log2_ring_windows) + 1;
}

// Of the ring's copies, the last of which ends with the last tile's slot. None where no tile follows another, for which it would
// be looked ahead.
constexpr ::cuda::std::size_t slot_bytes_for(const plan& p, int words_per_slot)
{
  const index num_tiles = p.tiles.num_tiles;
  const index ring      = index{carry::slot_position::window_size} << p.log2_ring_windows;
  const index last      = num_tiles < ring ? own_slots(num_tiles) : ring;
  return num_tiles <= 1 ? 0 : bytes_of_slots((p.ring_copies - 1) * ring + last, words_per_slot);
}

// Outside a graph up to so many bytes are cleared without a kernel, in a microsecond; more take four, which no copies win back
// (perf/DECISIONS.md, cheaply-cleared).
inline constexpr ::cuda::std::size_t cheaply_cleared_bytes = 4096;

// The same with so many copies of the ring, or with as many as `bytes` hold. `cleared`: before the launch, for it alone, and not in a graph.
constexpr plan with_copies(
  plan p, int copies, int words_per_slot, ::cuda::std::size_t bytes = carry::workspace_bytes, bool cleared = false)
{
  p.ring_copies = 1;
  if (cleared && bytes > cheaply_cleared_bytes && slot_bytes_for(p, words_per_slot) <= cheaply_cleared_bytes)
  {
    bytes = cheaply_cleared_bytes;
  }
  p.ring_copies = copies;
  while (p.ring_copies > 1 && slot_bytes_for(p, words_per_slot) > bytes)
  {
    p.ring_copies /= 2;
  }
  return p;
}

// Memory for slots that a caller brings, by the number of items up to which it may be so much: little beside his data. CUB asks
// for 0.8 to 2.3 KB up to 2^16 items of one to eight bytes (CUB 3.0, sm_90). What is beyond the need is for copies of the slots,
// which make small scans faster, as far as clearing them costs little (with_copies).
constexpr index few_items  = index{1} << 16;
constexpr index some_items = index{1} << 22;

constexpr ::cuda::std::size_t generous_bytes(index num_items)
{
  return num_items <= few_items ? 1496 : num_items <= some_items ? (32 << 10) - 8 : carry::workspace_bytes;
}

// Slots that must be there for up to so many tiles in blocks with so many in hand, `blocks` of them on a multiprocessor. Up to
// some_items, no more than a ring for the largest GPUs of today; a larger one has some blocks idle then.
constexpr index slots_for(index num_tiles, index num_items, int blocks, int in_hand)
{
  constexpr int multiprocessors = 160;
  const index ring              = index{carry::slot_position::window_size}
                  << log2_ring_windows_for(num_tiles, blocks * multiprocessors, in_hand);
  return num_items <= some_items && num_tiles > ring ? ring : num_tiles;
}

// Bytes for so many slots, and copies of them where there is room; at most a workspace, which serves any number of tiles.
constexpr ::cuda::std::size_t brought_bytes_for(index slots, index num_items, int words_per_slot)
{
  constexpr int most_copies = 8;
  if (slots <= 1)
  {
    return 0; // of one tile
  }
  const index most                 = slots_in(carry::workspace_bytes, words_per_slot);
  const bool fits                  = slots <= most && own_slots(slots) <= most;
  const ::cuda::std::size_t needed = fits ? bytes_of_slots(own_slots(slots), words_per_slot) : carry::workspace_bytes;
  ::cuda::std::size_t ring         = bytes_of_slots(carry::slot_position::window_size, words_per_slot);
  while (ring < needed && ring * 2 <= carry::workspace_bytes)
  {
    ring *= 2;
  }
  const ::cuda::std::size_t copied   = ring * most_copies;
  const ::cuda::std::size_t generous = generous_bytes(num_items) < copied ? generous_bytes(num_items) : copied;
  return needed < generous ? generous : needed;
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
