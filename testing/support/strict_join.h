// The interval monoid (operators.h) strictly: every call on anything but neighbours in their order is counted, even one whose
// result is thrown away.
#pragma once

#include "operators.h"

#include <cuda/std/cstdint>

namespace testing_support
{
// Element i is [i + 1, i + 2); an initial value of [0, 1) stands before the first.
TESTING_HOST_DEVICE inline interval interval_of(::cuda::std::int64_t i)
{
  return {static_cast<::cuda::std::uint32_t>(i) + 1, static_cast<::cuda::std::uint32_t>(i) + 2};
}

TESTING_HOST_DEVICE inline void count_bad_call([[maybe_unused]] unsigned long long* bad_calls)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(bad_calls, 1ull);
#endif
}

struct strict_join
{
  unsigned long long* bad_calls;

  TESTING_HOST_DEVICE interval operator()(const interval& left, const interval& right) const
  {
    const interval joined = join{}(left, right);
    if (joined.begin >= joined.end)
    {
      count_bad_call(bad_calls);
    }
    return joined;
  }
};
} // namespace testing_support
