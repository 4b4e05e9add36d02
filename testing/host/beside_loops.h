// Selections and reductions by key with lightscan::host beside plain loops: every overload of a type, a length and a
// number of threads.
#pragma once

#include "../support/random_values.h"

#include <lightscan/host.h>

#include <thrust/functional.h>
#include <thrust/pair.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace host_testing
{
using lightscan::host;

struct wide
{
  std::uint32_t number;
  std::uint32_t rest[9];

  friend bool operator==(const wide& a, const wide& b)
  {
    return a.number == b.number && a.rest[8] == b.rest[8];
  }
};

using pair = thrust::pair<std::uint32_t, float>; // bitwise copyable, but not trivially

// An element of each type for each number, and the number of an element.
template <class T>
struct of_number
{
  static T make(std::uint32_t number)
  {
    return static_cast<T>(number);
  }
};
template <>
struct of_number<wide>
{
  static wide make(std::uint32_t number)
  {
    return {number, {1, 2, 3, 4, 5, 6, 7, 8, ~number}};
  }
};
template <>
struct of_number<pair>
{
  static pair make(std::uint32_t number)
  {
    return pair(number, 0.5f);
  }
};
template <>
struct of_number<std::string>
{
  static std::string make(std::uint32_t number)
  {
    return "longer than a string holds within itself " + std::to_string(number);
  }
};

template <class T>
std::uint32_t number(T value)
{
  return static_cast<std::uint32_t>(value);
}
inline std::uint32_t number(const wide& value)
{
  return value.number;
}
inline std::uint32_t number(const pair& value)
{
  return value.first;
}
inline std::uint32_t number(const std::string& value)
{
  return static_cast<std::uint32_t>(std::stoul(value.substr(41)));
}

inline std::atomic<std::size_t> calls{0};

struct wanted
{
  template <class T>
  bool operator()(const T& value) const
  {
    calls.fetch_add(1, std::memory_order_relaxed);
    return number(value) % 3 == 0;
  }
};

struct marked
{
  bool operator()(char mark) const
  {
    calls.fetch_add(1, std::memory_order_relaxed);
    return mark == 1;
  }
};

// No equivalence: what stands before an element decides, not what was kept.
struct next_up
{
  template <class T>
  bool operator()(const T& before, const T& value) const
  {
    calls.fetch_add(1, std::memory_order_relaxed);
    return number(before) <= number(value) && number(value) <= number(before) + 1;
  }
};

inline constexpr auto uncounted = static_cast<std::size_t>(-1);

template <class T>
class beside_loops
{
public:
  using values = std::vector<T>;

  beside_loops(std::size_t count, int threads)
      : policy_(host.threads(threads))
      , count_(count)
      , neighbours_(count > 0 ? count - 1 : 0)
      , guard_(of_number<T>::make(99))
  {
    const auto random = testing_support::random_values<std::uint32_t>(count, count);
    for (std::size_t i = 0; i < count; ++i)
    {
      // Runs of all lengths, also across tiles.
      const bool new_run = i == 0 || random[i] / 256 % (1 + count / 50 % 23) == 0;
      in_.push_back(new_run ? of_number<T>::make(random[i] % 10) : in_.back());
      marks_.push_back(static_cast<char>(random[i] / 16 % 3));
      weights_.push_back(static_cast<std::int64_t>(i) + 1);
    }
  }

  void run()
  {
    copies();
    removals();
    uniques();
    partitions();
    runs_by_key();
  }

private:
  template <class Keeps>
  values kept(Keeps keeps) const
  {
    values result;
    for (std::size_t i = 0; i < count_; ++i)
    {
      if (keeps(i))
      {
        result.push_back(in_[i]);
      }
    }
    return result;
  }

  template <class Call>
  void writes(const values& expected, std::size_t expected_calls, Call call)
  {
    values out(expected.size() + 1, guard_);
    calls          = 0;
    const auto end = call(out.begin());
    EXPECT_EQ(static_cast<std::size_t>(end - out.begin()), expected.size());
    EXPECT_TRUE(expected_calls == uncounted || calls == expected_calls) << calls;
    EXPECT_TRUE(out.back() == guard_);
    out.pop_back();
    EXPECT_TRUE(out == expected);
  }

  template <class Call>
  void leaves(const values& expected, std::size_t expected_calls, Call call)
  {
    values range   = in_;
    calls          = 0;
    const auto end = call(range);
    ASSERT_EQ(static_cast<std::size_t>(end - range.begin()), expected.size());
    EXPECT_TRUE(expected_calls == uncounted || calls == expected_calls) << calls;
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), range.begin()));
  }

  void copies()
  {
    const auto f = in_.begin();
    const auto l = in_.end();
    const auto s = marks_.begin();
    const auto p = policy_;
    // clang-format off
    writes(kept([&](std::size_t i) { return wanted{}(in_[i]); }), count_,
           [&](auto out) { return thrust::copy_if(p, f, l, out, wanted{}); });
    writes(kept([&](std::size_t i) { return wanted{}(in_[i]); }), count_,
           [&](auto out) { return thrust::copy_if(p, in_.data(), in_.data() + count_, out, wanted{}); });
    writes(kept([&](std::size_t i) { return marks_[i] == 1; }), count_,
           [&](auto out) { return thrust::copy_if(p, f, l, s, out, marked{}); });
    writes(kept([&](std::size_t i) { return !wanted{}(in_[i]); }), count_,
           [&](auto out) { return thrust::remove_copy_if(p, f, l, out, wanted{}); });
    writes(kept([&](std::size_t i) { return marks_[i] != 1; }), count_,
           [&](auto out) { return thrust::remove_copy_if(p, f, l, s, out, marked{}); });
    const T five = of_number<T>::make(5);
    writes(kept([&](std::size_t i) { return !(in_[i] == five); }), uncounted,
           [&](auto out) { return thrust::remove_copy(p, f, l, out, five); });
    // clang-format on
  }

  void removals()
  {
    const auto s = marks_.begin();
    const auto p = policy_;
    // clang-format off
    leaves(kept([&](std::size_t i) { return !wanted{}(in_[i]); }), count_,
           [&](auto& v) { return thrust::remove_if(p, v.begin(), v.end(), wanted{}); });
    leaves(kept([&](std::size_t i) { return marks_[i] != 1; }), count_,
           [&](auto& v) { return thrust::remove_if(p, v.begin(), v.end(), s, marked{}); });
    leaves(in_, count_, [&](auto& v) {
      return thrust::remove_if(p, v.begin(), v.end(), [](const T& x) { calls += 1; return number(x) > 10; });
    });
    // The value may be one of those that go.
    if (count_ > 0)
    {
      leaves(kept([&](std::size_t i) { return !(in_[i] == in_[count_ / 2]); }), uncounted,
             [&](auto& v) { return thrust::remove(p, v.begin(), v.end(), v[count_ / 2]); });
    }
    // clang-format on
  }

  void uniques()
  {
    const auto f           = in_.begin();
    const auto l           = in_.end();
    const auto p           = policy_;
    const values different = kept([&](std::size_t i) {
      return i == 0 || !(in_[i - 1] == in_[i]);
    });
    const values apart     = kept([&](std::size_t i) {
      return i == 0 || !next_up{}(in_[i - 1], in_[i]);
    });
    // clang-format off
    leaves(different, uncounted, [&](auto& v) { return thrust::unique(p, v.begin(), v.end()); });
    leaves(apart, neighbours_, [&](auto& v) { return thrust::unique(p, v.begin(), v.end(), next_up{}); });
    writes(different, uncounted, [&](auto out) { return thrust::unique_copy(p, f, l, out); });
    writes(apart, neighbours_, [&](auto out) { return thrust::unique_copy(p, f, l, out, next_up{}); });
    // clang-format on
    EXPECT_EQ(static_cast<std::size_t>(thrust::unique_count(p, f, l)), different.size());
    calls = 0;
    EXPECT_EQ(static_cast<std::size_t>(thrust::unique_count(p, f, l, next_up{})), apart.size());
    EXPECT_EQ(calls, neighbours_);
  }

  template <class InPlace, class Copying>
  void splits(const values& first, const values& second, InPlace in_place, Copying copying)
  {
    values both = first;
    both.insert(both.end(), second.begin(), second.end());
    values range = in_;
    calls        = 0;
    EXPECT_EQ(static_cast<std::size_t>(in_place(range) - range.begin()), first.size());
    EXPECT_EQ(calls, count_);
    EXPECT_TRUE(range == both);
    values others(second.size() + 1, guard_);
    writes(first, count_, [&](auto out) {
      const auto ends = copying(out, others.begin());
      EXPECT_EQ(static_cast<std::size_t>(ends.second - others.begin()), second.size());
      return ends.first;
    });
    EXPECT_TRUE(others.back() == guard_);
    others.pop_back();
    EXPECT_TRUE(others == second);
  }

  void partitions()
  {
    const auto f = in_.begin();
    const auto l = in_.end();
    const auto s = marks_.begin();
    const auto p = policy_;
    // clang-format off
    const values good = kept([&](std::size_t i) { return wanted{}(in_[i]); });
    const values bad  = kept([&](std::size_t i) { return !wanted{}(in_[i]); });
    splits(good, bad,
           [&](auto& v) { return thrust::partition(p, v.begin(), v.end(), wanted{}); },
           [&](auto a, auto b) { return thrust::partition_copy(p, f, l, a, b, wanted{}); });
    splits(good, bad,
           [&](auto& v) { return thrust::stable_partition(p, v.begin(), v.end(), wanted{}); },
           [&](auto a, auto b) { return thrust::stable_partition_copy(p, f, l, a, b, wanted{}); });
    const values with    = kept([&](std::size_t i) { return marks_[i] == 1; });
    const values without = kept([&](std::size_t i) { return marks_[i] != 1; });
    splits(with, without,
           [&](auto& v) { return thrust::partition(p, v.begin(), v.end(), s, marked{}); },
           [&](auto a, auto b) { return thrust::partition_copy(p, f, l, s, a, b, marked{}); });
    splits(with, without,
           [&](auto& v) { return thrust::stable_partition(p, v.begin(), v.end(), s, marked{}); },
           [&](auto a, auto b) { return thrust::stable_partition_copy(p, f, l, s, a, b, marked{}); });
    // clang-format on
  }

  // What has a value for each key that is kept.
  template <class Call>
  void writes_both(const values& keys, const std::vector<std::int64_t>& results, std::size_t expected_calls, Call call)
  {
    std::vector<std::int64_t> others(results.size() + 1, -7);
    writes(keys, expected_calls, [&](auto out) {
      const auto ends = call(out, others.begin());
      EXPECT_EQ(static_cast<std::size_t>(ends.second - others.begin()), results.size());
      return ends.first;
    });
    EXPECT_EQ(others.back(), -7);
    others.pop_back();
    EXPECT_TRUE(others == results);
  }

  template <class Same>
  void runs_of(Same same, values& keys, std::vector<std::int64_t>& firsts, std::vector<std::int64_t>& sums) const
  {
    for (std::size_t i = 0; i < count_; ++i)
    {
      if (i == 0 || !same(in_[i - 1], in_[i]))
      {
        keys.push_back(in_[i]);
        firsts.push_back(weights_[i]);
        sums.push_back(0);
      }
      sums.back() += weights_[i];
    }
  }

  void runs_by_key()
  {
    const auto f = in_.begin();
    const auto l = in_.end();
    const auto w = weights_.begin();
    const auto p = policy_;
    values keys, joined_keys;
    std::vector<std::int64_t> firsts, joined_firsts, sums, joined_sums;
    runs_of(std::equal_to<T>{}, keys, firsts, sums);
    runs_of(next_up{}, joined_keys, joined_firsts, joined_sums);
    // clang-format off
    for (const bool of_joined : {false, true})
    {
      std::vector<std::int64_t> moved = weights_;
      const auto& results             = of_joined ? joined_firsts : firsts;
      leaves(of_joined ? joined_keys : keys, of_joined ? neighbours_ : uncounted, [&](auto& v) {
        const auto ends = of_joined ? thrust::unique_by_key(p, v.begin(), v.end(), moved.begin(), next_up{})
                                  : thrust::unique_by_key(p, v.begin(), v.end(), moved.begin());
        EXPECT_EQ(static_cast<std::size_t>(ends.second - moved.begin()), results.size());
        return ends.first;
      });
      EXPECT_TRUE(std::equal(results.begin(), results.end(), moved.begin()));
    }
    writes_both(keys, firsts, uncounted, [&](auto k, auto v) { return thrust::unique_by_key_copy(p, f, l, w, k, v); });
    writes_both(joined_keys, joined_firsts, neighbours_,
                [&](auto k, auto v) { return thrust::unique_by_key_copy(p, f, l, w, k, v, next_up{}); });
    writes_both(keys, sums, uncounted, [&](auto k, auto v) { return thrust::reduce_by_key(p, f, l, w, k, v); });
    writes_both(joined_keys, joined_sums, neighbours_,
                [&](auto k, auto v) { return thrust::reduce_by_key(p, f, l, w, k, v, next_up{}); });
    writes_both(joined_keys, joined_sums, neighbours_,
                [&](auto k, auto v) { return thrust::reduce_by_key(p, f, l, w, k, v, next_up{}, thrust::plus<>{}); });
    // clang-format on
  }

  decltype(host.threads(1)) policy_;
  std::size_t count_;
  std::size_t neighbours_;
  T guard_;
  values in_;
  std::vector<char> marks_;
  std::vector<std::int64_t> weights_;
};
inline constexpr int thread_counts[] = {1, 2, 3, 8};

template <class T>
void check(std::size_t count)
{
  for (const int threads : thread_counts)
  {
    SCOPED_TRACE(std::to_string(count) + " elements, " + std::to_string(threads) + " threads");
    beside_loops<T>(count, threads).run();
    if (testing::Test::HasFailure())
    {
      return;
    }
  }
}
} // namespace host_testing
