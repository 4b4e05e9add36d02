// Calls of the published scan, for the paper's four element types.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace perf::paper
{
enum class transport
{
  cg,
  atomics
};

// Sums of `count` elements, queued on the stream. Its slots are kept for the next call: one stream at a time.
template <class T>
void scan_as_published(transport by, const T* input, T* output, std::int64_t count, cudaStream_t stream);
} // namespace perf::paper
