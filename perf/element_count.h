// Numbers of elements as people write them: "268435456" or "2^28".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace perf
{
// Nothing for anything else: a sign, spaces, trailing text, or more than 2^63 - 1.
std::optional<std::int64_t> parse_count(const std::string& text);

// "2^28" for powers of two from 2^10 up, digits for others.
std::string count_text(std::int64_t count);
} // namespace perf
