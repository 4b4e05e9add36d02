// lightscan::host as a Thrust program sees it: every overload, beside Thrust's sequential scans of the same arguments.
// What happens within a call is tested in engine_test.cpp.
//
// Rules covered:
//   - every overload is ours (it runs on several threads), and returns the end
//   - its bits are the same for any number of threads, however the caller rounds
//   - empty ranges, ranges whose last lies before its first; results over the input, and over the keys
//   - other algorithms under the policy are Thrust's
#include "../support/operators.h"
#include "beside_sequential.h"

#include <lightscan/host.h>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_scan.h>

#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using host_testing::counts;
using host_testing::host;
using host_testing::numbers;
using host_testing::same_as_sequential;
using testing_support::affine;
using testing_support::compose;

// Remembers the threads that call it; Op is associative, and not commutative where compose is.
struct witness
{
  std::set<std::thread::id>* ids;
  std::mutex* mutex;

  template <class T>
  T operator()(const T& a, const T& b) const
  {
    note();
    return a + b;
  }
  template <class T>
  T operator()(const T& a) const
  {
    note();
    return a;
  }
  void note() const
  {
    static thread_local const void* noted = nullptr;
    if (noted != ids)
    {
      const std::lock_guard<std::mutex> lock(*mutex);
      ids->insert(std::this_thread::get_id());
      noted = ids;
    }
  }
};

// Thrust's own scans call the operator on one thread.
template <class Scan>
void check_threads(Scan scan)
{
  static std::vector<std::set<std::thread::id>> all(100);
  static std::size_t next = 0;
  std::mutex mutex;
  std::set<std::thread::id>& ids = all[next++];
  scan(witness{&ids, &mutex});
  EXPECT_EQ(ids.size(), 3u);
}

TEST(overloads, run_on_several_threads)
{
  const std::vector<std::uint32_t> v(300000, 1), keys(300000, 5);
  std::vector<std::uint32_t> r(v.size());
  const auto p = host.threads(3);
  const auto f = v.begin();
  const auto l = v.end();
  const auto o = r.begin();
  check_threads([&](witness w) {
    thrust::inclusive_scan(p, f, l, o, w);
  });
  check_threads([&](witness w) {
    thrust::inclusive_scan(p, f, l, o, 1u, w);
  });
  check_threads([&](witness w) {
    thrust::exclusive_scan(p, f, l, o, 1u, w);
  });
  check_threads([&](witness w) {
    thrust::transform_inclusive_scan(p, f, l, o, w, thrust::plus<>{});
  });
  check_threads([&](witness w) {
    thrust::transform_inclusive_scan(p, f, l, o, w, 1u, thrust::plus<>{});
  });
  check_threads([&](witness w) {
    thrust::transform_exclusive_scan(p, f, l, o, w, 1u, thrust::plus<>{});
  });
  check_threads([&](witness w) {
    thrust::inclusive_scan_by_key(p, keys.begin(), keys.end(), f, o, thrust::equal_to<>{}, w);
  });
  check_threads([&](witness w) {
    thrust::exclusive_scan_by_key(p, keys.begin(), keys.end(), f, o, 1u, thrust::equal_to<>{}, w);
  });
  // Those without an operator show their threads by their input.
  const auto in = [&](witness w) {
    return thrust::make_transform_iterator(f, w);
  };
  const std::ptrdiff_t n = l - f;
  check_threads([&](witness w) {
    thrust::inclusive_scan(p, in(w), in(w) + n, o);
  });
  check_threads([&](witness w) {
    thrust::exclusive_scan(p, in(w), in(w) + n, o);
  });
  check_threads([&](witness w) {
    thrust::exclusive_scan(p, in(w), in(w) + n, o, 1u);
  });
  check_threads([&](witness w) {
    thrust::inclusive_scan_by_key(p, keys.begin(), keys.end(), in(w), o);
  });
  check_threads([&](witness w) {
    thrust::inclusive_scan_by_key(p, keys.begin(), keys.end(), in(w), o, thrust::equal_to<>{});
  });
  check_threads([&](witness w) {
    thrust::exclusive_scan_by_key(p, keys.begin(), keys.end(), in(w), o);
  });
  check_threads([&](witness w) {
    thrust::exclusive_scan_by_key(p, keys.begin(), keys.end(), in(w), o, 1u);
  });
  check_threads([&](witness w) {
    thrust::exclusive_scan_by_key(p, keys.begin(), keys.end(), in(w), o, 1u, thrust::equal_to<>{});
  });
}

