// What tensor copies know of an array: rows of 4-byte words, which come in boxes of so many words and rows.
#pragma once

#include <lightscan/runtime/driver.h>
#include <lightscan/version.h>

#include <cstdint>

#include <cuda.h> // types of the driver's functions; the library itself is not linked

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
struct tensor_shape
{
  const void* first;       // of the first row, on the 16-byte grid
  std::int64_t words;      // of a row
  std::int64_t rows;       // 2^32 at most
  std::int64_t bytes_on;   // from a row to the next, a multiple of 16, less than 2^40
  int box_words, box_rows; // 256 at most; the words a multiple of 4
};

inline outcome describe(const driver& calls, const tensor_shape& of, CUtensorMap& map)
{
  const cuuint64_t size[]  = {static_cast<cuuint64_t>(of.words), static_cast<cuuint64_t>(of.rows)};
  const cuuint64_t apart[] = {static_cast<cuuint64_t>(of.bytes_on)};
  const cuuint32_t box[]   = {static_cast<cuuint32_t>(of.box_words), static_cast<cuuint32_t>(of.box_rows)};
  const cuuint32_t steps[] = {1, 1};
  const CUresult described = calls.encode_tensor_map(&map,
                                                     CU_TENSOR_MAP_DATA_TYPE_UINT32,
                                                     2,
                                                     const_cast<void*>(of.first),
                                                     size,
                                                     apart,
                                                     box,
                                                     steps,
                                                     CU_TENSOR_MAP_INTERLEAVE_NONE,
                                                     CU_TENSOR_MAP_SWIZZLE_NONE,
                                                     CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return described ? failed(described, "describing an array for tensor copies") : outcome{};
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
