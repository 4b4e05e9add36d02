// Rule: a policy may be a class of the user's own, made of our parts or Thrust's. It brings its stream and its memory, for our
// scans and Thrust's own, and waits as it says.
#include "support/policy_check.h"

#include <lightscan/lightscan.h>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/memory.h>
#include <thrust/scan.h>

#include <cuda/std/utility>

#include <gtest/gtest.h>

#include <cstddef>

using namespace testing_support;

namespace a_user
{
using lightscan::execute_on_stream_base;
using lightscan::execute_on_stream_nosync_base;
using lightscan::execution_policy;

// Says all that a policy can say.
struct policy_with_memory : execution_policy<policy_with_memory>
{
  policy_with_memory(cudaStream_t on, ledger& from)
      : stream(on)
      , books(&from)
  {}

  cudaStream_t stream;
  ledger* books;
};

__host__ __device__ cudaStream_t get_stream(const policy_with_memory& policy)
{
  return policy.stream;
}

template <class T>
cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(policy_with_memory& policy, std::ptrdiff_t count)
{
  return {static_cast<T*>(policy.books->allocate(sizeof(T) * static_cast<std::size_t>(count))), count};
}

template <class Pointer>
void return_temporary_buffer(policy_with_memory& policy, Pointer memory, std::ptrdiff_t count)
{
  auto* const raw = thrust::raw_pointer_cast(memory);
  policy.books->deallocate(raw, sizeof(*raw) * static_cast<std::size_t>(count));
}

// As Thrust's older examples have it: by value, tagged pointers, and a size that is not given back.
struct older_policy : execution_policy<older_policy>
{
  explicit older_policy(ledger& from)
      : books(&from)
  {}

  ledger* books;
};

template <class T>
cuda::std::pair<thrust::pointer<T, older_policy>, std::ptrdiff_t> get_temporary_buffer(older_policy policy,
                                                                                       std::ptrdiff_t count)
{
  T* const memory = static_cast<T*>(policy.books->allocate(sizeof(T) * static_cast<std::size_t>(count)));
  return {thrust::pointer<T, older_policy>(memory), count};
}

template <class Pointer>
void return_temporary_buffer(older_policy policy, Pointer memory)
{
  policy.books->deallocate(thrust::raw_pointer_cast(memory), policy.books->in_use); // one at a time
}

// Says nothing: the default stream, waiting, the library's memory.
struct silent_policy : execution_policy<silent_policy>
{};

template <class Allocator>
using with_allocator = thrust::detail::execute_with_allocator<Allocator, execution_policy>;

// As RAPIDS has it, of Thrust's parts.
template <class Allocator>
using with_allocator_and_stream = thrust::detail::execute_with_allocator<Allocator, execute_on_stream_base>;

class exec_policy : public with_allocator_and_stream<counting_allocator>
{
public:
  exec_policy(cudaStream_t stream, ledger& books)
      : with_allocator_and_stream<counting_allocator>(stream, counting_allocator(books))
  {}
};

using exec_policy_nosync = thrust::detail::execute_with_allocator<arena_allocator, execute_on_stream_nosync_base>;

// The same of ours.
class shorter_exec_policy : public lightscan::allocator_policy<true, counting_allocator>
{
public:
  shorter_exec_policy(cudaStream_t stream, ledger& books)
      : allocator_policy(lightscan::par(counting_allocator(books)).on(stream))
  {}
};
} // namespace a_user

namespace
{
template <class Policy>
void check_own_memory(const char* what, Policy policy, cudaStream_t expected_stream, ledger& books)
{
  SCOPED_TRACE(what);
  ASSERT_NO_FATAL_FAILURE(check_scan_with(policy, expected_stream));
  EXPECT_NE(lightscan::last_launch().taken, lightscan::path::none);
  EXPECT_NE(lightscan::last_launch().taken, lightscan::path::thrust) << "the scan was not ours";
  EXPECT_EQ(books.calls, 1u) << "for the large scan, and not for the small one";
  expect_workspace_came_from(books);

  books = {};
  const pinned out;
  const auto input = thrust::make_transform_iterator(zero, as_for_thrust{});
  thrust::inclusive_scan(policy, input, input + medium, reinterpret_cast<for_thrust*>(out.data), add_values{});
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(expected_stream));
  EXPECT_TRUE(out.holds_result());
  EXPECT_EQ(lightscan::last_launch().taken, lightscan::path::thrust);
  EXPECT_GT(books.calls, 0u) << "Thrust's own scan had memory from elsewhere";
  EXPECT_EQ(books.in_use, 0u) << "Thrust's own scan did not give everything back";
}
} // namespace

TEST_F(policies, of_a_users_own_bring_their_memory_and_their_stream)
{
  const auto check = [&](const char* what, auto make, cudaStream_t expected_stream) {
    ledger books;
    ASSERT_NO_FATAL_FAILURE(check_own_memory(what, make(books), expected_stream, books));
  };
  check(
    "hooks",
    [&](ledger& books) {
      return a_user::policy_with_memory(stream, books);
    },
    stream);
  check(
    "older hooks",
    [&](ledger& books) {
      return a_user::older_policy(books);
    },
    default_stream);
  check(
    "execute_with_allocator",
    [&](ledger& books) {
      return a_user::with_allocator<counting_allocator>(counting_allocator(books));
    },
    default_stream);
  check(
    "execute_with_allocator of a stream base, which no stream was given",
    [&](ledger& books) {
      return a_user::with_allocator_and_stream<counting_allocator>(counting_allocator(books));
    },
    default_stream);
  check(
    "exec_policy",
    [&](ledger& books) {
      return a_user::exec_policy(stream, books);
    },
    stream);
  check(
    "exec_policy on another stream",
    [&](ledger& books) {
      return a_user::exec_policy(default_stream, books).on(stream);
    },
    stream);
  check(
    "shorter_exec_policy",
    [&](ledger& books) {
      return a_user::shorter_exec_policy(stream, books);
    },
    stream);

  ASSERT_NO_FATAL_FAILURE(check_scan_with(a_user::silent_policy{}, default_stream));
  EXPECT_NE(lightscan::last_launch().taken, lightscan::path::thrust);
}

TEST_F(policies, of_a_users_own_wait_as_they_say)
{
  ledger books;
  check_each_family(a_user::exec_policy(stream, books), stream, true);
  check_each_family(a_user::shorter_exec_policy(stream, books), stream, true);
  EXPECT_EQ(books.in_use, 0u);
  arena memory;
  check_each_family(a_user::exec_policy_nosync(stream, arena_allocator(memory)), stream, false);
  EXPECT_EQ(memory.in_use, 0u);
}
