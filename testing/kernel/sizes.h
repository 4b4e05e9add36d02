// The sizes at which a scan can go wrong: none, one, around a warp, a tile, a wave of tiles, two waves, and primes.
#pragma once

#include <cstdint>
#include <vector>

namespace testing_support
{
inline std::vector<std::int64_t> boundary_sizes(std::int64_t tile, std::int64_t grid)
{
  std::vector<std::int64_t> sizes{1, 2, 3, 31, 32, 33, 63, 65, 127, 1021, 4099};
  for (const std::int64_t around : {tile, 2 * tile, grid * tile, 2 * grid * tile, (2 * grid + 1) * tile})
  {
    for (const std::int64_t n : {around - 1, around, around + 1})
    {
      sizes.push_back(n);
    }
  }
  sizes.push_back(3 * grid * tile + 7919);
  return sizes;
}
} // namespace testing_support
