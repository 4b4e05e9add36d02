// A range of bytes of a tile, as offsets from the tile's beginning.
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
#if defined(__CUDACC__)
struct byte_span
{
  int first;
  int last;

  // The part that consists of whole 16-byte words of memory at `address` (the memory that mirrors offset 0); it may be
  // empty, with last < first.
  __device__ byte_span whole_words(const unsigned char* address) const
  {
    const int misalignment = static_cast<int>(reinterpret_cast<::cuda::std::uintptr_t>(address) % grid_bytes);
    return {((first + misalignment + grid_bytes - 1) & -grid_bytes) - misalignment,
            ((last + misalignment) & -grid_bytes) - misalignment};
  }
};
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
