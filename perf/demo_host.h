// What the demo does without a GPU.
#pragma once

#include <cstdint>

namespace perf
{
// Scans `count` random ints and floats with lightscan::host, checks every element, and prints a table of times. False if
// any is wrong.
bool demonstrate_on_host(std::int64_t count);
} // namespace perf
