// property_test.cu's cases of the other entry points: without an initial value, between types, transformed, reversed, by
// key, and lightscan::DeviceScan's. A few types only; their arithmetic is exact.
#include "../support/operators.h"
#include "random_case.h"

#include <lightscan/lightscan.h>

#include <thrust/iterator/reverse_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::DeviceScan;
using lightscan::tile::by_key_kind;
using lightscan::tile::scan_kind;
using lightscan::util::no_init;

namespace
{
template <class T>
std::vector<T> reversed(std::vector<T> values)
{
  std::reverse(values.begin(), values.end());
  return values;
}

template <class It>
auto reverse(It end)
{
  return thrust::make_reverse_iterator(end);
}

// `count` of any bits. Signed sums overflow where the operator is the standard's: there, small ones.
template <class T>
std::vector<T> drawn_values(choice& random, std::int64_t count)
{
  return random_values<T>(static_cast<std::size_t>(count), random());
}

std::vector<int> small_values(choice& random, std::int64_t count)
{
  std::vector<int> values = drawn_values<int>(random, count);
  for (int& v : values)
  {
    v %= 100;
  }
  return values;
}

// A scan of Thrust's interface: call(policy, input, n, result) returns the end of the result.
template <class In, class Out, class Call>
void check_thrust(choice& random,
                  cudaStream_t stream,
                  const char* what,
                  const std::vector<In>& input,
                  const std::vector<Out>& expected,
                  bool may_replace,
                  Call call)
{
  const std::int64_t n = static_cast<std::int64_t>(input.size());
  check_on_random_ranges(random, input, expected, may_replace, what, [&](In* in, Out* out, std::string& how) {
    with_a_policy(random, stream, n, how, [&](auto policy) {
      call(policy, in, n, out);
    });
  });
}

void exclusive_without_init(choice& random, cudaStream_t stream, const char* what)
{
  const std::vector<int> input = small_values(random, random_size<int>(random));
  check_thrust(
    random, stream, what, input, host_scan<false>(input, 0, plus{}), true, [](auto p, int* in, auto n, int* out) {
      EXPECT_EQ(thrust::exclusive_scan(p, in, in + n, out), out + n);
    });
}

void exclusive_to_a_wider_type(choice& random, cudaStream_t stream, const char* what)
{
  const std::int64_t n                  = random_size<scan_kind<int, false>, int, std::uint8_t>(random);
  const std::vector<std::uint8_t> input = drawn_values<std::uint8_t>(random, n);
  const int init                        = drawn_values<int>(random, 1).front();
  const std::vector<int> expected       = host_scan<false>(std::vector<int>(input.begin(), input.end()), init, plus{});
  check_thrust(random, stream, what, input, expected, false, [init](auto p, std::uint8_t* in, auto count, int* out) {
    EXPECT_EQ(thrust::exclusive_scan(p, in, in + count, out, init, plus{}), out + count);
  });
}

// Transformed.

struct thrice
{
  __host__ __device__ int operator()(std::uint8_t x) const
  {
    return 3 * x - 300;
  }
};

struct swap_parts
{
  __host__ __device__ affine operator()(const affine& f) const
  {
    return {f.b, f.a};
  }
};

template <class Out, class In, class Function>
std::vector<Out> transformed(const std::vector<In>& input, Function f)
{
  std::vector<Out> result(input.size());
  std::transform(input.begin(), input.end(), result.begin(), f);
  return result;
}

void transform_inclusive(choice& random, cudaStream_t stream, const char* what)
{
  const std::int64_t n                  = random_size<scan_kind<int, true>, int, std::uint8_t>(random);
  const std::vector<std::uint8_t> input = drawn_values<std::uint8_t>(random, n);
  const std::vector<int> expected       = host_scan<true>(transformed<int>(input, thrice{}), no_init{}, plus{});
  check_thrust(random, stream, what, input, expected, false, [](auto p, std::uint8_t* in, auto count, int* out) {
    EXPECT_EQ(thrust::transform_inclusive_scan(p, in, in + count, out, thrice{}, plus{}), out + count);
  });
}

void transform_exclusive(choice& random, cudaStream_t stream, const char* what)
{
  const std::vector<affine> input    = drawn_values<affine>(random, random_size<affine>(random));
  const affine init                  = drawn_values<affine>(random, 1).front();
  const std::vector<affine> expected = host_scan<false>(transformed<affine>(input, swap_parts{}), init, compose{});
  check_thrust(random, stream, what, input, expected, true, [init](auto p, affine* in, auto n, affine* out) {
    EXPECT_EQ(thrust::transform_exclusive_scan(p, in, in + n, out, swap_parts{}, init, compose{}), out + n);
  });
}

// Reversed: a range taken in the wrong order is found out where the operator does not commute.

void reversed_to_reversed(choice& random, cudaStream_t stream, const char* what)
{
  const std::vector<affine> input    = drawn_values<affine>(random, random_size<affine>(random));
  const std::vector<affine> expected = reversed(host_scan<true>(reversed(input), no_init{}, compose{}));
  check_thrust(random, stream, what, input, expected, true, [](auto p, affine* in, auto n, affine* out) {
    EXPECT_EQ(thrust::inclusive_scan(p, reverse(in + n), reverse(in), reverse(out + n), compose{}), reverse(out));
  });
}

void reversed_to_forward(choice& random, cudaStream_t stream, const char* what)
{
  const std::int64_t n                  = random_size<scan_kind<int, false>, int, std::uint8_t>(random);
  const std::vector<std::uint8_t> input = drawn_values<std::uint8_t>(random, n);
  const int init                        = drawn_values<int>(random, 1).front();
  const std::vector<int> expected = host_scan<false>(std::vector<int>(input.rbegin(), input.rend()), init, plus{});
  check_thrust(random, stream, what, input, expected, false, [init](auto p, std::uint8_t* in, auto count, int* out) {
    EXPECT_EQ(thrust::exclusive_scan(p, reverse(in + count), reverse(in), out, init, plus{}), out + count);
  });
}

void forward_to_reversed(choice& random, cudaStream_t stream, const char* what)
{
  const std::vector<affine> input    = drawn_values<affine>(random, random_size<affine>(random));
  const affine init                  = drawn_values<affine>(random, 1).front();
  const std::vector<affine> expected = reversed(host_scan<true>(input, init, compose{}));
  check_thrust(random, stream, what, input, expected, false, [init](auto p, affine* in, auto n, affine* out) {
    EXPECT_EQ(thrust::inclusive_scan(p, in, in + n, reverse(out + n), init, compose{}), reverse(out));
  });
}

// By key.

// Runs of equal keys of a random length on average, from one each to a single one.
template <class K>
std::vector<K> random_runs(choice& random, std::int64_t n, std::string& what)
{
  const std::uint64_t average = std::uint64_t{1} << below(random, 26);
  what += ", runs of " + std::to_string(average) + " on average";
  std::vector<K> keys(static_cast<std::size_t>(n));
  K key{};
  for (K& k : keys)
  {
    // A key may come back later on: only neighbours make a segment.
    key = below(random, average) == 0 ? static_cast<K>((key + 1 + below(random, 3)) % 11) : key;
    k   = key;
  }
  return keys;
}

// call(policy, keys, n, values, result). The values' and results' ranges are check_on_random_ranges's; where keys and
// results are of one type, the results at times replace the keys instead.
template <class K, class V, class Out, class Call>
void check_by_key(choice& random,
                  cudaStream_t stream,
                  std::string what,
                  const std::vector<K>& keys,
                  const std::vector<V>& values,
                  const std::vector<Out>& expected,
                  Call call)
{
  const std::int64_t n    = static_cast<std::int64_t>(keys.size());
  const std::size_t shift = below(random, 17);
  const bool over_keys    = below(random, 3) == 0 && std::is_same_v<K, Out>;
  what += ", keys + " + std::to_string(shift) + (over_keys ? ", in place of the keys" : "");
  guarded_memory<K> in(keys.size(), shift);
  ASSERT_NO_FATAL_FAILURE(in.upload(keys));
  check_on_random_ranges(random, values, expected, !over_keys, what, [&](V* first, Out* out, std::string& how) {
    with_a_policy(random, stream, n, how, [&](auto policy) {
      if constexpr (std::is_same_v<K, Out>)
      {
        if (over_keys)
        {
          call(policy, in.data(), n, first, in.data());
          return;
        }
      }
      call(policy, in.data(), n, first, out);
    });
    if (over_keys)
    {
      LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(out, in.data(), keys.size() * sizeof(Out), cudaMemcpyDeviceToDevice));
    }
  });
  SCOPED_TRACE(what);
  if (!over_keys)
  {
    ASSERT_NO_FATAL_FAILURE(expect_equal(in.download(), keys, "the keys"));
  }
  in.expect_guards_untouched();
}

