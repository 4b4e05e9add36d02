// Rules of lightscan::DeviceScan's single calls: they take a range in place and keys without an equality, as CUB's; the
// last argument is a stream in any of its forms or an environment, and says on which stream the work is queued, where
// temporary memory comes from and what must be repeatable; and what only the GPU knows may be a deferred argument.
#include "support/counting_allocator.h"
#include "support/entry_check.h"
#include "support/environments.h"
#include "support/held_stream.h"

#include <lightscan/device_scan.h>
#include <lightscan/path.h>

#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/stream_ref>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include <cuda_runtime_api.h>

#if __has_include(<cuda/argument>)
#  include <cuda/argument>
#  define TESTING_DEFERRED
#endif

using namespace testing_support;
using lightscan::DeviceScan;
using lightscan::util::no_init;

namespace
{
constexpr std::size_t n   = 3000017;
constexpr unsigned init   = 1u << 20;
constexpr unsigned poison = 0xeeeeeeeeu;

// The GPU's ranges and the host's values.
class device_scan_environment : public ::testing::Test
{
protected:
  device_scan_environment()
      : values(random_values<unsigned>(n, 1))
      , keys(random_values<unsigned>(n, 2))
      , in(n, 0)
      , keys_in(n, 0)
      , out(n, 0)
  {
    unsigned key = 0;
    for (unsigned& k : keys)
    {
      key += k % 20 == 0;
      k = key;
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
  // In place of the values, which are there again afterwards.
  void expect_in_place(cudaError_t error, const std::vector<unsigned>& expected, const char* what)
  {
    EXPECT_EQ(error, cudaSuccess) << what;
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    ASSERT_NO_FATAL_FAILURE(expect_equal(in.download(), expected, what));
    in.expect_guards_untouched();
    ASSERT_NO_FATAL_FAILURE(in.upload(values));
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  }

  std::vector<unsigned> sums() const
  {
    return host_scan<true>(values, no_init{}, plus{});
  }

  // That a call is queued on the stream: nothing of it happens as long as the stream is held, whatever else may run.
  template <class Call>
  void expect_on_the_stream(Call call, const char* what)
  {
    // The stream's workspace is there afterwards: an allocation would wait for the stream.
    ASSERT_EQ(DeviceScan::InclusiveSum(in.data(), out.data(), n, stream), cudaSuccess);
    ASSERT_NO_FATAL_FAILURE(expect(call(), sums(), what)); // and the kernel is loaded
    cudaStream_t beside = nullptr;
    std::vector<unsigned> seen(n);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
    {
      held_stream held(stream);
      held.hold_for(4000000000);
      EXPECT_EQ(call(), cudaSuccess) << what;
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(nullptr)); // which waits for no stream that was made not to block it
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

  std::vector<unsigned> values, keys;
  guarded_memory<unsigned> in, keys_in, out;
  cudaStream_t stream = nullptr;
};

struct has_stream
{
  cudaStream_t kept;
  cuda::stream_ref stream() const
  {
    return cuda::stream_ref(kept);
  }
};

struct has_get_stream
{
  cudaStream_t kept;
  cuda::stream_ref get_stream() const
  {
    return cuda::stream_ref(kept);
  }
};

struct becomes_stream
{
  cudaStream_t kept;
  operator cudaStream_t() const
  {
    return kept;
  }
};

struct same_half
{
  __host__ __device__ bool operator()(unsigned l, unsigned r) const
  {
    return l / 2 == r / 2;
  }
};
} // namespace

TEST_F(device_scan_environment, ranges_in_place)
{
  const auto number = static_cast<int>(n);
  expect_in_place(DeviceScan::InclusiveSum(in.data(), n), sums(), "InclusiveSum");
  expect_in_place(DeviceScan::InclusiveSum(in.data(), number, stream), sums(), "InclusiveSum on a stream");
  expect_in_place(DeviceScan::InclusiveSum(in.data(), n, nullptr), sums(), "InclusiveSum on the null stream");
  expect_in_place(DeviceScan::InclusiveSum(in.data(), n, 0), sums(), "InclusiveSum on the stream 0");
  const std::vector<unsigned> before = host_scan<false>(values, 0u, plus{});
  expect_in_place(DeviceScan::ExclusiveSum(in.data(), n), before, "ExclusiveSum");
  expect_in_place(
    DeviceScan::ExclusiveSum(in.data(), number, cuda::stream_ref(stream)), before, "ExclusiveSum on a ref");
  const std::vector<unsigned> most = host_scan<true>(values, no_init{}, maximum{});
  expect_in_place(DeviceScan::InclusiveScan(in.data(), maximum{}, n), most, "InclusiveScan");
  expect_in_place(DeviceScan::InclusiveScan(in.data(), maximum{}, number, stream), most, "InclusiveScan on a stream");
  const std::vector<unsigned> most_before = host_scan<false>(values, init, maximum{});
  expect_in_place(DeviceScan::ExclusiveScan(in.data(), maximum{}, init, n), most_before, "ExclusiveScan");
  expect_in_place(
    DeviceScan::ExclusiveScan(in.data(), maximum{}, init, number, stream), most_before, "ExclusiveScan on a stream");
}

// The same number of arguments as a range and another one, and a number of items that is a pointer too.
TEST_F(device_scan_environment, ranges_in_place_of_a_number_in_device_memory)
{
  guarded_memory<unsigned> number(1, 0);
  ASSERT_NO_FATAL_FAILURE(number.upload({static_cast<unsigned>(n)}));
  expect_in_place(DeviceScan::InclusiveSum(in.data(), number.data()), sums(), "alone");
  expect_in_place(DeviceScan::InclusiveSum(in.data(), number.data(), stream), sums(), "on a stream");
  expect_in_place(DeviceScan::InclusiveSum(in.data(), number.data(), nullptr), sums(), "on the null stream");
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), number.data()), sums(), "two ranges");
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), n), sums(), "two ranges and a value");
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), number.data(), stream), sums(), "two ranges on a stream");
  ledger books;
  counting_resource resource(books);
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), number.data(), 0, resource), sums(), "and a resource");
  EXPECT_EQ(books.calls, 1u);
  expect_in_place(DeviceScan::InclusiveSum(in.data(), number.data(), stream, resource), sums(), "in place");
  EXPECT_EQ(books.calls, 2u);
  EXPECT_EQ(books.in_use, 0u);
}

