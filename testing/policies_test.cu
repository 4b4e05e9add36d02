// Rule: a policy may carry a stream, an allocator or a memory resource, in any order. Temporary memory then comes from
// there and goes back; an allocator that throws leaves the output and CUDA's error state alone. `par` waits for the
// result, `par_nosync` for nothing.
#include "support/counting_allocator.h"
#include "support/entry_check.h"
#include "support/held_stream.h"

#include <lightscan/lightscan.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/memory_resource.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

using namespace testing_support;
using lightscan::par;
using lightscan::par_nosync;

namespace
{
constexpr int small = 1000;
constexpr int large = 3000017; // beyond the bulk pipeline's threshold

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

const thrust::counting_iterator<unsigned> zero(0u);

const cudaStream_t default_stream = lightscan::policy_parts::default_stream::get();

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
      expect_equal(data.download(), host_scan<true>(input, lightscan::carry::no_init{}, plus{}), "scan"));
  }
}

// Some of it, none left, and no more for more elements.
void expect_workspace_came_from(const ledger& books)
{
  EXPECT_GT(books.peak, 0u) << "the allocator was not asked";
  EXPECT_LE(books.peak, std::size_t{328} << 10);
  EXPECT_EQ(books.in_use, 0u) << "not everything was given back";
}
} // namespace

TEST_F(policies, take_an_allocator_and_a_stream_in_any_order)
{
  const auto check = [&](const auto& bare, cudaStream_t unnamed) {
    ledger books;
    counting_allocator allocator(books);
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare(allocator), unnamed));
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare(allocator).on(stream), stream));
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare.on(stream)(allocator), stream));
    EXPECT_EQ(books.calls, 6u);
    expect_workspace_came_from(books);
  };
  ASSERT_NO_FATAL_FAILURE(check(par, default_stream));
  ASSERT_NO_FATAL_FAILURE(check(par_nosync, default_stream));
}

TEST_F(policies, take_a_memory_resource_and_a_stream_in_any_order)
{
  const auto check = [&](const auto& bare, cudaStream_t unnamed) {
    ledger books;
    counting_resource resource(books);
    counting_resource* const pointer = &resource;
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare(&resource), unnamed));
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare(pointer).on(stream), stream));
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare.on(stream)(&resource), stream));
    EXPECT_EQ(books.calls, 6u);
    expect_workspace_came_from(books);
  };
  ASSERT_NO_FATAL_FAILURE(check(par, default_stream));
  ASSERT_NO_FATAL_FAILURE(check(par_nosync, default_stream));
  // Thrust's own, whose pointers are no raw ones.
  thrust::system::cuda::memory_resource thrusts;
  ASSERT_NO_FATAL_FAILURE(check_scan_with(par(&thrusts).on(stream), stream));
}

// The graph may be replayed when the allocator has given the memory to others.
TEST_F(policies, ask_no_allocator_for_memory_in_a_captured_graph)
{
  ledger books;
  counting_allocator allocator(books);
  for (const int n : {small, large})
  {
    const std::vector<unsigned> input = random_values<unsigned>(static_cast<std::size_t>(n));
    guarded_memory<unsigned> data(input.size(), 0);
    ASSERT_NO_FATAL_FAILURE(data.upload(input));
    cudaGraph_t graph          = nullptr;
    cudaGraphExec_t executable = nullptr;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    thrust::inclusive_scan(par_nosync(allocator).on(stream), data.data(), data.data() + n, data.data(), plus{});
    LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
    EXPECT_EQ(books.calls, 0u);
    LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executable, stream));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(data.download(), host_scan<true>(input, lightscan::carry::no_init{}, plus{}), "replay"));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(executable));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
  }
}

TEST_F(policies, keep_a_variable_by_reference_and_a_temporary_by_copy)
{
  ledger books;
  counting_allocator variable(books);
  static_assert(std::is_same_v<decltype(par(variable)), lightscan::allocator_policy<true, counting_allocator&>>);
  static_assert(
    std::is_same_v<decltype(par(counting_allocator(books))), lightscan::allocator_policy<true, counting_allocator>>);
  static_assert(
    std::is_same_v<decltype(par_nosync.on(stream)(variable)), lightscan::allocator_policy<false, counting_allocator&>>);
  auto by_reference = par(variable);
  auto by_copy      = par(counting_allocator(books)).on(stream); // the temporary is gone now
  EXPECT_EQ(&by_reference.get_allocator(), &variable);
  EXPECT_NE(&by_copy.get_allocator(), &variable);
  ASSERT_NO_FATAL_FAILURE(check_scan_with(by_reference, default_stream));
  EXPECT_EQ(variable.own_calls, 2u); // one that was copied would have stayed at 0
  ASSERT_NO_FATAL_FAILURE(check_scan_with(by_copy, stream));
  expect_workspace_came_from(books);
}

