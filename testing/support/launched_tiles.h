// The tiles that a launch over memory works on, from the tuning table alone: what fixes the order of combination.
#pragma once

#include "launched_shape.h"
#include "reference_order.h"

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/shape.h>
#include <lightscan/tile/geometry.h>

#include <cstdint>

namespace testing_support
{
struct launched_tiles
{
  lightscan::tile::geometry tiles;
  inside_tile inside;
};

template <class T>
launched_tiles tiles_of_launch(const T* input, std::int64_t num_items, lightscan::dispatch::kernels kernel)
{
  namespace dispatch = lightscan::dispatch;
  namespace tile     = lightscan::tile;
  const int lead     = tile::common_lead(
    tile::misalignment{static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(input) % tile::grid_bytes), sizeof(T)});
  if (kernel == dispatch::kernels::bulk_only)
  {
    const dispatch::bulk_shape bulk = launched_shape<T>();
    return {{num_items, lead, bulk.tile_items}, in_threads(bulk.items_per_thread)};
  }
  using plain     = dispatch::plain_policy<T, lightscan::plain::memory_source>;
  const int warps = plain::warps_for(dispatch::plain_row_for((num_items + lead - 1) / plain::chunk_items + 1));
  return {{num_items, lead, warps * plain::warp_items}, in_stripes(plain::chunk_items, plain::stripes)};
}
} // namespace testing_support
