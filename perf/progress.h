// How far a run has come and how long it may still take, from what its parts are expected to weigh.
#pragma once

#include <chrono>
#include <cstddef>

namespace perf
{
// Seconds still to go: as many for each unit of weight as those done have taken.
constexpr double seconds_left(double seconds_passed, double weight_done, double weight_of_all)
{
  return weight_done > 0 ? seconds_passed * (weight_of_all - weight_done) / weight_done : 0;
}

class progress
{
public:
  progress(std::size_t parts, double weight_of_all)
      : parts_(parts)
      , weight_of_all_(weight_of_all)
  {}

  void done(double weight)
  {
    ++parts_done_;
    weight_done_ += weight;
  }

  std::size_t parts() const
  {
    return parts_;
  }
  std::size_t parts_done() const
  {
    return parts_done_;
  }
  double left() const
  {
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return seconds_left(passed, weight_done_, weight_of_all_);
  }

private:
  std::size_t parts_;
  double weight_of_all_;
  std::size_t parts_done_                      = 0;
  double weight_done_                          = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};
} // namespace perf
