// Rules of lightscan::DeviceSegmentedScan's single calls: the last argument is a stream in any of its forms or an environment, and says
// on which stream the work is queued, where temporary memory comes from and what must be repeatable; a memory resource may follow.
#include "support/counting_allocator.h"
#include "support/entry_check.h"
#include "support/environments.h"
#include "support/held_stream.h"
#include "support/segment_check.h"

#include <lightscan/device_segmented_scan.h>
#include <lightscan/path.h>

#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/stream_ref>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

using namespace testing_support;
using lightscan::DeviceSegmentedScan;
using lightscan::util::no_init;

namespace
{
constexpr std::size_t n   = 3000017;
constexpr unsigned init   = 1u << 20;
constexpr unsigned poison = 0xeeeeeeeeu;

// The GPU's ranges and the host's values.
class device_segmented_scan_environment : public ::testing::Test
{
protected:
  device_segmented_scan_environment()
      : values(random_values<unsigned>(n, 1))
      , offsets(random_segments<int>(static_cast<std::int64_t>(n), 90, 5))
      , segments(static_cast<int>(offsets.size()) - 1)
      , in(n, 0)
      , out(n, 0)
      , there(offsets.size(), 0)
  {}

  void SetUp() override
  {
    ASSERT_NO_FATAL_FAILURE(in.upload(values));
    ASSERT_NO_FATAL_FAILURE(there.upload(offsets));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }
  void TearDown() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  }

  template <class... Where>
  cudaError_t sum(Where&&... where)
  {
    return DeviceSegmentedScan::InclusiveSegmentedSum(in.data(), out.data(), there.data(), segments, where...);
  }

  // Into out.
  void expect(cudaError_t error, const std::vector<unsigned>& expected, const char* what)
  {
    EXPECT_EQ(error, cudaSuccess) << what;
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, what));
    out.expect_guards_untouched();
    out.poison_all();
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }

  std::vector<unsigned> sums() const
  {
    return host_scan_of_segments<true>(values, offsets, no_init{}, plus{});
  }

  // That a call is queued on the stream: nothing of it happens as long as the stream is held.
  template <class Call>
  void expect_on_the_stream(Call call, const char* what)
  {
    ASSERT_NO_FATAL_FAILURE(expect(call(), sums(), what)); // the kernel is loaded, the stream has its workspace
    cudaStream_t beside = nullptr;
    std::vector<unsigned> seen(n);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
    {
      held_stream held(stream);
      held.hold_for(4000000000);
      EXPECT_EQ(call(), cudaSuccess) << what;
      LIGHTSCAN_EXPECT_CUDA(
        cudaMemcpyAsync(seen.data(), out.data(), n * sizeof(unsigned), cudaMemcpyDeviceToHost, beside));
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(beside));
      EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady) << what << ": the stream was held no longer";
      EXPECT_FALSE(held.gave_up()) << what << ": the call waited for the stream";
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal(seen, std::vector<unsigned>(n, poison), what));
    ASSERT_NO_FATAL_FAILURE(expect(cudaSuccess, sums(), what));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(beside));
  }

  std::vector<unsigned> values;
  std::vector<int> offsets;
  int segments;
  guarded_memory<unsigned> in, out;
  guarded_memory<int> there;
  cudaStream_t stream = nullptr;
};
} // namespace

TEST_F(device_segmented_scan_environment, a_stream_in_any_of_its_forms)
{
  expect_on_the_stream(
    [&] {
      return sum(stream);
    },
    "cudaStream_t");
  expect_on_the_stream(
    [&] {
      return sum(cuda::stream_ref(stream));
    },
    "cuda::stream_ref");
  expect(sum(0), sums(), "0");
  expect(sum(nullptr), sums(), "nullptr");
  EXPECT_EQ(sum(1), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(device_segmented_scan_environment, memory_of_a_resource)
{
  std::size_t bytes = 0;
  ASSERT_EQ(DeviceSegmentedScan::InclusiveSegmentedSum(nullptr, bytes, in.data(), out.data(), there.data(), segments),
            cudaSuccess);
  ledger books;
  counting_resource resource(books);
  expect(sum(stream, resource), sums(), "sums");
  EXPECT_EQ(books.calls, 1u);
  EXPECT_EQ(books.peak, bytes);
  EXPECT_EQ(books.in_use, 0u);
  expect(DeviceSegmentedScan::ExclusiveSegmentedScan(
           in.data(), out.data(), there.data(), segments, maximum{}, init, stream, resource),
         host_scan_of_segments<false>(values, offsets, init, maximum{}),
         "an exclusive scan");
  EXPECT_EQ(books.calls, 2u);
  EXPECT_EQ(books.in_use, 0u);

  books.fail_at = 3;
  EXPECT_EQ(sum(stream, resource), cudaErrorMemoryAllocation);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), std::vector<unsigned>(n, poison), "no memory"));
}

#if defined(TESTING_ENVIRONMENTS)
namespace
{
namespace determinism = cuda::execution::determinism;
namespace execution   = cuda::std::execution;
} // namespace

TEST_F(device_segmented_scan_environment, carries_a_stream)
{
  const execution::env where{cuda::stream_ref(stream), cuda::execution::require(determinism::run_to_run)};
  expect_on_the_stream(
    [&] {
      return sum(where);
    },
    "a stream and a requirement");
  expect(sum(execution::env<>{}), sums(), "nothing");
}

TEST_F(device_segmented_scan_environment, carries_a_resource)
{
  ledger books;
  cudaStream_t asked_on = nullptr;
  const accounted resource{&books, &asked_on};
  const execution::prop memory{cuda::mr::get_memory_resource_t{}, resource};
  const execution::env both{cuda::stream_ref(stream), memory};
  expect(sum(both), sums(), "a stream and a resource");
  EXPECT_EQ(asked_on, stream);
  EXPECT_EQ(books.calls, 1u);
  EXPECT_EQ(books.in_use, 0u);
}

TEST_F(device_segmented_scan_environment, is_granted_the_same_bits_in_every_run)
{
  std::vector<float> fractions(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    fractions[i] = static_cast<float>(values[i]) * 1e-3f;
  }
  guarded_memory<float> from(n, 0);
  guarded_memory<float> to(n, 0);
  ASSERT_NO_FATAL_FAILURE(from.upload(fractions));
  const auto run_to_run = cuda::execution::require(determinism::run_to_run);
  const execution::env on_stream{cuda::stream_ref(stream), run_to_run};
  const auto bits = [&](const auto& where) {
    EXPECT_EQ(
      DeviceSegmentedScan::InclusiveSegmentedSum(from.data(), to.data(), there.data(), segments, where), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(lightscan::last_launch().taken, lightscan::path::bulk_pipeline);
    const std::vector<float> result = to.download();
    to.poison_all();
    return result;
  };
  const std::vector<float> first = bits(run_to_run);
  for (int run = 0; run < 5; ++run)
  {
    EXPECT_EQ(bits(on_stream), first);
  }
}

TEST_F(device_segmented_scan_environment, is_granted_the_same_bits_on_every_gpu_for_integers)
{
  const execution::env where{cuda::stream_ref(stream), cuda::execution::require(determinism::gpu_to_gpu)};
  expect(sum(where), sums(), "sums");
  expect(DeviceSegmentedScan::InclusiveSegmentedScan(
           in.data(), out.data(), there.data(), segments, cuda::maximum<>{}, where),
         host_scan_of_segments<true>(values, offsets, no_init{}, maximum{}),
         "maximum");
}
#endif
