// What the tests of policies share: a scan, or one of each family, with a policy, and what it takes from an allocator.
#pragma once

#include "counting_allocator.h"
#include "entry_check.h"
#include "held_stream.h"

#include <lightscan/lightscan.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <cuda/std/cstddef>
#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace testing_support
{
inline constexpr int small  = 1000;    // one tile, for which nobody is asked for memory
inline constexpr int medium = 100003;  // some tiles
inline constexpr int large  = 3000017; // beyond the bulk pipeline's threshold

// Copying one runs a user's code, so Thrust's own scan serves.
struct for_thrust
{
  unsigned value;
  for_thrust() = default;
  __host__ __device__ for_thrust(const for_thrust& other)
      : value(other.value)
  {}
  __host__ __device__ for_thrust& operator=(const for_thrust& other)
  {
    value = other.value;
    return *this;
  }
};

struct as_for_thrust
{
  __host__ __device__ for_thrust operator()(unsigned value) const
  {
    for_thrust made;
    made.value = value;
    return made;
  }
};

struct add_values
{
  __host__ __device__ for_thrust operator()(for_thrust l, const for_thrust& r) const
  {
    l.value += r.value;
    return l;
  }
};

class policies : public ::testing::Test
{
protected:
  void SetUp() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  void TearDown() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  }

  cudaStream_t stream = nullptr;
};

inline const thrust::counting_iterator<unsigned> zero(0u);

inline const cudaStream_t default_stream = lightscan::policy_parts::default_stream::get();

// One scan, complete when it returns, whatever the policy.
template <class Policy>
void check_scan_with(Policy policy, cudaStream_t expected_stream)
{
  for (const int n : {small, large})
  {
    const std::vector<unsigned> input = random_values<unsigned>(static_cast<std::size_t>(n));
    guarded_memory<unsigned> data(input.size(), 0);
    ASSERT_NO_FATAL_FAILURE(data.upload(input));
    EXPECT_EQ(get_stream(policy), expected_stream);
    EXPECT_EQ(thrust::inclusive_scan(policy, data.data(), data.data() + n, data.data(), plus{}), data.data() + n);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(expected_stream));
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(data.download(), host_scan<true>(input, lightscan::util::no_init{}, plus{}), "scan"));
  }
}

// What check_scan_with's scan of n elements takes from an allocator, which may not align it.
inline std::size_t bytes_for_scan_of(int n)
{
  using problem =
    lightscan::dispatch::scan_problem<unsigned, unsigned*, unsigned*, plus, lightscan::util::no_init, true>;
  const std::size_t bytes = lightscan::dispatch::launcher<problem>::bytes_for(problem{{nullptr}, nullptr, n, {}, {}});
  return bytes == 0 ? 0 : bytes + 7;
}

// As much as the largest scan takes, in the allocator's units, and none left.
inline void expect_workspace_came_from(const ledger& books)
{
  ASSERT_EQ(bytes_for_scan_of(small), 0u);
  ASSERT_GT(bytes_for_scan_of(large), 0u);
  EXPECT_GE(books.peak, bytes_for_scan_of(large));
  EXPECT_LT(books.peak, bytes_for_scan_of(large) + sizeof(cuda::std::max_align_t));
  EXPECT_EQ(books.in_use, 0u) << "not everything was given back";
}

// Memory that the host reads as soon as the GPU has written it.
struct pinned
{
  pinned()
  {
    EXPECT_EQ(
      cudaHostAlloc(reinterpret_cast<void**>(&data), medium * sizeof(unsigned), cudaHostAllocMapped), cudaSuccess);
    std::fill(data, data + medium, 0u);
  }
  ~pinned()
  {
    EXPECT_EQ(cudaFreeHost(data), cudaSuccess);
  }
  bool holds_result() const
  {
    return data[medium - 1] == static_cast<unsigned>(std::uint64_t{medium} * (medium - 1) / 2);
  }
  unsigned* data = nullptr;
};

// One of each family. The first calls are made while nothing holds the stream: a kernel's code is loaded with its first
// launch, which may wait for the device.
template <class Policy>
void check_each_family(const Policy& policy, cudaStream_t stream, bool waits)
{
  const auto check = [&](const char* call, auto scan) {
    SCOPED_TRACE(call);
    const pinned out;
    scan(out.data);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    ASSERT_TRUE(out.holds_result());
    std::fill(out.data, out.data + medium, 0u);
    held_stream held(stream);
    held.hold_for(waits ? 20'000'000 : 20'000'000'000); // a hundredth of a second, ten seconds
    scan(out.data);
    EXPECT_EQ(out.holds_result(), waits);
    EXPECT_EQ(held.gave_up(), waits);
    held.release();
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    EXPECT_TRUE(out.holds_result());
  };
  check("inclusive_scan", [&](unsigned* out) {
    thrust::inclusive_scan(policy, zero, zero + medium, out);
  });
  check("transform_inclusive_scan", [&](unsigned* out) {
    thrust::transform_inclusive_scan(policy, zero, zero + medium, out, cuda::std::identity{}, plus{});
  });
  const thrust::constant_iterator<int> one_segment(1);
  check("inclusive_scan_by_key", [&](unsigned* out) {
    thrust::inclusive_scan_by_key(policy, one_segment, one_segment + medium, zero, out);
  });
  const auto for_thrusts_own = thrust::make_transform_iterator(zero, as_for_thrust{});
  check("Thrust's own inclusive_scan", [&](unsigned* out) {
    thrust::inclusive_scan(
      policy, for_thrusts_own, for_thrusts_own + medium, reinterpret_cast<for_thrust*>(out), add_values{});
  });
}
} // namespace testing_support
