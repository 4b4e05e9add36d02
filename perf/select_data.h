// Input of which an exact part is kept, as a function of the index alone.
#pragma once

#include "random_data.h"

#include <cstdint>

namespace perf
{
// Kept or not by its first member.
template <int Words>
struct alignas(16) words_of
{
  std::uint32_t first;
  std::uint32_t rest[Words - 1];
};
using struct16 = words_of<4>;
using struct64 = words_of<16>;

template <int Words>
PERF_HOST_DEVICE bool same_bits(const words_of<Words>& a, const words_of<Words>& b)
{
  bool same = a.first == b.first;
  for (int w = 0; w < Words - 1; ++w)
  {
    same = same && a.rest[w] == b.rest[w];
  }
  return same;
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
template <int Words>
struct spread<words_of<Words>>
{
  static PERF_HOST_DEVICE words_of<Words> value(std::int64_t i, std::int64_t n)
  {
    words_of<Words> all{};
    all.first = spread<std::uint32_t>::value(i, n);
    for (int w = 0; w < Words - 1; ++w)
    {
      all.rest[w] = static_cast<std::uint32_t>(i) * static_cast<std::uint32_t>(2 * w + 1);
    }
    return all;
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
  template <int Words>
  PERF_HOST_DEVICE bool operator()(const words_of<Words>& value) const
  {
    return (*this)(value.first);
  }
};
} // namespace perf
