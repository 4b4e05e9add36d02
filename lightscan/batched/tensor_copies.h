// How tensor copies bring a tile of a band to shared memory, and take it back: a box of an array of two dimensions, whose parts beyond the
// array come as zeros and go nowhere. One warp makes them.
#pragma once

#include <lightscan/batched/geometry.h>
#include <lightscan/batched/tile.h>
#include <lightscan/bulk/barrier.h>
#include <lightscan/bulk/movers.h>
#include <lightscan/ptx/bulk_copy.h>
#include <lightscan/ptx/tensor_copy.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/ptx>
#include <cuda/std/cstdint>

#include <cuda.h> // CUtensorMap

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
// Of both ranges: what the copies know of them (runtime/tensor_map.h). They count in words.
struct tensor_maps
{
  CUtensorMap input;
  CUtensorMap output;
};

#if defined(__CUDACC__)
template <class T>
struct tensor_output
{
  const CUtensorMap& map;
  T* memory;
};

template <class T, class Policy>
class tensor_copies
{
  using tile_type = tile_of_lines<Policy>;
  using item      = util::uninitialized<T>;

  static constexpr int words = static_cast<int>(sizeof(T)) / tensor_word_bytes; // of an element

public:
  static constexpr int alignment    = 128; // of a box in shared memory
  static constexpr int buffer_bytes = (Policy::most_items * static_cast<int>(sizeof(T)) + alignment - 1) / alignment
                                    * alignment;

  // Where a tile's first item stands in a buffer: one with fewer layers is the last, and if tiles stand from their last layer on, the box
  // reaches before the array.
  static __device__ item*
  place_in(unsigned char* buffer, const CUtensorMap&, const tile_type& tile, const strided_range&)
  {
    const int before = tile.lines.upward ? tile.lines.tile_layers() - tile.depth : 0;
    return reinterpret_cast<item*>(buffer) + before * tile.lines.lines;
  }

  // Begins to bring a tile to a buffer. All lanes arrive at the barrier `full`, and the box's bytes. As in the bulk pipeline, what is read
  // stays in L2 in preference to what is written: where rows cut lines of the cache, another block wants the rest of them.
  __device__ void fill(const tile_type& tile,
                       unsigned char* buffer,
                       const CUtensorMap& input,
                       const strided_range&,
                       bulk::barrier& full) const
  {
    if (warp::lane_id() == 0)
    {
      ptx::copy_tensor_to_shared(buffer, input, column(tile), row(tile), &full, l2_policy_);
    }
    const int items = tile.lines.tile_layers() * tile.lines.lines;
    bulk::bulk_mover::arrive(full, static_cast<unsigned>(items) * static_cast<unsigned>(sizeof(T)));
  }

  // Begins to take a tile to where the results go. A store must not begin before the array, as the last tile's box may (an H200 calls that
  // an illegal instruction; a load may): its elements are stored one by one.
  static __device__ void
  empty(const tile_type& tile, unsigned char* buffer, const tensor_output<T>& output, const strided_range& to)
  {
    if (row(tile) < 0)
    {
      const item* const from = place_in(buffer, output.map, tile, to);
      item* const first      = reinterpret_cast<item*>(output.memory + tile.begin_in(to));
      for (int r = 0; r < tile.depth; ++r)
      {
        for (int column = warp::lane_id(); column < tile.width; column += warp::lanes)
        {
          first[column - r * to.along] = from[r * tile.lines.lines + column];
        }
      }
      return;
    }
    if (warp::lane_id() == 0)
    {
      const ::cuda::std::int32_t at[2] = {column(tile), row(tile)};
      ::cuda::ptx::cp_async_bulk_tensor(::cuda::ptx::space_global, ::cuda::ptx::space_shared, &output.map, at, buffer);
      ::cuda::ptx::cp_async_bulk_commit_group();
    }
  }

  // Returns when all buffers that are being emptied may be filled again.
  static __device__ void wait_until_read()
  {
    ::cuda::ptx::cp_async_bulk_wait_group_read(::cuda::ptx::n32_t<0>{});
    __syncwarp();
  }

private:
  // Where the box begins in the array.
  static __device__ int column(const tile_type& tile)
  {
    return static_cast<int>(tile.line) * words;
  }
  static __device__ int row(const tile_type& tile)
  {
    const geometry& all = tile.lines;
    return static_cast<int>(all.upward ? all.layers - tile.layer - all.tile_layers() : tile.layer);
  }

  ::cuda::std::uint64_t l2_policy_ = ptx::evict_last_policy();
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
