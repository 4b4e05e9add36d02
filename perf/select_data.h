// Input of which an exact part is kept, as a function of the index alone.
#pragma once

#include "random_data.h"

#include <cstdint>

namespace perf
{
// Kept or not by its first member.
struct alignas(16) struct16
{
  std::uint32_t first;
  std::uint32_t rest[3];
};

PERF_HOST_DEVICE inline bool same_bits(const struct16& a, const struct16& b)
{
  return a.first == b.first && a.rest[0] == b.rest[0] && a.rest[1] == b.rest[1] && a.rest[2] == b.rest[2];
}
template <class T>
PERF_HOST_DEVICE bool same_bits(T a, T b)
{
  return a == b;
}

// Random bits of which the highest ones are another number for each of n elements, n a power of two from 2 to 2^62: so many
// hundredths of them are below so many hundredths of 2^64, to one element.
PERF_HOST_DEVICE inline std::uint64_t spread_bits(std::int64_t i, std::int64_t n)
{
  const std::uint64_t apart = (std::uint64_t{1} << 63) / static_cast<std::uint64_t>(n) * 2;
  return static_cast<std::uint64_t>(shuffled(i, n)) * apart + (random_bits(i) & (apart - 1));
}

template <class T>
struct spread
{
  static PERF_HOST_DEVICE T value(std::int64_t i, std::int64_t n)
  {
    return static_cast<T>(spread_bits(i, n) >> (64 - 8 * sizeof(T)));
  }
};
template <>
struct spread<struct16>
{
  static PERF_HOST_DEVICE struct16 value(std::int64_t i, std::int64_t n)
  {
    const auto low = static_cast<std::uint32_t>(i);
    return {spread<std::uint32_t>::value(i, n), {low, ~low, low * 3}};
  }
};

// Keeps the lowest `Percent` hundredths of all values that there are.
template <int Percent>
struct is_low
{
  static constexpr std::uint64_t limit = (std::uint64_t{Percent} << 32) / 100; // of 2^32

  template <class T>
  PERF_HOST_DEVICE bool operator()(const T& value) const
  {
    constexpr int bits = 8 * static_cast<int>(sizeof(T));
    constexpr T least  = static_cast<T>(bits < 32 ? limit >> ((32 - bits) & 31) : limit << ((bits - 32) & 63));
    return value < least;
  }
  PERF_HOST_DEVICE bool operator()(const struct16& value) const
  {
    return (*this)(value.first);
  }
};
} // namespace perf
