// Rule: lightscan::DeviceScan's entry points give what cub::DeviceScan's give: with the caller's storage in two phases,
// in place, in a single call, and with a memory resource. They return errors, and leave the output alone where they do.
#include "support/counting_allocator.h"
#include "support/entry_check.h"

#include <lightscan/device_scan.h>

#include <cuda/std/functional>
#include <cuda/stream_ref>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::DeviceScan;
using lightscan::carry::no_init;

namespace
{
constexpr unsigned init = 1u << 31;

const std::vector<std::int64_t> sizes{1, 33, 1000, 100003, 3000017};

// Calls call(storage, bytes) for the size, then with storage that begins one byte off any boundary.
template <class Call>
void in_two_phases(Call call)
{
  std::size_t bytes = 0;
  ASSERT_EQ(call(static_cast<void*>(nullptr), bytes), cudaSuccess);
  guarded_memory<unsigned char> storage(bytes, 1);
  ASSERT_EQ(call(static_cast<void*>(storage.data()), bytes), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  storage.expect_guards_untouched();
}

// One of the entry points on unsigned integers: its result by the sequential scan, and a way to call it.
template <class Reference, class TwoPhases, class AtOnce, class InPlace>
void check(const char* name, Reference reference, TwoPhases two_phases, AtOnce at_once, InPlace in_place)
{
  for (const std::int64_t n : sizes)
  {
    SCOPED_TRACE(std::string(name) + ", n = " + std::to_string(n));
    const std::vector<unsigned> input    = random_values<unsigned>(static_cast<std::size_t>(n));
    const std::vector<unsigned> expected = reference(input);
    guarded_memory<unsigned> in(input.size(), 0);
    guarded_memory<unsigned> out(input.size(), 1);
    ASSERT_NO_FATAL_FAILURE(in.upload(input));

    ASSERT_NO_FATAL_FAILURE(in_two_phases([&](void* storage, std::size_t& bytes) {
      return two_phases(storage, bytes, in.data(), out.data(), n);
    }));
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "two phases"));

    out.poison_all();
    cudaStream_t stream = nullptr;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    EXPECT_EQ(at_once(in.data(), out.data(), static_cast<int>(n), stream), cudaSuccess);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "a single call"));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));

    ASSERT_NO_FATAL_FAILURE(expect_equal(in.download(), input, "input"));
    ASSERT_NO_FATAL_FAILURE(in_two_phases([&](void* storage, std::size_t& bytes) {
      return in_place(storage, bytes, in.data(), n);
    }));
    ASSERT_NO_FATAL_FAILURE(expect_equal(in.download(), expected, "in place"));
    in.expect_guards_untouched();
    out.expect_guards_untouched();
  }
}
} // namespace

TEST(device_scan, inclusive_sum)
{
  check(
    "InclusiveSum",
    [](const auto& input) {
      return host_scan<true>(input, no_init{}, plus{});
    },
    [](void* s, std::size_t& b, auto... a) {
      return DeviceScan::InclusiveSum(s, b, a...);
    },
    [](auto... a) {
      return DeviceScan::InclusiveSum(a...);
    },
    [](void* s, std::size_t& b, auto* data, auto n) {
      return DeviceScan::InclusiveSum(s, b, data, n);
    });
}

TEST(device_scan, exclusive_sum)
{
  check(
    "ExclusiveSum",
    [](const auto& input) {
      return host_scan<false>(input, 0u, plus{});
    },
    [](void* s, std::size_t& b, auto... a) {
      return DeviceScan::ExclusiveSum(s, b, a...);
    },
    [](auto... a) {
      return DeviceScan::ExclusiveSum(a...);
    },
    [](void* s, std::size_t& b, auto* data, auto n) {
      return DeviceScan::ExclusiveSum(s, b, data, n, cudaStream_t{});
    });
}

TEST(device_scan, inclusive_scan)
{
  check(
    "InclusiveScan",
    [](const auto& input) {
      return host_scan<true>(input, no_init{}, maximum{});
    },
    [](void* s, std::size_t& b, auto in, auto out, auto n) {
      return DeviceScan::InclusiveScan(s, b, in, out, maximum{}, n);
    },
    [](auto in, auto out, auto n, auto stream) {
      return DeviceScan::InclusiveScan(in, out, maximum{}, n, stream);
    },
    [](void* s, std::size_t& b, auto* data, auto n) {
      return DeviceScan::InclusiveScan(s, b, data, maximum{}, n);
    });
}

