// What the tests of selections and of reductions by key share.
#pragma once

#include "case.h"

#include <lightscan/entry/select_problem.h>

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace emulated
{
inline constexpr unsigned seeds = 12;

inline std::size_t any_size(std::mt19937_64& random)
{
  return static_cast<std::size_t>(any_number(random, 4000, 5));
}

inline kernels any_kernel(std::mt19937_64& random)
{
  return below(random, 4) == 0 ? kernels::plain_only : kernels::bulk_only;
}

// Neighbours that are equal, in runs of all lengths.
template <class T>
std::vector<T> runs(std::size_t n, std::mt19937_64& random)
{
  std::vector<T> all(n);
  constexpr int longest_of[] = {1, 2, 4, 5000}; // on average; of 1, no two neighbours are equal
  const int longest          = longest_of[below(random, 4)];
  for (std::size_t i = 1; i < n; ++i)
  {
    all[i] = static_cast<T>(all[i - 1] + (below(random, longest) == 0 ? 1 : 0));
  }
  return all;
}

// What runs of equal keys are reduced to: the first key of each, and its values from left to right.
template <class Key, class Value>
struct reduced_runs
{
  std::vector<Key> keys;
  std::vector<Value> values;

  template <class Op>
  reduced_runs(const std::vector<Key>& of, const std::vector<Value>& input, Op op)
  {
    for (std::size_t i = 0; i < of.size(); ++i)
    {
      if (i == 0 || !(of[i] == of[i - 1]))
      {
        keys.push_back(of[i]);
        values.push_back(input[i]);
      }
      else
      {
        values.back() = op(values.back(), input[i]);
      }
    }
  }
};

using total = memory<std::int64_t>;

inline std::vector<std::int64_t> counts(std::initializer_list<std::size_t> of)
{
  return std::vector<std::int64_t>(of.begin(), of.end());
}
} // namespace emulated
