// Rule: lightscan::DeviceScan's by-key entry points; and for all of its entry points, the number of items and the
// initial value may lie in device memory, where a kernel of the same captured graph writes them.
#include "support/entry_check.h"

#include <lightscan/device_scan.h>
#include <lightscan/path.h>

#include <cub/util_type.cuh>

#include <thrust/iterator/counting_iterator.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::DeviceScan;
using lightscan::in_device_memory;
using lightscan::util::no_init;

namespace
{
constexpr unsigned poison = 0xeeeeeeeeu;

struct same_half
{
  __host__ __device__ bool operator()(unsigned l, unsigned r) const
  {
    return l / 2 == r / 2;
  }
};

struct keyed_input
{
  explicit keyed_input(std::int64_t n)
      : keys(random_values<unsigned>(static_cast<std::size_t>(n), 1))
      , values(random_values<unsigned>(static_cast<std::size_t>(n), 2))
  {
    unsigned key = 0;
    for (unsigned& k : keys)
    {
      key += k % 20 == 0;
      k = key;
    }
  }
  std::vector<unsigned> keys, values;
};

// call(keys, values, out, n, storage, bytes): storage is null twice, for the size and for a call that needs none.
template <class Call>
void check(const char* name, const keyed_input& input, const std::vector<unsigned>& expected, Call call)
{
  SCOPED_TRACE(std::string(name) + ", n = " + std::to_string(input.keys.size()));
  guarded_memory<unsigned> keys(input.keys.size(), 0);
  guarded_memory<unsigned> values(input.keys.size(), 0);
  guarded_memory<unsigned> out(input.keys.size(), 1);
  ASSERT_NO_FATAL_FAILURE(keys.upload(input.keys));
  ASSERT_NO_FATAL_FAILURE(values.upload(input.values));
  std::size_t bytes = 0;
  ASSERT_EQ(call(static_cast<void*>(nullptr), bytes, keys.data(), values.data(), out.data()), cudaSuccess);
  guarded_memory<unsigned char> storage(bytes, 1);
  ASSERT_EQ(call(static_cast<void*>(storage.data()), bytes, keys.data(), values.data(), out.data()), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, name));
  out.expect_guards_untouched();
  // In place of the keys.
  ASSERT_EQ(call(static_cast<void*>(storage.data()), bytes, keys.data(), values.data(), keys.data()), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(expect_equal(keys.download(), expected, "in place of the keys"));
  ASSERT_NO_FATAL_FAILURE(expect_equal(values.download(), input.values, "values"));
  keys.expect_guards_untouched();
}

constexpr unsigned init = 1u << 20;
} // namespace

TEST(device_scan_by_key, every_entry_point_in_two_phases)
{
  for (const int n : {1, 33, 100003, 3000017})
  {
    const keyed_input input(n);
    const auto inclusive = [&](auto same, auto op) {
      return host_scan_by_key<true, unsigned>(input.keys, input.values, no_init{}, same, op);
    };
    const auto exclusive = [&](unsigned start, auto same, auto op) {
      return host_scan_by_key<false, unsigned>(input.keys, input.values, start, same, op);
    };
    const std::equal_to<> equal;
    const same_half half;
    check("InclusiveSumByKey", input, inclusive(equal, plus{}), [n](void* s, std::size_t& b, auto... a) {
      return DeviceScan::InclusiveSumByKey(s, b, a..., n);
    });
    check("ExclusiveSumByKey", input, exclusive(0, half, plus{}), [=](void* s, std::size_t& b, auto... a) {
      return DeviceScan::ExclusiveSumByKey(s, b, a..., n, half);
    });
    check("InclusiveScanByKey", input, inclusive(half, maximum{}), [=](void* s, std::size_t& b, auto... a) {
      return DeviceScan::InclusiveScanByKey(s, b, a..., maximum{}, n, half, nullptr);
    });
    check("ExclusiveScanByKey", input, exclusive(init, equal, maximum{}), [=](void* s, std::size_t& b, auto... a) {
      return DeviceScan::ExclusiveScanByKey(s, b, a..., maximum{}, init, n);
    });
  }
}

