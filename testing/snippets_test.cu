// Rule: the snippets in the public headers' comments compile and do what is said there. Lines between `snippet` marks
// stand in the comments word for word, and all of the comments' stand here (check_snippets.cmake).
#include "support/counting_allocator.h"
#include "support/expect_cuda.h"

#include <lightscan/host_batched_scan.h>
#include <lightscan/host_segmented_scan.h>
#include <lightscan/lightscan.h>
#include <lightscan/multi_gpu.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
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

namespace
{
struct is_even
{
  __host__ __device__ bool operator()(int x) const
  {
    return x % 2 == 0;
  }
};
} // namespace

TEST(snippet, of_select)
{
  thrust::device_vector<int> values(n);
  thrust::sequence(values.begin(), values.end());
  // snippet: select.h
  thrust::device_vector<int> kept(n);
  auto end = thrust::copy_if(lightscan::par, values.begin(), values.end(), kept.begin(), is_even{});
  kept.resize(end - kept.begin());
  // end
  ASSERT_EQ(kept.size(), n / 2u);
  EXPECT_EQ(kept[n / 2 - 1], n - 2);
}

TEST(snippet, of_unique_by_key)
{
  thrust::device_vector<int> keys(std::vector<int>{5, 5, 7, 5, 5, 5});
  thrust::device_vector<float> values(std::vector<float>{1, 2, 3, 4, 5, 6});
  // snippet: unique_by_key.h
  auto ends = thrust::unique_by_key(lightscan::par, keys.begin(), keys.end(), values.begin());
  // end
  keys.erase(ends.first, keys.end());
  values.erase(ends.second, values.end());
  EXPECT_EQ(on_host(keys), (std::vector<int>{5, 7, 5}));
  EXPECT_EQ(on_host(values), (std::vector<float>{1, 3, 4}));
}

TEST(snippet, of_partition)
{
  thrust::device_vector<int> values(std::vector<int>{5, 2, 7, 8, 6});
  const thrust::device_vector<int> in = values;
  thrust::device_vector<int> even(3), odd(2);
  // snippet: partition.h
  auto middle = thrust::stable_partition(lightscan::par, values.begin(), values.end(), is_even{});
  auto ends   = thrust::partition_copy(lightscan::par, in.begin(), in.end(), even.begin(), odd.begin(), is_even{});
  // end
  EXPECT_EQ(middle - values.begin(), 3);
  EXPECT_EQ(on_host(values), (std::vector<int>{2, 8, 6, 5, 7}));
  EXPECT_TRUE(ends.first == even.end() && ends.second == odd.end());
  EXPECT_EQ(on_host(even), (std::vector<int>{2, 8, 6}));
  EXPECT_EQ(on_host(odd), (std::vector<int>{5, 7}));
}