TEST(device_scan, exclusive_scan)
{
  check(
    "ExclusiveScan",
    [](const auto& input) {
      return host_scan<false>(input, init, maximum{});
    },
    [](void* s, std::size_t& b, auto in, auto out, auto n) {
      return DeviceScan::ExclusiveScan(s, b, in, out, maximum{}, init, n);
    },
    [](auto in, auto out, auto n, auto stream) {
      return DeviceScan::ExclusiveScan(in, out, maximum{}, init, n, stream);
    },
    [](void* s, std::size_t& b, auto* data, auto n) {
      return DeviceScan::ExclusiveScan(s, b, data, maximum{}, init, n, cudaStream_t{});
    });
}

TEST(device_scan, inclusive_scan_init)
{
  const auto in_two = [](void* s, std::size_t& b, auto in, auto out, auto n) {
    return DeviceScan::InclusiveScanInit(s, b, in, out, maximum{}, init, n);
  };
  check(
    "InclusiveScanInit",
    [](const auto& input) {
      return host_scan<true>(input, init, maximum{});
    },
    in_two,
    [](auto in, auto out, auto n, auto stream) {
      return DeviceScan::InclusiveScanInit(in, out, maximum{}, init, n, stream);
    },
    [&](void* s, std::size_t& b, auto* data, auto n) {
      return in_two(s, b, data, data, n);
    });
}

TEST(device_scan, accumulates_in_what_the_operator_makes_of_two_values)
{
  constexpr int n = 1000;
  guarded_memory<std::uint8_t> in(n, 0);
  guarded_memory<int> out(n, 0);
  ASSERT_NO_FATAL_FAILURE(in.upload(std::vector<std::uint8_t>(n, 1)));
  EXPECT_EQ(DeviceScan::InclusiveSum(in.data(), out.data(), n), cudaSuccess);
  EXPECT_EQ(out.download()[n - 1], n); // uint8 + uint8 is an int
  EXPECT_EQ(DeviceScan::ExclusiveScan(in.data(), out.data(), cuda::std::plus<>{}, std::uint8_t{200}, n), cudaSuccess);
  EXPECT_EQ(out.download()[n - 1], 200 + n - 1);
}

TEST(device_scan, asks_for_the_same_storage_whatever_the_number_of_items)
{
  guarded_memory<unsigned> data(100, 0);
  std::size_t first = 0;
  ASSERT_EQ(DeviceScan::InclusiveSum(nullptr, first, data.data(), data.data(), 1), cudaSuccess);
  EXPECT_GE(first, std::size_t{320} << 10);
  EXPECT_LE(first, std::size_t{321} << 10);
  for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{100}, std::int64_t{1} << 40})
  {
    std::size_t bytes = 1;
    EXPECT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, data.data(), data.data(), n), cudaSuccess);
    EXPECT_EQ(bytes, first) << n;
  }
  std::size_t bytes = 1;
  EXPECT_EQ(DeviceScan::ExclusiveSumByKey(nullptr, bytes, data.data(), data.data(), data.data(), 100), cudaSuccess);
  EXPECT_EQ(bytes, first);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(data.download(), std::vector<unsigned>(100, 0xeeeeeeeeu)) << "asking for the size wrote something";
}

TEST(device_scan, reports_storage_that_is_too_small_and_does_nothing)
{
  guarded_memory<unsigned> data(100, 0);
  std::size_t bytes = 0;
  ASSERT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, data.data(), 100), cudaSuccess);
  guarded_memory<unsigned char> storage(bytes, 0);
  for (const std::size_t less : {std::size_t{0}, std::size_t{1}, bytes - 1})
  {
    std::size_t given = less;
    EXPECT_EQ(DeviceScan::InclusiveSum(storage.data(), given, data.data(), 100), cudaErrorInvalidValue) << less;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(data.download(), std::vector<unsigned>(100, 0xeeeeeeeeu));
}

