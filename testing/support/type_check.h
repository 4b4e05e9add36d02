// A type scanned through Thrust's interface, held against a sequential scan. The type need not be default-constructible;
// where it cannot be assigned, which Thrust's interface needs for its scans in device code, CUB's interface serves.
#pragma once

#include "expect_cuda.h"

#include <lightscan/device_scan.h>
#include <lightscan/scan.h>

#include <thrust/scan.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#include <cuda_runtime_api.h>

namespace testing_support
{
template <class T>
struct device_array
{
  explicit device_array(std::size_t count)
  {
    if (cudaMalloc(reinterpret_cast<void**>(&data), count * sizeof(T)) != cudaSuccess)
    {
      throw std::bad_alloc();
    }
  }
  device_array(const device_array&)            = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array()
  {
    (void) cudaFree(data);
  }

  T* data = nullptr;
};

// Scans make(0), make(1), ...: a few, and more than 8 MiB; on a 16-byte boundary and one element off it.
template <class T, class Make, class Op>
void check_type(Make make, Op op)
{
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{33}, std::size_t{1000}, (std::size_t{8} << 20) / sizeof(T) + 1777})
  {
    std::vector<T> input;
    std::vector<T> expected;
    for (std::size_t i = 0; i < n; ++i)
    {
      input.push_back(make(i));
      expected.push_back(i == 0 ? input[0] : static_cast<T>(op(expected[i - 1], input[i])));
    }
    for (const std::size_t offset : {0, 1})
    {
      const device_array<T> in(n + offset);
      const device_array<T> out(n);
      std::vector<T> actual = input;
      LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(static_cast<void*>(in.data + offset),
                                       static_cast<const void*>(input.data()),
                                       n * sizeof(T),
                                       cudaMemcpyHostToDevice));
      if constexpr (std::is_copy_assignable_v<T>)
      {
        EXPECT_EQ(
          thrust::inclusive_scan(lightscan::par, in.data + offset, in.data + offset + n, out.data, op), out.data + n);
      }
      else
      {
        EXPECT_EQ(lightscan::DeviceScan::InclusiveScan(in.data + offset, out.data, op, n), cudaSuccess);
      }
      LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(
        static_cast<void*>(actual.data()), static_cast<const void*>(out.data), n * sizeof(T), cudaMemcpyDeviceToHost));
      for (std::size_t i = 0; i < n; ++i)
      {
        ASSERT_TRUE(actual[i] == expected[i]) << "element " << i << " of " << n << ", input + " << offset;
      }
    }
  }
}
} // namespace testing_support
