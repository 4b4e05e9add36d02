// How the lines of a batch are cut into tiles. An array of outer x length x inner elements, scanned along the middle one, is a column of
// outer * length layers of `inner` elements; a line, what is scanned for itself, begins in every `length`th layer, and goes down.
//
// Neighbouring lines make a band, and a tile is a number of layers of a band. In a tile, neighbouring threads have neighbouring lines,
// and groups of so many threads have layers one below the other:
//
//           band 0      band 1
//         . . . . .   . . . . .      a thread of group 0 for each line, layers_each layers deep
//         . . . . .   . . . . .
//         ---------   ---------
//         . . . . .   . . . . .      group 1
//         . . . . .   . . . . .
//         =========   =========      tiles 0 and 1; below are 2 and 3
//
// A block takes a piece at a time. Where there are enough of them, that is lines as a whole: several in one tile, or one in tiles from top
// to bottom, whose carry the block keeps. Else it is a tile, and carries go from block to block (carry_chain.h). Pieces are numbered band
// by band first: neighbouring blocks have neighbouring memory.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/tile/divisor.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/limits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
using tile::index;

// How a tile's elements get to its threads, and the results back.
enum class access
{
  direct, // threads read and write them where they lie
  staged, // the tile goes through shared memory as it lies, element by element: lines so narrow that threads would use little of each
          // sector of memory (perf/DECISIONS.md, batch-staged)
  bulk,   // the same by bulk copies, which bring the next tile while one is scanned
  pipeline, // the same through a ring of stages, where lines are longer than tiles, and few (pipeline.h)
  bands     // through such a ring, too: bands of wide layers, by tensor copies
};

// What was measured to be best for accumulators of so many bytes (perf/DECISIONS.md, batch-rows).
struct batch_row
{
  access how;
  int max_bytes;
  int threads;     // of a block, or of a pipeline's group; few where folds are wide, for memory holds these twice
  int layers_each; // of a thread
  int at_once;     // of them, that a thread asks for before it uses the first
  int min_blocks;  // that the compiler is to leave registers for: while one waits or scans, others load
};

// Where items are staged, the layers of a thread are one more than a multiple of 32, of 4-byte items: then the threads of a warp find
// theirs in different banks of shared memory, whatever the number of lines. (In the pipeline's shorter row they are odd: so they do where
// lines are a power of two, and otherwise two may meet.) Where they are not, the items of all blocks leave room to the L1 cache, which has
// a line for each load under way.
inline constexpr batch_row batch_rows[] = {{access::staged, 4, 128, 65, 13, 5},
                                           {access::staged, 8, 128, 33, 11, 4},
                                           {access::staged, 16, 128, 9, 9, 3},
                                           {access::staged, 32, 128, 7, 7, 2},
                                           {access::bulk, 4, 128, 33, 11, 6},
                                           {access::bulk, 8, 128, 33, 11, 3},
                                           {access::pipeline, 4, 128, 55, 11, 1},
                                           {access::pipeline, 8, 128, 33, 11, 1},
                                           {access::bands, 4, 128, 55, 11, 1},
                                           {access::bands, 8, 128, 27, 9, 1},
                                           {access::direct, 4, 128, 60, 12, 5},
                                           {access::direct, 8, 128, 32, 8, 4},
                                           {access::direct, 16, 128, 16, 4, 4},
                                           {access::direct, 32, 128, 8, 4, 3},
                                           {access::direct, 64, 128, 4, 4, 4},
                                           {access::direct, 128, 128, 1, 1, 2},
                                           {access::direct, 256, 64, 1, 1, 2},
                                           {access::direct, 512, 32, 1, 1, 2}};

constexpr batch_row row_for(access how, int bytes)
{
  int row = 0;
  while (batch_rows[row].how != how || batch_rows[row].max_bytes < bytes)
  {
    ++row;
  }
  return batch_rows[row];
}

// Besides, of the pipeline: its groups, and the ring's stages, as in dispatch/tuning.h (perf/DECISIONS.md, line-pipeline).
struct pipeline_row
{
  access how;
  int max_bytes;
  int groups;
  int stages;
  int loads_ahead;
  int loads_at_once;
};
inline constexpr pipeline_row pipeline_rows[] = {{access::pipeline, 4, 5, 7, 6, 2},
                                                 {access::pipeline, 8, 4, 6, 5, 2},
                                                 {access::bands, 4, 5, 7, 6, 2},
                                                 {access::bands, 8, 4, 7, 6, 2}};

