// Rule: a policy may carry a stream, an allocator or a memory resource, in any order, or be a class of the user's own. Temporary
// memory then comes from there, as much as the launch takes, and goes back; an allocator that throws leaves the output and
// CUDA's error state alone. `par` waits for the result, `par_nosync` for nothing.
#include "support/counting_allocator.h"
#include "support/entry_check.h"
#include "support/held_stream.h"

#include <lightscan/lightscan.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/memory.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/memory_resource.h>
#include <thrust/transform_scan.h>

#include <cuda/std/cstddef>
#include <cuda/std/functional>
#include <cuda/std/utility>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

using namespace testing_support;
using lightscan::par;
using lightscan::par_nosync;

namespace
{
constexpr int small  = 1000;    // one tile, for which nobody is asked for memory
constexpr int medium = 100003;  // some tiles
constexpr int large  = 3000017; // beyond the bulk pipeline's threshold

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

struct as_for_thrust
{
  __host__ __device__ for_thrust operator()(unsigned value) const
  {
    for_thrust made;
    made.value = value;
    return made;
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
      expect_equal(data.download(), host_scan<true>(input, lightscan::util::no_init{}, plus{}), "scan"));
  }
}

// What check_scan_with's scan of n elements takes from an allocator, which may not align it.
std::size_t bytes_for_scan_of(int n)
{
  using problem =
    lightscan::dispatch::scan_problem<unsigned, unsigned*, unsigned*, plus, lightscan::util::no_init, true>;
  const std::size_t bytes = lightscan::dispatch::launcher<problem>::bytes_for(problem{{nullptr}, nullptr, n, {}, {}});
  return bytes == 0 ? 0 : bytes + 7;
}

// As much as the largest scan takes, in the allocator's units, and none left.
void expect_workspace_came_from(const ledger& books)
{
  ASSERT_EQ(bytes_for_scan_of(small), 0u);
  ASSERT_GT(bytes_for_scan_of(large), 0u);
  EXPECT_GE(books.peak, bytes_for_scan_of(large));
  EXPECT_LT(books.peak, bytes_for_scan_of(large) + sizeof(cuda::std::max_align_t));
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

namespace
{
// Memory that the host reads as soon as the GPU has written it.
struct pinned
{
  pinned()
  {
    EXPECT_EQ(
      cudaHostAlloc(reinterpret_cast<void**>(&data), medium * sizeof(unsigned), cudaHostAllocMapped), cudaSuccess);
    std::fill(data, data + medium, 0u);
  }
  ~pinned()
  {
    EXPECT_EQ(cudaFreeHost(data), cudaSuccess);
  }
  bool holds_result() const
  {
    return data[medium - 1] == static_cast<unsigned>(std::uint64_t{medium} * (medium - 1) / 2);
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
    std::fill(out.data, out.data + medium, 0u);
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
    thrust::inclusive_scan(policy, zero, zero + medium, out);
  });
  check("transform_inclusive_scan", [&](unsigned* out) {
    thrust::transform_inclusive_scan(policy, zero, zero + medium, out, cuda::std::identity{}, plus{});
  });
  const thrust::constant_iterator<int> one_segment(1);
  check("inclusive_scan_by_key", [&](unsigned* out) {
    thrust::inclusive_scan_by_key(policy, one_segment, one_segment + medium, zero, out);
  });
  const auto for_thrusts_own = thrust::make_transform_iterator(zero, as_for_thrust{});
  check("Thrust's own inclusive_scan", [&](unsigned* out) {
    thrust::inclusive_scan(
      policy, for_thrusts_own, for_thrusts_own + medium, reinterpret_cast<for_thrust*>(out), add_values{});
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

// Policies of a user's own --------------------------------------------------------------------------------------------

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
