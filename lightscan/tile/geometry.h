// Geometry of the tiles. Their boundaries stand on the input's 16-byte grid, so that every tile but the first and last is
// whole and can move in 16-byte words, whatever the alignment of the range.
//
// The range is imagined to begin `lead` elements early, at an address on the grid: "grid element" i is input element
// i - lead. Tile t covers grid elements [t * tile_items, (t + 1) * tile_items); only those of the range exist.
// Constexpr arithmetic on host and device.
#pragma once

#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/numeric>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
using index = ::cuda::std::int64_t;

inline constexpr int grid_bytes = 16;

// The elements of one tile that belong to the range: [first, last), counted from the tile's beginning.
struct span
{
  int first;
  int last;
};

struct geometry
{
  // The members' order: what every thread needs before it can load anything comes first, for it is fetched first
  // (perf/DECISIONS.md, parameters-in-one-line).
  index num_tiles; // kept, like the next member: arithmetic that every thread would repeat
  index num_full;  // tiles that the range's end does not cut short
  int lead;        // elements imagined before the range; fewer than a thread has
  int tile_items;
  index num_items; // of the range

  LIGHTSCAN_HOST_DEVICE constexpr geometry(index items, int lead_items, int items_a_tile)
      : num_tiles(items == 0 ? 0 : (items - 1 + lead_items) / items_a_tile + 1)
      , num_full(num_tiles * items_a_tile == items + lead_items ? num_tiles : num_tiles - 1)
      , lead(lead_items)
      , tile_items(items_a_tile)
      , num_items(items)
  {}

  LIGHTSCAN_HOST_DEVICE constexpr span inside(index tile) const
  {
    return span{
      tile == 0 ? lead : 0, tile < num_full ? tile_items : static_cast<int>(num_items + lead - tile * tile_items)};
  }

  LIGHTSCAN_HOST_DEVICE constexpr bool whole(index tile) const
  {
    return tile < num_full && (tile > 0 || lead == 0);
  }

  // The tile's first grid element, as an index into the range; negative for tile 0 of a range with a lead.
  LIGHTSCAN_HOST_DEVICE constexpr index begin(index tile) const
  {
    return tile * tile_items - lead;
  }
};

// The geometry as a kernel gets it where the host knows the number of items; counted_tiles where only the GPU does.
struct known_tiles
{
  geometry tiles;

  LIGHTSCAN_HOST_DEVICE const geometry& resolved() const
  {
    return tiles;
  }
  const geometry& of_most(index) const
  {
    return tiles;
  }
  int items_a_tile() const
  {
    return tiles.tile_items;
  }
};

// `Count` converts to the number of items, in device code and possibly only there; a negative one counts as none.
template <class Count>
struct counted_tiles
{
  Count count;
  int lead;
  int tile_items;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE geometry resolved() const
  {
    const index items = static_cast<index>(count);
    return geometry(items < 0 ? 0 : items, lead, tile_items);
  }
  // As if there were so many items as there can be.
  geometry of_most(index items) const
  {
    return {items, lead, tile_items};
  }
  int items_a_tile() const
  {
    return tile_items;
  }
};

// The number of tiles that resident block `block` of `num_blocks` owns: tiles block, block + num_blocks, ...
LIGHTSCAN_HOST_DEVICE constexpr index owned_tiles(index num_tiles, index block, index num_blocks)
{
  return block < num_tiles ? (num_tiles - 1 - block) / num_blocks + 1 : 0;
}

// The distance of an address from the grid, in bytes, and the size of the elements there.
struct misalignment
{
  unsigned bytes;
  unsigned size;
};

// Whether the grid lies `lead` elements before the address.
LIGHTSCAN_HOST_DEVICE constexpr bool meets_grid(misalignment column, unsigned lead)
{
  return (column.bytes + grid_bytes * column.size - lead * column.size) % grid_bytes == 0;
}

// Elements from each column's first back to the grid; -1 where no number of them takes every column there (an 8-byte
// struct of two floats that starts at 4 modulo 16, say, or two columns that lie differently).
template <class... Misalignment>
LIGHTSCAN_HOST_DEVICE constexpr int common_lead(Misalignment... column)
{
  for (unsigned lead = 0; lead < grid_bytes; ++lead)
  {
    if ((meets_grid(column, lead) && ...))
    {
      return static_cast<int>(lead);
    }
  }
  return -1;
}

// Whether common_lead() finds a lead for every aligned T.
template <class T>
inline constexpr bool always_meets_grid = ::cuda::std::gcd(sizeof(T), ::cuda::std::size_t{grid_bytes}) <= alignof(T);

// Bytes of a chunk: the fewest 16-byte words that hold whole elements. A thread's items of a tile are a whole number of chunks
// and, in the widest column, an ODD number of 16-byte words, so that the 16-byte accesses of neighbouring threads meet no bank
// conflict (perf/DECISIONS.md, odd-chunks). Chunks of elements of up to 16 bytes are odd numbers of words themselves, so an odd
// number of chunks will do.
LIGHTSCAN_HOST_DEVICE constexpr int chunk_bytes_for(unsigned element_size)
{
  return static_cast<int>(::cuda::std::lcm(element_size, static_cast<unsigned>(grid_bytes)));
}

// The most chunks, an odd number and at least one, that fit into `bytes`.
LIGHTSCAN_HOST_DEVICE constexpr int chunks_within(int bytes, int chunk_bytes)
{
  const int fit = bytes / chunk_bytes;
  return fit < 1 ? 1 : fit - (fit % 2 == 0 ? 1 : 0);
}
} // namespace tile
LIGHTSCAN_NAMESPACE_END
