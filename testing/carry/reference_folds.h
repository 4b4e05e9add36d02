// What the carries of a launch must be, and how two sets of them differ. (In the documented order:
// ../support/reference_order.h.)
#pragma once

#include "../support/reference_order.h"

#include <lightscan/util/words.h>

#include <cstring>
#include <string>
#include <vector>

namespace testing_support
{
// Of all that is no padding.
template <class T>
bool same_bits(const T& a, const T& b)
{
  return std::memcmp(&a, &b, lightscan::util::used_bytes<T>) == 0;
}

// Empty if both are the same to the bit, else where they differ.
template <class T>
std::string difference(const std::vector<found_carry<T>>& actual, const std::vector<found_carry<T>>& expected)
{
  for (std::size_t t = 0; t < expected.size(); ++t)
  {
    if (actual[t].exists != expected[t].exists)
    {
      return "tile " + std::to_string(t) + (actual[t].exists ? " has a carry" : " has no carry");
    }
    if (expected[t].exists && !same_bits(actual[t].value.value, expected[t].value.value))
    {
      return "tile " + std::to_string(t) + " has another carry";
    }
  }
  return "";
}

template <class T, class Op, class Init>
std::vector<found_carry<T>> left_to_right(const std::vector<T>& aggregates, Op op, Init init)
{
  running_fold<T, Op> fold(op, init);
  std::vector<found_carry<T>> carries;
  for (const T& aggregate : aggregates)
  {
    carries.push_back(fold.value);
    fold.append(aggregate);
  }
  return carries;
}
} // namespace testing_support
