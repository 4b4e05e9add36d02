// A sum of random ints that is made over and over and compared on the GPU, by the launcher itself. On the GPU that is the
// current one when it is made.
#pragma once

#include "checked_scan.h"
#include "operators.h"
#include "random_values.h"
#include "scan_check.h"

#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace testing_support
{
class checked_sum : public checked_scan<int>
{
public:
  explicit checked_sum(std::int64_t n)
      : checked_scan<int>(n, 0)
  {
    const std::vector<int> values = random_values<int>(static_cast<std::size_t>(n));
    upload(values, host_scan<true>(values, lightscan::util::no_init{}, plus{}));
  }

  lightscan::runtime::outcome scan(cudaStream_t stream, kernels kernel = kernels::best)
  {
    using problem = lightscan::dispatch::scan_problem<int, const int*, int*, plus, lightscan::util::no_init, true>;
    return lightscan::dispatch::launcher<problem>({input(), output(), size(), {}, {}}, stream, kernel).run();
  }

  // Poison, scan, compare: three pieces of work in the stream's order.
  void queue(cudaStream_t stream, kernels kernel = kernels::best)
  {
    poison(stream);
    const lightscan::runtime::outcome done = scan(stream, kernel);
    EXPECT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error);
    compare(stream);
  }
};
} // namespace testing_support
