// Rule: a policy may carry a stream, an allocator or a memory resource, in any order. Temporary memory then comes from there, as
// much as the launch takes, and goes back; an allocator that throws leaves the output and CUDA's error state alone. `par` waits
// for the result, `par_nosync` for nothing.
#include "support/policy_check.h"

#include <lightscan/lightscan.h>

#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/memory_resource.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

using namespace testing_support;
using lightscan::par;
using lightscan::par_nosync;

TEST_F(policies, take_an_allocator_and_a_stream_in_any_order)
{
  const auto check = [&](const auto& bare, cudaStream_t unnamed) {
    ledger books;
    counting_allocator allocator(books);
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare(allocator), unnamed));
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare(allocator).on(stream), stream));
    ASSERT_NO_FATAL_FAILURE(check_scan_with(bare.on(stream)(allocator), stream));
    EXPECT_EQ(books.calls, 3u); // none for the small ones
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
    EXPECT_EQ(books.calls, 3u); // none for the small ones
    expect_workspace_came_from(books);
  };
  ASSERT_NO_FATAL_FAILURE(check(par, default_stream));
  ASSERT_NO_FATAL_FAILURE(check(par_nosync, default_stream));
  // Thrust's own, whose pointers are no raw ones.
  thrust::system::cuda::memory_resource thrusts;
  ASSERT_NO_FATAL_FAILURE(check_scan_with(par(&thrusts).on(stream), stream));
}

TEST_F(policies, that_are_made_from_nothing_are_on_the_default_stream)
{
  const auto check = [&](const auto& bare) {
    decltype(bare.on(stream)) policy;
    EXPECT_EQ(policy.stream(), default_stream);
    ASSERT_NO_FATAL_FAILURE(check_scan_with(policy, default_stream));
    policy = bare.on(stream);
    ASSERT_NO_FATAL_FAILURE(check_scan_with(policy, stream));
    const auto copy = policy;
    ASSERT_NO_FATAL_FAILURE(check_scan_with(copy, stream));
    policy = {};
    EXPECT_EQ(policy.stream(), default_stream);
    EXPECT_EQ(copy.stream(), stream);
  };
  ASSERT_NO_FATAL_FAILURE(check(par));
  ASSERT_NO_FATAL_FAILURE(check(par_nosync));
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
      expect_equal(data.download(), host_scan<true>(input, lightscan::util::no_init{}, plus{}), "replay"));
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
  EXPECT_EQ(variable.own_calls, 1u); // one that was copied would have stayed at 0
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
    guarded_memory<unsigned> out(medium, 0);
    unsigned* const to = out.data();
    out.poison_all();
    check_each_failure(bare, out, [&](auto policy) {
      thrust::inclusive_scan(policy, zero, zero + medium, to);
    });
    out.poison_all();
    check_each_failure(bare, out, [&](auto policy) {
      thrust::transform_exclusive_scan(policy, zero, zero + medium, to, cuda::std::negate<>{}, 1u, plus{});
    });
    out.poison_all();
    check_each_failure(bare, out, [&](auto policy) {
      thrust::inclusive_scan_by_key(policy, zero, zero + medium, zero, to);
    });
    for_thrust* const values = reinterpret_cast<for_thrust*>(to);
    static_assert(!lightscan::is_accelerated_v<for_thrust>);
    LIGHTSCAN_EXPECT_CUDA(cudaMemset(to, 1, medium * sizeof(unsigned)));
    check_each_failure(bare, out, [&](auto policy) {
      thrust::inclusive_scan(policy, values, values + medium, values, add_values{});
    });
  };
  check(par);
  check(par_nosync);
}

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
