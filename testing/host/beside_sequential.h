// lightscan::host beside Thrust's sequential scans of the same arguments.
#pragma once

#include "../support/random_values.h"

#include <lightscan/host.h>

#include <thrust/execution_policy.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace host_testing
{
using lightscan::host;

inline constexpr std::size_t counts[] = {1, 2, 255, 1000, 16384, 70001, 300007};

inline std::vector<std::uint32_t> numbers(std::size_t count)
{
  return testing_support::random_values<std::uint32_t>(count);
}

// Runs `scan` with our policy and with thrust::seq on the same input, each into poisoned results.
template <class T, class Scan>
void same_as_sequential(std::size_t count, Scan scan)
{
  std::vector<T> expected(count, T(77));
  scan(thrust::seq, expected);
  for (const int threads : {0, 1, 2, 5})
  {
    std::vector<T> results(count, T(99));
    scan(host.threads(threads), results);
    ASSERT_TRUE(results == expected) << count << " elements, " << threads << " threads";
  }
}
} // namespace host_testing
