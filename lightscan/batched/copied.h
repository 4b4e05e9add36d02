// Which copies bring the tiles of a scan along an axis, if any do: it follows from the array's shape, and from where layers lie.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/batched/geometry.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/limits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
// Of an accumulator whose tiles come by bulk copies (perf/DECISIONS.md, batch-bulk).
inline constexpr int most_bulk_bytes = 8;

// Whether tensor copies can reach all layers of a range: rows of one array, in order, at a distance of whole sectors. Places are numbers
// of 31 bits, in words. Rows are whole 16-byte words: that a store leaves alone what lies behind a row was seen for these.
inline bool in_rows(const strided_range& range, const axis& of, int bytes)
{
  constexpr index most_places = ::cuda::std::numeric_limits<int>::max();
  const index most_apart      = (index{1} << 40) / bytes; // less than that
  if (range.along <= -most_apart || range.along >= most_apart || range.gap != 0)
  {
    return false;
  }
  const index apart = range.along < 0 ? -range.along : range.along;
  return apart >= of.inner && apart * bytes % sector_bytes == 0 && of.inner <= most_places / (bytes / tensor_word_bytes)
      && of.inner * bytes % tile::grid_bytes == 0 && of.outer * of.length <= most_places;
}

// Whether the pipeline serves wide layers in bands: where blocks would wait for each other otherwise, if that leaves few multiprocessors
// without work, copies bring enough of a row at a time, and there are more than a few tiles of each line, and for each multiprocessor
// (perf/DECISIONS.md, wide-bands).
template <::cuda::std::size_t Bytes>
bool suits_bands(const axis& of, int multiprocessors)
{
  if constexpr (Bytes != 4 && Bytes != 8)
  {
    return false;
  }
  else
  {
    constexpr int bytes = static_cast<int>(Bytes);
    const strided_range from(of, of.input), to(of, of.output);
    if (!in_rows(from, of, bytes) || !in_rows(to, of, bytes) || (from.along < 0) != (to.along < 0))
    {
      return false;
    }
    const geometry lines = geometry_of<policy<Bytes, access::bands>>(of, multiprocessors);
    const index possible = multiprocessors / lines.bands; // blocks of a band
    const index together = possible < 1 ? 1 : possible < most_blocks_of_band ? possible : most_blocks_of_band;
    const index rounds   = (lines.bands - 1) / multiprocessors + 1;
    const bool busy      = 8 * lines.bands * together >= 7 * rounds * multiprocessors;
    return busy && lines.lines * bytes >= cache_line_bytes && of.length >= few_tiles * lines.tile_layers()
        && lines.pieces >= few_tiles * static_cast<index>(multiprocessors)
        && geometry_of<policy<Bytes, access::direct>>(of, multiprocessors).carries();
  }
}

// Which copies serve an array: of tiles that are one range of memory each in both ranges `bulk` where a block has lines as a whole, and the
// pipeline's where it has not, and layers are narrow (perf/DECISIONS.md, batch-bulk, line-pipeline); of wide layers `bands`. `direct` stands
// for none: what serves any iterators.
template <::cuda::std::size_t Bytes>
access access_by_copies(const axis& of, int multiprocessors)
{
  using by_bulk = policy<Bytes, access::bulk>;
  const strided_range from(of, of.input), to(of, of.output);
  const bool ranges = of.inner <= by_bulk::threads && from.along == to.along && from.side_by_side(of.inner)
                   && to.side_by_side(of.inner);
  if (ranges && !geometry_of<by_bulk>(of, multiprocessors).carries())
  {
    return access::bulk;
  }
  if (ranges && of.inner <= most_pipelined_lines(Bytes))
  {
    return access::pipeline;
  }
  return suits_bands<Bytes>(of, multiprocessors) ? access::bands : access::direct;
}
} // namespace batched
LIGHTSCAN_NAMESPACE_END
