// Selections and reductions by key with lightscan::host, beside plain loops. A .cu file, so that nvcc sees them, too.
//
// Rules covered:
//   - every overload, around the sizes of tiles and far from them, for several numbers of threads: what is kept and
//     where it ends; nothing is written behind that
//   - in place, and to other memory; of numbers, of wide structs, of what is bitwise copyable alone; of what is not in
//     select_strings_test.cpp
//   - predicates and equality are called exactly once for each element, or each two neighbours, on all threads
//   - reductions keep the order of values, and have the same bits for any number of threads
//   - an exception reaches the caller, and the next call works
#include "../support/random_values.h"
#include "beside_loops.h"

#include <lightscan/host.h>
#include <lightscan/host/tile_loop.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using host_testing::check;
using host_testing::host;
using host_testing::thread_counts;

// Short ranges, one to many tiles of a selection without and with a stencil and of one by key, and lengths between.
template <class T>
void check_all()
{
  for (std::size_t count = 0; count < 40; count += count < 4 ? 1 : 5)
  {
    check<T>(count);
  }
  for (const std::size_t bytes_each : {2 * sizeof(T), sizeof(T) + 1, sizeof(T) + sizeof(std::int64_t)})
  {
    const auto tile = static_cast<std::size_t>(lightscan::host_engine::buffered_items(bytes_each));
    for (const std::size_t tiles : {1, 2, 3, 4, 9})
    {
      for (const std::size_t count : {tiles * tile - 1, tiles * tile, tiles * tile + 1})
      {
        if (count <= 70000)
        {
          check<T>(count);
        }
      }
    }
  }
  for (std::size_t count = 100; count <= 70000; count += count < 1000 ? 311 : 17249)
  {
    check<T>(count);
  }
}

TEST(results, of_bytes_are_those_of_loops)
{
  check_all<std::uint8_t>();
}

TEST(results, of_numbers_are_those_of_loops)
{
  check_all<std::int32_t>();
}

TEST(results, of_wide_structs_are_those_of_loops)
{
  check_all<host_testing::wide>();
}

TEST(results, of_pairs_are_those_of_loops)
{
  check_all<host_testing::pair>();
}

