// What moves as many bytes as a scan between types of different widths does, and computes nothing.
#pragma once

#include "gpu.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace perf
{
// The bulk pipeline's ring keeps its blocks together by its carries; this one, by a counter of tiles stored.
struct ring_settings
{
  int loads_ahead;   // tiles that may be loaded beyond the last one of which all blocks have stored theirs; 0: any
  int loads_at_once; // tiles whose loads may be under way

  std::string name() const
  {
    return "ring_" + (loads_ahead ? std::to_string(loads_ahead) : std::string("free")) + "_"
         + std::to_string(loads_at_once);
  }
};

struct move_case
{
  static constexpr std::int64_t output_bytes = std::int64_t{1} << 31;
  static constexpr int most_stages           = 64;
  static constexpr int shared_bytes          = 220 * 1024;

  int writes; // of each word read
  int tile_bytes;

  std::int64_t tiles() const
  {
    return output_bytes / (std::int64_t{tile_bytes} * writes);
  }
  std::int64_t bytes_read() const
  {
    return tiles() * tile_bytes;
  }
  std::int64_t bytes() const
  {
    return bytes_read() * (1 + writes);
  }
  int stages() const
  {
    return std::min(most_stages, shared_bytes / tile_bytes);
  }
  std::string key() const
  {
    return std::to_string(writes) + "," + std::to_string(tile_bytes) + "," + std::to_string(bytes());
  }
};

class movers
{
public:
  movers();

  // Microseconds: of a cudaMemcpyAsync of as many bytes, half each way; of a kernel in which a thread reads a few bytes and
  // writes 16; of the ring.
  double memcpy(const move_case& c) const;
  double simply(const move_case& c) const;
  double by_ring(const move_case& c, const ring_settings& how) const;

  // Move once more, into poisoned output, and throw where what is there afterwards is wrong.
  void check_simply(const move_case& c) const;
  void check_by_ring(const move_case& c, const ring_settings& how) const;

private:
  void poison() const;
  void expect_runs(const move_case& c, std::int64_t run_bytes, const std::string& mover) const;

  device_memory<char> in_;
  device_memory<char> out_;
  device_memory<unsigned long long> counters_; // tiles stored; words found wrong
  mutable stopwatch watch_;
  int multiprocessors_ = 0;
};
} // namespace perf
