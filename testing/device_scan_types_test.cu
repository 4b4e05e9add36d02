// Rules of lightscan::DeviceScan for accumulators that are not bitwise copyable or have more than 1,024 bytes: CUB's
// own scan serves them, in all forms, with the caller's storage, a resource's or memory in stream order; and says so.
#include "support/copied_by_hand.h"
#include "support/counting_allocator.h"
#include "support/entry_check.h"
#include "support/operators.h"

#include <lightscan/device_scan.h>
#include <lightscan/path.h>

#include <cub/util_type.cuh>

#include <cuda/std/functional>
#include <cuda/stream_ref>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <cuda_runtime_api.h>

using namespace testing_support;
using lightscan::DeviceScan;
using lightscan::in_device_memory;
using lightscan::last_launch;
using lightscan::util::no_init;

namespace
{
using wide = words_of_size<300>; // 1,200 bytes

static_assert(!lightscan::is_accelerated_v<copied_by_hand> && !lightscan::is_accelerated_v<wide>);

struct most
{
  __host__ __device__ copied_by_hand operator()(const copied_by_hand& a, const copied_by_hand& b) const
  {
    return a.value < b.value ? b : a;
  }
};

// A key that no slot takes.
struct named
{
  unsigned name;

  __host__ __device__ named(unsigned n = 0)
      : name(n)
  {}
  __host__ __device__ named(const named& other)
      : name(other.name)
  {}
  named& operator=(const named&) = default;

  friend __host__ __device__ bool operator==(const named& l, const named& r)
  {
    return l.name == r.name;
  }
};

constexpr int n    = 100003;
constexpr int init = 1 << 20;

// Numbers in memory, scanned as objects that are copied by hand.
class device_scan_types : public ::testing::Test
{
protected:
  device_scan_types()
      : values(n)
      , keys(n)
      , in(n, 0)
      , keys_in(n, 0)
      , out(n, 1)
  {
    const std::vector<unsigned> random = random_values<unsigned>(n);
    unsigned key                       = 0;
    for (std::size_t i = 0; i < random.size(); ++i)
    {
      values[i] = static_cast<int>(random[i] % 10000);
      key += random[i] % 20 == 0;
      keys[i] = key;
    }
  }

  void SetUp() override
  {
    ASSERT_NO_FATAL_FAILURE(in.upload(values));
    ASSERT_NO_FATAL_FAILURE(keys_in.upload(keys));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }
  void TearDown() override
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  }

  copied_by_hand* from() const
  {
    return reinterpret_cast<copied_by_hand*>(in.data());
  }
  copied_by_hand* to() const
  {
    return reinterpret_cast<copied_by_hand*>(out.data());
  }

  void expect_by_cub(const char* call) const
  {
    EXPECT_EQ(last_launch().taken, lightscan::path::cub) << call;
    EXPECT_STREQ(last_launch().call, call);
    EXPECT_EQ(last_launch().num_items, n) << call;
    EXPECT_EQ(last_launch().blocks, 0) << "of another scan";
  }

  void expect(cudaError_t error, const std::vector<int>& expected, const char* call)
  {
    EXPECT_EQ(error, cudaSuccess) << call;
    expect_by_cub(call);
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, call));
    out.expect_guards_untouched();
    out.poison_all();
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }

  void expect_in_place(cudaError_t error, const std::vector<int>& expected, const char* call)
  {
    EXPECT_EQ(error, cudaSuccess) << call;
    expect_by_cub(call);
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    ASSERT_NO_FATAL_FAILURE(expect_equal(in.download(), expected, call));
    in.expect_guards_untouched();
    ASSERT_NO_FATAL_FAILURE(in.upload(values));
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }

  // call(storage, bytes): for the size, then with storage that begins one byte off any boundary.
  template <class Call>
  cudaError_t in_two_phases(Call call)
  {
    std::size_t bytes = 0;
    if (const cudaError_t error = call(static_cast<void*>(nullptr), bytes))
    {
      return error;
    }
    EXPECT_GE(bytes, 1u);
    guarded_memory<unsigned char> storage(bytes, 1);
    const cudaError_t error = call(static_cast<void*>(storage.data()), bytes);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    storage.expect_guards_untouched();
    return error;
  }

  std::vector<int> sums() const
  {
    return host_scan<true>(values, no_init{}, plus{});
  }

  std::vector<int> values;
  std::vector<unsigned> keys;
  guarded_memory<int> in;
  guarded_memory<unsigned> keys_in;
  guarded_memory<int> out;
  cudaStream_t stream = nullptr;
};
} // namespace

