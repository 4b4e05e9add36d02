// The calls that lightscan_calls times: inclusive sums of int32, and an empty kernel to hold them against.
#pragma once

#include "gpu.h"

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace perf
{
class small_calls
{
public:
  // In the order in which they take turns.
  static constexpr const char* impls[] = {
    "empty_kernel", "cub", "thrust", "thrust_nosync", "lightscan", "lightscan_nosync"};

  // For sums of up to `most` elements.
  small_calls(std::int64_t most, cudaStream_t stream);

  void call(int impl, std::int64_t count) const;

  // Whether the call returns only when the result is there.
  static constexpr bool waits(int impl)
  {
    return impl == 2 || impl == 4;
  }

  // One call, its result proven. Throws std::runtime_error where it is wrong.
  void check(int impl, std::int64_t count) const;

  cudaStream_t stream() const
  {
    return stream_;
  }

private:
  device_memory<int> input_;
  device_memory<int> output_;
  device_memory<char> scratch_;
  cudaStream_t stream_;
};
} // namespace perf
