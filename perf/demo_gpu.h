// What the demo does with a GPU.
#pragma once

#include <cstdint>

namespace perf
{
// Scans `count` random ints and floats, checks every element, and prints a table of times. False if any is wrong.
bool demonstrate_on_gpu(std::int64_t count);

// The most elements for which the GPU's free memory suffices.
std::int64_t largest_count_on_gpu();
} // namespace perf
