// The sizes at which sums are measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf
{
// 2^10 to 2^28 by fours, the paper's 32, 64, 128, 256 and 512 million (of 2^20), and 64 MiB, 256 MiB and 2 GiB of input.
inline std::vector<std::int64_t> sum_counts(std::size_t element_size)
{
  std::vector<std::int64_t> counts;
  for (const int exponent : {10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 27, 28, 29})
  {
    counts.push_back(std::int64_t{1} << exponent);
  }
  for (const std::int64_t mebibytes : {64, 256, 2048})
  {
    counts.push_back((mebibytes << 20) / static_cast<std::int64_t>(element_size));
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}
} // namespace perf