void inclusive_by_key(choice& random, cudaStream_t stream, const char* call)
{
  std::string what              = call;
  const std::int64_t n          = random_size<by_key_kind<int, int, no_init>, int, int, int>(random);
  const std::vector<int> keys   = random_runs<int>(random, n, what);
  const std::vector<int> values = drawn_values<int>(random, n);
  const std::equal_to<> equal;
  const std::vector<int> expected = host_scan_by_key<true, int>(keys, values, no_init{}, equal, plus{});
  check_by_key(random, stream, what, keys, values, expected, [](auto p, int* first, auto count, int* in, int* out) {
    const cuda::std::equal_to<> same;
    EXPECT_EQ(thrust::inclusive_scan_by_key(p, first, first + count, in, out, same, plus{}), out + count);
  });
}

template <class K, class T, class Op>
void exclusive_by_key(choice& random, cudaStream_t stream, const char* call)
{
  std::string what            = call;
  const std::int64_t n        = random_size<by_key_kind<K, T, T>, T, K, T>(random);
  const std::vector<K> keys   = random_runs<K>(random, n, what);
  const std::vector<T> values = drawn_values<T>(random, n);
  const T init                = drawn_values<T>(random, 1).front();
  const std::equal_to<> equal;
  const std::vector<T> expected = host_scan_by_key<false, T>(keys, values, init, equal, Op{});
  check_by_key(random, stream, what, keys, values, expected, [init](auto p, K* first, auto count, T* in, T* out) {
    const cuda::std::equal_to<> same;
    EXPECT_EQ(thrust::exclusive_scan_by_key(p, first, first + count, in, out, init, same, Op{}), out + count);
  });
}