constexpr pipeline_row pipeline_row_for(access how, int bytes)
{
  int row = 0;
  while (pipeline_rows[row].how != how || pipeline_rows[row].max_bytes < bytes)
  {
    ++row;
  }
  return pipeline_rows[row];
}

inline constexpr int most_staged_bytes = 31; // of a layer: less than a sector

// The numbers that a kernel for such accumulators is compiled for.
template <::cuda::std::size_t Bytes, access How>
struct policy
{
  static constexpr batch_row row = row_for(How, static_cast<int>(Bytes));

  static constexpr int bytes           = static_cast<int>(Bytes);
  static constexpr int threads         = row.threads;
  static constexpr int max_layers_each = row.layers_each;
  static constexpr int items_at_once   = row.at_once;
  static constexpr int min_blocks      = row.min_blocks;
  static constexpr int most_items      = threads * max_layers_each;

  // The lines of a band: those of a line of the cache (perf/DECISIONS.md, band-lines).
  static constexpr int cache_lines = bytes >= 128 ? 1 : bytes > 4 ? 128 / bytes : 32;
};

// Where the elements of one range lie, as tiles go over them: where lines are scanned backward, from the last outer index to the first.
struct strided_range
{
  index origin; // of the first element that is scanned
  index along;  // from a layer to the next
  index gap;    // besides, from an outer index to the next

  strided_range() = default;
  strided_range(const axis& of, const axis_strides& strides)
      : origin(of.reverse ? (of.outer - 1) * strides.outer + (of.length - 1) * strides.along : 0)
      , along(of.reverse ? -strides.along : strides.along)
      , gap(of.outer > 1 ? (of.reverse ? -strides.outer : strides.outer) - of.length * along : 0)
  {}

  // Whether layers of so many elements follow each other in memory, forward or backward.
  bool side_by_side(index inner) const
  {
    return gap == 0 && (along == inner || along == -inner);
  }
};

struct geometry
{
  index length;
  index layers; // outer * length
  index inner;
  index bands;
  index pieces;       // of all bands
  index below;        // of them, in one
  index piece_layers; // a tile's, or those of lines as a whole
  int piece_tiles;    // more than one where a line has so many
  int lines;          // of a band; the last one may have fewer
  int groups;         // of `lines` threads
  int layers_each;    // of a thread
  int window;         // of tiles (carry_chain.h)
  bool upward;        // tiles that are staged stand in shared memory from their last layer on,
  bool side_by_side;  // and have no gaps in either range
  tile::divisor by_bands;
  tile::divisor by_length;

  LIGHTSCAN_HOST_DEVICE int tile_layers() const
  {
    return groups * layers_each;
  }
  // Whether a line goes on from a piece to the next.
  bool carries() const
  {
    return below > 1 && piece_layers % length != 0;
  }
};

inline bool is_staged(const axis& of, int bytes)
{
  return of.inner <= most_staged_bytes / bytes;
}

// Whether code for a compute capability copies in bulk, and has shared memory for so many tiles; newer GPUs than these have less of it.
LIGHTSCAN_HOST_DEVICE constexpr bool has_bulk_copies(int compute_capability)
{
  return compute_capability >= 90 && compute_capability < 120;
}

// Whether each layer of both ranges begins where so many bytes of memory do, if the first one does: a sector, a line of the cache.
inline constexpr int sector_bytes     = 32;
inline constexpr int cache_line_bytes = 128;

inline bool layers_begin_with(int bytes_of_memory, const axis& of, int bytes)
{
  return of.input.along * bytes % bytes_of_memory == 0 && of.output.along * bytes % bytes_of_memory == 0;
}

