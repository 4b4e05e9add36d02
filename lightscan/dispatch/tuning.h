// The tuning table. Rows are chosen by measurement; perf/NOTES.md has the runs behind them.
#pragma once

#include <lightscan/kernel/bulk_scan.h>
#include <lightscan/kernel/plain_scan.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Of the bulk pipeline.
struct bulk_row
{
  unsigned element_size; // up to this many bytes
  int groups;
  int group_threads;
  int segment_bytes;              // of a thread, at most, for elements that divide 16; others: at least one chunk
  int loads_ahead;                // tiles loaded beyond the last one with a carry
  ::cuda::std::int64_t min_bytes; // of input; below, the plain kernel is faster
};

inline constexpr bulk_row bulk_rows[] = {
  // size  groups  threads  segment  ahead  from
  {1, 4, 192, 144, 6, 8 << 20},
  {2, 4, 192, 144, 6, 8 << 20},
  {4, 4, 192, 144, 6, 8 << 20},
  {8, 4, 192, 144, 6, 8 << 20},
  {16, 4, 192, 144, 6, 8 << 20},
};

// Of the plain kernel: how long a thread's segment is, by the size of the input. Short segments spread a small input over
// the whole GPU, long ones keep the number of tiles that must be looked across small.
struct plain_row
{
  ::cuda::std::int64_t max_bytes; // of input
  int segment_bytes;
};

inline constexpr plain_row plain_rows[] = {
  // up to  segment
  {512 << 10, 16},
  {1536 << 10, 48},
  {::cuda::std::int64_t{1} << 62, 80},
};
inline constexpr int plain_threads = 256;

constexpr bulk_row bulk_row_for(unsigned element_size)
{
  for (const bulk_row& row : bulk_rows)
  {
    if (element_size <= row.element_size)
    {
      return row;
    }
  }
  return bulk_rows[0];
}

constexpr plain_row plain_row_for(::cuda::std::int64_t input_bytes)
{
  for (const plain_row& row : plain_rows)
  {
    if (input_bytes <= row.max_bytes)
    {
      return row;
    }
  }
  return plain_rows[0];
}

// What a launch asks of the table. perf/tune measures others in its place.
struct chosen_rows
{
  static constexpr bulk_row bulk(unsigned element_size)
  {
    return bulk_row_for(element_size);
  }
  static constexpr plain_row plain(::cuda::std::int64_t input_bytes)
  {
    return plain_row_for(input_bytes);
  }
};

// Shared memory that a block can have on sm_90, sm_100 and sm_103, less the ring's barriers and carries. GPUs with less
// (sm_120 has 99 KB) take the plain kernel.
inline constexpr int bulk_shared_bytes = 227 * 1024 - 2048;

template <class T, class Rows = chosen_rows>
struct bulk_shape_for
{
  static constexpr bulk_row row    = Rows::bulk(sizeof(T));
  static constexpr int chunk_bytes = tile::chunk_bytes_for(sizeof(T));
  static constexpr int chunks      = tile::chunks_within(row.segment_bytes, chunk_bytes);
  static constexpr int stages      = bulk_shared_bytes / (row.group_threads * chunks * chunk_bytes);
  // Long chunks (an element of 15 bytes needs 240) leave room for fewer stages.
  static constexpr int groups      = row.groups < stages ? row.groups : stages - 1;
  static constexpr int loads_ahead = row.loads_ahead < stages ? row.loads_ahead : stages - 1;
  using type = kernel::bulk_shape<groups, row.group_threads, chunks, chunk_bytes, stages, loads_ahead>;
};

template <class T>
struct plain_shape_for
{
  static constexpr int longest     = plain_rows[sizeof(plain_rows) / sizeof(plain_row) - 1].segment_bytes;
  static constexpr int chunk_bytes = tile::chunk_bytes_for(sizeof(T));
  static constexpr int chunks      = tile::chunks_within(longest, chunk_bytes);
  // Half the threads where chunks are long: static shared memory ends at 48 KB.
  static constexpr int threads = plain_threads * chunks * chunk_bytes <= 40 * 1024 ? plain_threads : plain_threads / 2;
  using type                   = kernel::plain_shape<threads, chunks, chunk_bytes>;
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