// What an earlier scan left in the storage is as good as a slot of this one would be, had it not been cleared.
TEST(device_scan, takes_storage_with_anything_in_it)
{
  for (const std::int64_t n : {std::int64_t{100003}, std::int64_t{3000017}})
  {
    guarded_memory<unsigned> in(static_cast<std::size_t>(n), 0);
    guarded_memory<unsigned> out(static_cast<std::size_t>(n), 0);
    std::size_t bytes = 0;
    ASSERT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, in.data(), out.data(), n), cudaSuccess);
    guarded_memory<unsigned char> storage(bytes, 0);
    for (unsigned round = 0; round < 3; ++round)
    {
      const std::vector<unsigned> input = random_values<unsigned>(static_cast<std::size_t>(n), round);
      ASSERT_NO_FATAL_FAILURE(in.upload(input));
      ASSERT_EQ(DeviceScan::InclusiveSum(storage.data(), bytes, in.data(), out.data(), n), cudaSuccess);
      SCOPED_TRACE("round " + std::to_string(round));
      const std::vector<unsigned> expected = host_scan<true>(input, no_init{}, std::plus<unsigned>{});
      ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "in used storage"));
    }
  }
}

TEST(device_scan, of_no_items_or_fewer_does_nothing)
{
  guarded_memory<unsigned> data(100, 0);
  for (const int n : {0, -1, -1000000})
  {
    EXPECT_EQ(DeviceScan::InclusiveSum(data.data(), data.data(), n), cudaSuccess);
    EXPECT_EQ(DeviceScan::ExclusiveScan(data.data(), data.data(), maximum{}, init, n), cudaSuccess);
    ASSERT_NO_FATAL_FAILURE(in_two_phases([&](void* storage, std::size_t& bytes) {
      return DeviceScan::InclusiveSum(storage, bytes, data.data(), data.data(), n);
    }));
  }
  EXPECT_EQ(data.download(), std::vector<unsigned>(100, 0xeeeeeeeeu));
}

namespace
{
// The two kinds of resource that know streams; the third is support/counting_allocator.h's.
struct stream_first : ledger
{
  void* allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t)
  {
    asked_for = stream.get();
    return ledger::allocate(bytes);
  }
  void deallocate(cuda::stream_ref, void* memory, std::size_t bytes, std::size_t)
  {
    ledger::deallocate(memory, bytes);
  }
  cudaStream_t asked_for = nullptr;
};

struct stream_last : ledger
{
  void* allocate_async(std::size_t bytes, std::size_t, cuda::stream_ref stream)
  {
    asked_for = stream.get();
    return ledger::allocate(bytes);
  }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t, cuda::stream_ref)
  {
    ledger::deallocate(memory, bytes);
  }
  cudaStream_t asked_for = nullptr;
};

struct without_streams : ledger, counting_resource
{
  without_streams()
      : counting_resource(static_cast<ledger&>(*this))
  {}
  using counting_resource::allocate;
  using counting_resource::deallocate;
};

struct gives_nothing
{
  void* allocate(std::size_t, std::size_t)
  {
    return nullptr;
  }
  void deallocate(void*, std::size_t, std::size_t)
  {
    ADD_FAILURE() << "nothing was allocated";
  }
};

// Returns the resource as the calls left it.
template <class Resource>
void check_resource(cudaStream_t stream, Resource& resource)
{
  const std::vector<unsigned> input = random_values<unsigned>(3000017);
  guarded_memory<unsigned> in(input.size(), 0);
  guarded_memory<unsigned> out(input.size(), 0);
  ASSERT_NO_FATAL_FAILURE(in.upload(input));
  const auto scan = [&] {
    return DeviceScan::InclusiveScan(in.data(), out.data(), maximum{}, input.size(), stream, resource);
  };
  resource.fail_at = 1;
  EXPECT_EQ(scan(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(
    expect_equal(out.download(), std::vector<unsigned>(input.size(), 0xeeeeeeeeu), "where there is no memory"));

  EXPECT_EQ(scan(), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), host_scan<true>(input, no_init{}, maximum{}), "resource"));
  EXPECT_EQ(resource.calls, 2u);
  EXPECT_GE(resource.peak, std::size_t{320} << 10);
  EXPECT_EQ(resource.in_use, 0u);
}
} // namespace

TEST(device_scan, takes_memory_from_a_resource_of_any_kind)
{
  cudaStream_t stream = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  stream_first first;
  stream_last last;
  without_streams neither;
  ASSERT_NO_FATAL_FAILURE(check_resource(stream, first));
  EXPECT_EQ(first.asked_for, stream);
  ASSERT_NO_FATAL_FAILURE(check_resource(stream, last));
  EXPECT_EQ(last.asked_for, stream);
  ASSERT_NO_FATAL_FAILURE(check_resource(stream, neither));
  guarded_memory<unsigned> data(100, 0);
  gives_nothing none;
  EXPECT_EQ(DeviceScan::InclusiveSum(data.data(), data.data(), 100, stream, none), cudaErrorMemoryAllocation);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}