// The lines of a band: where bands would cut sectors in two, as wide a band as a block can have, unless items are wide: these have few
// layers in a tile, and that would leave them a slot for each. More than usual, too, where there are too few layers for all threads.
template <class Policy>
int usual_band(const axis& of)
{
  const bool cuts     = Policy::bytes <= 8 && !layers_begin_with(sector_bytes, of, Policy::bytes);
  const index most    = cuts ? Policy::threads : Policy::cache_lines;
  const index usual   = cuts ? (of.inner - 1) / ((of.inner - 1) / most + 1) + 1
                             : most; // bands of equal width, or on sectors
  const index groups  = (of.outer * of.length - 1) / Policy::max_layers_each + 1;
  const index for_all = groups < Policy::threads ? Policy::threads / groups : 1;
  const index lines   = usual > for_all ? usual : for_all;
  return static_cast<int>(lines < of.inner ? lines : of.inner);
}

// What tensor copies count in.
inline constexpr int tensor_word_bytes = 4;

// Of the bands of a wide layer that go through the pipeline: lines, as many as a tensor copy brings well; and blocks that have one together,
// as many as bringers keep up with (perf/DECISIONS.md, wide-bands).
LIGHTSCAN_HOST_DEVICE constexpr int most_band_lines(::cuda::std::size_t bytes)
{
  return 256 / static_cast<int>(bytes);
}

inline constexpr int most_blocks_of_band = 8;

// So many lines that all multiprocessors have work: a band for each, or each band for the same number of them. Whole lines of the cache, if
// layers begin with one.
inline int lines_of_wide_band(const axis& of, int bytes, int multiprocessors)
{
  const int most = most_band_lines(static_cast<::cuda::std::size_t>(bytes));
  const int unit = (layers_begin_with(cache_line_bytes, of, bytes) ? cache_line_bytes : sector_bytes) / bytes;
  for (int blocks = most_blocks_of_band; blocks > 0; --blocks)
  {
    const index bands = multiprocessors / blocks;
    const index lines = bands > 0 ? ((of.inner - 1) / bands + unit) / unit * unit : most + 1;
    if (lines <= most)
    {
      return static_cast<int>(lines);
    }
  }
  return most;
}

// Pieces for each multiprocessor of a small array: all are under way at once (perf/DECISIONS.md, small-arrays).
inline constexpr int small_pieces = 4;

// Of a small array whose lines do not fit into one tile as a whole, bands of few sectors, if they do then: nobody waits. Of a smaller one,
// bands of half a sector.
template <class Policy>
int lines_of_band(const axis& of, int multiprocessors)
{
  if (Policy::row.how == access::bulk || Policy::row.how == access::pipeline)
  {
    return static_cast<int>(of.inner);
  }
  if (Policy::row.how == access::bands)
  {
    return lines_of_wide_band(of, Policy::bytes, multiprocessors);
  }
  const auto fits = [&](index lines) {
    return Policy::threads / lines * Policy::max_layers_each >= of.length;
  };
  const int usual = usual_band<Policy>(of);
  for (int halves = 2; halves > 0 && !fits(usual); --halves)
  {
    const index bands = static_cast<index>(small_pieces) * multiprocessors * halves / 2 / of.outer;
    const index least = Policy::bytes < 16 * halves ? 16 * halves / Policy::bytes : 1;
    const index lines = bands > 0 ? ((of.inner - 1) / bands + least) / least * least : usual;
    if (lines < usual && fits(lines))
    {
      return static_cast<int>(lines);
    }
  }
  return usual;
}

// Tiles below each other that are few: one with few layers at the end would be a good part of all (perf/DECISIONS.md,
// few-tiles).
inline constexpr int few_tiles = 8;

// The layers of a thread: as many as it can have, or fewer, so that tiles are two for each multiprocessor, or those below each other of
// the same size where they are few.
template <class Policy>
int layers_of_thread(index layers, int groups, index bands, int multiprocessors)
{
  constexpr int most = Policy::max_layers_each;
  const index below  = (layers - 1) / (groups * most) + 1;
  const index enough = 2 * static_cast<index>(multiprocessors);
  const index wanted = below * bands >= enough ? below : (enough - 1) / bands + 1;
  return wanted > few_tiles && wanted == below ? most : static_cast<int>(((layers - 1) / wanted) / groups + 1);
}

// What a block takes at a time.
struct piece_size
{
  index layers;
  index tiles;
  int layers_each; // of a thread
};

