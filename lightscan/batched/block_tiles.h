// Which tiles a block of the pipeline of long lines takes (pipeline.h). Tiles go over each band from top to bottom.
//
// Of a narrow layer, which is one band, block b takes tiles b, b + B, b + 2B, ... In bands of a wide layer, a block stays in one band, so
// that it keeps what lies above its own tiles: with C bands W = B / C blocks (rounded down, eight at most) have one together, each every
// Wth tile, and the others none. Are there fewer blocks than bands, block b takes bands b, b + B, ... from top to bottom.
#pragma once

#include <lightscan/batched/geometry.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
// A tile's number among those below each other, or a stretch's: 2^31 tiles would be more memory than any GPU has.
using tile_number = int;

#if defined(__CUDACC__)
template <bool InBands>
struct block_tile
{
  tile_number down = 0;
  int band         = 0;

  // The block's tile of number `first`.
  __device__ block_tile(const geometry& lines, int first)
  {
    const int block = static_cast<int>(blockIdx.x);
    if constexpr (InBands)
    {
      const int bands = static_cast<int>(lines.bands);
      const int turn  = block / bands;
      const bool idle = turn > 0 && turn >= blocks_below(lines);
      band            = idle ? bands : block - turn * bands;
      down            = turn;
      advance(lines, first);
    }
    else
    {
      down = block + first * static_cast<int>(gridDim.x);
    }
  }

  __device__ bool there(const geometry& lines) const
  {
    return InBands ? band < static_cast<int>(lines.bands) : down < below(lines);
  }

  __device__ void advance(const geometry& lines, int step)
  {
    down += step * blocks_below(lines);
    if constexpr (InBands)
    {
      while (there(lines) && down >= below(lines))
      {
        // Whoever shares a band has no other.
        const int blocks = static_cast<int>(gridDim.x);
        const int bands  = static_cast<int>(lines.bands);
        band             = blocks < bands ? band + blocks : bands;
        down -= below(lines);
      }
    }
  }

  // Among all tiles.
  __device__ index number(const geometry& lines) const
  {
    return InBands ? down * lines.bands + band : down;
  }

  static __device__ tile_number below(const geometry& lines)
  {
    return static_cast<tile_number>(InBands ? lines.below : lines.pieces);
  }

  // That share a band.
  static __device__ int blocks_below(const geometry& lines)
  {
    const int blocks = static_cast<int>(gridDim.x);
    if constexpr (InBands)
    {
      const int together = blocks / static_cast<int>(lines.bands);
      return together < 1 ? 1 : together < most_blocks_of_band ? together : most_blocks_of_band;
    }
    return blocks;
  }
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