TEST(device_scan_by_key, in_a_single_call)
{
  constexpr int n = 100003;
  const keyed_input input(n);
  guarded_memory<unsigned> keys(n, 0);
  guarded_memory<unsigned> values(n, 0);
  guarded_memory<unsigned> out(n, 0);
  ASSERT_NO_FATAL_FAILURE(keys.upload(input.keys));
  ASSERT_NO_FATAL_FAILURE(values.upload(input.values));
  const cuda::std::equal_to<> equal;
  const auto expect = [&](cudaError_t error, const std::vector<unsigned>& expected, const char* name) {
    EXPECT_EQ(error, cudaSuccess) << name;
    expect_equal(out.download(), expected, name);
    out.poison_all();
  };
  expect(DeviceScan::InclusiveSumByKey(keys.data(), values.data(), out.data(), n, equal, nullptr),
         host_scan_by_key<true, unsigned>(input.keys, input.values, no_init{}, equal, plus{}),
         "InclusiveSumByKey");
  expect(DeviceScan::ExclusiveSumByKey(keys.data(), values.data(), out.data(), n, same_half{}, nullptr),
         host_scan_by_key<false, unsigned>(input.keys, input.values, 0u, same_half{}, plus{}),
         "ExclusiveSumByKey");
  expect(DeviceScan::InclusiveScanByKey(keys.data(), values.data(), out.data(), maximum{}, n, same_half{}, nullptr),
         host_scan_by_key<true, unsigned>(input.keys, input.values, no_init{}, same_half{}, maximum{}),
         "InclusiveScanByKey");
  expect(DeviceScan::ExclusiveScanByKey(keys.data(), values.data(), out.data(), maximum{}, init, n, equal, nullptr),
         host_scan_by_key<false, unsigned>(input.keys, input.values, init, equal, maximum{}),
         "ExclusiveScanByKey");
}

namespace
{
// Results for the first `count`, and nothing behind them.
std::vector<unsigned> and_poison(std::vector<unsigned> results, std::size_t room)
{
  results.resize(room, poison);
  return results;
}

template <class T>
std::vector<T> first_of(const std::vector<T>& values, std::int64_t count)
{
  return {values.begin(), values.begin() + (count > 0 ? count : 0)};
}

// Runs the scan for one number after the other, each written by a kernel that the same graph replays before it.
__global__ void next_number(const std::int64_t* numbers, int* turn, std::int64_t* number, unsigned* start)
{
  *number = numbers[*turn];
  *start  = static_cast<unsigned>(*turn) + 5u;
  ++*turn;
}

// Some are whole tiles of the plain kernel.
const std::vector<std::int64_t> numbers{1, 1000, 100003, 0, 1 << 16, 3000017, -7, 33, 1 << 21, 4000037};
constexpr std::size_t room = 4000100;

// `offset`: of all ranges, in elements off a 16-byte boundary.
template <class Scan, class Reference>
void check_replays_at(std::size_t offset, Scan scan, Reference reference)
{
  const keyed_input input(room);
  guarded_memory<unsigned> keys(room, offset);
  guarded_memory<unsigned> values(room, offset);
  guarded_memory<unsigned> out(room, offset);
  guarded_memory<std::int64_t> all(numbers.size(), 0);
  guarded_memory<std::int64_t> number(1, 0);
  guarded_memory<int> turn(1, 0);
  guarded_memory<unsigned> start(1, 0);
  guarded_memory<unsigned char> storage(std::size_t{1} << 20, 0);
  ASSERT_NO_FATAL_FAILURE(keys.upload(input.keys));
  ASSERT_NO_FATAL_FAILURE(values.upload(input.values));
  ASSERT_NO_FATAL_FAILURE(all.upload(numbers));
  ASSERT_NO_FATAL_FAILURE(turn.upload({0}));
  cudaStream_t stream      = nullptr;
  cudaGraph_t graph        = nullptr;
  cudaGraphExec_t prepared = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  next_number<<<1, 1, 0, stream>>>(all.data(), turn.data(), number.data(), start.data());
  std::size_t bytes = std::size_t{1} << 20;
  EXPECT_EQ(scan(storage.data(), bytes, keys.data(), values.data(), out.data(), number.data(), start.data(), stream),
            cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&prepared, graph, 0));
  unsigned begin = 5;
  for (const std::int64_t n : numbers)
  {
    out.poison_all();
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(prepared, stream));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    const auto expected = reference(first_of(input.keys, n), first_of(input.values, n), begin++);
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), and_poison(expected, room), "replayed"));
    out.expect_guards_untouched();
  }
  LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(prepared));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}

template <class Scan, class Reference>
void check_replays(Scan scan, Reference reference)
{
  ASSERT_NO_FATAL_FAILURE(check_replays_at(0, scan, reference));
  ASSERT_NO_FATAL_FAILURE(check_replays_at(1, scan, reference));
}
} // namespace

