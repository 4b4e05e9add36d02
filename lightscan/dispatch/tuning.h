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
  int segment_bytes;              // for sizes that divide it; others take the next that fits (tile/geometry.h)
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

// Of the plain kernel.
struct plain_row
{
  unsigned element_size;
  int threads;
  int segment_bytes;
};

inline constexpr plain_row plain_rows[] = {
  {1, 256, 80},
  {2, 256, 80},
  {4, 256, 80},
  {8, 256, 80},
  {16, 256, 80},
};

template <class Row, int Rows>
constexpr Row row_for(const Row (&rows)[Rows], unsigned element_size)
{
  int i = 0;
  while (i + 1 < Rows && rows[i].element_size < element_size)
  {
    ++i;
  }
  return rows[i];
}

// Shared memory that a block can have on sm_90, sm_100 and sm_103, less the ring's barriers and carries. GPUs with less
// (sm_120 has 99 KB) take the plain kernel.
inline constexpr int bulk_shared_bytes = 227 * 1024 - 2048;

template <class T>
struct bulk_shape_for
{
  static constexpr bulk_row row = row_for(bulk_rows, sizeof(T));
  static constexpr int segment  = tile::segment_bytes_for(sizeof(T), row.segment_bytes);
  static constexpr int stages   = bulk_shared_bytes / (row.group_threads * segment);
  // Long segments (an element of 13 bytes needs 208) leave room for fewer stages.
  static constexpr int groups      = row.groups < stages ? row.groups : stages - 1;
  static constexpr int loads_ahead = row.loads_ahead < stages ? row.loads_ahead : stages - 1;
  using type = kernel::bulk_shape<groups, row.group_threads, segment, stages, loads_ahead>;
};

template <class T>
struct plain_shape_for
{
  static constexpr plain_row row = row_for(plain_rows, sizeof(T));
  // Half the threads where the element forces a long segment: static shared memory ends at 48 KB.
  static constexpr int segment = tile::segment_bytes_for(sizeof(T), row.segment_bytes);
  static constexpr int threads = row.threads * segment <= 32 * 1024 ? row.threads : row.threads / 2;
  using type                   = kernel::plain_shape<threads, segment>;
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
