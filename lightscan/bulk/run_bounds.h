// Bounds of runs (tile::runs_kind) in a tile, from which of its items begin one.
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// The lowest `count` bits, of so many.
template <int Bits>
__device__ unsigned lowest_bits(int count)
{
  return count <= 0 ? 0 : count >= Bits ? 0xffffffffu >> (32 - Bits) : (1u << count) - 1;
}

// Whether the item before chunk `number` begins a run, if both are in the range; given the two before the tile.
template <int ChunkItems, class View, class Tested>
__device__ bool begins_before(View& view,
                              tile::span inside,
                              int number,
                              const util::uninitialized<Tested>& two_before_tile,
                              const util::uninitialized<Tested>& before_tile)
{
  const int first         = number * ChunkItems;
  const tile::index index = view.begin() + first - 1;
  if (index <= 0)
  {
    return true;
  }
  if (number == 0)
  {
    return view.tests().part_of(two_before_tile.value, before_tile.value) == 0;
  }
  return inside.first < first - 1 && first < inside.last
      && view.tests().part_of(view.template tested_before<2>(number), view.template tested_before<1>(number)) == 0;
}

// Of bits that say which items begin a run, those that say which are bounds: where an item's and that of the one before differ. By a warp,
// whose lanes have a chunk of each row; `number` is that of the lane's first one. The bit before a chunk stands in the lane before, or in
// the last lane's of the row before; for the first one the test is asked.
template <int ChunkItems, int Rows, class View, class Tested>
__device__ void make_bounds(unsigned (&bits)[Rows],
                            View& view,
                            tile::span inside,
                            int number,
                            const util::uninitialized<Tested>& two_before_tile,
                            const util::uninitialized<Tested>& before_tile)
{
  const bool first_lane = warp::lane_id() == 0;
  unsigned before_row =
    first_lane && bulk::begins_before<ChunkItems>(view, inside, number, two_before_tile, before_tile) ? 1 : 0;
#  pragma unroll
  for (int r = 0; r < Rows; ++r)
  {
    const unsigned last   = bits[r] >> (ChunkItems - 1);
    const unsigned left   = __shfl_up_sync(0xffffffffu, last, 1);
    const unsigned before = bits[r] << 1 | (first_lane ? before_row : left);
    before_row            = __shfl_sync(0xffffffffu, last, warp::lanes - 1);
    // The range's first item is none, and neither is what lies outside.
    const int chunk = (number + r * warp::lanes) * ChunkItems;
    const int first = inside.first + (view.begin() + inside.first == 0 ? 1 : 0) - chunk;
    bits[r] = (bits[r] ^ before) & lowest_bits<ChunkItems>(inside.last - chunk) & ~lowest_bits<ChunkItems>(first);
  }
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