TEST_F(device_scan_types, every_entry_point_in_two_phases)
{
  const copied_by_hand start(init);
  expect(in_two_phases([&](void* s, std::size_t& b) {
           return DeviceScan::InclusiveSum(s, b, from(), to(), n);
         }),
         sums(),
         "inclusive_scan");
  expect(in_two_phases([&](void* s, std::size_t& b) {
           return DeviceScan::ExclusiveSum(s, b, from(), to(), std::int64_t{n}, stream);
         }),
         host_scan<false>(values, 0, plus{}),
         "exclusive_scan");
  expect(in_two_phases([&](void* s, std::size_t& b) {
           return DeviceScan::InclusiveScan(s, b, from(), to(), most{}, n);
         }),
         host_scan<true>(values, no_init{}, maximum{}),
         "inclusive_scan");
  expect(in_two_phases([&](void* s, std::size_t& b) {
           return DeviceScan::ExclusiveScan(s, b, from(), to(), cuda::std::plus<>{}, start, n);
         }),
         host_scan<false>(values, init, plus{}),
         "exclusive_scan");
  expect(in_two_phases([&](void* s, std::size_t& b) {
           return DeviceScan::InclusiveScanInit(s, b, from(), to(), cuda::std::plus<>{}, start, n);
         }),
         host_scan<true>(values, init, plus{}),
         "inclusive_scan");
  expect_in_place(in_two_phases([&](void* s, std::size_t& b) {
                    return DeviceScan::InclusiveSum(s, b, from(), n);
                  }),
                  sums(),
                  "inclusive_scan");
}

TEST_F(device_scan_types, every_entry_point_in_a_single_call)
{
  const cuda::std::plus<> add;
  const copied_by_hand start(init);
  expect(DeviceScan::InclusiveSum(from(), to(), n), sums(), "inclusive_scan");
  expect(DeviceScan::ExclusiveSum(from(), to(), n, stream), host_scan<false>(values, 0, plus{}), "exclusive_scan");
  expect(DeviceScan::InclusiveScan(from(), to(), most{}, n, cuda::stream_ref(stream)),
         host_scan<true>(values, no_init{}, maximum{}),
         "inclusive_scan");
  expect(DeviceScan::ExclusiveScan(from(), to(), add, start, n, stream),
         host_scan<false>(values, init, plus{}),
         "exclusive_scan");
  expect(DeviceScan::InclusiveScanInit(from(), to(), add, start, n, stream),
         host_scan<true>(values, init, plus{}),
         "inclusive_scan");
  expect_in_place(DeviceScan::InclusiveSum(from(), n, stream), sums(), "inclusive_scan");
  expect_in_place(
    DeviceScan::ExclusiveScan(from(), add, start, n), host_scan<false>(values, init, plus{}), "exclusive_scan");
}

TEST_F(device_scan_types, every_entry_point_by_key)
{
  const std::equal_to<> equal;
  const cuda::std::plus<> add;
  const copied_by_hand start(init);
  const auto inclusive = [&](auto op) {
    return host_scan_by_key<true, int>(keys, values, no_init{}, equal, op);
  };
  const auto exclusive = [&](int begin) {
    return host_scan_by_key<false, int>(keys, values, begin, equal, plus{});
  };
  const unsigned* const k = keys_in.data();
  expect(in_two_phases([&](void* s, std::size_t& b) {
           return DeviceScan::InclusiveSumByKey(s, b, k, from(), to(), n);
         }),
         inclusive(plus{}),
         "inclusive_scan_by_key");
  expect(in_two_phases([&](void* s, std::size_t& b) {
           return DeviceScan::ExclusiveScanByKey(s, b, k, from(), to(), add, start, n);
         }),
         exclusive(init),
         "exclusive_scan_by_key");
  expect(DeviceScan::InclusiveScanByKey(k, from(), to(), most{}, n), inclusive(maximum{}), "inclusive_scan_by_key");
  expect(DeviceScan::ExclusiveSumByKey(k, from(), to(), n, cuda::std::equal_to<>{}, stream),
         exclusive(0),
         "exclusive_scan_by_key");
  // Keys that are copied by hand, values that are not.
  const auto* const names = reinterpret_cast<const named*>(k);
  expect(DeviceScan::InclusiveSumByKey(names, in.data(), out.data(), n), inclusive(plus{}), "inclusive_scan_by_key");
}

TEST_F(device_scan_types, more_than_1024_bytes)
{
  constexpr std::size_t count  = 1009;
  const std::vector<wide> many = random_values<wide>(count);
  guarded_memory<wide> wide_in(count, 0);
  guarded_memory<wide> wide_out(count, 0);
  ASSERT_NO_FATAL_FAILURE(wide_in.upload(many));
  EXPECT_EQ(DeviceScan::InclusiveSum(wide_in.data(), wide_out.data(), count, stream), cudaSuccess);
  EXPECT_EQ(last_launch().taken, lightscan::path::cub);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  ASSERT_NO_FATAL_FAILURE(expect_equal(wide_out.download(), host_scan<true>(many, no_init{}, plus{}), "wide"));
}