TEST(ranges, that_end_before_they_begin_do_nothing)
{
  std::vector<int> v{1, 2, 3}, out{7, 7, 7};
  const auto f   = v.end();
  const auto l   = v.begin();
  const auto odd = [](int x) {
    return x % 2 == 1;
  };
  EXPECT_EQ(thrust::copy_if(host, f, l, out.begin(), odd), out.begin());
  EXPECT_EQ(thrust::remove_if(host, f, l, odd), f);
  EXPECT_EQ(thrust::unique(host, f, l), f);
  EXPECT_EQ(thrust::unique_count(host, f, l), 0);
  EXPECT_EQ(thrust::partition(host, f, l, odd), f);
  EXPECT_EQ(thrust::partition_copy(host, f, l, out.begin(), out.begin(), odd).second, out.begin());
  EXPECT_EQ(thrust::unique_by_key(host, f, l, out.begin()).second, out.begin());
  EXPECT_EQ(thrust::reduce_by_key(host, f, l, v.begin(), out.begin(), out.begin()).first, out.begin());
  EXPECT_EQ(v, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(out, (std::vector<int>{7, 7, 7}));
}

// Which elements it was asked of, how often, and by which threads.
struct asked
{
  explicit asked(std::size_t count)
      : times(count)
  {}

  void of(std::size_t i)
  {
    times[i].fetch_add(1, std::memory_order_relaxed);
    static thread_local const void* noted = nullptr;
    if (noted != this)
    {
      const std::lock_guard<std::mutex> lock(mutex);
      threads.insert(std::this_thread::get_id());
      noted = this;
    }
  }

  std::vector<std::atomic<int>> times;
  std::set<std::thread::id> threads;
  std::mutex mutex;
};

TEST(predicates, are_called_once_for_each_element_on_all_threads)
{
  constexpr int count = 300000;
  const thrust::counting_iterator<int> numbers(0);
  std::vector<int> out(count), others(count);
  std::list<asked> all; // each at an address of its own
  const auto check_calls = [&](int from, auto call) {
    asked& of = all.emplace_back(count);
    call(of);
    EXPECT_EQ(of.threads.size(), 3u);
    EXPECT_TRUE(std::all_of(of.times.begin() + from, of.times.end(), [](const auto& times) {
      return times == 1;
    }));
  };
  const auto p    = host.threads(3);
  const auto l    = numbers + count;
  const auto some = [](asked& of) {
    return [&of](int i) {
      of.of(static_cast<std::size_t>(i));
      return i % 7 < 3;
    };
  };
  check_calls(0, [&](asked& of) {
    thrust::copy_if(p, numbers, l, out.begin(), some(of));
  });
  check_calls(0, [&](asked& of) {
    thrust::partition_copy(p, numbers, l, out.begin(), others.begin(), some(of));
  });
  const auto same = [](asked& of) {
    return [&of](int a, int b) {
      EXPECT_EQ(a + 1, b);
      of.of(static_cast<std::size_t>(b));
      return b % 5 != 0;
    };
  };
  check_calls(1, [&](asked& of) {
    EXPECT_EQ(thrust::unique_count(p, numbers, l, same(of)), count / 5);
  });
  check_calls(1, [&](asked& of) {
    thrust::reduce_by_key(p, numbers, l, numbers, out.begin(), others.begin(), same(of));
    EXPECT_EQ(others[1], 5 + 6 + 7 + 8 + 9);
  });
}

struct span
{
  int first, last;
};

TEST(reductions, keep_the_order_of_values)
{
  const std::size_t count = 70000;
  std::vector<int> keys(count);
  std::vector<span> spans(count);
  for (int i = 0; i < static_cast<int>(count); ++i)
  {
    keys[static_cast<std::size_t>(i)]  = i < 30000 ? i / 3 : i < 60000 ? -1 : -2 - i;
    spans[static_cast<std::size_t>(i)] = {i, i};
  }
  for (const int threads : thread_counts)
  {
    std::vector<span> joined(count);
    const auto ends = thrust::reduce_by_key(host.threads(threads),
                                            keys.begin(),
                                            keys.end(),
                                            spans.begin(),
                                            thrust::make_discard_iterator(),
                                            joined.begin(),
                                            thrust::equal_to<>{},
                                            [](span a, span b) {
                                              return a.last + 1 == b.first ? span{a.first, b.last} : span{-1, -1};
                                            });
    ASSERT_EQ(ends.second - joined.begin(), 10000 + 1 + 10000);
    int next = 0;
    for (auto run = joined.begin(); run != ends.second; ++run)
    {
      ASSERT_EQ(run->first, next);
      next = run->last + 1;
    }
    EXPECT_EQ(next, static_cast<int>(count));
  }
}

TEST(reductions, have_the_same_bits_for_any_number_of_threads)
{
  const std::size_t count = 300000;
  const auto random       = testing_support::random_values<std::uint32_t>(count);
  std::vector<float> values(count);
  std::vector<int> keys(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    values[i] = static_cast<float>(random[i] % 1000) * 0.37f;
    keys[i]   = (i > 0 ? keys[i - 1] : 0) + (random[i] / 1024 % 5000 == 0 ? 1 : 0);
  }
  std::vector<float> expected;
  for (const int threads : thread_counts)
  {
    std::vector<float> sums(count, -1.0f);
    thrust::reduce_by_key(
      host.threads(threads), keys.begin(), keys.end(), values.begin(), thrust::make_discard_iterator(), sums.begin());
    expected = threads == 1 ? sums : expected;
    EXPECT_TRUE(sums == expected) << threads << " threads";
  }
}

TEST(iterators, may_be_of_any_kind)
{
  const std::size_t count = 70000;
  const auto n            = static_cast<std::ptrdiff_t>(count);
  const auto random       = testing_support::random_values<std::uint32_t>(count);
  const auto odd          = [](std::uint32_t x) {
    return x % 2 == 1;
  };
  const auto set = [](bool bit) {
    return bit;
  };
  const auto first_odd = [](const auto& both) {
    return thrust::get<0>(both) % 2 == 1;
  };
  std::vector<int> at_odd, at_even;
  for (int i = 0; i < static_cast<int>(count); ++i)
  {
    (odd(random[static_cast<std::size_t>(i)]) ? at_odd : at_even).push_back(i);
  }
  const auto odds = static_cast<std::ptrdiff_t>(at_odd.size());
  const thrust::counting_iterator<int> indices(0);
  for (const int threads : thread_counts)
  {
    const auto p = host.threads(threads);
    std::vector<int> out(at_odd.size());
    EXPECT_EQ(thrust::copy_if(p, indices, indices + n, random.begin(), out.begin(), odd), out.end());
    EXPECT_EQ(out, at_odd);
    const auto doubled = thrust::make_transform_iterator(indices, [](int x) {
      return x * 2;
    });
    thrust::copy_if(p, doubled, doubled + n, random.begin(), thrust::make_reverse_iterator(out.end()), odd);
    EXPECT_TRUE(std::equal(at_odd.begin(), at_odd.end(), out.rbegin(), [](int a, int b) {
      return a * 2 == b;
    }));

    auto numbers = random;
    std::vector<int> places(indices, indices + n);
    const auto zipped = thrust::make_zip_iterator(numbers.begin(), places.begin());
    EXPECT_EQ(thrust::stable_partition(p, zipped, zipped + n, first_odd) - zipped, odds);
    EXPECT_TRUE(std::equal(at_odd.begin(), at_odd.end(), places.begin()));
    EXPECT_TRUE(std::equal(at_even.rbegin(), at_even.rend(), places.rbegin()));
    EXPECT_EQ(thrust::remove_if(p, zipped, zipped + n, first_odd) - zipped, n - odds);
    EXPECT_TRUE(std::equal(at_even.begin(), at_even.end(), places.begin()));

    std::vector<bool> bits(count);
    std::transform(random.begin(), random.end(), bits.begin(), odd);
    const auto others = thrust::stable_partition(p, bits.begin(), bits.end(), set);
    EXPECT_EQ(others - bits.begin(), odds);
    EXPECT_TRUE(std::is_partitioned(bits.begin(), bits.end(), set));
  }
}

struct planned : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

// Whatever kind of reference an iterator yields, the value is what it was before the call.
TEST(removals, of_an_element_of_the_range)
{
  const std::size_t count = 300001;
  const auto n            = static_cast<std::ptrdiff_t>(count);
  for (const int threads : thread_counts)
  {
    const auto p = host.threads(threads);
    std::vector<bool> bits(count);
    std::vector<int> numbers(count), others(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      bits[i]    = i % 3 == 0;
      numbers[i] = others[i] = static_cast<int>(i % 3);
    }
    const auto zip = thrust::make_zip_iterator(thrust::make_tuple(numbers.begin(), others.begin()));
    EXPECT_EQ(thrust::remove(p, zip, zip + n, *zip) - zip, n - (n + 2) / 3);
    bits.erase(thrust::remove(p, bits.begin(), bits.end(), bits[0]), bits.end());
    for (std::size_t i = 0; i < bits.size(); ++i)
    {
      ASSERT_EQ(numbers[i], static_cast<int>(1 + i % 2)) << i;
      ASSERT_EQ(others[i], numbers[i]) << i;
      ASSERT_FALSE(bits[i]) << i;
    }
    EXPECT_EQ(bits.size(), count - (count + 2) / 3);
  }
}

// Permutations compare their indices alone.
TEST(iterators, that_compare_equal_need_not_be_in_one_place)
{
  for (const int n : {10, 100000})
  {
    const auto size = static_cast<std::size_t>(n);
    std::vector<int> items(size), backwards(size);
    for (int i = 0; i < n; ++i)
    {
      items[static_cast<std::size_t>(i)]     = i;
      backwards[static_cast<std::size_t>(i)] = n - 1 - i;
    }
    const auto through = [&](std::vector<int>& memory) {
      return thrust::make_permutation_iterator(memory.begin(), backwards.begin());
    };
    const auto expect_all = [&](const char* call, auto put) {
      std::vector<int> results(size, -1);
      put(through(results));
      EXPECT_EQ(results, items) << call << " of " << n;
    };
    const auto from = through(items);
    const auto all  = [](int) {
      return true;
    };
    expect_all("copy_if", [&](auto to) {
      thrust::copy_if(lightscan::host, from, from + n, to, all);
    });
    expect_all("copy_if with a stencil", [&](auto to) {
      thrust::copy_if(lightscan::host, from, from + n, backwards.begin(), to, all);
    });
    expect_all("partition_copy", [&](auto to) {
      thrust::partition_copy(lightscan::host, from, from + n, to, thrust::make_discard_iterator(), all);
    });
    expect_all("unique_copy", [&](auto to) {
      thrust::unique_copy(lightscan::host, from, from + n, to);
    });
    expect_all("unique_by_key_copy", [&](auto to) {
      thrust::unique_by_key_copy(lightscan::host, from, from + n, from, thrust::make_discard_iterator(), to);
    });
  }
}

TEST(exceptions, reach_the_caller_and_the_next_call_works)
{
  const std::size_t count = 70000;
  for (const int threads : thread_counts)
  {
    for (const std::size_t fatal : {std::size_t{0}, count / 2, count - 1})
    {
      std::vector<int> v(count, 1), out(count), keys(count);
      v[fatal]       = 9;
      const auto p   = host.threads(threads);
      const auto bad = [](int x) {
        return x == 9 ? throw planned("asked") : x == 1;
      };
      const auto worse = [](int a, int b) {
        return a == 9 || b == 9 ? throw planned("asked of two") : a;
      };
      EXPECT_THROW(thrust::copy_if(p, v.begin(), v.end(), out.begin(), bad), planned);
      EXPECT_THROW(thrust::unique_copy(p, v.begin(), v.end(), out.begin(), worse), planned);
      const auto nowhere = thrust::make_discard_iterator();
      EXPECT_THROW(thrust::reduce_by_key(
                     p, keys.begin(), keys.end(), v.begin(), nowhere, out.begin(), thrust::equal_to<>{}, worse),
                   planned);
      auto range = v;
      EXPECT_THROW(thrust::stable_partition(p, range.begin(), range.end(), bad), planned);
      EXPECT_EQ(thrust::remove_copy(p, v.begin(), v.end(), out.begin(), 9), out.end() - 1);
    }
  }
}
} // namespace
