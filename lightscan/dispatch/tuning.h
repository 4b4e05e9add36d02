// The tuning table. Rows are chosen by measurement; perf/NOTES.md has the runs behind them.
#pragma once

#include <lightscan/kernel/shapes.h>
#include <lightscan/tile/ends.h>
#include <lightscan/tile/form.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/items.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Of the bulk pipeline.
struct bulk_row
{
  int inputs;
  tile::results placed; // in the stage (tile/items.h)
  unsigned accumulator; // up to this many bytes
  int groups;
  int group_threads;
  int segment_bytes; // of a thread, at most, in the stage; at least one chunk
  int unroll;        // chunks that a thread works on at once
  int loads_ahead;   // tiles loaded beyond the last one with a carry
  int loads_at_once; // tiles whose loads are under way
  int plain_tiles;   // a block of the plain kernel's, up to which that is faster (choice.h)
};

using tile::results;
inline constexpr results in_place    = results::in_place;
inline constexpr results moved_wider = results::moved_wider;
inline constexpr results moved       = results::moved;

// Not measured: the shapes {1, moved, 32}, {2, moved_wider, 32}, {2, moved, 24 and 32}; accumulators of more than 8 bytes with
// {1, moved_wider, 32}; the plain tiles of {1, moved, 16} and {1, moved, 32}.
// clang-format off
inline constexpr bulk_row bulk_rows[] = {
  // inputs  placed  accumulator  groups  threads  segment  unroll  ahead  at once  plain tiles
  {1, in_place, 1, 5, 160, 176, 3, 6, 2, 2},
  {1, in_place, 2, 6, 128, 208, 3, 7, 2, 1},
  {1, in_place, 4, 6, 128, 208, 3, 7, 2, 1},
  {1, in_place, 8, 5, 160, 176, 3, 6, 2, 1},
  {1, in_place, 16, 5, 128, 240, 3, 6, 2, 1},
  {1, in_place, 24, 3, 128, 336, 3, 4, 2, 1},
  {1, in_place, 32, 4, 128, 352, 1, 4, 2, 1},
  {1, moved_wider, 2, 5, 128, 208, 3, 7, 4, 1},
  {1, moved_wider, 4, 5, 128, 208, 13, 7, 4, 1},
  {1, moved_wider, 32, 5, 128, 208, 13, 7, 4, 2},
  {1, moved, 1, 4, 192, 176, 3, 5, 2, 2},
  {1, moved, 2, 4, 192, 176, 3, 5, 2, 1},
  {1, moved, 4, 4, 192, 176, 11, 5, 2, 1},
  {1, moved, 8, 4, 192, 176, 11, 5, 2, 2},
  {1, moved, 16, 4, 160, 176, 11, 6, 2, 1},
  {1, moved, 32, 3, 128, 176, 5, 6, 2, 1},
  {2, in_place, 24, 4, 128, 288, 3, 5, 2, 1},
  {2, in_place, 32, 3, 128, 352, 3, 4, 2, 1},
  {2, moved_wider, 24, 4, 128, 264, 11, 5, 3, 1},
  {2, moved_wider, 32, 3, 128, 264, 11, 5, 3, 1},
  {2, moved, 16, 4, 160, 168, 7, 5, 2, 1},
  {2, moved, 24, 4, 128, 168, 7, 5, 2, 1},
  {2, moved, 32, 3, 128, 168, 7, 5, 2, 1},
};
// clang-format on

// Where the output lies differently on the 16-byte grid than the input, the plain kernel stores item by item, the pipeline
// still in words: the plain kernel is faster up to so many bytes.
inline constexpr ::cuda::std::int64_t most_bytes_for_items = 512 << 10;

// Where results are not in place, a thread holds the elements of its whole segment in registers: at most so many bytes, or
// one chunk. Elements of odd sizes take more registers than their bytes say, for they move in narrow words.
inline constexpr int taken_bytes = 176;

// Of the plain kernel: how many rows (tile/rows.h) make a tile, by the number of chunks in the range. Short tiles spread a
// small input over the whole GPU, long ones keep the number of tiles that must be looked across small.
struct plain_row
{
  ::cuda::std::int64_t max_chunks;
  int tile_rows;
};

