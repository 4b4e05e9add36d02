// Rule: more than 2^32 elements, through Thrust's and CUB's interfaces. The results are held against a closed form by
// the output iterator itself, so that the test needs no memory for them; 8-bit data is real, in place.
#include "support/expect_cuda.h"
#include "support/operators.h"

#include <lightscan/lightscan.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/scan.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace
{
using wide = unsigned long long;

constexpr wide n = (wide{1} << 32) + 12345;

// The sum of 0, 1, ..., i modulo 2^64; half of an even product, so that nothing is lost.
__host__ __device__ wide sum_up_to(wide i)
{
  return i % 2 == 0 ? i / 2 * (i + 1) : (i + 1) / 2 * i;
}

struct tally
{
  wide wrong;
  wide seen;
};

// Called with each position and what is assigned there. In segments of 2^20 elements, or in one.
struct check_assigned
{
  tally* counts;
  wide segment_mask; // the bits of an index within its segment

  __device__ void operator()(std::ptrdiff_t position, wide value) const
  {
    const wide i        = static_cast<wide>(position);
    const wide begin    = i & ~segment_mask;
    const wide expected = sum_up_to(i) - (begin == 0 ? 0 : sum_up_to(begin - 1));
    if (i >= n || value != expected)
    {
      atomicAdd(&counts->wrong, 1ull);
    }
    atomicAdd(&counts->seen, 1ull);
  }
};

struct same_segment
{
  __host__ __device__ bool operator()(wide l, wide r) const
  {
    return l >> 20 == r >> 20;
  }
};

class beyond_32_bits : public ::testing::Test
{
protected:
  void SetUp() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaMallocManaged(&counts, sizeof(tally)));
    *counts = tally{};
  }
  void TearDown() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    EXPECT_EQ(counts->wrong, 0u);
    EXPECT_EQ(counts->seen, n) << "each result is assigned once";
    LIGHTSCAN_EXPECT_CUDA(cudaFree(counts));
  }
  auto checking(wide segment_mask = ~wide{0})
  {
    return thrust::make_tabulate_output_iterator(check_assigned{counts, segment_mask});
  }

  tally* counts = nullptr;
  const thrust::counting_iterator<wide> first{0};
};
} // namespace

TEST_F(beyond_32_bits, inclusive_scan_is_the_closed_form)
{
  const auto out = checking();
  const auto end = thrust::inclusive_scan(lightscan::par, first, first + n, out);
  EXPECT_EQ(static_cast<wide>(end - out), n);
}

TEST_F(beyond_32_bits, inclusive_scan_by_key_is_the_closed_form_in_each_segment)
{
  thrust::inclusive_scan_by_key(
    lightscan::par, first, first + n, first, checking((wide{1} << 20) - 1), same_segment{}, testing_support::plus{});
}

TEST_F(beyond_32_bits, a_number_of_items_in_device_memory_is_64_bits_wide)
{
  std::int64_t* number = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaMallocManaged(&number, sizeof(*number)));
  *number = static_cast<std::int64_t>(n);
  EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(first, checking(), number), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  LIGHTSCAN_EXPECT_CUDA(cudaFree(number));
}

namespace
{
__global__ void fill(std::uint8_t* values)
{
  const wide stride = static_cast<wide>(gridDim.x) * blockDim.x;
  for (wide i = blockIdx.x * static_cast<wide>(blockDim.x) + threadIdx.x; i < n; i += stride)
  {
    values[i] = static_cast<std::uint8_t>(i);
  }
}

__global__ void count(const std::uint8_t* values, tally* counts)
{
  const wide stride = static_cast<wide>(gridDim.x) * blockDim.x;
  tally found{};
  for (wide i = blockIdx.x * static_cast<wide>(blockDim.x) + threadIdx.x; i < n; i += stride)
  {
    found.wrong += values[i] != static_cast<std::uint8_t>(sum_up_to(i));
    ++found.seen;
  }
  atomicAdd(&counts->wrong, found.wrong);
  atomicAdd(&counts->seen, found.seen);
}
} // namespace

TEST_F(beyond_32_bits, bytes_in_place)
{
  std::size_t available = 0;
  std::size_t total     = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaMemGetInfo(&available, &total));
  if (available < n + (std::size_t{1} << 28))
  {
    counts->seen = n;
    GTEST_SKIP() << "needs 4.5 GB of free GPU memory";
  }
  std::uint8_t* data = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&data, n));
  fill<<<4096, 256>>>(data);
  EXPECT_EQ(thrust::inclusive_scan(lightscan::par, data, data + n, data, testing_support::plus{}), data + n);
  count<<<4096, 256>>>(data, counts);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  LIGHTSCAN_EXPECT_CUDA(cudaFree(data));
}
