// Which outputs several threads write: none whose neighbouring results may share memory, as those of a vector<bool> do.
//
// Rules covered:
//   - objects are written by several threads, also through Thrust's and the standard library's adaptors
//   - a vector<bool> is not, whatever iterators stand before it, and neither is an output that nobody knows
#include "beside_sequential.h"

#include <lightscan/host.h>

#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/scan.h>
#include <thrust/tuple.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <iterator>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using host_testing::host;
using lightscan::host_engine::results_apart;

using objects = std::deque<int>::iterator; // no contiguous memory
using bits    = std::vector<bool>::iterator;

struct as_it_is
{
  int operator()(int x) const
  {
    return x;
  }
  int& operator()(int& x) const
  {
    return x;
  }
};

// Assigns through a proxy that the iterator itself holds.
struct stashing
{
  struct proxy
  {
    bits to;
  };
  using difference_type   = std::ptrdiff_t;
  using value_type        = bool;
  using reference         = proxy&;
  using pointer           = proxy*;
  using iterator_category = std::random_access_iterator_tag;
};

struct without_traits
{};

template <class It>
using permuted = thrust::permutation_iterator<It, const int*>;
template <class It>
using transformed = thrust::transform_output_iterator<as_it_is, It>;
template <class It>
using both_ways = thrust::transform_input_output_iterator<as_it_is, as_it_is, It>;
template <class... Its>
using zipped = thrust::zip_iterator<thrust::tuple<Its...>>;

// Objects, themselves and underneath.
static_assert(results_apart<int*>, "");
static_assert(results_apart<bool*>, "");
static_assert(results_apart<volatile int*>, "");
static_assert(results_apart<objects>, "");
static_assert(results_apart<std::vector<int>::iterator>, "");
static_assert(results_apart<thrust::host_vector<bool>::iterator>, "");
static_assert(results_apart<thrust::pointer<int, thrust::host_system_tag>>, "");
static_assert(results_apart<std::reverse_iterator<objects>>, "");
static_assert(results_apart<thrust::reverse_iterator<objects>>, "");
static_assert(results_apart<cuda::std::reverse_iterator<int*>>, "");
static_assert(results_apart<permuted<objects>>, "");
static_assert(results_apart<transformed<objects>>, "");
static_assert(results_apart<both_ways<objects>>, "");
static_assert(results_apart<zipped<objects, bool*>>, "");
static_assert(results_apart<thrust::transform_iterator<as_it_is, objects, int&>>, "");
static_assert(results_apart<thrust::discard_iterator<>>, "");

// Adaptors of adaptors.
static_assert(results_apart<thrust::reverse_iterator<transformed<std::reverse_iterator<objects>>>>, "");
static_assert(results_apart<std::reverse_iterator<transformed<objects>>>, "");
static_assert(results_apart<permuted<zipped<transformed<objects>, thrust::discard_iterator<>>>>, "");
static_assert(results_apart<transformed<zipped<objects, objects>>>, "");
static_assert(results_apart<transformed<thrust::pointer<int, thrust::host_system_tag>>>, "");

// Bits, wherever they are.
static_assert(!results_apart<bits>, "");
static_assert(!results_apart<std::reverse_iterator<bits>>, "");
static_assert(!results_apart<thrust::reverse_iterator<bits>>, "");
static_assert(!results_apart<permuted<bits>>, "");
static_assert(!results_apart<transformed<bits>>, "");
static_assert(!results_apart<both_ways<bits>>, "");
static_assert(!results_apart<zipped<objects, bits>>, "");
static_assert(!results_apart<zipped<bits, objects>>, "");
static_assert(!results_apart<thrust::reverse_iterator<transformed<std::reverse_iterator<bits>>>>, "");
static_assert(!results_apart<permuted<zipped<transformed<objects>, transformed<bits>>>>, "");

// What nobody knows.
static_assert(!results_apart<thrust::counting_iterator<int>>, "");
static_assert(!results_apart<stashing>, "");
static_assert(!results_apart<std::reverse_iterator<stashing>>, "");
static_assert(!results_apart<without_traits>, "");
static_assert(!results_apart<transformed<without_traits>>, "");

// Parity, and who computed it.
struct differ
{
  std::thread::id caller;
  std::atomic<int>* elsewhere;

  bool operator()(bool a, bool b) const
  {
    *elsewhere += std::this_thread::get_id() == caller ? 0 : 1;
    return a != b;
  }
};