inline constexpr plain_row plain_rows[] = {
  // up to  rows
  {1 << 15, 16},
  {1 << 16, 32},
  {::cuda::std::int64_t{1} << 62, 64},
};
inline constexpr int plain_max_warps  = 16;
inline constexpr int single_tile_rows = 32; // a range of so many rows is one tile: nothing to look across

// How the slots are looked at (carry/slot.h), by the number of blocks and of tiles that each of them has. Where a block has
// few tiles, all blocks look at once and nothing hides how long that takes: there are copies of the slots then, and where
// each of many blocks has one tile, the plain kernel puts its look off, lest those who have published hold up the
// others' stores. In a long pipeline something does hide it, and more stores only hold each other up.
struct looks_row
{
  int max_blocks;
  ::cuda::std::int64_t max_tiles; // of a block
  int copies;                     // a power of two
  unsigned first_look;            // nanoseconds after publishing, in the plain kernel
};

inline constexpr looks_row looks_rows[] = {
  // blocks  tiles  copies  first look
  {32, ::cuda::std::int64_t{1} << 62, 1, 0},
  {96, 1, 2, 100},
  {96, 8, 2, 0},
  {1 << 30, 1, 8, 250},
  {1 << 30, 8, 8, 0},
  {1 << 30, ::cuda::std::int64_t{1} << 62, 1, 0},
};

constexpr looks_row looks_for(int blocks, ::cuda::std::int64_t tiles_a_block)
{
  for (const looks_row& row : looks_rows)
  {
    if (blocks <= row.max_blocks && tiles_a_block <= row.max_tiles)
    {
      return row;
    }
  }
  return looks_rows[0];
}

// The first row that suits; a row of no inputs where there is none.
constexpr bulk_row bulk_row_for(int inputs, tile::results placed, unsigned accumulator)
{
  for (const bulk_row& row : bulk_rows)
  {
    if (inputs == row.inputs && placed == row.placed && accumulator <= row.accumulator)
    {
      return row;
    }
  }
  bulk_row none = bulk_rows[0];
  none.inputs   = 0;
  return none;
}

constexpr plain_row plain_row_for(::cuda::std::int64_t chunks)
{
  if (chunks <= single_tile_rows * 32)
  {
    return {chunks, static_cast<int>((chunks + 31) / 32)};
  }
  for (const plain_row& row : plain_rows)
  {
    if (chunks <= row.max_chunks)
    {
      return row;
    }
  }
  return plain_rows[0];
}

// What a launch asks of the table. perf/tune measures others in its place.
struct chosen_rows
{
  static constexpr bulk_row bulk(int inputs, tile::results placed, unsigned accumulator)
  {
    return bulk_row_for(inputs, placed, accumulator);
  }
  static constexpr plain_row plain(::cuda::std::int64_t chunks)
  {
    return plain_row_for(chunks);
  }
  static constexpr looks_row looks(int blocks, ::cuda::std::int64_t tiles_a_block)
  {
    return looks_for(blocks, tiles_a_block);
  }
};

// Shared memory that a block can have on sm_90, sm_100 and sm_103. GPUs with less (sm_120 has 99 KB) take the plain kernel.
inline constexpr int block_shared_bytes = 227 * 1024;

// Tiles that are loaded ahead or still being stored would not fill more.
inline constexpr int most_stages = 16;

constexpr int stages_within(int shared_bytes, int tile_bytes, int groups, int group_threads, int accumulator)
{
  int stages = most_stages;
  while (stages > 0
         && stages * tile_bytes + kernel::bulk_state_bytes(stages, groups, group_threads, accumulator) > shared_bytes)
  {
    --stages;
  }
  return stages;
}

