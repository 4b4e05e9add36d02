// How a line's carry comes from tile to tile. Tiles below each other make windows, and these stretches. A tile publishes one value for
// each of its lines, the fold of the line's elements since the line began: as far as they lie in the tile; or in the stretch, where the
// tile is its last one; or at all, where it is the window's. So the carry of a tile is the fold of
//
//     what the last tile of the window above published,  the last ones of the stretches above it,  the tiles above it in its own one,
//
// from where the line began on. The order of combination depends on the geometry alone, hence the same bits in every run. Between windows
// it is a chain: one trip through L2 for a window of tiles. With many bands, whose chains go on side by side, windows are short.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
using tile::index;

// A slot for each line of each tile, in memory that is cleared before the launch. Its words are as those of carry/slot.h; those of
// neighbouring lines lie side by side.
template <class T>
struct line_slots
{
  static constexpr int words                    = carry::slot_ring<T>::words_per_slot;
  static constexpr ::cuda::std::uint32_t filled = 1; // the tag

  carry::slot_word* memory;
  index inner;

  LIGHTSCAN_HOST_DEVICE carry::slot_word* first_word(index tile, index line) const
  {
    return memory + tile * words * inner + line;
  }

  template <class Transport>
  LIGHTSCAN_HOST_DEVICE void publish(index tile, index line, const T& value) const
  {
    const util::words<T> payload = util::to_words(value);
    carry::slot_word* const to   = first_word(tile, line);
    LIGHTSCAN_UNROLL
    for (int w = 0; w < words; ++w)
    {
      Transport::store(to + w * inner, carry::pack(payload.word[w], filled));
    }
  }

  // What tiles `tile`, `tile` + step, ... of a line published, `count` of them, at most Several. Waits for them.
  template <class Transport, int Several>
  LIGHTSCAN_HOST_DEVICE void
  read(index tile, int step, index line, int count, util::uninitialized<T> (&values)[Several]) const
  {
    carry::slot_reading<T> reading[Several];
    bool waiting;
    do
    {
      LIGHTSCAN_UNROLL
      for (int i = 0; i < Several; ++i)
      {
        reading[i].template load<Transport>(first_word(tile + (i < count ? i : count - 1) * step, line), inner);
      }
      waiting = false;
      LIGHTSCAN_UNROLL
      for (int i = 0; i < Several; ++i)
      {
        waiting = waiting || !reading[i].carries(filled);
      }
      if (waiting)
      {
        Transport::delay();
      }
    } while (waiting);
    LIGHTSCAN_UNROLL
    for (int i = 0; i < Several; ++i)
    {
      values[i] = reading[i].value();
    }
  }
};

// Tiles of a stretch (perf/DECISIONS.md, carry-window).
inline constexpr int stretch_size = 16;

// Tiles whose slots are read: numbers `first` to `last` - 1 of `capacity` at most, which begin with tile `begin` and are `step` tiles
// apart. The capacity, not the number, is what threads share out, so that the geometry alone says who reads which.
struct slots_above
{
  index begin;
  int step;
  int first;
  int last;
  int capacity;
};

// Where a tile's carry comes from.
struct carry_sources
{
  index window_begin;
  int position; // in the window
  int first;    // the first tile of the window in which the line was
  int window;
  bool from_above; // the line began above the window

  // `above`: layers from where the line began to the tile, at least one.
  static LIGHTSCAN_HOST_DEVICE carry_sources of(index tile, index above, int tile_layers, int window)
  {
    const index begin  = tile / window * window;
    const int position = static_cast<int>(tile - begin);
    const bool higher  = above > static_cast<index>(position) * tile_layers;
    const int first    = higher ? 0 : position - (static_cast<int>(above) + tile_layers - 1) / tile_layers;
    return {begin, position, first, window, higher};
  }

  LIGHTSCAN_HOST_DEVICE slots_above in_stretch() const
  {
    const int stretch = position / stretch_size * stretch_size;
    return {window_begin + stretch, 1, first > stretch ? first - stretch : 0, position - stretch, stretch_size - 1};
  }
  LIGHTSCAN_HOST_DEVICE slots_above of_stretches() const
  {
    return {window_begin + stretch_size - 1,
            stretch_size,
            first / stretch_size,
            position / stretch_size,
            (window - 1) / stretch_size};
  }
};

// What a tile's slot stands for: more than the tile's own layers where one of these holds.
LIGHTSCAN_HOST_DEVICE inline bool ends_window(index tile, int window)
{
  return tile % window == window - 1;
}
LIGHTSCAN_HOST_DEVICE inline bool ends_stretch(index tile, int window)
{
  return tile % window % stretch_size == stretch_size - 1;
}
} // namespace batched
LIGHTSCAN_NAMESPACE_END
