// The calls that lightscan_calls times: inclusive sums of int32, and an empty kernel to hold them against.
#pragma once

#include "gpu.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <cuda_runtime_api.h>

namespace perf
{
class small_calls
{
public:
  // In the order in which they take turns.
  static constexpr const char* impls[] = {
    "empty_kernel",
    "cub",
    "thrust",
    "thrust_nosync",
    "lightscan",
    "lightscan_nosync",
    "lightscan_allocator", // as lightscan_nosync, in memory of the policy's allocator
    "lightscan_storage",   // lightscan::DeviceScan in the caller's storage
    "lightscan_streams"};  // as lightscan_nosync, on one stream after the other of so many:
  static constexpr int streams_in_turn = 1000;

  // For sums of up to `most` elements.
  small_calls(std::int64_t most, cudaStream_t stream);
  ~small_calls();

  void call(int impl, std::int64_t count) const;

  // Whether each call is on stream().
  static constexpr bool on_one_stream(int impl)
  {
    return impl != 8;
  }

  // Waits for the last call.
  void wait(int impl) const;

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
  cudaStream_t other_stream() const
  {
    return streams_[turn_ % streams_in_turn];
  }

  device_memory<int> input_;
  device_memory<int> output_;
  device_memory<char> scratch_;
  std::unique_ptr<device_memory<char>> storage_; // for LightScan
  cudaStream_t stream_;
  std::vector<cudaStream_t> streams_;
  mutable std::size_t turn_ = 0;
};
} // namespace perf