TEST(snippet, of_reduce_by_key)
{
  const thrust::device_vector<int> rows(std::vector<int>{0, 0, 1, 2, 2, 2});
  const thrust::device_vector<float> values(std::vector<float>{1, 2, 3, 4, 5, 6});
  thrust::device_vector<int> distinct_rows(3);
  thrust::device_vector<float> sums(3);
  // snippet: reduce_by_key.h
  auto ends = thrust::reduce_by_key(
    lightscan::par, rows.begin(), rows.end(), values.begin(), distinct_rows.begin(), sums.begin());
  // end
  EXPECT_TRUE(ends.first == distinct_rows.end() && ends.second == sums.end());
  EXPECT_EQ(on_host(distinct_rows), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(on_host(sums), (std::vector<float>{3, 3, 15}));
}

namespace
{
// What the snippets of selections for CUB's users work on: 0, 1, 2, ...; halves of it; and where results go.
struct selections
{
  thrust::device_vector<int> numbers, halves, results, more_results, counts;
  thrust::device_vector<char> memory;
  ledger books;
  counting_resource resource{books};
  cudaStream_t stream = nullptr;

  selections()
      : numbers(n)
      , halves(n)
      , results(n)
      , more_results(n)
      , counts(1)
      , memory(1 << 20)
  {
    thrust::sequence(numbers.begin(), numbers.end());
    thrust::transform(numbers.begin(), numbers.end(), halves.begin(), half{});
  }

  struct half
  {
    __host__ __device__ int operator()(int x) const
    {
      return x / 2;
    }
  };

  static int* of(thrust::device_vector<int>& values)
  {
    return thrust::raw_pointer_cast(values.data());
  }

  // The count and the last results; forgets them.
  void expect(int count, int last, int last_of_more = 0)
  {
    EXPECT_EQ(counts[0], count);
    EXPECT_EQ(results[count - 1], last);
    EXPECT_EQ(more_results[count - 1], last_of_more);
    counts[0] = 0;
    thrust::fill(results.begin(), results.end(), 0);
    thrust::fill(more_results.begin(), more_results.end(), 0);
  }
};
} // namespace

TEST(snippet, of_device_segmented_scan)
{
  const thrust::device_vector<int> values(n, 1);
  thrust::device_vector<int> sums(n);
  const thrust::device_vector<int> row_offsets(std::vector<int>{0, 2, 2, n});
  const int* const in      = thrust::raw_pointer_cast(values.data());
  int* const out           = thrust::raw_pointer_cast(sums.data());
  const int* const offsets = thrust::raw_pointer_cast(row_offsets.data());
  const int num_segments   = 3;
  const int num_rows = 1, length = n;
  void* storage             = nullptr;
  const cudaStream_t stream = nullptr;
  {
    // snippet: device_segmented_scan.h
    std::size_t bytes = 0;
    lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(nullptr, bytes, in, out, offsets, num_segments);
    cudaMalloc(&storage, bytes);
    lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(storage, bytes, in, out, offsets, num_segments, stream);
    // end
  }
  EXPECT_EQ(sums[1], 2);
  EXPECT_EQ(sums[n - 1], n - 2);
  {
    // snippet: device_segmented_scan.h
    lightscan::DeviceSegmentedScan::ExclusiveSegmentedSum(in, out, num_rows, length, stream);
    // end
  }
  EXPECT_EQ(sums[0], 0);
  EXPECT_EQ(sums[n - 1], n - 1);
  LIGHTSCAN_EXPECT_CUDA(cudaFree(storage));
}

TEST(snippet, of_device_batched_scan)
{
  const int rows = 10, columns = n / 10, width = columns - 3, pitch = columns;
  thrust::device_vector<int> values(n, 1);
  thrust::device_vector<int> sums(n);
  const int* const in       = thrust::raw_pointer_cast(values.data());
  int* const out            = thrust::raw_pointer_cast(sums.data());
  const cudaStream_t stream = nullptr;
  {
    // snippet: device_batched_scan.h
    lightscan::DeviceBatchedScan::InclusiveSum(in, out, lightscan::axis(1, rows, columns), stream);
    // end
  }
  EXPECT_EQ(sums[0], 1);
  EXPECT_EQ(sums[n - 1], rows);
  thrust::fill(sums.begin(), sums.end(), 0);
  // snippet: axis.h
  lightscan::axis of_columns(1, rows, width);
  of_columns.input.along = of_columns.output.along = pitch;
  // end
  EXPECT_EQ(lightscan::DeviceBatchedScan::InclusiveSum(in, out, of_columns), cudaSuccess);
  EXPECT_EQ(sums[pitch * (rows - 1) + width - 1], rows);
  EXPECT_EQ(sums[n - 1], 0) << "which lies in the gap";
}

TEST(snippet, of_device_select)
{
  selections all;
  int* const in           = all.of(all.numbers);
  int* const out          = all.of(all.results);
  int* const num_selected = all.of(all.counts);
  void* storage           = nullptr;
  const auto stream       = all.stream;
  auto& resource          = all.resource;
  const is_even is_wanted{};
  {
    // snippet: device_select.h
    std::size_t bytes = 0;
    lightscan::DeviceSelect::If(nullptr, bytes, in, out, num_selected, n, is_wanted);
    cudaMalloc(&storage, bytes);
    lightscan::DeviceSelect::If(storage, bytes, in, out, num_selected, n, is_wanted, stream);
    // end
  }
  all.expect(n / 2, n - 2);
  {
    // snippet: device_select.h
    lightscan::DeviceSelect::If(in, out, num_selected, n, is_wanted, stream);
    // end
  }
  all.expect(n / 2, n - 2);
  {
    // snippet: device_select.h
    lightscan::DeviceSelect::If(in, out, num_selected, n, is_wanted, stream, resource);
    // end
  }
  all.expect(n / 2, n - 2);
  EXPECT_EQ(all.books.calls, 1u);
  LIGHTSCAN_EXPECT_CUDA(cudaFree(storage));
}

TEST(snippet, of_device_partition)
{
  selections all;
  int* const in           = all.of(all.numbers);
  int* const out          = all.of(all.results);
  int* const num_selected = all.of(all.counts);
  void* const storage     = thrust::raw_pointer_cast(all.memory.data());
  std::size_t bytes       = all.memory.size();
  const auto stream       = all.stream;
  const is_even is_first{};
  // snippet: device_partition.h
  lightscan::DevicePartition::If(storage, bytes, in, out, num_selected, n, is_first, stream);
  // end
  EXPECT_EQ(all.results[n - 1], 1); // the others stand the other way round
  all.expect(n / 2, n - 2);
  // snippet: device_partition.h
  lightscan::DevicePartition::If(in, out, num_selected, n, is_first, stream);
  // end
  all.expect(n / 2, n - 2);
}

TEST(snippet, of_device_reduce)
{
  selections all;
  int* const keys        = all.of(all.halves);
  int* const values      = all.of(all.numbers);
  int* const keys_out    = all.of(all.results);
  int* const reduced_out = all.of(all.more_results);
  int* const num_runs    = all.of(all.counts);
  void* const storage    = thrust::raw_pointer_cast(all.memory.data());
  std::size_t bytes      = all.memory.size();
  const auto stream      = all.stream;
  const plus op{};
  // snippet: device_reduce.h
  lightscan::DeviceReduce::ReduceByKey(storage, bytes, keys, keys_out, values, reduced_out, num_runs, op, n, stream);
  // end
  all.expect(n / 2, n / 2 - 1, 2 * n - 3);
  // snippet: device_reduce.h
  lightscan::DeviceReduce::ReduceByKey(keys, keys_out, values, reduced_out, num_runs, op, n, stream);
  // end
  all.expect(n / 2, n / 2 - 1, 2 * n - 3);
}

TEST(snippet, of_device_run_length_encode)
{
  selections all;
  int* const in          = all.of(all.halves);
  int* const out         = all.of(all.results);
  int* const lengths_out = all.of(all.more_results);
  int* const num_runs    = all.of(all.counts);
  void* const storage    = thrust::raw_pointer_cast(all.memory.data());
  std::size_t bytes      = all.memory.size();
  const auto stream      = all.stream;
  // snippet: device_run_length_encode.h
  lightscan::DeviceRunLengthEncode::Encode(storage, bytes, in, out, lengths_out, num_runs, n, stream);
  // end
  all.expect(n / 2, n / 2 - 1, 2);
  // snippet: device_run_length_encode.h
  lightscan::DeviceRunLengthEncode::Encode(in, out, lengths_out, num_runs, n, stream);
  // end
  all.expect(n / 2, n / 2 - 1, 2);
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

TEST(snippet, of_host_segments)
{
  constexpr int n = 10;
  // snippet: host_segmented_scan.h
  std::vector<float> in(n), out(n);
  std::vector<int> offsets{0, 3, 3, 10}; // three segments, of which the second is empty; n is 10
  lightscan::HostSegmentedScan::InclusiveSegmentedSum(lightscan::host, in.begin(), out.begin(), offsets.begin(), 3);
  // end
  std::iota(in.begin(), in.end(), 1.0f);
  lightscan::HostSegmentedScan::InclusiveSegmentedSum(lightscan::host, in.begin(), out.begin(), offsets.begin(), 3);
  EXPECT_EQ(out, (std::vector<float>{1, 3, 6, 4, 9, 15, 22, 30, 39, 49}));
  constexpr int rows = 5, length = 2;
  // snippet: host_segmented_scan.h
  lightscan::HostSegmentedScan::ExclusiveSegmentedSum(lightscan::host, in.begin(), out.begin(), rows, length);
  // end
  EXPECT_EQ(out, (std::vector<float>{0, 1, 0, 3, 0, 5, 0, 7, 0, 9}));
}

TEST(snippet, of_host_lines)
{
  constexpr int rows = 3, columns = 4;
  // snippet: host_batched_scan.h
  std::vector<float> pixels(rows * columns), sums(rows * columns);
  const lightscan::axis downwards(1, rows, columns);
  lightscan::HostBatchedScan::InclusiveSum(lightscan::host, pixels.begin(), sums.begin(), downwards);
  // end
  std::fill(pixels.begin(), pixels.end(), 1.0f);
  lightscan::HostBatchedScan::InclusiveSum(lightscan::host, pixels.begin(), sums.begin(), downwards);
  EXPECT_EQ(sums[rows * columns - 1], rows);
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

#if defined(LIGHTSCAN_TEST_HAS_NCCL)
TEST(snippet, of_a_group)
{
  int device      = 0;
  ncclComm_t comm = nullptr;
  ASSERT_EQ(ncclCommInitAll(&comm, 1, &device), ncclSuccess);
  cudaStream_t stream = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreate(&stream));
  const thrust::device_vector<int> part(n, 1);
  thrust::device_vector<int> out(n);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  {
    // snippet: multi_gpu.h
    lightscan::group group(comm, stream); // collective, once
    thrust::inclusive_scan(lightscan::par_nosync.on(stream).across(group), part.begin(), part.end(), out.begin());
    // end
  }
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(out[n - 1], n);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  EXPECT_EQ(ncclCommDestroy(comm), ncclSuccess);
}
#endif

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