// Lines as a whole: one, in tiles of the same size; or several in one tile, as many as it has room for, but so that pieces are two for each
// multiprocessor.
template <class Policy>
piece_size whole_lines(const axis& of, int groups, index bands, int multiprocessors)
{
  static_assert(Policy::row.how == access::direct || Policy::max_layers_each % 2 == 1,
                "the least odd number of layers that are enough is one that a thread can have");
  const index most     = static_cast<index>(groups) * Policy::max_layers_each;
  const index tiles    = (of.length - 1) / most + 1;
  const index wanted   = of.outer * bands / (2 * static_cast<index>(multiprocessors));
  const index possible = most / of.length;
  const index lines    = wanted < possible ? wanted : possible;
  const index layers   = lines > 1 ? lines * of.length : of.length;
  const int enough     = static_cast<int>(((layers - 1) / tiles) / groups + 1);
  const int each       = Policy::row.how == access::direct ? enough : enough | 1; // odd, as `batch_rows` asks for
  return {layers, (layers - 1) / (static_cast<index>(groups) * each) + 1, each};
}

// Pieces of several tiles for each multiprocessor from which on loads enough are under way (perf/DECISIONS.md, whole-lines).
inline constexpr int whole_pieces = 2;

// Lines as a whole, where these are many, or fill a tile; to bulk copies and small arrays waiting costs more than empty places do.
template <class Policy>
piece_size piece_of(const axis& of, int groups, index bands, int multiprocessors)
{
  const index layers = of.outer * of.length;
  if (Policy::row.how == access::pipeline || Policy::row.how == access::bands)
  {
    const int each = layers_of_thread<Policy>(layers, groups, bands, multiprocessors)
                   | 1; // odd, as `batch_rows` asks for
    return {static_cast<index>(groups) * each, 1, each};
  }
  const index most       = static_cast<index>(groups) * Policy::max_layers_each;
  const piece_size whole = whole_lines<Policy>(of, groups, bands, multiprocessors);
  const index pieces     = bands * ((layers - 1) / whole.layers + 1);
  const auto in_all      = [&](int each) {
    return static_cast<index>(each) * multiprocessors;
  };
  const bool fills = Policy::row.how == access::bulk || 8 * whole.layers >= 7 * most || pieces <= in_all(small_pieces);
  const bool several = Policy::row.how != access::direct && pieces >= in_all(whole_pieces)
                    && whole.tiles <= ::cuda::std::numeric_limits<int>::max();
  if (whole.tiles == 1 ? fills : several)
  {
    return whole;
  }
  const int each = layers_of_thread<Policy>(layers, groups, bands, multiprocessors);
  return {static_cast<index>(groups) * each, 1, each};
}

// Of the tiles of all bands (perf/DECISIONS.md, carry-window).
inline constexpr int most_window = 256;

// Of at least one element.
template <class Policy>
geometry geometry_of(const axis& of, int multiprocessors)
{
  const strided_range from(of, of.input), to(of, of.output);
  const index layers     = of.outer * of.length;
  const int lines        = lines_of_band<Policy>(of, multiprocessors);
  const int groups       = Policy::threads / lines;
  const index bands      = (of.inner - 1) / lines + 1;
  const piece_size piece = piece_of<Policy>(of, groups, bands, multiprocessors);
  const index below      = (layers - 1) / piece.layers + 1;
  const index windowed   = most_window / bands;
  return {of.length,
          layers,
          of.inner,
          bands,
          bands * below,
          below,
          piece.layers,
          static_cast<int>(piece.tiles),
          lines,
          groups,
          piece.layers_each,
          windowed > 1 ? static_cast<int>(windowed) : 1,
          from.along < 0,
          bands == 1 && from.along == to.along && from.side_by_side(of.inner) && to.side_by_side(of.inner),
          tile::divisor(bands),
          tile::divisor(of.length)};
}

// Lines of a pipeline: a lane of the warps that bring carries has one (stretches.h).
LIGHTSCAN_HOST_DEVICE constexpr int most_pipelined_lines(::cuda::std::size_t bytes)
{
  return bytes <= 4 ? 32 : 16;
}
} // namespace batched
LIGHTSCAN_NAMESPACE_END
