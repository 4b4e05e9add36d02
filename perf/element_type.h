// What is measured: implementations, operations, element types. One file per element type fills in the calls.
#pragma once

#include "verdict.h"

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace perf
{
// In the order in which they take turns.
enum class impl
{
  memcpy,       // cudaMemcpyAsync, device to device: the bytes of a scan with no scan
  cub,          // cub::DeviceScan, its temporary memory at hand; does not wait
  thrust,       // thrust::cuda::par; waits, as it always does
  lightscan,    // lightscan::par_nosync; does not wait, as CUB and those below
  lightscan_cg, // with the paper's ld.cg / st.cg between blocks
  chain         // with the paper's protocol between blocks
};

inline constexpr const char* impl_names[] = {"memcpy", "cub", "thrust", "lightscan", "lightscan_cg", "chain"};
inline constexpr int impl_count           = 6;

enum class op
{
  inclusive_sum,
  exclusive_sum
};

inline constexpr const char* op_names[] = {"inclusive_sum", "exclusive_sum"};
inline constexpr int op_count           = 2;

// Memory for the largest case, used by all.
struct buffers
{
  void* input;
  void* output;
  void* scratch;
  std::size_t scratch_bytes;
  cudaStream_t stream;
};

struct element_type
{
  const char* name;
  std::size_t size;
  std::size_t (*scratch_bytes)(std::int64_t count); // that CUB asks for
  void (*fill)(const buffers&, std::int64_t count);
  void (*call)(impl, op, const buffers&, std::int64_t count);
  verdict (*check)(op, const buffers&, std::int64_t count); // of the output
};

extern const element_type int8_elements;
extern const element_type int16_elements;
extern const element_type int32_elements;
extern const element_type int64_elements;
extern const element_type float_elements;
extern const element_type double_elements;

inline constexpr const element_type* element_types[] = {
  &int8_elements, &int16_elements, &int32_elements, &float_elements, &int64_elements, &double_elements};
} // namespace perf