TEST_F(device_scan_environment, keys_without_an_equality)
{
  const std::equal_to<> equal;
  const auto inclusive = [&](auto same, auto op) {
    return host_scan_by_key<true, unsigned>(keys, values, no_init{}, same, op);
  };
  const auto exclusive = [&](unsigned start, auto same, auto op) {
    return host_scan_by_key<false, unsigned>(keys, values, start, same, op);
  };
  unsigned* const k = keys_in.data();
  unsigned* const v = in.data();
  unsigned* const o = out.data();
  expect(DeviceScan::InclusiveSumByKey(k, v, o, n), inclusive(equal, plus{}), "InclusiveSumByKey");
  expect(DeviceScan::InclusiveSumByKey(k, v, o, n, same_half{}), inclusive(same_half{}, plus{}), "and an equality");
  expect(DeviceScan::ExclusiveSumByKey(k, v, o, n), exclusive(0, equal, plus{}), "ExclusiveSumByKey");
  expect(DeviceScan::ExclusiveSumByKey(k, v, o, n, {}, stream), exclusive(0, equal, plus{}), "ExclusiveSumByKey, {}");
  expect(DeviceScan::InclusiveScanByKey(k, v, o, maximum{}, n), inclusive(equal, maximum{}), "InclusiveScanByKey");
  expect(DeviceScan::InclusiveScanByKey(k, v, o, maximum{}, n, same_half{}, cuda::stream_ref(stream)),
         inclusive(same_half{}, maximum{}),
         "InclusiveScanByKey on a ref");
  expect(DeviceScan::ExclusiveScanByKey(k, v, o, maximum{}, init, n),
         exclusive(init, equal, maximum{}),
         "ExclusiveScanByKey");
  expect(DeviceScan::ExclusiveScanByKey(k, v, o, maximum{}, init, n, same_half{}, 0),
         exclusive(init, same_half{}, maximum{}),
         "ExclusiveScanByKey on the stream 0");
}

TEST_F(device_scan_environment, a_stream_in_any_of_its_forms)
{
  const auto on = [&](auto where) {
    return [this, where] {
      return DeviceScan::InclusiveSum(in.data(), out.data(), n, where);
    };
  };
  expect_on_the_stream(on(stream), "cudaStream_t");
  expect_on_the_stream(on(cuda::stream_ref(stream)), "cuda::stream_ref");
  expect_on_the_stream(on(has_stream{stream}), "stream()");
  expect_on_the_stream(on(has_get_stream{stream}), "get_stream()");
  expect_on_the_stream(on(becomes_stream{stream}), "a conversion");
}

