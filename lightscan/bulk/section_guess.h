// Where the first offset of a section may be expected (heads_input.h).
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// What a warp that marks sections knows of those that it has marked: with which offset each of the last two began.
class section_guess
{
public:
  __device__ bool has_slope() const
  {
    return sections_ > 1;
  }
  __device__ tile::index expected(tile::index item) const
  {
    return last_offset_ + static_cast<tile::index>(static_cast<float>(item - last_item_) * slope_);
  }
  // `item` is another one each time.
  __device__ void learn(tile::index item, tile::index offset)
  {
    if (sections_ > 0)
    {
      slope_ = static_cast<float>(offset - last_offset_) / static_cast<float>(item - last_item_);
    }
    sections_    = sections_ < 2 ? sections_ + 1 : 2;
    last_item_   = item;
    last_offset_ = offset;
  }

private:
  int sections_            = 0;
  tile::index last_item_   = 0;
  tile::index last_offset_ = 0;
  float slope_             = 0;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