TEST_F(device_scan_types, an_initial_value_in_device_memory)
{
  guarded_memory<int> start(1, 0);
  ASSERT_NO_FATAL_FAILURE(start.upload({init}));
  auto* const begin                  = reinterpret_cast<copied_by_hand*>(start.data());
  const copied_by_hand* const unread = begin;
  const cuda::std::plus<> add;
  const std::vector<int> expected = host_scan<false>(values, init, plus{});
  expect(DeviceScan::ExclusiveScan(from(), to(), add, in_device_memory(unread), n), expected, "exclusive_scan");
  expect(DeviceScan::ExclusiveScan(from(), to(), add, cub::FutureValue<copied_by_hand>(begin), n, stream),
         expected,
         "exclusive_scan");
}

TEST_F(device_scan_types, asks_for_cubs_storage)
{
  std::size_t before = 0;
  for (const std::int64_t count : {-1000, -1, 0, 1, 33, 1000, 100003, 3000017, 1 << 30})
  {
    std::size_t bytes = 0;
    ASSERT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, from(), to(), count), cudaSuccess);
    EXPECT_GE(bytes, before) << count;
    EXPECT_TRUE(count > 0 || bytes == 1) << count;
    before = bytes;
  }
  std::size_t bytes = 0;
  std::size_t cubs  = 0;
  ASSERT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, from(), to(), std::int64_t{n}), cudaSuccess);
  ASSERT_EQ(cub::DeviceScan::InclusiveSum(nullptr, cubs, from(), to(), std::int64_t{n}), cudaSuccess);
  EXPECT_EQ(bytes, cubs);

  guarded_memory<unsigned char> storage(bytes, 0);
  for (const std::size_t less : {std::size_t{0}, std::size_t{1}, bytes - 1})
  {
    std::size_t given = less;
    EXPECT_EQ(DeviceScan::InclusiveSum(storage.data(), given, from(), to(), n), cudaErrorInvalidValue) << less;
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(out.download(), std::vector<int>(n, static_cast<int>(0xeeeeeeeeu)));
}

TEST_F(device_scan_types, of_no_items_or_fewer_does_nothing)
{
  ASSERT_EQ(DeviceScan::InclusiveSum(from(), to(), n), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  out.poison_all();
  ledger books;
  counting_resource resource(books);
  for (const int none : {0, -1, -1000000})
  {
    EXPECT_EQ(DeviceScan::InclusiveSum(from(), to(), none), cudaSuccess);
    EXPECT_EQ(last_launch().taken, lightscan::path::none);
    EXPECT_EQ(DeviceScan::InclusiveSum(from(), to(), none, stream, resource), cudaSuccess);
    EXPECT_EQ(in_two_phases([&](void* s, std::size_t& b) {
                return DeviceScan::InclusiveSum(s, b, from(), to(), none);
              }),
              cudaSuccess);
  }
  EXPECT_EQ(books.calls, 0u);
  EXPECT_EQ(out.download(), std::vector<int>(n, static_cast<int>(0xeeeeeeeeu)));
}

TEST_F(device_scan_types, memory_from_a_resource)
{
  std::size_t bytes = 0;
  ASSERT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, from(), to(), n), cudaSuccess);
  ledger books;
  counting_resource resource(books);
  expect(DeviceScan::InclusiveSum(from(), to(), n, stream, resource), sums(), "inclusive_scan");
  EXPECT_EQ(books.calls, 1u);
  EXPECT_EQ(books.peak, bytes);
  EXPECT_EQ(books.in_use, 0u);
  books.fail_at = 2;
  EXPECT_EQ(DeviceScan::InclusiveSum(from(), to(), n, stream, resource), cudaErrorMemoryAllocation);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(out.download(), std::vector<int>(n, static_cast<int>(0xeeeeeeeeu)));
}

TEST_F(device_scan_types, a_captured_call)
{
  ASSERT_EQ(DeviceScan::InclusiveSum(from(), to(), n, stream), cudaSuccess); // loads the kernels
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  out.poison_all();
  cudaGraph_t graph        = nullptr;
  cudaGraphExec_t prepared = nullptr;
  ledger books;
  counting_resource resource(books);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT_EQ(DeviceScan::InclusiveSum(from(), to(), n, stream, resource), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
  EXPECT_EQ(books.calls, 0u);
  LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&prepared, graph, 0));
  for (int round = 0; round < 2; ++round)
  {
    LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(prepared, stream));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), sums(), "replayed"));
    out.poison_all();
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }
  LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(prepared));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
}