TEST(overloads, give_what_sequential_scans_give)
{
  for (const std::size_t count : counts)
  {
    const std::vector<std::uint32_t> v = numbers(count);
    const auto f                       = v.begin();
    const auto l                       = v.end();
    using U                            = std::uint32_t;
    same_as_sequential<U>(count, [&](auto p, auto& r) {
      EXPECT_TRUE(thrust::inclusive_scan(p, f, l, r.begin()) == r.end());
    });
    same_as_sequential<U>(count, [&](auto p, auto& r) {
      EXPECT_TRUE(thrust::exclusive_scan(p, f, l, r.begin()) == r.end());
    });
    same_as_sequential<U>(count, [&](auto p, auto& r) {
      EXPECT_TRUE(thrust::exclusive_scan(p, f, l, r.begin(), 5u) == r.end());
    });
    same_as_sequential<U>(count, [&](auto p, auto& r) {
      EXPECT_TRUE(thrust::inclusive_scan(p, f, l, r.begin(), testing_support::maximum{}) == r.end());
    });
    same_as_sequential<U>(count, [&](auto p, auto& r) {
      EXPECT_TRUE(thrust::exclusive_scan(p, f, l, r.begin(), 1u, testing_support::maximum{}) == r.end());
    });
    const auto square = [](U x) {
      return x * x;
    };
    same_as_sequential<U>(count, [&](auto p, auto& r) {
      EXPECT_TRUE(thrust::transform_inclusive_scan(p, f, l, r.begin(), square, thrust::plus<>{}) == r.end());
    });
    same_as_sequential<U>(count, [&](auto p, auto& r) {
      EXPECT_TRUE(thrust::transform_inclusive_scan(p, f, l, r.begin(), square, 9u, thrust::plus<>{}) == r.end());
    });
    same_as_sequential<U>(count, [&](auto p, auto& r) {
      EXPECT_TRUE(thrust::transform_exclusive_scan(p, f, l, r.begin(), square, 9u, thrust::plus<>{}) == r.end());
    });
  }
}

TEST(overloads, keep_operands_in_order)
{
  for (const std::size_t count : counts)
  {
    std::vector<affine> v(count);
    const std::vector<std::uint32_t> bits = numbers(2 * count);
    for (std::size_t i = 0; i < count; ++i)
    {
      v[i] = {bits[2 * i] | 1, bits[2 * i + 1]};
    }
    std::vector<affine> expected(count), results(count);
    const affine init{3, 4};
    thrust::inclusive_scan(thrust::seq, v.begin(), v.end(), expected.begin(), init, compose{});
    thrust::inclusive_scan(host.threads(3), v.begin(), v.end(), results.begin(), init, compose{});
    ASSERT_TRUE(results == expected) << count;
    thrust::exclusive_scan(thrust::seq, v.begin(), v.end(), expected.begin(), init, compose{});
    thrust::exclusive_scan(host.threads(3), v.begin(), v.end(), results.begin(), init, compose{});
    ASSERT_TRUE(results == expected) << count;
  }
}

TEST(by_key, scans_each_run_of_equal_keys)
{
  for (const std::size_t count : counts)
  {
    for (const std::uint32_t rarity : {1u, 2u, 100u, 50000u})
    {
      const std::vector<std::uint32_t> v = numbers(count);
      std::vector<std::uint32_t> keys(count);
      for (std::size_t i = 1; i < count; ++i)
      {
        keys[i] = keys[i - 1] + (v[i] % rarity == 0 ? 1 : 0);
      }
      const auto k    = keys.begin();
      const auto e    = keys.end();
      const auto near = [](std::uint32_t a, std::uint32_t b) {
        return a / 2 == b / 2;
      };
      using U           = std::uint32_t;
      const auto larger = testing_support::maximum{};
      same_as_sequential<U>(count, [&](auto p, auto& r) {
        EXPECT_TRUE(thrust::inclusive_scan_by_key(p, k, e, v.begin(), r.begin()) == r.end());
      });
      same_as_sequential<U>(count, [&](auto p, auto& r) {
        EXPECT_TRUE(thrust::inclusive_scan_by_key(p, k, e, v.begin(), r.begin(), near) == r.end());
      });
      same_as_sequential<U>(count, [&](auto p, auto& r) {
        EXPECT_TRUE(thrust::inclusive_scan_by_key(p, k, e, v.begin(), r.begin(), near, larger) == r.end());
      });
      same_as_sequential<U>(count, [&](auto p, auto& r) {
        EXPECT_TRUE(thrust::exclusive_scan_by_key(p, k, e, v.begin(), r.begin()) == r.end());
      });
      same_as_sequential<U>(count, [&](auto p, auto& r) {
        EXPECT_TRUE(thrust::exclusive_scan_by_key(p, k, e, v.begin(), r.begin(), 7u) == r.end());
      });
      same_as_sequential<U>(count, [&](auto p, auto& r) {
        EXPECT_TRUE(thrust::exclusive_scan_by_key(p, k, e, v.begin(), r.begin(), 7u, near) == r.end());
      });
      same_as_sequential<U>(count, [&](auto p, auto& r) {
        EXPECT_TRUE(thrust::exclusive_scan_by_key(p, k, e, v.begin(), r.begin(), 7u, near, larger) == r.end());
      });
    }
  }
}

