// The tiles that a launch over memory works on, from the tuning table alone: what fixes the order of combination.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/geometry.h>

#include <cstdint>

namespace testing_support
{
struct launched_shape
{
  lightscan::tile::geometry tiles;
  int segment_items; // of a thread
};

template <class T>
launched_shape shape_of_launch(const T* input, std::int64_t num_items, lightscan::dispatch::kernels kernel)
{
  namespace dispatch = lightscan::dispatch;
  namespace tile     = lightscan::tile;
  using bulk         = typename dispatch::bulk_shape_for<T>::type;
  using plain        = typename dispatch::plain_shape_for<T>::type;
  constexpr int size = static_cast<int>(sizeof(T));

  const int lead = tile::lead_of(
    static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(input) % tile::grid_bytes), size);
  if (kernel == dispatch::kernels::bulk_only)
  {
    constexpr int tile_items = bulk::tile_bytes / size;
    return {{num_items, lead, tile_items}, tile_items / bulk::group_threads};
  }
  const int chunks = tile::chunks_within(
    dispatch::plain_row_for(num_items * size).segment_bytes, tile::chunk_bytes_for(size));
  const int tile_items = chunks * plain::bytes_a_chunk / size;
  return {{num_items, lead, tile_items}, tile_items / plain::group_threads};
}
} // namespace testing_support
