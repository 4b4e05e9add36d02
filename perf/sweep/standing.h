// Where LightScan stands in one row of a sweep, beside CUB and Thrust.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace perf
{
// Medians, in microseconds.
struct standing
{
  double lightscan_us;
  double cub_us;
  double thrust_us;

  // The faster peer's time over ours.
  double ratio() const;
};

// Rows in which a peer is faster are measured so many times more, and reported by the median of those.
inline constexpr int reruns = 5;

// What a row reports that has just been measured, and can be again.
standing reported(const standing& measured, const std::function<standing()>& measure);

extern const char* const sweep_header;

// `subject` is the row's first five fields.
std::string row_of(const std::string& subject, const standing& s, const std::string& path);

// Whether the subject has one of the texts in it; none stand for all.
bool is_wanted(const std::string& subject, const std::vector<std::string>& texts);

// Seconds for the timed rounds of the next row: a share of what is left for each, the rest being for checks and for rows
// that are measured again.
double seconds_for_row(double seconds_left, std::size_t rows_left);
} // namespace perf