// DeviceScan: call(input, n, result, stream) on the default stream or on another.
template <class T, class Call>
void check_device_scan(choice& random,
                       cudaStream_t stream,
                       const char* what,
                       const std::vector<T>& input,
                       const std::vector<T>& expected,
                       Call call)
{
  const cudaStream_t used = below(random, 2) == 0 ? nullptr : stream;
  const auto scan         = [&](const T* in, T* out, std::string& how) {
    how += used == nullptr ? ", default stream" : ", a stream";
    ASSERT_NO_FATAL_FAILURE(call(in, static_cast<std::int64_t>(input.size()), out, used));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(used));
  };
  check_on_random_ranges(random, input, expected, true, what, scan);
}

// Calls call(storage, bytes) for the size, then with storage at any alignment; waits for the result.
template <class Call>
void in_two_phases(choice& random, cudaStream_t stream, Call call)
{
  std::size_t bytes = 0;
  ASSERT_EQ(call(static_cast<void*>(nullptr), bytes), cudaSuccess);
  const std::size_t shift = below(random, 256);
  SCOPED_TRACE("storage + " + std::to_string(shift));
  guarded_memory<unsigned char> storage(bytes, shift);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_EQ(call(static_cast<void*>(storage.data()), bytes), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
  storage.expect_guards_untouched();
}

void inclusive_in_two_phases(choice& random, cudaStream_t stream, const char* what)
{
  const std::vector<affine> input    = drawn_values<affine>(random, random_size<affine>(random));
  const std::vector<affine> expected = host_scan<true>(input, no_init{}, compose{});
  check_device_scan(random, stream, what, input, expected, [&](auto in, auto n, auto out, cudaStream_t used) {
    in_two_phases(random, used, [&](void* storage, std::size_t& bytes) {
      return DeviceScan::InclusiveScan(storage, bytes, in, out, compose{}, n, used);
    });
  });
}

void exclusive_sum_in_two_phases(choice& random, cudaStream_t stream, const char* what)
{
  const std::vector<int> input = small_values(random, random_size<int>(random));
  check_device_scan(
    random, stream, what, input, host_scan<false>(input, 0, plus{}), [&](auto in, auto n, auto out, cudaStream_t used) {
      in_two_phases(random, used, [&](void* storage, std::size_t& bytes) {
        return DeviceScan::ExclusiveSum(storage, bytes, in, out, n, used);
      });
    });
}

// The number of items is in device memory; a number below 0 is none.
template <class T, class Op, class Number>
void exclusive_of_a_number_in_device_memory(choice& random, cudaStream_t stream, const char* what)
{
  const std::vector<T> input = drawn_values<T>(random, random_size<T>(random));
  const T init               = drawn_values<T>(random, 1).front();
  const auto number = input.empty() ? -static_cast<Number>(below(random, 3)) : static_cast<Number>(input.size());
  guarded_memory<Number> there(1, 0);
  ASSERT_NO_FATAL_FAILURE(there.upload({number}));
  check_device_scan(random,
                    stream,
                    what,
                    input,
                    host_scan<false>(input, init, Op{}),
                    [&](const T* in, std::int64_t, T* out, cudaStream_t used) {
                      const Number* const n = there.data();
                      EXPECT_EQ(DeviceScan::ExclusiveScan(in, out, Op{}, init, n, used), cudaSuccess);
                    });
}
} // namespace

