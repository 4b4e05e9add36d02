// Scans of integers that launch nothing (fake_cuda.h), for the rules of a launch's host side.
#pragma once

#include "../support/operators.h"
#include "fake_cuda.h"

#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace fake_scan
{
namespace dispatch = lightscan::dispatch;
using problem = dispatch::scan_problem<int, const int*, int*, testing_support::plus, lightscan::util::no_init, true>;

inline constexpr std::int64_t large = 5000000; // beyond the bulk pipeline's threshold

inline lightscan::runtime::outcome scan(std::int64_t n,
                                        cudaStream_t stream       = nullptr,
                                        dispatch::kernels allowed = dispatch::kernels::best,
                                        int max_blocks            = 0)
{
  return dispatch::launcher<problem>(problem{nullptr, nullptr, n, {}, {}}, stream, allowed, max_blocks).run();
}

// One that no test has used: nothing is known of the GPU and of the kernels in it.
inline unsigned long long new_context()
{
  static unsigned long long last = 100;
  return ++last;
}

// Tests that each begin with fake_cuda.h as it is at first.
class without_gpu : public ::testing::Test
{
protected:
  void SetUp() override
  {
    fake_cuda::now = {};
  }
};
} // namespace fake_scan
