// How bulk copies bring a tile to shared memory, and take it back: one range of memory, its ends byte by byte. One warp makes them.
#pragma once

#include <lightscan/batched/geometry.h>
#include <lightscan/batched/tile.h>
#include <lightscan/bulk/barrier.h>
#include <lightscan/bulk/movers.h>
#include <lightscan/tile/byte_span.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/ptx>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
#if defined(__CUDACC__)
template <class T, class Policy>
class bulk_copies
{
  using tile_type = tile_of_lines<Policy>;
  using item      = util::uninitialized<T>;

public:
  // A tile begins within the first word.
  static constexpr int buffer_bytes = (Policy::most_items * static_cast<int>(sizeof(T)) + 2 * tile::grid_bytes - 1)
                                    / tile::grid_bytes * tile::grid_bytes;

  __device__ bulk_copies()
      : mover_(0, 0)
  {}

  // Where a tile's first item stands in a buffer: on the 16-byte grid as in memory, of either range.
  static __device__ item*
  place_in(unsigned char* buffer, const T* memory, const tile_type& tile, const strided_range& where)
  {
    return reinterpret_cast<item*>(
      buffer + reinterpret_cast<::cuda::std::uintptr_t>(memory + tile.begin_in(where)) % tile::grid_bytes);
  }

  // Begins to bring a tile to a buffer. All lanes arrive at the barrier `full`, and the tile's bytes.
  __device__ void fill(
    const tile_type& tile, unsigned char* buffer, const T* input, const strided_range& from, bulk::barrier& full) const
  {
    const unsigned bytes = mover_.fill(reinterpret_cast<unsigned char*>(place_in(buffer, input, tile, from)),
                                       reinterpret_cast<const unsigned char*>(input + tile.begin_in(from)),
                                       span(tile),
                                       full);
    mover_.arrive(full, bytes);
  }

  // Begins to take a tile to where the results go.
  static __device__ void empty(const tile_type& tile, unsigned char* buffer, T* output, const strided_range& to)
  {
    bulk::bulk_mover::begin_emptying(reinterpret_cast<unsigned char*>(output + tile.begin_in(to)),
                                     reinterpret_cast<const unsigned char*>(place_in(buffer, output, tile, to)),
                                     span(tile));
  }

  // Returns when all buffers that are being emptied may be filled again.
  static __device__ void wait_until_read()
  {
    ::cuda::ptx::cp_async_bulk_wait_group_read(::cuda::ptx::n32_t<0>{});
    __syncwarp();
  }

private:
  static __device__ tile::byte_span span(const tile_type& tile)
  {
    return {0, tile.width * tile.depth * static_cast<int>(sizeof(T))};
  }

  bulk::bulk_mover mover_;
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
