// What results are compared by.
#pragma once

#include "sweep_case.h"

#include <cstdint>
#include <vector>

namespace perf
{
// Of all bits written, and where; the same for the same results, and for others hardly ever. Waits.
std::uint64_t digest_of(const std::vector<written_bytes>& written, cudaStream_t stream);
} // namespace perf