template <class Items, class Rows = chosen_rows>
struct bulk_shape_of
{
  static constexpr int inputs   = static_cast<int>(::cuda::std::tuple_size_v<decltype(Items::from)>);
  static constexpr bulk_row row = Rows::bulk(inputs, Items::placed, sizeof(typename Items::form::accumulator));
  static constexpr bool tabled  = row.inputs == inputs;
  static constexpr int held     = Items::in_place ? row.segment_bytes : taken_bytes / Items::input_bytes * Items::bytes;
  static constexpr int chunks = tile::chunks_within(held < row.segment_bytes ? held : row.segment_bytes, Items::bytes);
  static constexpr int segment_items = chunks * Items::items;
  static constexpr int stages        = stages_within(block_shared_bytes,
                                              row.group_threads* chunks* Items::bytes,
                                              row.groups,
                                              row.group_threads,
                                              static_cast<int>(sizeof(typename Items::form::accumulator)));
  // Long chunks (an element of 15 bytes needs 240) leave room for fewer stages.
  static constexpr int groups        = row.groups < stages ? row.groups : stages - 1;
  static constexpr int loads_ahead   = row.loads_ahead < stages ? row.loads_ahead : stages - 1;
  static constexpr int loads_at_once = row.loads_at_once < loads_ahead ? row.loads_at_once : loads_ahead;
  static constexpr int unroll        = row.unroll < chunks ? row.unroll : chunks;
  using type                         = kernel::bulk_shape<groups,
                                  row.group_threads,
                                  chunks,
                                  unroll,
                                  Items::items,
                                  Items::bytes,
                                  stages,
                                  loads_ahead,
                                  loads_at_once>;
};

// Of the scan of plain memory of T.
template <class T, class Rows = chosen_rows>
using bulk_shape_for =
  bulk_shape_of<tile::column_items<tile::scan_form<T, true>, tile::column<T>, tile::column<T>>, Rows>;

// Of accumulators T from a source (tile/ends.h): as many rows in a warp as there are registers for. `Counted`: the host
// knows the number of items.
template <class T, class Source, bool Counted = true>
struct plain_shape_for
{
  static constexpr int size        = static_cast<int>(sizeof(T));
  static constexpr int chunk_items = Source::template chunk_items<T>;
  static constexpr int row_words   = (size + 3) / 4 + (chunk_items * size + 3) / 4;
  static constexpr int rows        = size == 1 ? 1 : row_words <= 5 && size >= 4 ? 4 : row_words <= 12 ? 2 : 1;
  static constexpr int max_warps   = size <= 16 ? plain_max_warps : size <= 64 ? 8 : 4;

  // Two blocks on a multiprocessor leave a thread 56 registers: room for words of memory, not for iterators.
  static constexpr bool fits_twice = Counted && ::cuda::std::is_same_v<Source, tile::memory_source> && size <= 8;
  static constexpr int min_blocks  = fits_twice ? 2 : 1;

  using type = kernel::plain_shape<max_warps, rows, chunk_items, min_blocks>;

  // What a GPU's blocks hold when each has so many tiles, as long as tiles can be.
  static constexpr ::cuda::std::int64_t items_in(int tiles, int multiprocessors)
  {
    return ::cuda::std::int64_t{multiprocessors} * min_blocks * max_warps * type::warp_items * tiles;
  }

  // Of a block, in a launch that follows `row`.
  static constexpr int warps_for(const plain_row& row)
  {
    const int wanted = (row.tile_rows + rows - 1) / rows;
    return wanted < 1 ? 1 : wanted < max_warps ? wanted : max_warps;
  }
};

// The most tiles that the plain kernel makes of up to so many items, wherever they lie on the 16-byte grid.
template <class T, class Rows, class Source>
constexpr ::cuda::std::int64_t most_plain_tiles(::cuda::std::int64_t num_items)
{
  using shape                       = plain_shape_for<T, Source>;
  const ::cuda::std::int64_t chunks = (num_items + 2 * (shape::chunk_items - 1)) / shape::chunk_items;
  ::cuda::std::int64_t most         = 0;
  const auto consider               = [&](::cuda::std::int64_t up_to) {
    const ::cuda::std::int64_t here  = chunks < up_to ? chunks : up_to;
    const ::cuda::std::int64_t items = ::cuda::std::int64_t{shape::warps_for(Rows::plain(here))}
                                     * shape::type::warp_items;
    const ::cuda::std::int64_t tiles = (here * shape::chunk_items + items - 1) / items;
    most                             = tiles > most ? tiles : most;
  };
  consider(single_tile_rows * 32);
  for (const plain_row& row : plain_rows)
  {
    consider(row.max_chunks);
  }
  return most;
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
