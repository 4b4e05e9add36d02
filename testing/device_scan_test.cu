// Rule: lightscan::DeviceScan's entry points give what cub::DeviceScan's give: with the caller's storage in two phases,
// in place, in a single call, and with a memory resource. They return errors, and leave the output alone where they do.
#include "support/counting_allocator.h"
#include "support/entry_check.h"

#include <lightscan/device_scan.h>
#include <lightscan/dispatch/plan.h>

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
using lightscan::util::no_init;

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

// Never none, which cudaMalloc would make a null pointer of; never less for more items.
TEST(device_scan, asks_for_storage_that_does_not_shrink_with_the_number_of_items)
{
  constexpr std::size_t most = lightscan::carry::workspace_bytes + 7; // whatever the storage's alignment
  guarded_memory<unsigned> data(100, 0);
  std::size_t before       = 1;
  std::size_t before_keyed = 1;
  for (int power = 0; power < 48; ++power)
  {
    for (const std::int64_t n : {(std::int64_t{1} << power) - 1, std::int64_t{1} << power})
    {
      std::size_t bytes = 0;
      EXPECT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, data.data(), data.data(), n), cudaSuccess);
      EXPECT_GE(bytes, before) << n;
      EXPECT_LE(bytes, most) << n;
      before = bytes;
      EXPECT_EQ(DeviceScan::ExclusiveSumByKey(nullptr, bytes, data.data(), data.data(), data.data(), n), cudaSuccess);
      EXPECT_GE(bytes, before_keyed) << n;
      EXPECT_LE(bytes, most) << n;
      before_keyed = bytes;
    }
  }
  for (const int n : {0, -1, -1000000})
  {
    std::size_t bytes = 0;
    EXPECT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, data.data(), data.data(), n), cudaSuccess);
    EXPECT_EQ(bytes, 1u) << n;
  }
  std::size_t bytes          = 0;
  const unsigned* const last = data.data();
  EXPECT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, data.data(), data.data(), last), cudaSuccess);
  EXPECT_EQ(bytes, most) << "of a number of items that only the GPU knows";
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(data.download(), std::vector<unsigned>(100, 0xeeeeeeeeu)) << "asking for the size wrote something";
}

TEST(device_scan, reports_storage_that_is_too_small_and_does_nothing)
{
  for (const std::size_t n : {std::size_t{100}, std::size_t{3000017}})
  {
    guarded_memory<unsigned> data(n, 0);
    std::size_t bytes = 0;
    ASSERT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, data.data(), n), cudaSuccess);
    guarded_memory<unsigned char> storage(bytes, 0);
    for (const std::size_t less : {std::size_t{0}, bytes / 2, bytes - 1})
    {
      std::size_t given = less;
      EXPECT_EQ(DeviceScan::InclusiveSum(storage.data(), given, data.data(), n), cudaErrorInvalidValue) << less;
      EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    EXPECT_EQ(data.download(), std::vector<unsigned>(n, 0xeeeeeeeeu));
  }
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
  std::size_t bytes = 0;
  EXPECT_EQ(DeviceScan::InclusiveScan(nullptr, bytes, in.data(), out.data(), maximum{}, input.size()), cudaSuccess);
  EXPECT_EQ(resource.calls, 2u);
  EXPECT_EQ(resource.peak, bytes);
  EXPECT_EQ(resource.in_use, 0u);
}

// Throws in deallocate, once the memory is back, or in allocate, whatever that is.
template <class Base>
struct throws : Base
{
  bool asked    = false;
  bool returned = false;

  template <class... Arguments>
  auto take(Arguments... arguments)
  {
    if (asked)
    {
      throw 5;
    }
    return Base::allocate(arguments...);
  }
  template <class... Arguments>
  void give(Arguments... arguments)
  {
    Base::deallocate(arguments...);
    returned = true;
    throw 6;
  }
};

struct stream_first_throws : throws<stream_first>
{
  void* allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t alignment)
  {
    return take(stream, bytes, alignment);
  }
  void deallocate(cuda::stream_ref stream, void* memory, std::size_t bytes, std::size_t alignment)
  {
    give(stream, memory, bytes, alignment);
  }
};

struct stream_last_throws : throws<ledger>
{
  void* allocate_async(std::size_t bytes, std::size_t, cuda::stream_ref)
  {
    return take(bytes);
  }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t, cuda::stream_ref)
  {
    give(memory, bytes);
  }
};

struct without_streams_throws : throws<ledger>
{
  void* allocate(std::size_t bytes, std::size_t)
  {
    return take(bytes);
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t)
  {
    give(memory, bytes);
  }
};

template <class Resource>
void check_throwing_resource(cudaStream_t stream)
{
  const std::vector<unsigned> input = random_values<unsigned>(3000017);
  guarded_memory<unsigned> in(input.size(), 0);
  guarded_memory<unsigned> out(input.size(), 0);
  ASSERT_NO_FATAL_FAILURE(in.upload(input));
  Resource resource;
  EXPECT_EQ(DeviceScan::InclusiveSum(in.data(), out.data(), input.size(), stream, resource), cudaSuccess);
  EXPECT_TRUE(resource.returned) << "nothing was thrown";
  EXPECT_EQ(resource.in_use, 0u);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), host_scan<true>(input, no_init{}, plus{}), "given back"));

  out.poison_all();
  resource.asked = true;
  EXPECT_EQ(DeviceScan::InclusiveSum(in.data(), out.data(), input.size(), stream, resource), cudaErrorMemoryAllocation);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), std::vector<unsigned>(input.size(), 0xeeeeeeeeu), "not asked"));
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
  guarded_memory<unsigned> data(3000017, 0);
  gives_nothing none;
  EXPECT_EQ(DeviceScan::InclusiveSum(data.data(), data.data(), 3000017, stream, none), cudaErrorMemoryAllocation);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST(device_scan, does_not_fail_for_a_resource_that_throws_as_it_takes_its_memory_back)
{
  cudaStream_t stream = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ASSERT_NO_FATAL_FAILURE(check_throwing_resource<stream_first_throws>(stream));
  ASSERT_NO_FATAL_FAILURE(check_throwing_resource<stream_last_throws>(stream));
  ASSERT_NO_FATAL_FAILURE(check_throwing_resource<without_streams_throws>(stream));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}

// What a single call takes from a resource is the size of the storage, and nothing where that is only not to be 0.
TEST(device_scan, asks_no_resource_where_no_memory_is_needed)
{
  guarded_memory<unsigned> data(3000017, 0);
  for (const int n : {-1, 0, 1, 1000, 30000, 100003, 3000017})
  {
    std::size_t bytes = 0;
    ASSERT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, data.data(), n), cudaSuccess);
    without_streams resource;
    EXPECT_EQ(DeviceScan::InclusiveSum(data.data(), n, nullptr, resource), cudaSuccess);
    EXPECT_EQ(resource.calls, bytes == 1 ? 0u : 1u) << n;
    EXPECT_EQ(resource.peak, bytes == 1 ? 0u : bytes) << n;
    EXPECT_EQ(resource.in_use, 0u) << n;
  }
}
