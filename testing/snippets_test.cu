// Rule: the snippets in the public headers' comments compile and do what is said there. Lines between `snippet` marks
// stand in the comments word for word, and all of the comments' stand here (check_snippets.cmake).
#include "support/counting_allocator.h"
#include "support/expect_cuda.h"

#include <lightscan/lightscan.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

using testing_support::counting_allocator;
using testing_support::counting_resource;
using testing_support::ledger;

namespace
{
constexpr int n = 20000; // some tiles, so that a scan takes memory

template <class T>
std::vector<T> on_host(const thrust::device_vector<T>& values)
{
  std::vector<T> result(values.size());
  thrust::copy(values.begin(), values.end(), result.begin());
  return result;
}
} // namespace

TEST(snippet, of_scan)
{
  // snippet: scan.h
  thrust::device_vector<int> values(n, 1);
  thrust::inclusive_scan(lightscan::par, values.begin(), values.end(), values.begin());
  // end
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[n - 1], n);
}

namespace
{
struct row
{
  int begin, end;
};

struct length
{
  __host__ __device__ int operator()(const row& r) const
  {
    return r.end - r.begin;
  }
};

using plus = cuda::std::plus<>;
} // namespace

TEST(snippet, of_transform_scan)
{
  const std::vector<row> three{{10, 12}, {7, 7}, {1, 6}};
  const thrust::device_vector<row> rows(three);
  thrust::device_vector<int> starts(3);
  // snippet: transform_scan.h
  // Lengths to starts, without a pass of its own for the conversion.
  thrust::transform_exclusive_scan(lightscan::par, rows.begin(), rows.end(), starts.begin(), length{}, 0, plus{});
  // end
  EXPECT_EQ(on_host(starts), (std::vector<int>{0, 2, 2}));
}

TEST(snippet, of_scan_by_key)
{
  const thrust::device_vector<int> rows(std::vector<int>{0, 0, 1, 2, 2, 2});
  const thrust::device_vector<float> values(std::vector<float>{1, 2, 3, 4, 5, 6});
  thrust::device_vector<float> sums(6);
  // snippet: scan_by_key.h
  thrust::inclusive_scan_by_key(lightscan::par, rows.begin(), rows.end(), values.begin(), sums.begin());
  // end
  EXPECT_EQ(on_host(sums), (std::vector<float>{1, 3, 3, 4, 9, 15}));
}

TEST(snippet, of_device_scan)
{
  const thrust::device_vector<int> ones(n, 1);
  thrust::device_vector<int> sums(n);
  const int* const in       = thrust::raw_pointer_cast(ones.data());
  int* const out            = thrust::raw_pointer_cast(sums.data());
  void* storage             = nullptr;
  const cudaStream_t stream = nullptr;
  ledger books;
  counting_resource resource(books);
  {
    // snippet: device_scan.h
    std::size_t bytes = 0;
    lightscan::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n);
    cudaMalloc(&storage, bytes);
    lightscan::DeviceScan::InclusiveSum(storage, bytes, in, out, n, stream);
    // end
  }
  EXPECT_EQ(sums[n - 1], n);
  thrust::fill(sums.begin(), sums.end(), 0);
  {
    // snippet: device_scan.h
    lightscan::DeviceScan::InclusiveSum(in, out, n, stream);
    // end
  }
  EXPECT_EQ(sums[n - 1], n);
  thrust::fill(sums.begin(), sums.end(), 0);
  {
    // snippet: device_scan.h
    lightscan::DeviceScan::InclusiveSum(in, out, n, stream, resource);
    // end
  }
  EXPECT_EQ(sums[n - 1], n);
  EXPECT_EQ(books.calls, 1u);
  LIGHTSCAN_EXPECT_CUDA(cudaFree(storage));
}

TEST(snippet, of_path)
{
  const thrust::device_vector<int> in(n, 1);
  thrust::device_vector<long long> out(n);
  // snippet: path.h
  static_assert(lightscan::fastest_path_v<const int*, long long*, long long> == lightscan::path::bulk_pipeline);

  thrust::inclusive_scan(lightscan::par, in.begin(), in.end(), out.begin());
  const bool small_or_another_gpu = lightscan::last_launch().taken != lightscan::path::bulk_pipeline;
  // end
  EXPECT_EQ(out[n - 1], n);
  EXPECT_TRUE(small_or_another_gpu);
}

TEST(snippet, of_host)
{
  // snippet: host.h
  std::vector<float> values(n, 1.0f), sums(n);
  thrust::inclusive_scan(lightscan::host, values.begin(), values.end(), sums.begin());
  thrust::inclusive_scan(lightscan::host.threads(4), values.begin(), values.end(), values.begin()); // in place
  // end
  EXPECT_EQ(sums[n - 1], n);
  EXPECT_EQ(values, sums);
}

TEST(snippet, of_host_by_key)
{
  // snippet: host.h
  std::vector<int> keys{1, 1, 2, 2, 2}, ones(5, 1), positions(5);
  thrust::inclusive_scan_by_key(lightscan::host, keys.begin(), keys.end(), ones.begin(), positions.begin());
  // positions: 1 2 1 2 3
  // end
  EXPECT_EQ(positions, (std::vector<int>{1, 2, 1, 2, 3}));
}

TEST(snippet, of_the_policies)
{
  ledger books;
  counting_allocator allocator(books);
  counting_resource memory_resource(books);
  cudaStream_t stream = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreate(&stream));
  thrust::device_vector<int> values(n, 0);
  const auto scan = [&](const auto& policy) {
    thrust::fill(values.begin(), values.end(), 1);
    thrust::inclusive_scan(policy, values.begin(), values.end(), values.begin());
    EXPECT_EQ(values[n - 1], n);
  };
  using lightscan::par;
  scan(par.on(stream));
  scan(par(allocator));
  scan(par(&memory_resource));
  scan(par(allocator).on(stream));
  scan(par.on(stream)(allocator));
  EXPECT_EQ(books.calls, 4u);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}
