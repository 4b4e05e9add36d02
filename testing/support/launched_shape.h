// The tiles that a launch over memory works on, from the tuning table alone: what fixes the order of combination.
#pragma once

#include "reference_order.h"

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/geometry.h>

#include <cstdint>

namespace testing_support
{
struct launched_shape
{
  lightscan::tile::geometry tiles;
  inside_tile inside;
};

template <class T>
launched_shape shape_of_launch(const T* input, std::int64_t num_items, lightscan::dispatch::kernels kernel)
{
  namespace dispatch = lightscan::dispatch;
  namespace tile     = lightscan::tile;
  using bulk         = typename dispatch::bulk_shape_for<T>::type;
  constexpr int size = static_cast<int>(sizeof(T));
  const int lead     = tile::common_lead(
    tile::misalignment{static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(input) % tile::grid_bytes), sizeof(T)});
  if (kernel == dispatch::kernels::bulk_only)
  {
    constexpr int tile_items = bulk::tile_bytes / size;
    return {{num_items, lead, tile_items}, in_segments(tile_items / bulk::group_threads)};
  }
  using plain     = dispatch::plain_shape_for<T, tile::memory_source>;
  const int warps = plain::warps_for(dispatch::plain_row_for((num_items + lead - 1) / plain::chunk_items + 1));
  return {{num_items, lead, warps * plain::type::warp_items}, in_rows(plain::chunk_items, plain::rows)};
}
} // namespace testing_support