TEST(by_key, writes_over_values_or_keys)
{
  const std::size_t count            = 200001;
  const std::vector<std::uint32_t> v = numbers(count);
  std::vector<std::uint32_t> keys(count), expected(count), exclusive(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    keys[i] = static_cast<std::uint32_t>(i / 37);
  }
  thrust::inclusive_scan_by_key(thrust::seq, keys.begin(), keys.end(), v.begin(), expected.begin());
  thrust::exclusive_scan_by_key(thrust::seq, keys.begin(), keys.end(), v.begin(), exclusive.begin(), 3u);

  std::vector<std::uint32_t> over = v;
  thrust::inclusive_scan_by_key(host.threads(3), keys.begin(), keys.end(), over.begin(), over.begin());
  EXPECT_TRUE(over == expected);
  over = v;
  thrust::exclusive_scan_by_key(host.threads(3), keys.begin(), keys.end(), over.begin(), over.begin(), 3u);
  EXPECT_TRUE(over == exclusive);
  over = keys;
  thrust::inclusive_scan_by_key(host.threads(3), over.begin(), over.end(), v.begin(), over.begin());
  EXPECT_TRUE(over == expected);
  over = keys;
  thrust::exclusive_scan_by_key(host.threads(3), over.begin(), over.end(), v.begin(), over.data(), 3u);
  EXPECT_TRUE(over == exclusive);
  std::deque<std::uint32_t> scattered(keys.begin(), keys.end());
  thrust::inclusive_scan_by_key(host.threads(3), scattered.begin(), scattered.end(), v.begin(), scattered.begin());
  EXPECT_TRUE(std::vector<std::uint32_t>(scattered.begin(), scattered.end()) == expected);
}

TEST(ranges, that_are_empty_or_backwards_do_nothing)
{
  std::vector<int> v{1, 2, 3}, r{7, 7, 7};
  EXPECT_TRUE(thrust::inclusive_scan(host, v.begin(), v.begin(), r.begin()) == r.begin());
  EXPECT_TRUE(thrust::exclusive_scan(host, v.end(), v.begin(), r.begin(), 1) == r.begin());
  EXPECT_TRUE(
    thrust::transform_inclusive_scan(host, v.end(), v.begin(), r.begin(), thrust::negate<>{}, thrust::plus<>{})
    == r.begin());
  EXPECT_TRUE(thrust::inclusive_scan_by_key(host, v.end(), v.begin(), v.begin(), r.begin()) == r.begin());
  EXPECT_TRUE(thrust::exclusive_scan_by_key(host, v.begin(), v.begin(), v.begin(), r.begin()) == r.begin());
  EXPECT_TRUE((r == std::vector<int>{7, 7, 7}));
  int* const none = nullptr;
  EXPECT_EQ(thrust::inclusive_scan(host, none, none, none), none);
}

TEST(exceptions, reach_the_caller_of_thrust)
{
  std::vector<int> v(100000, 1), r(v.size());
  const auto op = [](int a, int b) {
    if (a + b == 54321)
    {
      throw std::string("thrown");
    }
    return a + b;
  };
  EXPECT_THROW(thrust::inclusive_scan(host.threads(3), v.begin(), v.end(), r.begin(), op), std::string);
  EXPECT_TRUE(thrust::inclusive_scan(host.threads(3), v.begin(), v.end(), r.begin()) == r.end());
  EXPECT_EQ(r.back(), 100000);
}

// All threads round as the caller does, also those that were started while he rounded otherwise.
TEST(bits, follow_how_the_caller_rounds)
{
  const std::vector<float> tenths(1 << 20, 0.1f);
  std::vector<float> nearest(tenths.size()), upward(tenths.size()), by_one(tenths.size());
  thrust::inclusive_scan(host.threads(4), tenths.begin(), tenths.end(), nearest.begin());
  const int before = std::fegetround();
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  thrust::inclusive_scan(host.threads(4), tenths.begin(), tenths.end(), upward.begin());
  thrust::inclusive_scan(host.threads(1), tenths.begin(), tenths.end(), by_one.begin());
  std::fesetround(before);
  EXPECT_TRUE(upward == by_one);
  EXPECT_GT(upward.back(), nearest.back());
  thrust::inclusive_scan(host.threads(4), tenths.begin(), tenths.end(), upward.begin());
  EXPECT_TRUE(upward == nearest);
}

TEST(policy, has_a_number_of_threads)
{
  EXPECT_EQ(host.threads(), 0);
  EXPECT_EQ(host.threads(5).threads(), 5);
  EXPECT_EQ(host.threads(5).threads(-3).threads(), 0);
  static_assert(lightscan::host.threads(2).threads() == 2, "policies are constants");
}

TEST(policy, leaves_other_algorithms_to_thrust)
{
  std::vector<int> v{3, 1, 2};
  thrust::sort(host, v.begin(), v.end());
  EXPECT_TRUE((v == std::vector<int>{1, 2, 3}));
  EXPECT_EQ(thrust::reduce(host.threads(4), v.begin(), v.end()), 6);
}
} // namespace