TEST_F(device_scan_environment, a_number_is_the_null_stream_or_none)
{
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), n, 0), sums(), "0");
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), n, nullptr), sums(), "nullptr");
  EXPECT_EQ(DeviceScan::InclusiveSum(in.data(), out.data(), n, 1), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), std::vector<unsigned>(n, poison), "1"));
}

#if defined(TESTING_ENVIRONMENTS)
namespace
{
namespace determinism = cuda::execution::determinism;
namespace execution   = cuda::std::execution;

// Something that nobody knows, as CUB's tuning is to us.
struct unknown_query
{};

// As a user's operator, of which nothing is known.
struct own_plus
{
  __host__ __device__ float operator()(float a, float b) const
  {
    return a + b;
  }
};

std::size_t storage_for(const unsigned* in, unsigned* out)
{
  std::size_t bytes = 0;
  EXPECT_EQ(DeviceScan::InclusiveSum(nullptr, bytes, in, out, n), cudaSuccess);
  return bytes;
}
} // namespace

TEST_F(device_scan_environment, carries_a_stream)
{
  const execution::prop named{cuda::get_stream_t{}, cuda::stream_ref(stream)};
  const execution::env alone{cuda::stream_ref(stream)};
  const execution::env among_others{execution::prop{unknown_query{}, 5}, cuda::stream_ref(stream)};
  const auto on = [&](const auto& where) {
    return [this, &where] {
      return DeviceScan::InclusiveSum(in.data(), out.data(), n, where);
    };
  };
  expect_on_the_stream(on(named), "prop");
  expect_on_the_stream(on(alone), "env");
  expect_on_the_stream(on(among_others), "env with what is not known here");
}

TEST_F(device_scan_environment, carries_nothing)
{
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), n, execution::env<>{}), sums(), "env<>");
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), n, execution::prop{unknown_query{}, 5}), sums(), "unknown");
}

TEST_F(device_scan_environment, carries_a_resource)
{
  ledger books;
  cudaStream_t asked_on = nullptr;
  const accounted resource{&books, &asked_on};
  const execution::prop memory{cuda::mr::get_memory_resource_t{}, resource};
  const execution::env both{cuda::stream_ref(stream), memory};
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), n, both), sums(), "a stream and a resource");
  EXPECT_EQ(asked_on, stream);
  EXPECT_EQ(books.calls, 1u);
  EXPECT_EQ(books.peak, storage_for(in.data(), out.data()));
  EXPECT_EQ(books.in_use, 0u);

  expect_in_place(DeviceScan::InclusiveSum(in.data(), n, memory), sums(), "a resource");
  EXPECT_EQ(asked_on, nullptr);
  EXPECT_EQ(books.calls, 2u);
  expect(DeviceScan::InclusiveSumByKey(keys_in.data(), in.data(), out.data(), n, {}, both),
         host_scan_by_key<true, unsigned>(keys, values, no_init{}, std::equal_to<>{}, plus{}),
         "by key");
  EXPECT_EQ(books.calls, 3u);
  EXPECT_EQ(books.in_use, 0u);

  // A resource of the call's own goes first.
  ledger others;
  counting_resource other(others);
  expect(DeviceScan::InclusiveSum(in.data(), out.data(), n, both, other), sums(), "two resources");
  EXPECT_EQ(books.calls, 3u);
  EXPECT_EQ(others.calls, 1u);

  books.fail_at = 4;
  EXPECT_EQ(DeviceScan::InclusiveSum(in.data(), out.data(), n, both), cudaErrorMemoryAllocation);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), std::vector<unsigned>(n, poison), "no memory"));
}