const std::vector<random_case> testing_support::entry_point_cases{
  {exclusive_without_init, "exclusive_scan without init, int"},
  {exclusive_to_a_wider_type, "exclusive_scan, uint8 to int, plus"},
  {transform_inclusive, "transform_inclusive_scan, uint8 to int, plus"},
  {transform_exclusive, "transform_exclusive_scan, affine, compose"},
  {reversed_to_reversed, "inclusive_scan, reversed to reversed, affine, compose"},
  {reversed_to_forward, "exclusive_scan, reversed to forward, uint8 to int, plus"},
  {forward_to_reversed, "inclusive_scan with init, forward to reversed, affine, compose"},
  {inclusive_by_key, "inclusive_scan_by_key, int keys, int, plus"},
  {exclusive_by_key<std::uint8_t, int, plus>, "exclusive_scan_by_key, uint8 keys, int, plus"},
  {exclusive_by_key<int, affine, compose>, "exclusive_scan_by_key, int keys, affine, compose"},
  {inclusive_in_two_phases, "DeviceScan::InclusiveScan in two phases, affine, compose"},
  {exclusive_sum_in_two_phases, "DeviceScan::ExclusiveSum in two phases, int"},
  {exclusive_of_a_number_in_device_memory<affine, compose, std::int64_t>,
   "DeviceScan::ExclusiveScan of a 64-bit number in device memory, affine, compose"},
  {exclusive_of_a_number_in_device_memory<int, plus, std::int32_t>,
   "DeviceScan::ExclusiveScan of a 32-bit number in device memory, int, plus"},
};
