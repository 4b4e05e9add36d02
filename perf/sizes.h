// The sizes at which sums are measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf
{
// 2^10 to 2^28 by fours, the paper's 32, 64, 128, 256 and 512 million (of 2^20), and 64 MiB, 256 MiB and 2 GiB of input; of
// elements narrower than 4 bytes 4, 8 and 16 MiB, too, where they are slowest beside a memcpy.
inline std::vector<std::int64_t> sum_counts(std::size_t element_size)
{
  std::vector<std::int64_t> counts;
  for (const int exponent : {10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 27, 28, 29})
  {
    counts.push_back(std::int64_t{1} << exponent);
  }
  std::vector<std::int64_t> mebibytes{64, 256, 2048};
  if (element_size < 4)
  {
    mebibytes.insert(mebibytes.end(), {4, 8, 16});
  }
  for (const std::int64_t each : mebibytes)
  {
    counts.push_back((each << 20) / static_cast<std::int64_t>(element_size));
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

// The sizes of a sweep's rows: small ones, those where a scan's kernels change, and the largest, of at most 2^28 elements and
// 2 GiB in the widest array.
inline std::vector<std::int64_t> sweep_counts(std::size_t widest)
{
  std::int64_t largest = std::int64_t{1} << 28;
  while (largest * static_cast<std::int64_t>(widest) > (std::int64_t{2} << 30))
  {
    largest /= 2;
  }
  std::vector<std::int64_t> counts;
  for (const int exponent : {8, 12, 16, 18, 20, 22, 24})
  {
    if (const std::int64_t count = std::int64_t{1} << exponent; count < largest)
    {
      counts.push_back(count);
    }
  }
  counts.push_back(largest);
  return counts;
}
} // namespace perf
