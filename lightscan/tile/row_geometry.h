// Geometry of rows of one length that follow one another, where each is a tile of its own: whole, whatever comes before it.
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
struct row_geometry
{
  index num_rows;
  int length;
  int lead;        // items imagined before the first row; fewer than a chunk has
  int chunk_items; // of a chunk, on whose grid threads read and write: a power of two

  // The items of a row, counted from the beginning of the chunk that its first lies in.
  LIGHTSCAN_HOST_DEVICE constexpr span inside(index row) const
  {
    const int before = lead_of(row);
    return span{before, before + length};
  }

  // That beginning, as an index into the range: negative where the first row has a lead.
  LIGHTSCAN_HOST_DEVICE constexpr index begin(index row) const
  {
    return row * length - lead_of(row);
  }

private:
  LIGHTSCAN_HOST_DEVICE constexpr int lead_of(index row) const
  {
    const unsigned items = static_cast<unsigned>(row) * static_cast<unsigned>(length) + static_cast<unsigned>(lead);
    return static_cast<int>(items & static_cast<unsigned>(chunk_items - 1)); // whatever is lost above 32 bits
  }
};
} // namespace tile
LIGHTSCAN_NAMESPACE_END
