// Rule: the recipes of README.md beside this file compile and do what is said there. Lines between `snippet` marks are those of
// its code blocks, and all of these stand here (../check_snippets.cmake).
#include "../support/counting_allocator.h"
#include "../support/expect_cuda.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cub/device/device_scan.cuh>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include <cuda_runtime_api.h>

#define USE_LIGHTSCAN

// snippet: README.md
// The one header of the code base through which CUB's scans are called.
#if defined(USE_LIGHTSCAN)
namespace device_scans = lightscan;
#else
namespace device_scans = cub;
#endif
// end

using testing_support::counting_allocator;
using testing_support::ledger;

namespace our
{
// snippet: README.md
struct policy : lightscan::execute_on_stream_base<policy> // was: thrust::cuda_cub::execute_on_stream_base<policy>
{
  explicit policy(cudaStream_t stream)
      : lightscan::execute_on_stream_base<policy>(stream)
  {}
};
// end

// The allocator of the recipes, which would have a pool of its own.
class pool_allocator : public counting_allocator
{
public:
  pool_allocator(cudaStream_t, ledger* books)
      : counting_allocator(*books)
  {}
};
using pool = ledger;

// snippet: README.md
using policy_with_pool = thrust::detail::execute_with_allocator<pool_allocator, lightscan::execute_on_stream_base>;

class exec_policy : public policy_with_pool
{
public:
  exec_policy(cudaStream_t stream, pool* memory)
      : policy_with_pool(stream, pool_allocator(stream, memory))
  {}
};
// end

namespace shorter
{
// snippet: README.md
class exec_policy : public lightscan::allocator_policy<true, pool_allocator> // false: of par_nosync's kind
{
public:
  exec_policy(cudaStream_t stream, pool* memory)
      : allocator_policy(pool_allocator(stream, memory), stream)
  {}
};
// end
} // namespace shorter

// snippet: README.md
template <class Policy>
void row_offsets(const Policy& policy, const int* lengths, int rows, int* offsets)
{
  thrust::exclusive_scan(policy, lengths, lengths + rows, offsets);
}
// end

// snippet: README.md
#if defined(USE_LIGHTSCAN)
inline namespace with_lightscan
#else
inline namespace with_thrust
#endif
{
inline void row_offsets_on(cudaStream_t stream, const int* lengths, int rows, int* offsets)
{
  row_offsets(policy(stream), lengths, rows, offsets);
}
} // namespace with_lightscan
// end
} // namespace our

namespace
{
constexpr int n = 100003;

class swapping : public ::testing::Test
{
protected:
  void SetUp() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreate(&stream));
  }
  void TearDown() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  }

  cudaStream_t stream = nullptr;
  // In parentheses: braces would make a vector of two elements.
  const thrust::device_vector<int> ones = thrust::device_vector<int>(n, 1);
  thrust::device_vector<int> sums       = thrust::device_vector<int>(n, 0);
};

void expect_counted(const thrust::device_vector<int>& sums, int from)
{
  const thrust::host_vector<int> found = sums;
  for (int i = 0; i < n; ++i)
  {
    ASSERT_EQ(found[i], i + from) << i;
  }
}

bool by_lightscan()
{
  const lightscan::path taken = lightscan::last_launch().taken;
  return taken == lightscan::path::plain_kernel || taken == lightscan::path::bulk_pipeline;
}
} // namespace

TEST_F(swapping, the_policys_base)
{
  thrust::inclusive_scan(our::policy(stream), ones.begin(), ones.end(), sums.begin());
  expect_counted(sums, 1);
  EXPECT_TRUE(by_lightscan());
  // The others are Thrust's as before.
  thrust::sort(our::policy(stream), sums.begin(), sums.end());
  expect_counted(sums, 1);
}

TEST_F(swapping, a_policy_with_an_allocator)
{
  ledger books;
  const auto check = [&](const auto& policy) {
    books = {};
    sums.assign(n, 0);
    thrust::inclusive_scan(policy, ones.begin(), ones.end(), sums.begin());
    expect_counted(sums, 1);
    EXPECT_TRUE(by_lightscan());
    EXPECT_EQ(books.calls, 1u);
    EXPECT_EQ(books.in_use, 0u);
  };
  our::pool* const memory = &books;
  check(our::exec_policy(stream, memory));
  check(our::shorter::exec_policy(stream, memory));

  our::pool_allocator allocator(stream, memory);
  // snippet: README.md
  const auto policy = lightscan::par(allocator).on(stream); // was: thrust::cuda::par(allocator).on(stream)
  // end
  check(policy);
}

namespace
{
// snippet: README.md
cudaError_t sum_in_two_phases(const int* in, int* out, int n, cudaStream_t stream)
{
  void* storage     = nullptr;
  std::size_t bytes = 0;
  CubDebug(device_scans::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n, stream));
  CubDebug(cudaMallocAsync(&storage, bytes, stream));
  const cudaError_t error = CubDebug(device_scans::DeviceScan::InclusiveSum(storage, bytes, in, out, n, stream));
  CubDebug(cudaFreeAsync(storage, stream));
  return error;
}
// end
} // namespace

TEST_F(swapping, cub_behind_an_alias)
{
  const int* const in = thrust::raw_pointer_cast(ones.data());
  int* const out      = thrust::raw_pointer_cast(sums.data());
  EXPECT_EQ(sum_in_two_phases(in, out, n, stream), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_TRUE(by_lightscan());
  expect_counted(sums, 1);

  sums.assign(n, 0);
  // snippet: README.md
  const cudaError_t error = lightscan::DeviceScan::InclusiveSum(in, out, n, stream);
  // end
  EXPECT_EQ(error, cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  expect_counted(sums, 1);
}

TEST_F(swapping, storage_that_is_too_small)
{
  const int* const in = thrust::raw_pointer_cast(ones.data());
  int* const out      = thrust::raw_pointer_cast(sums.data());
  std::size_t bytes   = 0;
  EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(nullptr, bytes, in, out, 0), cudaSuccess);
  EXPECT_EQ(bytes, 1u);
  EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n), cudaSuccess);
  ASSERT_GT(bytes, 1u);
  thrust::device_vector<char> storage(bytes);
  void* const memory    = thrust::raw_pointer_cast(storage.data());
  std::size_t too_small = bytes - 1;
  EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(memory, too_small, in, out, n), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(sums[0], 0) << "nothing is launched";
  EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(memory, bytes, in, out, n), cudaSuccess);
  expect_counted(sums, 1);
}

TEST_F(swapping, a_wrapper_under_a_name_of_its_own)
{
  const int* const in = thrust::raw_pointer_cast(ones.data());
  int* const out      = thrust::raw_pointer_cast(sums.data());
  our::row_offsets_on(stream, in, n, out);
  expect_counted(sums, 0);
  EXPECT_TRUE(by_lightscan());
}

TEST_F(swapping, a_call_without_a_policy)
{
  // snippet: README.md
  thrust::inclusive_scan(ones.begin(), ones.end(), sums.begin());                 // Thrust's, whatever else is swapped
  thrust::inclusive_scan(lightscan::par, ones.begin(), ones.end(), sums.begin()); // LightScan's
  // end
  expect_counted(sums, 1);
  EXPECT_TRUE(by_lightscan());
  EXPECT_EQ(lightscan::last_launch().num_items, n);
}
