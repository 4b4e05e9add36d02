// Rule: with CCCL's own assertions on (CCCL_ENABLE_ASSERTIONS: testing/CMakeLists.txt), scans compile and run, whatever
// the element's type. Newer versions of CCCL assert more, so this is also compiled with the newest (.ci/run).
#if !defined(CCCL_ENABLE_ASSERTIONS)
#  error "this test is about CCCL's assertions"
#endif

#include "support/operators.h"
#include "support/type_check.h"

#include <lightscan/lightscan.h>

#include <thrust/scan.h>

#include <cuda/std/functional>
#include <cuda/std/utility>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

using namespace testing_support;

namespace
{
// Two members of one byte: nvcc 13.0 breaks off where their address is asked for.
using two_bytes = cuda::std::pair<signed char, signed char>;

struct without_default_constructor
{
  unsigned value;

  without_default_constructor() = delete;
  __host__ __device__ explicit without_default_constructor(unsigned v)
      : value(v)
  {}

  friend __host__ __device__ bool operator==(const without_default_constructor& l, const without_default_constructor& r)
  {
    return l.value == r.value;
  }
};

using twelve_bytes      = words_of_size<3>;
using forty_eight_bytes = words_of_size<12>;

struct join_members
{
  __host__ __device__ two_bytes operator()(const two_bytes& l, const two_bytes& r) const
  {
    return two_bytes(static_cast<signed char>(l.first ^ r.first), l.second < r.second ? r.second : l.second);
  }
  __host__ __device__ without_default_constructor operator()(const without_default_constructor& l,
                                                             const without_default_constructor& r) const
  {
    return without_default_constructor(l.value + r.value);
  }
  template <class T>
  __host__ __device__ T operator()(const T& l, const T& r) const
  {
    return l + r;
  }
};

template <class T>
T made(std::size_t i)
{
  const auto bits = static_cast<unsigned>(i * 2654435761u);
  if constexpr (std::is_same_v<T, two_bytes>)
  {
    return two_bytes(static_cast<signed char>(bits >> 24), static_cast<signed char>(bits >> 16));
  }
  else if constexpr (std::is_same_v<T, without_default_constructor>)
  {
    return T(bits);
  }
  else
  {
    T value{};
    for (auto& member : value.member)
    {
      member = bits;
    }
    return value;
  }
}

// By key, through the policy and through DeviceScan.
template <class T>
void check_by_key()
{
  const std::size_t n = 1000003;
  std::vector<int> keys;
  std::vector<T> input, expected;
  for (std::size_t i = 0; i < n; ++i)
  {
    keys.push_back(static_cast<int>(i / 301));
    input.push_back(made<T>(i));
    expected.push_back(i > 0 && keys[i] == keys[i - 1] ? join_members{}(expected[i - 1], input[i]) : input[i]);
  }
  const device_array<int> device_keys(n);
  const device_array<T> in(n), out(n);
  LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(device_keys.data, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(in.data, input.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  const auto expect_results = [&] {
    std::vector<T> actual = input;
    LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(actual.data(), out.data, n * sizeof(T), cudaMemcpyDeviceToHost));
    EXPECT_TRUE(actual == expected);
    LIGHTSCAN_EXPECT_CUDA(cudaMemset(out.data, 0xee, n * sizeof(T)));
  };

  thrust::inclusive_scan_by_key(
    lightscan::par, device_keys.data, device_keys.data + n, in.data, out.data, cuda::std::equal_to<>{}, join_members{});
  expect_results();

  std::size_t bytes = 0;
  const auto scan   = [&](void* storage) {
    return lightscan::DeviceScan::InclusiveScanByKey(
      storage, bytes, device_keys.data, in.data, out.data, join_members{}, n);
  };
  LIGHTSCAN_EXPECT_CUDA(scan(nullptr));
  const device_array<unsigned char> storage(bytes);
  LIGHTSCAN_EXPECT_CUDA(scan(storage.data));
  expect_results();
}

TEST(with_assertions, values_of_every_kind_are_scanned)
{
  static_assert(sizeof(two_bytes) == 2 && sizeof(twelve_bytes) == 12 && sizeof(forty_eight_bytes) == 48);
  check_type<two_bytes>(made<two_bytes>, join_members{});
  check_type<without_default_constructor>(made<without_default_constructor>, join_members{});
  check_type<twelve_bytes>(made<twelve_bytes>, join_members{});
  check_type<forty_eight_bytes>(made<forty_eight_bytes>, join_members{});
}

TEST(with_assertions, values_are_scanned_by_key)
{
  check_by_key<two_bytes>();
  check_by_key<without_default_constructor>();
}
} // namespace