constexpr int count = 300007;

std::vector<unsigned char> flags()
{
  std::vector<unsigned char> values(count);
  for (int i = 0; i < count; ++i)
  {
    values[static_cast<std::size_t>(i)] = i * 7 % 5 == 0 ? 1 : 0;
  }
  return values;
}

// scan(policy, values, to, op) into before(bits), an iterator before them, of which result i is bit number address_of(i).
template <class Scan, class Before, class PlaceOf>
void check_bits(Scan scan, Before before, PlaceOf address_of)
{
  const std::vector<unsigned char> values = flags();
  std::vector<bool> results(count), expected(count);
  std::vector<unsigned char> in_turn(count);
  std::atomic<int> elsewhere{0};
  const differ op{std::this_thread::get_id(), &elsewhere};
  scan(thrust::seq, values, in_turn.begin(), op);
  for (int i = 0; i < count; ++i)
  {
    expected[static_cast<std::size_t>(address_of(i))] = in_turn[static_cast<std::size_t>(i)] != 0;
  }
  scan(host.threads(7), values, before(results), op);
  EXPECT_TRUE(results == expected);
  EXPECT_EQ(elsewhere.load(), 0);
}

template <class Scan>
void check_wrapped_bits(Scan scan)
{
  const auto here = [](int i) {
    return i;
  };
  const auto back = [](int i) {
    return count - 1 - i;
  };
  check_bits(
    scan,
    [](std::vector<bool>& to) {
      return to.begin();
    },
    here);
  check_bits(
    scan,
    [](std::vector<bool>& to) {
      return to.rbegin();
    },
    back);
  check_bits(
    scan,
    [](std::vector<bool>& to) {
      return thrust::make_reverse_iterator(to.end());
    },
    back);
  check_bits(
    scan,
    [](std::vector<bool>& to) {
      return thrust::make_transform_output_iterator(to.begin(), as_it_is{});
    },
    here);
  check_bits(
    scan,
    [](std::vector<bool>& to) {
      return thrust::make_permutation_iterator(to.begin(), thrust::counting_iterator<int>(0));
    },
    here);
}

TEST(bits, are_written_by_one_thread)
{
  check_wrapped_bits([](auto policy, const auto& values, auto to, differ op) {
    thrust::inclusive_scan(policy, values.begin(), values.end(), to, op);
  });
}

TEST(bits, are_written_by_one_thread_by_key)
{
  std::vector<int> keys(count);
  for (int i = 0; i < count; ++i)
  {
    keys[static_cast<std::size_t>(i)] = i / 1001;
  }
  check_wrapped_bits([&](auto policy, const auto& values, auto to, differ op) {
    thrust::inclusive_scan_by_key(policy, keys.begin(), keys.end(), values.begin(), to, thrust::equal_to<>{}, op);
  });
  check_wrapped_bits([&](auto policy, const auto& values, auto to, differ op) {
    thrust::exclusive_scan_by_key(policy, keys.begin(), keys.end(), values.begin(), to, true, thrust::equal_to<>{}, op);
  });
}

// How many calls of the operator ran on other threads.
template <class OutputIt>
int calls_elsewhere(OutputIt to)
{
  const std::vector<unsigned char> values = flags();
  std::atomic<int> elsewhere{0};
  thrust::inclusive_scan(
    host.threads(3), values.begin(), values.end(), to, differ{std::this_thread::get_id(), &elsewhere});
  return elsewhere.load();
}

TEST(objects, are_written_by_several_threads_through_adaptors)
{
  std::deque<int> results(count), expected(count);
  const std::vector<unsigned char> values = flags();
  std::atomic<int> ignored{0};
  thrust::inclusive_scan(thrust::seq, values.begin(), values.end(), expected.begin(), differ{{}, &ignored});
  EXPECT_GT(calls_elsewhere(results.begin()), 0);
  EXPECT_TRUE(results == expected);
  results.assign(count, 5);
  EXPECT_GT(calls_elsewhere(thrust::make_transform_output_iterator(results.begin(), as_it_is{})), 0);
  EXPECT_TRUE(results == expected);
  results.assign(count, 5);
  EXPECT_GT(calls_elsewhere(results.rbegin()), 0);
  EXPECT_TRUE(std::equal(results.rbegin(), results.rend(), expected.begin()));
  EXPECT_GT(calls_elsewhere(thrust::make_discard_iterator()), 0);
}
} // namespace
