// Proves every element of an inclusive sum on the host, as checked_steps.h does on the GPU: each must be the one before
// it plus its input, which is worked out again from its index. The sums are exact in floating point too (random_data.h).
#pragma once

#include "random_data.h"
#include "verdict.h"

#include <cstdint>
#include <type_traits>

namespace perf
{
// Integers wrap.
struct host_sum
{
  template <class T>
  T operator()(T a, T b) const
  {
    if constexpr (std::is_integral_v<T>)
    {
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    }
    else
    {
      return a + b;
    }
  }
};

// Elements [first, last); element `first - 1` is taken to be proven elsewhere.
template <class T>
verdict check_sums(const T* result, std::int64_t first, std::int64_t last)
{
  verdict found{0, ~0ull};
  for (std::int64_t i = first; i < last; ++i)
  {
    const T before = i == 0 ? T{} : result[i - 1];
    if (!(result[i] == host_sum{}(before, random_value<T>(i))))
    {
      found.first_wrong = found.wrong == 0 ? static_cast<unsigned long long>(i) : found.first_wrong;
      ++found.wrong;
    }
  }
  return found;
}
} // namespace perf