TEST_F(policies, give_their_allocator_to_thrusts_algorithms_too)
{
  ledger books;
  counting_allocator allocator(books);
  std::vector<unsigned> values = random_values<unsigned>(large);
  guarded_memory<unsigned> data(values.size(), 0);
  ASSERT_NO_FATAL_FAILURE(data.upload(values));
  thrust::sort(par(allocator).on(stream), data.data(), data.data() + large);
  std::sort(values.begin(), values.end());
  ASSERT_NO_FATAL_FAILURE(expect_equal(data.download(), values, "sort"));
  EXPECT_GE(books.peak, large * sizeof(unsigned));
  EXPECT_EQ(books.in_use, 0u);
}

namespace
{
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

struct add_values
{
  __host__ __device__ for_thrust operator()(for_thrust l, const for_thrust& r) const
  {
    l.value += r.value;
    return l;
  }
};

// Calls f(policy) with an allocator that fails at its first request, its second one, and so on until it fails no more.
template <class Bare, class F>
void check_each_failure(const Bare& bare, const guarded_memory<unsigned>& out, F f)
{
  const std::vector<unsigned> before = out.download();
  for (std::size_t failing = 1;; ++failing)
  {
    ASSERT_LT(failing, 20u);
    ledger books;
    books.fail_at = failing;
    counting_allocator allocator(books);
    try
    {
      f(bare(allocator));
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      EXPECT_EQ(books.in_use, 0u);
      EXPECT_GT(failing, 1u) << "the allocator was not asked";
      EXPECT_NE(out.download(), before);
      return;
    }
    catch (const std::bad_alloc&)
    {}
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(books.in_use, 0u) << "leaked where request " << failing << " fails";
    EXPECT_EQ(out.download(), before) << "written where request " << failing << " fails";
  }
}
} // namespace

TEST_F(policies, an_allocator_that_throws_leaves_everything_as_it_was)
{
  const auto check = [](const auto& bare) {
    guarded_memory<unsigned> out(small, 0);
    unsigned* const to = out.data();
    out.poison_all();
    check_each_failure(bare, out, [&](auto policy) {
      thrust::inclusive_scan(policy, zero, zero + small, to);
    });
    out.poison_all();
    check_each_failure(bare, out, [&](auto policy) {
      thrust::transform_exclusive_scan(policy, zero, zero + small, to, cuda::std::negate<>{}, 1u, plus{});
    });
    out.poison_all();
    check_each_failure(bare, out, [&](auto policy) {
      thrust::inclusive_scan_by_key(policy, zero, zero + small, zero, to);
    });
    for_thrust* const values = reinterpret_cast<for_thrust*>(to);
    static_assert(!lightscan::is_accelerated_v<for_thrust>);
    LIGHTSCAN_EXPECT_CUDA(cudaMemset(to, 1, small * sizeof(unsigned)));
    check_each_failure(bare, out, [&](auto policy) {
      thrust::inclusive_scan(policy, values, values + small, values, add_values{});
    });
  };
  check(par);
  check(par_nosync);
}

namespace
{
// Memory that the host reads as soon as the GPU has written it.
struct pinned
{
  pinned()
  {
    EXPECT_EQ(
      cudaHostAlloc(reinterpret_cast<void**>(&data), small * sizeof(unsigned), cudaHostAllocMapped), cudaSuccess);
    std::fill(data, data + small, 0u);
  }
  ~pinned()
  {
    EXPECT_EQ(cudaFreeHost(data), cudaSuccess);
  }
  bool holds_result() const
  {
    return data[small - 1] == small * (small - 1) / 2;
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
    std::fill(out.data, out.data + small, 0u);
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
    thrust::inclusive_scan(policy, zero, zero + small, out);
  });
  check("transform_inclusive_scan", [&](unsigned* out) {
    thrust::transform_inclusive_scan(policy, zero, zero + small, out, cuda::std::identity{}, plus{});
  });
  const thrust::constant_iterator<int> one_segment(1);
  check("inclusive_scan_by_key", [&](unsigned* out) {
    thrust::inclusive_scan_by_key(policy, one_segment, one_segment + small, zero, out);
  });
}
} // namespace

TEST_F(policies, par_returns_when_the_host_can_read_the_result)
{
  check_each_family(par.on(stream), stream, true);
  ledger books;
  counting_allocator allocator(books);
  check_each_family(par(allocator).on(stream), stream, true);
}

TEST_F(policies, par_nosync_returns_before_the_stream_has_come_to_the_scan)
{
  check_each_family(par_nosync.on(stream), stream, false);
  // An allocator that gives memory without asking CUDA, and takes it back in stream order.
  arena memory;
  arena_allocator allocator(memory);
  check_each_family(par_nosync(allocator).on(stream), stream, false);
  EXPECT_EQ(memory.in_use, 0u);
}
