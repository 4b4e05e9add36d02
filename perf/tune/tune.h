// What lightscan_tune measures.
#pragma once

#include "../verdict.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

namespace perf::tune
{
// A row of bulk_rows in lightscan/dispatch/tuning.h, compiled.
struct candidate
{
  int groups;
  int group_threads;
  int segment_bytes;
  int unroll;
  int loads_ahead;
  int loads_at_once;
  // False where this GPU cannot run it.
  bool (*scan)(const void* input, void* output, std::int64_t count, cudaStream_t stream, bool bulk);
};

struct element_to_tune
{
  const char* name;
  std::size_t size;
  std::vector<candidate> candidates;
  void (*fill)(void* input, std::int64_t count, cudaStream_t stream);
  verdict (*check)(const void* output, std::int64_t count, cudaStream_t stream);
  void (*use_plain_tile)(int rows);
};

element_to_tune int8_to_tune();
element_to_tune int16_to_tune();
element_to_tune int32_to_tune();
element_to_tune double_to_tune();
element_to_tune struct16_to_tune();
} // namespace perf::tune
