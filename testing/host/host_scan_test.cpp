// lightscan::host as a Thrust program sees it: every overload, beside Thrust's sequential scans of the same arguments.
// What happens within a call is tested in engine_test.cpp.
//
// Rules covered:
//   - every overload is ours (it runs on several threads), accumulates in the documented type, and returns the end
//   - iterators of any kind; types that cannot be made from nothing; types that fit no slot; vector<bool>
//   - empty ranges, ranges whose last lies before its first; results over the input, and over the keys
//   - other algorithms under the policy are Thrust's
#include "../support/operators.h"
#include "../support/random_values.h"

#include <lightscan/host.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_scan.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using testing_support::affine;
using testing_support::compose;

const std::size_t counts[] = {1, 2, 255, 1000, 16384, 70001, 300007};

using lightscan::host;

std::vector<std::uint32_t> numbers(std::size_t count)
{
  return testing_support::random_values<std::uint32_t>(count);
}

// Runs `scan` with our policy and with thrust::seq on the same input, each into poisoned results.
template <class T, class Scan>
void same_as_sequential(std::size_t count, Scan scan)
{
  std::vector<T> expected(count, T(77));
  scan(thrust::seq, expected);
  for (const int threads : {0, 1, 2, 5})
  {
    std::vector<T> results(count, T(99));
    scan(host.threads(threads), results);
    ASSERT_TRUE(results == expected) << count << " elements, " << threads << " threads";
  }
}

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

// Which type a call accumulates in, by what it does to numbers that another type would round or wrap.
TEST(accumulator, is_the_documented_type)
{
  const std::size_t count = 50000;
  const std::vector<std::uint8_t> bytes(count, 200);
  std::vector<std::uint32_t> r(count);
  const auto last = [&] {
    return r.back();
  };
  const std::uint32_t total   = static_cast<std::uint32_t>(count) * 200;
  const std::uint32_t wrapped = total % 256;
  const auto p                = host.threads(2);
  const auto same             = [](auto x) {
    return x;
  };
  const auto wide = [](std::uint8_t x) {
    return static_cast<std::uint32_t>(x);
  };
  thrust::inclusive_scan(p, bytes.begin(), bytes.end(), r.begin());
  EXPECT_EQ(last(), wrapped);
  thrust::inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), thrust::plus<>{});
  EXPECT_EQ(last(), wrapped);
  thrust::inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), 0u, thrust::plus<>{});
  EXPECT_EQ(last(), total);
  thrust::exclusive_scan(p, bytes.begin(), bytes.end(), r.begin());
  EXPECT_EQ(last(), (total - 200) % 256);
  thrust::exclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), 0u);
  EXPECT_EQ(last(), total - 200);
  thrust::exclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), std::uint8_t{0}, thrust::plus<>{});
  EXPECT_EQ(last(), (total - 200) % 256);
  thrust::transform_inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), same, thrust::plus<>{});
  EXPECT_EQ(last(), wrapped);
  thrust::transform_inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), wide, thrust::plus<>{});
  EXPECT_EQ(last(), total);
  thrust::transform_inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), same, 0u, thrust::plus<>{});
  EXPECT_EQ(last(), total);
  thrust::transform_exclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), wide, std::uint8_t{0}, thrust::plus<>{});
  EXPECT_EQ(last(), (total - 200) % 256);
  const std::vector<int> keys(count, 1);
  thrust::inclusive_scan_by_key(p, keys.begin(), keys.end(), bytes.begin(), r.begin());
  EXPECT_EQ(last(), wrapped);
  thrust::exclusive_scan_by_key(p, keys.begin(), keys.end(), bytes.begin(), r.begin(), 0u);
  EXPECT_EQ(last(), total - 200);
}

