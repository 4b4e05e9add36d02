// oneTBB's parallel_scan on the host, for the paper's four element types.
#pragma once

#include <cstdint>

namespace perf::paper
{
// Whether this was built with oneTBB; nothing below may be called where it was not.
bool has_tbb();

// Writes random_value(0), random_value(1), ... and poison, by all threads, so that memory lies as for the scan.
template <class T>
void fill_on_host(T* input, T* output, std::int64_t count);

template <class T>
void scan_by_tbb(const T* input, T* output, std::int64_t count);
} // namespace perf::paper
