// What lightscan_tune measures.
#pragma once

#include "../verdict.h"

#include <lightscan/bulk/stage_view.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

namespace perf::tune
{
// Of a row of bulk_rows in lightscan/dispatch/tuning.h, what is tuned.
struct row_numbers
{
  int groups;
  int group_threads;
  int bytes_per_thread;
  int unroll;
  int loads_ahead;
  int loads_at_once;
  int prefetched; // 0 where code has no bulk copies
};

// A row, compiled.
struct candidate
{
  // As code for this architecture has it, which may have less shared memory than the row asks for.
  row_numbers (*on)(int compute_capability);
  // Returns the compute capability that the code was compiled for; 0 where this GPU cannot run it.
  int (*scan)(const void* input, void* output, std::int64_t count, cudaStream_t stream, bool bulk);
};

// Scans for which the table has one row.
struct kind_to_tune
{
  const char* name;
  int inputs;
  lightscan::bulk::placement placed;
  std::size_t accumulator_bytes;
  std::size_t input_bytes; // of an element
  std::size_t output_bytes;
  std::vector<candidate> candidates;
  std::int64_t (*one_tile_each)(int multiprocessors); // items, in the blocks of the plain kernel
  void (*fill)(void* input, std::int64_t count, cudaStream_t stream);
  verdict (*check)(const void* output, std::int64_t count, cudaStream_t stream);
  void (*use_plain_tile)(int stripes);
};

kind_to_tune int8_to_tune();
kind_to_tune int16_to_tune();
kind_to_tune int32_to_tune();
kind_to_tune double_to_tune();
kind_to_tune struct16_to_tune();
kind_to_tune uint8_to_int32_to_tune();
kind_to_tune int32_to_int64_to_tune();
kind_to_tune int64_to_int32_to_tune();
kind_to_tune keys_to_tune();
} // namespace perf::tune