TEST(iterators, may_be_of_any_kind)
{
  const std::size_t count = 200003;
  std::vector<std::uint64_t> expected(count), results(count);
  std::iota(expected.begin(), expected.end(), std::uint64_t{1});
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  const auto p = host.threads(3);

  const thrust::counting_iterator<std::uint64_t> one(1);
  EXPECT_TRUE(thrust::inclusive_scan(p, one, one + count, results.begin()) == results.end());
  EXPECT_TRUE(results == expected);

  std::deque<std::uint64_t> scattered(count);
  std::iota(scattered.begin(), scattered.end(), std::uint64_t{1});
  const std::deque<std::uint64_t>& fixed = scattered;
  EXPECT_TRUE(thrust::inclusive_scan(p, fixed.begin(), fixed.end(), results.begin()) == results.end());
  EXPECT_TRUE(results == expected);
  EXPECT_TRUE(thrust::inclusive_scan(p, scattered.begin(), scattered.end(), scattered.begin()) == scattered.end());
  EXPECT_TRUE(std::equal(scattered.begin(), scattered.end(), expected.begin()));

  std::vector<std::uint64_t> backwards(count);
  const auto back = thrust::make_reverse_iterator(backwards.end());
  thrust::inclusive_scan(p, one, one + count, back);
  EXPECT_TRUE(std::equal(backwards.rbegin(), backwards.rend(), expected.begin()));

  const auto nowhere = thrust::make_discard_iterator();
  EXPECT_TRUE(thrust::inclusive_scan(p, one, one + count, nowhere) == nowhere + count);

  thrust::exclusive_scan(
    p, thrust::make_constant_iterator(2u), thrust::make_constant_iterator(2u) + count, results.begin());
  EXPECT_EQ(results.back(), 2 * (count - 1));

  const std::vector<std::uint64_t> before = expected;
  std::uint64_t* const raw                = expected.data();
  thrust::inclusive_scan(p, raw, raw + count, raw);
  std::vector<std::uint64_t> twice = before;
  std::partial_sum(twice.begin(), twice.end(), twice.begin());
  EXPECT_TRUE(expected == twice);
}

TEST(vector_of_bool, is_written_by_one_thread)
{
  const std::size_t count = 3000001;
  std::vector<bool> bits(count), results(count), expected(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    bits[i] = i % 3 == 0 || i % 7 == 0;
  }
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> elsewhere{0};
  const auto differ = [&](bool a, bool b) {
    elsewhere += std::this_thread::get_id() == caller ? 0 : 1;
    return a != b;
  };
  std::partial_sum(bits.begin(), bits.end(), expected.begin(), differ);
  EXPECT_TRUE(thrust::inclusive_scan(host.threads(7), bits.begin(), bits.end(), results.begin(), differ)
              == results.end());
  EXPECT_TRUE(results == expected);
  EXPECT_EQ(elsewhere.load(), 0);
}

TEST(types, that_fit_no_slot_are_scanned_from_left_to_right)
{
  std::vector<std::string> words(3000), expected(3000), results(3000);
  for (std::size_t i = 0; i < words.size(); ++i)
  {
    words[i] = std::string(1, static_cast<char>('a' + i % 26));
  }
  std::partial_sum(words.begin(), words.end(), expected.begin());
  thrust::inclusive_scan(host, words.begin(), words.end(), results.begin());
  EXPECT_TRUE(results == expected);
  thrust::exclusive_scan(host, words.begin(), words.end(), results.begin(), std::string("<"));
  EXPECT_EQ(results[0], "<");
  EXPECT_EQ(results[2999], "<" + expected[2998]);
  const std::vector<int> keys(3000, 1);
  thrust::inclusive_scan_by_key(host, keys.begin(), keys.end(), words.begin(), results.begin());
  EXPECT_TRUE(results == expected);
  thrust::inclusive_scan(host, words.begin(), words.end(), words.begin());
  EXPECT_TRUE(words == expected);

  const auto left = [](std::string a, const std::string& b) {
    return a.empty() ? b : "(" + a + b + ")";
  };
  const std::vector<std::string> four{"a", "b", "c", "d"};
  std::vector<std::string> nested(4);
  thrust::inclusive_scan(host, four.begin(), four.end(), nested.begin(), left);
  EXPECT_EQ(nested[3], "(((ab)c)d)");
}

// No default constructor, and explicit from everything.
class counted
{
public:
  explicit counted(std::uint32_t n)
      : n_(n)
  {}
  friend counted operator+(const counted& a, const counted& b)
  {
    return counted(a.n_ + b.n_);
  }
  friend bool operator==(const counted& a, const counted& b)
  {
    return a.n_ == b.n_;
  }

private:
  std::uint32_t n_;
};
static_assert(!std::is_default_constructible_v<counted>, "what the test is about");

TEST(types, need_no_default_constructor)
{
  for (const std::size_t count : counts)
  {
    const std::vector<counted> v(count, counted(3));
    same_as_sequential<counted>(count, [&](auto p, auto& r) {
      thrust::inclusive_scan(p, v.begin(), v.end(), r.begin());
    });
    same_as_sequential<counted>(count, [&](auto p, auto& r) {
      thrust::exclusive_scan(p, v.begin(), v.end(), r.begin(), counted(8));
    });
  }
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
