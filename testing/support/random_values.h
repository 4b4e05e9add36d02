// Random input from a seed that is printed, so that a failure can be had again: LIGHTSCAN_TEST_SEED=<seed>.
#pragma once

#include "operators.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <type_traits>
#include <vector>

namespace testing_support
{
inline std::uint64_t seed()
{
  static const std::uint64_t chosen = [] {
    const char* const given   = std::getenv("LIGHTSCAN_TEST_SEED");
    const std::uint64_t value = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::cout << "LIGHTSCAN_TEST_SEED=" << value << std::endl;
    return value;
  }();
  return chosen;
}

// Values whose sums are exact: small integers for floating point (a float holds integers up to 2^24), any bits for the
// others, whose sums wrap.
template <class T>
std::vector<T> random_values(std::size_t count, std::uint64_t stream = 0)
{
  std::mt19937_64 engine(seed() + stream * 0x9e3779b97f4a7c15ull);
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    if constexpr (std::is_floating_point_v<T>)
    {
      values[i] = static_cast<T>(static_cast<int>(engine() % 5) - 2);
    }
    else if constexpr (std::is_same_v<T, interval>)
    {
      values[i] = interval{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i) + 1};
    }
    else
    {
      unsigned char bytes[sizeof(T)];
      for (std::size_t b = 0; b < sizeof(T); ++b)
      {
        bytes[b] = static_cast<unsigned char>(engine());
      }
      std::memcpy(static_cast<void*>(&values[i]), bytes, sizeof(T));
    }
  }
  return values;
}

// Magnitudes over forty binary orders, both signs: every other order of additions gives other bits.
template <class T>
std::vector<T> badly_conditioned(std::size_t n)
{
  std::vector<T> values(n);
  std::uint64_t state = seed();
  for (T& value : values)
  {
    state       = state * 6364136223846793005ull + 1442695040888963407ull;
    const int m = static_cast<int>(state >> 40 & 0xffff) - 0x8000;
    value       = std::ldexp(static_cast<T>(m), static_cast<int>(state >> 58) % 40 - 20);
  }
  return values;
}
} // namespace testing_support
