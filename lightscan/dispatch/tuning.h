// The tuning table. Rows are chosen by measurement; perf/NOTES.md has the runs behind them.
#pragma once

#include <lightscan/kernel/bulk_scan.h>
#include <lightscan/kernel/plain_scan.h>
#include <lightscan/tile/form.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/items.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Of the bulk pipeline.
struct bulk_row
{
  int inputs;
  bool in_place;        // each result takes its own element's place in the stage (tile/items.h)
  unsigned accumulator; // up to this many bytes
  int groups;
  int group_threads;
  int segment_bytes;              // of a thread, at most, in the stage; at least one chunk
  int unroll;                     // chunks that a thread works on at once
  int loads_ahead;                // tiles loaded beyond the last one with a carry
  ::cuda::std::int64_t min_bytes; // of input; below, the plain kernel is faster
};

// Not measured: {1, true, 32} and {2, false, 32}, which follow their neighbours; and no two-column row for accumulators of
// more than 16 bytes.
inline constexpr bulk_row bulk_rows[] = {
  // inputs  in place  accumulator  groups  threads  segment  unroll  ahead  from
  {1, true, 2, 6, 128, 176, 3, 8, 8 << 20},
  {1, true, 8, 4, 192, 144, 3, 6, 8 << 20},
  {1, true, 16, 4, 128, 240, 3, 6, 8 << 20},
  {1, true, 32, 4, 128, 288, 1, 5, 8 << 20},
  {1, false, 32, 4, 128, 320, 1, 4, 8 << 20},
  {2, true, 32, 4, 128, 288, 1, 5, 8 << 20},
  {2, false, 32, 4, 128, 288, 1, 4, 8 << 20},
};

// Where results are not in place, a thread holds the elements of its whole segment in registers: at most so many bytes.
inline constexpr int taken_bytes = 144;

// Of the plain kernel: how long a thread's segment is, by the size of the input. Short segments spread a small input
// over the whole GPU, long ones keep the number of tiles that must be looked across small.
struct plain_row
{
  ::cuda::std::int64_t max_bytes; // of accumulators
  int segment_bytes;
};

inline constexpr plain_row plain_rows[] = {
  // up to  segment
  {512 << 10, 16},
  {1536 << 10, 48},
  {::cuda::std::int64_t{1} << 62, 80},
};
inline constexpr int plain_threads     = 256;
inline constexpr int plain_stage_bytes = 40 * 1024; // at most: static shared memory ends at 48 KB

// The first row that suits; a row of no inputs where there is none.
constexpr bulk_row bulk_row_for(int inputs, bool in_place, unsigned accumulator)
{
  for (const bulk_row& row : bulk_rows)
  {
    if (inputs == row.inputs && in_place == row.in_place && accumulator <= row.accumulator)
    {
      return row;
    }
  }
  bulk_row none = bulk_rows[0];
  none.inputs   = 0;
  return none;
}

constexpr plain_row plain_row_for(::cuda::std::int64_t bytes)
{
  for (const plain_row& row : plain_rows)
  {
    if (bytes <= row.max_bytes)
    {
      return row;
    }
  }
  return plain_rows[0];
}

// What a launch asks of the table. perf/tune measures others in its place.
struct chosen_rows
{
  static constexpr bulk_row bulk(int inputs, bool in_place, unsigned accumulator)
  {
    return bulk_row_for(inputs, in_place, accumulator);
  }
  static constexpr plain_row plain(::cuda::std::int64_t bytes)
  {
    return plain_row_for(bytes);
  }
};

// Shared memory that a block can have on sm_90, sm_100 and sm_103, less the ring's barriers and carries. GPUs with less
// (sm_120 has 99 KB) take the plain kernel.
inline constexpr int bulk_shared_bytes = 227 * 1024 - 2048;

template <class Items, class Rows = chosen_rows>
struct bulk_shape_of
{
  static constexpr int inputs   = static_cast<int>(::cuda::std::tuple_size_v<decltype(Items::from)>);
  static constexpr bulk_row row = Rows::bulk(inputs, Items::in_place, sizeof(typename Items::form::accumulator));
  static constexpr bool tabled  = row.inputs == inputs;
  static constexpr int held     = Items::in_place ? row.segment_bytes : taken_bytes / Items::input_bytes * Items::bytes;
  static constexpr int chunks = tile::chunks_within(held < row.segment_bytes ? held : row.segment_bytes, Items::bytes);
  static constexpr int stages = bulk_shared_bytes / (row.group_threads * chunks * Items::bytes);
  // Long chunks (an element of 15 bytes needs 240) leave room for fewer stages.
  static constexpr int groups      = row.groups < stages ? row.groups : stages - 1;
  static constexpr int loads_ahead = row.loads_ahead < stages ? row.loads_ahead : stages - 1;
  static constexpr int unroll      = row.unroll < chunks ? row.unroll : chunks;
  using type =
    kernel::bulk_shape<groups, row.group_threads, chunks, unroll, Items::items, Items::bytes, stages, loads_ahead>;
};

// Of the scan of plain memory of T.
template <class T, class Rows = chosen_rows>
using bulk_shape_for =
  bulk_shape_of<tile::column_items<tile::scan_form<T, true>, tile::column<T>, tile::column<T>>, Rows>;

template <class T>
struct plain_shape_for
{
  static constexpr int longest     = plain_rows[sizeof(plain_rows) / sizeof(plain_row) - 1].segment_bytes;
  static constexpr int chunk_bytes = tile::staged_chunk_bytes(sizeof(T));
  static constexpr int chunks      = tile::chunks_within(longest, chunk_bytes);

  // Fewer threads where chunks are long.
  static constexpr int threads_within_stage()
  {
    int threads = plain_threads;
    while (threads > 32 && threads * chunks * chunk_bytes > plain_stage_bytes)
    {
      threads /= 2;
    }
    return threads;
  }
  using type = kernel::plain_shape<threads_within_stage(), chunks, chunk_bytes>;
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