TEST_F(device_scan_environment, is_granted_the_same_bits_in_every_run)
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
  const auto anyhow     = cuda::execution::require(determinism::not_guaranteed);
  const execution::env on_stream{cuda::stream_ref(stream), run_to_run};
  const auto bits = [&](cudaError_t error) {
    EXPECT_EQ(error, cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_NE(lightscan::last_launch().taken, lightscan::path::cub);
    EXPECT_NE(lightscan::last_launch().taken, lightscan::path::none);
    const std::vector<float> result = to.download();
    to.poison_all();
    return result;
  };
  const std::vector<float> first = bits(DeviceScan::InclusiveSum(from.data(), to.data(), n, run_to_run));
  EXPECT_NEAR(first[1], fractions[0] + fractions[1], 1e-6f * first[1]);
  EXPECT_EQ(bits(DeviceScan::InclusiveSum(from.data(), to.data(), n, on_stream)), first);
  EXPECT_EQ(bits(DeviceScan::InclusiveSum(from.data(), to.data(), n, anyhow)), first);
  EXPECT_EQ(bits(DeviceScan::InclusiveScan(from.data(), to.data(), own_plus{}, n, run_to_run)), first);
}

TEST_F(device_scan_environment, is_granted_the_same_bits_on_every_gpu_for_integers)
{
  const auto gpu_to_gpu = cuda::execution::require(determinism::gpu_to_gpu);
  const execution::env on_stream{cuda::stream_ref(stream), gpu_to_gpu};
  unsigned* const i = in.data();
  unsigned* const o = out.data();
  expect(DeviceScan::InclusiveSum(i, o, n, gpu_to_gpu), sums(), "plus<>");
  expect(DeviceScan::InclusiveScan(i, o, cuda::maximum<>{}, n, on_stream),
         host_scan<true>(values, no_init{}, maximum{}),
         "maximum");
  expect(DeviceScan::ExclusiveScan(i, o, cuda::std::bit_xor<unsigned>{}, init, n, on_stream),
         host_scan<false>(values, init, std::bit_xor<>{}),
         "bit_xor");
  expect(DeviceScan::InclusiveScan(i, o, cuda::std::multiplies<>{}, n, gpu_to_gpu),
         host_scan<true>(values, no_init{}, multiplies{}),
         "multiplies");
  expect(DeviceScan::InclusiveSumByKey(keys_in.data(), i, o, n, cuda::std::equal_to<>{}, on_stream),
         host_scan_by_key<true, unsigned>(keys, values, no_init{}, std::equal_to<>{}, plus{}),
         "by key");
}
#endif

#if defined(TESTING_DEFERRED)
TEST_F(device_scan_environment, deferred_arguments)
{
  guarded_memory<int> number(1, 0);
  guarded_memory<unsigned> start(1, 0);
  ASSERT_NO_FATAL_FAILURE(number.upload({1000}));
  ASSERT_NO_FATAL_FAILURE(start.upload({init}));
  const int* const items       = number.data();
  const unsigned* const begins = start.data();
  const cuda::args::deferred later(items);
  const cuda::args::deferred begin(begins);
  const cuda::args::deferred bounded(items, cuda::args::bounds<0, 1000000>());
  const auto first_thousand = [](std::vector<unsigned> results) {
    results.resize(1000);
    results.resize(n, poison);
    return results;
  };
  unsigned* const i = in.data();
  unsigned* const o = out.data();
  expect(DeviceScan::InclusiveSum(i, o, later), first_thousand(sums()), "a number of items");
  expect(DeviceScan::InclusiveSum(i, o, bounded, stream), first_thousand(sums()), "with bounds");
  expect(DeviceScan::InclusiveScanInit(i, o, plus{}, begin, n, stream),
         host_scan<true>(values, init, plus{}),
         "an initial value");
  expect(DeviceScan::ExclusiveScan(i, o, plus{}, begin, later, cuda::stream_ref(stream)),
         first_thousand(host_scan<false>(values, init, plus{})),
         "both");
  expect(DeviceScan::ExclusiveScanByKey(keys_in.data(), i, o, plus{}, begin, later),
         first_thousand(host_scan_by_key<false, unsigned>(keys, values, init, std::equal_to<>{}, plus{})),
         "by key");
  guarded_memory<unsigned char> storage(std::size_t{1} << 20, 0);
  std::size_t bytes = std::size_t{1} << 20;
  expect(DeviceScan::InclusiveScanInit(storage.data(), bytes, i, o, plus{}, begin, later, stream),
         first_thousand(host_scan<true>(values, init, plus{})),
         "two phases");
  // In place: what lies behind the first thousand stays.
  std::vector<unsigned> expected = sums();
  std::copy(values.begin() + 1000, values.end(), expected.begin() + 1000);
  expect_in_place(DeviceScan::InclusiveSum(i, later, stream), expected, "in place");
}
#endif
