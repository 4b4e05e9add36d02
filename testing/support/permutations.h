// Orders in which a permutation_iterator takes elements.
#pragma once

#include "random_values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace testing_support
{
inline std::vector<std::int32_t> natural_order(std::int64_t n)
{
  std::vector<std::int32_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Each once.
inline std::vector<std::int32_t> random_order(std::int64_t n)
{
  std::vector<std::int32_t> order = natural_order(n);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed()));
  return order;
}

// values[i] at order[i]: taken in that order, it is `values` again.
template <class T>
std::vector<T> scattered(const std::vector<T>& values, const std::vector<std::int32_t>& order)
{
  std::vector<T> there(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    there[static_cast<std::size_t>(order[i])] = values[i];
  }
  return there;
}
} // namespace testing_support