TEST(numbers_in_device_memory, are_read_when_a_graph_is_replayed)
{
  ASSERT_NO_FATAL_FAILURE(check_replays(
    [](void* s, std::size_t& b, auto, auto* values, auto* out, auto* n, auto*, cudaStream_t stream) {
      return DeviceScan::InclusiveSum(s, b, values, out, n, stream);
    },
    [](auto, auto values, unsigned) {
      return host_scan<true>(values, no_init{}, plus{});
    }));
}

TEST(numbers_in_device_memory, go_with_initial_values_in_device_memory)
{
  ASSERT_NO_FATAL_FAILURE(check_replays(
    [](void* s, std::size_t& b, auto, auto* values, auto* out, auto* n, auto* start, cudaStream_t stream) {
      return DeviceScan::ExclusiveScan(s, b, values, out, plus{}, in_device_memory(start), in_device_memory(n), stream);
    },
    [](auto, auto values, unsigned start) {
      return host_scan<false>(values, start, plus{});
    }));
}

TEST(numbers_in_device_memory, serve_iterators)
{
  const thrust::counting_iterator<unsigned> from_three(3);
  ASSERT_NO_FATAL_FAILURE(check_replays(
    [&](void* s, std::size_t& b, auto, auto*, auto* out, auto* n, auto* start, cudaStream_t stream) {
      return DeviceScan::ExclusiveScan(
        s, b, from_three, out, plus{}, in_device_memory(start), in_device_memory(n), stream);
    },
    [&](auto, const auto& values, unsigned start) {
      return host_scan<false>(std::vector<unsigned>(from_three, from_three + values.size()), start, plus{});
    }));
}

TEST(numbers_in_device_memory, serve_the_plain_kernel)
{
  ASSERT_NO_FATAL_FAILURE(check_replays(
    [](void* s, std::size_t& b, auto, auto* values, auto* out, auto* n, auto*, cudaStream_t stream) {
      namespace dispatch = lightscan::dispatch;
      using number       = lightscan::device_value<std::int64_t>;
      using problem      = dispatch::scan_problem<unsigned, const unsigned*, unsigned*, plus, no_init, true, number>;
      const problem asked{{values}, out, in_device_memory<std::int64_t>(n), plus{}, no_init{}};
      return dispatch::launcher<problem>(asked, stream, dispatch::kernels::plain_only)
        .run(lightscan::runtime::slots_brought(s, b))
        .error;
    },
    [](auto, const auto& values, unsigned) {
      return host_scan<true>(values, no_init{}, plus{});
    }));
  EXPECT_EQ(lightscan::last_launch().taken, lightscan::path::plain_kernel);
}

TEST(numbers_in_device_memory, serve_scans_by_key)
{
  ASSERT_NO_FATAL_FAILURE(check_replays(
    [](void* s, std::size_t& b, auto* keys, auto* values, auto* out, auto* n, auto* start, cudaStream_t stream) {
      return DeviceScan::ExclusiveScanByKey(
        s, b, keys, values, out, plus{}, in_device_memory(start), n, cuda::std::equal_to<>{}, stream);
    },
    [](auto keys, auto values, unsigned start) {
      return host_scan_by_key<false, unsigned>(keys, values, start, std::equal_to<>{}, plus{});
    }));
}

TEST(initial_values_in_device_memory, may_be_cubs_future_values)
{
  const std::vector<unsigned> input = random_values<unsigned>(100003);
  guarded_memory<unsigned> data(input.size(), 0);
  guarded_memory<unsigned> start(1, 0);
  guarded_memory<int> number(1, 0);
  ASSERT_NO_FATAL_FAILURE(data.upload(input));
  ASSERT_NO_FATAL_FAILURE(start.upload({77}));
  ASSERT_NO_FATAL_FAILURE(number.upload({100003}));
  const cub::FutureValue<unsigned> later(start.data());
  EXPECT_EQ(
    DeviceScan::ExclusiveScan(data.data(), data.data(), plus{}, later, static_cast<int>(input.size())), cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(expect_equal(data.download(), host_scan<false>(input, 77u, plus{}), "a future value"));
  // A single call with a number of 32 bits in device memory.
  ASSERT_NO_FATAL_FAILURE(data.upload(input));
  const int* const items = number.data();
  EXPECT_EQ(DeviceScan::InclusiveScanInit(data.data(), data.data(), plus{}, later, items), cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(expect_equal(data.download(), host_scan<true>(input, 77u, plus{}), "both"));
}
