// From measured times to rows of lightscan/dispatch/tuning.h: arithmetic and text, nothing measured here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perf::tune
{
// The index of the least; 0 where there is none.
std::size_t fastest(const std::vector<double>& times);

// The smallest size from which on the bulk pipeline is never slower than the plain kernel; none_faster where it is
// slower even for the largest. Sizes rise.
inline constexpr std::int64_t none_faster = INT64_MAX;
std::int64_t bulk_from(const std::vector<std::int64_t>& sizes,
                       const std::vector<double>& bulk,
                       const std::vector<double>& plain);

struct plain_step
{
  std::int64_t max_bytes; // INT64_MAX for the last
  int tile_stripes;
};

// Tiles that never shrink as inputs grow, so chosen that the sum over all sizes of time by the size's best time is
// least. `times[s][i]` is the time of tile s, which rise, for size i, which rise too.
std::vector<plain_step> plain_steps(const std::vector<std::int64_t>& sizes,
                                    const std::vector<int>& tiles,
                                    const std::vector<std::vector<double>>& times);

// "8 << 20", "512 << 10" or digits.
std::string bytes_text(std::int64_t bytes);

// "[####......] 40%, about 12 s left".
std::string bar(double done, double seconds_left);
} // namespace perf::tune
