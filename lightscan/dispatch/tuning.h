// The tuning tables. Rows are chosen by measurement; perf/DECISIONS.md has one for each of theirs (policy-..., plain-tiles,
// tile-stripes, ring-copies, delay-policy), with the alternatives.
#pragma once

#include <lightscan/bulk/movers.h>
#include <lightscan/bulk/source.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/dispatch/architectures.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// A row of the bulk pipeline's table.
struct bulk_row
{
  int compute_capability; // 90 for sm_90; others have it, too, where they have none of their own (measured_row_for)
  bulk::source source;    // of the items (bulk/source.h)
  int columns;            // that inputs have in the stage, up to
  bulk::placement placed; // in the stage (bulk/stage_view.h)
  unsigned accumulator;   // up to this many bytes; of items gathered or searched, but for padding at its end
  int evaluators;         // teams, as large as groups
  int groups;
  int group_threads;
  int bytes_per_thread; // at most, in the stage; at least one chunk, or three (three_emitted_chunks)
  int unroll;           // chunks that a thread works on at once
  int loads_ahead;      // tiles loaded beyond the last one with a carry
  int loads_at_once;    // tiles whose loads are under way
  int plain_tiles;      // a block of the plain kernel's, up to which that is faster (choice.h)
  // Kilobytes of shared memory at most, 0 for all there is. The rest is L1 cache, which has a line for each load under way: loads
  // from scattered addresses need many of them (perf/DECISIONS.md, gathered-shared).
  // A row for one GPU, sm_80's 163, say, may ask for more than architectures.h has for all that its code may meet.
  int shared = 0;
  // Bulk copies only: how many of a block's tiles before a tile is loaded its memory is brought to L2; 0: not before (prefetched).
  int prefetched = 0;
  // Whether tiles are shortened until as many stages fit as architectures.h makes room for, as those of another architecture's row are.
  bool fitted = false;
};

inline constexpr bulk::placement in_place    = bulk::placement::in_place;
inline constexpr bulk::placement moved_wider = bulk::placement::moved_wider;
inline constexpr bulk::placement moved       = bulk::placement::moved;
inline constexpr bulk::placement emitted     = bulk::placement::emitted;

inline constexpr bulk::source memory       = bulk::source::memory;
inline constexpr bulk::source kept         = bulk::source::kept;
inline constexpr bulk::source calculated   = bulk::source::calculated;
inline constexpr bulk::source gathered     = bulk::source::gathered;
inline constexpr bulk::source searched     = bulk::source::searched;
inline constexpr bulk::source marked       = bulk::source::marked;
inline constexpr bulk::source with_lookups = bulk::source::with_lookups;

inline constexpr int no_architecture = 0; // of a row that serves nothing

