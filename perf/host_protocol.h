// LightScan's protocol between blocks on host threads: what the demo shows where there is no GPU.
#pragma once

#include <cstdint>

namespace perf
{
struct host_result
{
  int threads;
  double milliseconds;
  double sequential_milliseconds;
  std::int64_t wrong;       // elements that differ from a sequential scan
  std::int64_t first_wrong; // index, where there is one
};

// An inclusive sum of `count` random 32-bit integers.
host_result scan_on_host_threads(std::int64_t count);
} // namespace perf