// Rows of a user's own: LIGHTSCAN_BULK_ROWS (version.h). The last one ends the table.
inline constexpr bulk_row own_rows[] = {
#if defined(LIGHTSCAN_BULK_ROWS)
  LIGHTSCAN_BULK_ROWS
#endif
  {no_architecture, memory, 0, in_place, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

// Of rows for 163 KB: sm_80, where its code meets an A100 alone; else none. And of rows for the 99 KB that other GPUs of compute
// capability 8 have.
inline constexpr int a100     = sm_80_is_a100 ? 80 : no_architecture;
inline constexpr int of_99_kb = sm_80_is_a100 ? 86 : 80;

// Measured on an H200 (perf/DECISIONS.md, policy-...; on an H100 `prefetched`, and emitted rows of calculated and gathered items), those of
// other architectures, too, with their shared memory. One that has no row for a kind has another one's, fitted to what there is (shape.h).
//
// Not measured: the rows {8, emitted, 512}; of marked ones all but {8, in_place, 8}; the rows {1, moved, 32}, {2, moved_wider, 32},
// {2, moved, 24 and 32}; accumulators of more than 8 bytes with {1, moved_wider, 32}; the plain tiles of {1, moved, 16} and {1, moved, 32};
// rows of two columns in 99 KB but for 4-byte keys and values, and in 64 KB but for keys and values of one size; {120, 0}; on sm_120, and in
// an A100's 163 KB, what is emitted.
// clang-format off
inline constexpr bulk_row bulk_rows[] = {
  // sm  source  columns  placed  accumulator  evaluators  groups  threads  bytes  unroll  ahead  at once  plain  shared  prefetched  fitted
  {90, memory, 0, in_place, 8, 0, 4, 192, 240, 3, 5, 4, 1},
  {90, memory, 1, in_place, 1, 0, 5, 160, 176, 3, 6, 2, 2},
  {90, memory, 1, in_place, 2, 0, 6, 128, 208, 3, 7, 2, 1},
  {90, memory, 1, in_place, 4, 0, 6, 128, 208, 3, 7, 2, 1},
  {90, memory, 1, in_place, 8, 0, 5, 160, 176, 3, 6, 2, 1},
  {90, memory, 1, in_place, 16, 0, 5, 128, 240, 3, 6, 2, 1},
  {90, memory, 1, in_place, 24, 0, 3, 128, 336, 3, 4, 2, 1},
  {90, memory, 1, in_place, 32, 0, 4, 128, 352, 1, 4, 2, 1},
  {90, memory, 1, moved_wider, 2, 0, 5, 128, 208, 3, 7, 4, 1},
  {90, memory, 1, moved_wider, 4, 0, 5, 128, 208, 13, 7, 4, 1, 0, 1},
  {90, memory, 1, moved_wider, 32, 0, 5, 128, 208, 13, 7, 4, 2, 0, 1},
  {90, memory, 1, moved, 1, 0, 4, 192, 176, 3, 5, 2, 2},
  {90, memory, 1, moved, 2, 0, 4, 192, 176, 3, 5, 2, 1},
  {90, memory, 1, moved, 4, 0, 4, 192, 176, 11, 5, 2, 1},
  {90, memory, 1, moved, 8, 0, 4, 192, 176, 11, 5, 2, 2},
  {90, memory, 1, moved, 16, 0, 4, 160, 176, 11, 6, 2, 1},
  {90, memory, 1, moved, 32, 0, 3, 128, 176, 5, 6, 2, 1},
  {90, memory, 2, in_place, 16, 0, 5, 128, 288, 3, 5, 2, 1},
  {90, memory, 2, in_place, 24, 0, 4, 128, 288, 1, 5, 2, 1},
  {90, memory, 2, in_place, 32, 0, 4, 96, 416, 3, 4, 2, 1, 0, 1},
  {90, memory, 2, moved_wider, 24, 0, 4, 128, 264, 11, 5, 3, 1},
  {90, memory, 2, moved_wider, 32, 0, 3, 128, 264, 11, 5, 3, 1},
  {90, memory, 2, moved, 16, 0, 4, 160, 168, 7, 5, 2, 1},
  {90, memory, 2, moved, 24, 0, 4, 128, 168, 7, 5, 2, 1},
  {90, memory, 2, moved, 32, 0, 3, 128, 168, 7, 5, 2, 1},
  {90, memory, 8, in_place, 32, 0, 3, 128, 352, 3, 4, 2, 1, 0, 1},
  {90, memory, 8, in_place, 48, 0, 3, 128, 336, 1, 4, 2, 1, 0, 1},
  {90, memory, 8, in_place, 64, 0, 3, 96, 448, 1, 4, 2, 1, 0, 1},
  {90, memory, 8, in_place, 128, 0, 2, 64, 1152, 1, 2, 1, 1, 0, 1},
  {90, memory, 8, in_place, 256, 0, 2, 64, 1280, 1, 2, 1, 1, 0, 1},
  {90, memory, 8, moved_wider, 32, 0, 3, 128, 264, 3, 5, 3, 1},
  {90, memory, 8, moved_wider, 64, 0, 3, 128, 264, 1, 5, 3, 1},
  {90, memory, 8, moved_wider, 256, 0, 3, 64, 264, 1, 5, 3, 1},
  {90, memory, 8, moved, 32, 0, 3, 128, 168, 3, 5, 2, 1},
  {90, memory, 8, moved, 64, 0, 3, 128, 168, 1, 5, 2, 1},
  {90, memory, 8, moved, 256, 0, 3, 64, 168, 1, 5, 2, 1},
  {90, memory, 8, emitted, 8, 0, 3, 224, 144, 3, 6, 3, 1},
  {90, memory, 1, emitted, 32, 0, 2, 256, 176, 3, 5, 2, 1, 0, 1},
  {90, memory, 2, emitted, 24, 0, 3, 192, 176, 3, 5, 2, 1, 0, 1},
  {90, memory, 8, emitted, 12, 0, 3, 192, 176, 3, 5, 2, 1, 0, 1},
  {90, memory, 8, emitted, 32, 0, 2, 256, 176, 3, 5, 2, 1, 0, 1},
  {90, memory, 8, emitted, 56, 0, 2, 256, 256, 1, 5, 3, 1, 0, 1},
  {90, memory, 8, emitted, 64, 0, 3, 160, 256, 1, 6, 3, 1},
  {90, memory, 8, emitted, 80, 0, 2, 192, 256, 1, 4, 2, 1},
  {90, memory, 1, emitted, 144, 0, 3, 128, 256, 1, 6, 2, 1},
  {90, memory, 8, emitted, 144, 0, 1, 192, 256, 1, 3, 2, 1},
  {90, memory, 8, emitted, 512, 0, 3, 64, 256, 1, 5, 2, 1},
  {90, kept, 8, in_place, 16, 0, 5, 128, 288, 3, 5, 4, 1, 0, 1},
  {90, calculated, 8, in_place, 1, 0, 6, 128, 240, 5, 6, 2, 1},
  {90, calculated, 8, in_place, 8, 0, 4, 192, 240, 5, 5, 2, 1},
  {90, calculated, 0, in_place, 16, 0, 4, 192, 240, 3, 5, 2, 1},
  {90, calculated, 1, in_place, 16, 0, 5, 128, 240, 3, 6, 2, 1},
  {90, calculated, 8, in_place, 16, 0, 5, 128, 288, 3, 5, 4, 1},
  {90, calculated, 1, in_place, 24, 0, 4, 128, 240, 3, 5, 2, 1},
  {90, calculated, 8, in_place, 24, 0, 4, 128, 352, 3, 4, 3, 1},
  {90, calculated, 8, in_place, 32, 0, 4, 128, 288, 1, 5, 2, 1},
  {90, calculated, 8, in_place, 64, 0, 4, 96, 448, 1, 4, 2, 1},
  {90, calculated, 8, in_place, 256, 0, 3, 64, 768, 1, 3, 2, 1},
  {90, calculated, 8, moved_wider, 8, 0, 6, 128, 208, 3, 7, 4, 1},
  {90, calculated, 8, moved_wider, 32, 0, 4, 128, 264, 3, 5, 3, 1},
  {90, calculated, 8, moved_wider, 256, 0, 4, 64, 264, 1, 5, 3, 1},
  {90, calculated, 8, moved, 8, 0, 4, 224, 176, 11, 4, 2, 1},
  {90, calculated, 8, moved, 32, 0, 4, 128, 168, 3, 5, 2, 1},
  {90, calculated, 8, moved, 256, 0, 4, 64, 168, 1, 5, 2, 1},
  {90, calculated, 8, emitted, 32, 0, 3, 192, 176, 3, 5, 2, 1},
  {90, calculated, 8, emitted, 512, 0, 3, 64, 256, 1, 5, 2, 1},
  {90, with_lookups, 1, in_place, 16, 0, 5, 160, 144, 9, 6, 2, 1, 164, 1},
  {90, with_lookups, 2, in_place, 16, 0, 5, 96, 288, 9, 6, 2, 1, 195, 1},
  {90, with_lookups, 1, emitted, 32, 0, 4, 160, 120, 7, 7, 2, 1, 164, 1},
  {90, with_lookups, 8, emitted, 8, 0, 4, 160, 120, 7, 7, 2, 1, 164, 1},
  {90, with_lookups, 8, emitted, 32, 0, 3, 160, 160, 5, 5, 2, 1, 164, 1},
  {90, gathered, 1, in_place, 2, 4, 3, 128, 112, 3, 7, 4, 1, 164},
  {90, gathered, 1, in_place, 8, 2, 5, 128, 176, 3, 6, 4, 1, 164},
  {90, gathered, 1, in_place, 24, 3, 4, 128, 240, 3, 5, 3, 1, 164},
  {90, gathered, 8, in_place, 20, 4, 4, 96, 288, 3, 4, 3, 1, 164},
  {90, gathered, 8, in_place, 24, 3, 3, 128, 448, 3, 3, 2, 1, 195},
  {90, gathered, 8, in_place, 32, 3, 3, 96, 480, 3, 3, 3, 1, 195},
  {90, gathered, 8, in_place, 48, 2, 3, 96, 448, 1, 4, 4, 1, 195},
  {90, gathered, 8, in_place, 64, 1, 3, 96, 448, 1, 4, 2, 1},
  {90, gathered, 8, in_place, 256, 1, 2, 64, 768, 1, 3, 2, 1},
  {90, gathered, 8, moved_wider, 8, 3, 4, 128, 208, 3, 7, 4, 1, 164},
  {90, gathered, 8, moved_wider, 32, 2, 3, 128, 264, 3, 5, 3, 1},
  {90, gathered, 8, moved_wider, 256, 1, 3, 64, 264, 1, 5, 3, 1},
  {90, gathered, 8, moved, 8, 3, 4, 128, 176, 3, 5, 2, 1, 164},
  {90, gathered, 8, moved, 32, 2, 3, 128, 168, 3, 5, 2, 1},
  {90, gathered, 8, moved, 256, 1, 3, 64, 168, 1, 5, 2, 1},
  {90, gathered, 8, emitted, 32, 3, 3, 128, 176, 3, 5, 2, 1, 164},
  {90, gathered, 8, emitted, 512, 1, 3, 64, 256, 1, 5, 2, 1},
  {90, searched, 8, in_place, 20, 3, 4, 128, 352, 3, 4, 3, 1},
  {90, searched, 8, emitted, 32, 5, 2, 128, 176, 3, 5, 2, 1, 164},
  {90, marked, 8, in_place, 8, 3, 4, 128, 220, 11, 6, 3, 1},
  {90, marked, 8, in_place, 24, 3, 4, 128, 240, 3, 5, 3, 1},
  {90, marked, 8, in_place, 64, 1, 3, 96, 448, 1, 4, 2, 1},
  {90, marked, 8, in_place, 264, 1, 2, 64, 768, 1, 3, 2, 1},
  {90, marked, 8, moved_wider, 24, 3, 3, 128, 264, 3, 5, 3, 1},
  {90, marked, 8, moved_wider, 264, 1, 3, 64, 264, 1, 5, 3, 1},
  {90, marked, 8, moved, 24, 3, 3, 128, 168, 3, 5, 2, 1},
  {90, marked, 8, moved, 264, 1, 3, 64, 168, 1, 5, 2, 1},
  {75, memory, 2, in_place, 16, 0, 3, 96, 168, 3, 3, 2, 1},
  {75, memory, 8, emitted, 8, 0, 2, 224, 144, 3, 6, 3, 1, 0, 0, true},
  {75, memory, 8, emitted, 32, 0, 2, 192, 168, 3, 5, 2, 1, 0, 0, true},
  {75, marked, 8, in_place, 24, 2, 3, 128, 96, 1, 3, 2, 1},
  {a100, memory, 1, in_place, 4, 0, 5, 128, 176, 3, 6, 2, 1},
  {a100, memory, 1, in_place, 8, 0, 5, 128, 208, 3, 5, 2, 1},
  {a100, memory, 2, in_place, 16, 0, 4, 160, 160, 3, 5, 2, 1},
  {a100, memory, 2, in_place, 24, 0, 4, 128, 240, 3, 4, 2, 1},
  {a100, memory, 2, in_place, 32, 0, 4, 96, 288, 3, 4, 2, 1},
  {a100, memory, 8, emitted, 8, 0, 3, 224, 144, 3, 6, 3, 1, 0, 0, true},
  {a100, memory, 8, emitted, 32, 0, 3, 192, 176, 3, 5, 2, 1, 0, 0, true},
  {of_99_kb, memory, 2, in_place, 16, 0, 5, 96, 288, 3, 5, 2, 1, 0, 0, true},
  {of_99_kb, memory, 8, emitted, 8, 0, 3, 224, 144, 3, 6, 3, 1, 0, 0, true},
  {of_99_kb, memory, 8, emitted, 32, 0, 3, 192, 176, 3, 5, 2, 1, 0, 0, true},
  {120, memory, 0, in_place, 8, 0, 6, 128, 112, 3, 6, 3, 1},
  {120, memory, 1, in_place, 8, 0, 6, 128, 112, 3, 6, 3, 1},
  {120, memory, 2, in_place, 16, 0, 5, 96, 288, 3, 5, 2, 1, 0, 0, true},
  {120, memory, 8, emitted, 8, 0, 3, 224, 144, 3, 6, 3, 1, 0, 0, true},
  {120, memory, 8, emitted, 32, 0, 3, 192, 176, 3, 5, 2, 1, 0, 1, true},
};
// clang-format on

// Where the output lies differently on the 16-byte grid than the input, the plain kernel stores item by item, the pipeline
// still in words: the plain kernel is faster up to so many bytes.
inline constexpr ::cuda::std::int64_t most_bytes_for_items = 512 << 10;

// A row of the plain kernel's table: how many stripes (plain/warp_tile.h) make a tile, by the number of chunks in the range.
// Short tiles spread a small input over the whole GPU, long ones keep small the number of tiles that lookahead must read.
struct plain_row
{
  ::cuda::std::int64_t max_chunks;
  int tile_stripes;
};

inline constexpr plain_row plain_rows[] = {
  // up to  stripes
  {1 << 15, 16},
  {1 << 16, 32},
  {::cuda::std::int64_t{1} << 62, 64},
};
inline constexpr int plain_max_warps     = 16;
inline constexpr int wider_marked_warps  = 13; // with runs of more than 8 bytes (perf/DECISIONS.md, plain-marked)
inline constexpr int single_tile_stripes = 32; // a range of so many stripes is one tile: nothing to look for

// A row of the table of whole rows (plain/row_scan.h): up to how many items of an array they are faster than tiles that rows begin in, by
// the share of their warps that they fill. Of items of less than 4 bytes fewer, for there instructions take the time, not memory; and of what
// is no memory in words as many as have so many bytes of accumulators, for each takes an access of its own (perf/DECISIONS.md, whole-rows).
struct whole_row_limit
{
  int least_percent; // of the places in a row's warps
  ::cuda::std::int64_t most_items;
  ::cuda::std::int64_t most_narrow_items;
};

inline constexpr whole_row_limit whole_row_limits[] = {
  // filled   items   narrow ones
  {75, 1 << 24, 1 << 24},
  {51, 1 << 24, 1 << 22},
  {50, 1 << 21, 1 << 21},
  {25, 1 << 18, 1 << 18},
};
inline constexpr ::cuda::std::int64_t most_row_bytes_by_iterators = 8 << 20;
inline constexpr int least_row_warps                              = 4; // of a block

// A row of lookahead's table: how the slots are polled (carry/slot.h), by the number of blocks and of tiles that each of them
// has. Where a block has few tiles, all blocks poll at once and nothing hides how long that takes: there are copies of the
// slots then, and where each of many blocks has one tile, the plain kernel delays its first poll, so that early pollers do not
// slow late publishers. In a long pipeline something does hide it, and more stores only slow each other.
struct lookahead_row
{
  int max_blocks;
  ::cuda::std::int64_t max_tiles; // of a block
  int copies;                     // a power of two
  unsigned first_poll_delay;      // nanoseconds after publishing, in the plain kernel
};

inline constexpr lookahead_row lookahead_rows[] = {
  // blocks  tiles  copies  delay
  {32, ::cuda::std::int64_t{1} << 62, 1, 0},
  {96, 1, 2, 100},
  {96, 8, 2, 0},
  {1 << 30, 1, 8, 250},
  {1 << 30, 8, 8, 0},
  {1 << 30, ::cuda::std::int64_t{1} << 62, 1, 0},
};

constexpr lookahead_row lookahead_row_for(int blocks, ::cuda::std::int64_t tiles_a_block)
{
  for (const lookahead_row& row : lookahead_rows)
  {
    if (blocks <= row.max_blocks && tiles_a_block <= row.max_tiles)
    {
      return row;
    }
  }
  return lookahead_rows[0];
}

// Whether a row may serve a kind of items.
constexpr bool
suits(const bulk_row& row, bulk::source source, int columns, bulk::placement placed, unsigned accumulator)
{
  return row.compute_capability != no_architecture && source == row.source && columns <= row.columns
      && placed == row.placed && accumulator <= row.accumulator;
}

// Whether code for `compute_capability` rather has the row of architecture `here` than that of `there`: of the newest that is not newer;
// where all are newer, of the oldest, whose shape is then fitted to what there is (shape.h).
constexpr bool nearer(int here, int there, int compute_capability)
{
  return there <= compute_capability ? there < here && here <= compute_capability : here < there;
}

// The first row that suits, of the nearest architecture. A row of no groups where none does.
template <int Count>
constexpr bulk_row bulk_row_for(const bulk_row (&rows)[Count],
                                int compute_capability,
                                bulk::source source,
                                int columns,
                                bulk::placement placed,
                                unsigned accumulator)
{
  bulk_row found = rows[0];
  found.groups   = 0;
  for (const bulk_row& row : rows)
  {
    if (suits(row, source, columns, placed, accumulator)
        && (found.groups == 0 || nearer(row.compute_capability, found.compute_capability, compute_capability)))
    {
      found = row;
    }
  }
  return found;
}

// Of a table that was measured on `tuned_for`: the row that suits there, unless `compute_capability`, or what comes nearest to it without
// being newer, has one for as many columns. (A row for two columns could serve one, but was not measured with one.)
template <int Count>
constexpr bulk_row measured_row_for(const bulk_row (&rows)[Count],
                                    int compute_capability,
                                    bulk::source source,
                                    int columns,
                                    bulk::placement placed,
                                    unsigned accumulator)
{
  const bulk_row measured = bulk_row_for(rows, tuned_for, source, columns, placed, accumulator);
  bulk_row found          = measured;
  for (const bulk_row& row : rows)
  {
    const int here = row.compute_capability;
    if (suits(row, source, columns, placed, accumulator) && row.columns == measured.columns
        && (here != a100 || compute_capability == a100) // an A100's serve nothing else
        && here <= compute_capability
        && (found.compute_capability > compute_capability || found.compute_capability < here))
    {
      found = row;
    }
  }
  return found;
}

constexpr plain_row plain_row_for(::cuda::std::int64_t chunks)
{
  if (chunks <= single_tile_stripes * 32)
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

// What a launch asks of the tables. perf/tune measures other rows in their place.
struct tuned_policies
{
  static constexpr bulk_row
  bulk(int compute_capability, bulk::source source, int columns, bulk::placement placed, unsigned accumulator)
  {
    const bulk_row ours  = measured_row_for(bulk_rows, compute_capability, source, columns, placed, accumulator);
    const bulk_row own   = bulk_row_for(own_rows, compute_capability, source, columns, placed, accumulator);
    const bool is_nearer = nearer(ours.compute_capability, own.compute_capability, compute_capability);
    return own.groups == 0 || (ours.groups > 0 && is_nearer) ? ours : own;
  }
  static constexpr plain_row plain(::cuda::std::int64_t chunks)
  {
    return plain_row_for(chunks);
  }
  static constexpr lookahead_row lookahead(int blocks, ::cuda::std::int64_t tiles_a_block)
  {
    return lookahead_row_for(blocks, tiles_a_block);
  }
  static constexpr architecture_row architecture(int compute_capability)
  {
    return architecture_row_for(compute_capability);
  }
  template <int ComputeCapability>
  using mover = typename bulk::mover_of<architecture_row_for(ComputeCapability).copies>::type;
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
