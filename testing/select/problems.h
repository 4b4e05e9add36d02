// Selections and reductions straight to one kernel, and what they are checked by.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/runtime/report.h>

#include "../support/expect_cuda.h"
#include "../support/guarded_memory.h"
#include "../support/launched_shape.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace testing_support
{
using lightscan::dispatch::kernels;

inline constexpr kernels both_kernels[] = {kernels::bulk_only, kernels::plain_only};

// 48 bytes, of which one says what it is.
struct wide
{
  std::uint64_t number[6];

  __host__ __device__ wide(std::uint64_t n = 0)
      : number{n, 1, 2, 3, 4, ~n}
  {}
  __host__ __device__ operator std::uint64_t() const
  {
    return number[0];
  }
  __host__ __device__ friend bool operator==(const wide& a, const wide& b)
  {
    return a.number[0] == b.number[0];
  }
};

struct is_odd
{
  template <class T>
  __host__ __device__ bool operator()(const T& x) const
  {
    return static_cast<std::uint64_t>(x) % 2 != 0;
  }
};

struct is_third
{
  template <class T>
  __host__ __device__ bool operator()(const T& x) const
  {
    return static_cast<std::uint64_t>(x) % 3 == 0;
  }
};

// How the items that are wanted lie: at random, all of them, none, runs, blocks about as long as a tile, alternating.
inline constexpr int patterns = 6;

template <class T>
std::vector<T> items_of_pattern(std::int64_t n, int pattern)
{
  std::mt19937 random(static_cast<unsigned>(n * 7 + pattern)); // the seed follows from what SCOPED_TRACE says
  std::vector<T> items(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
  {
    const std::int64_t of[patterns] = {
      static_cast<std::int64_t>(random() % 251), 1, 2, i / 37 % 251, i / 6000 % 2, i % 251};
    items[static_cast<std::size_t>(i)] = static_cast<T>(of[pattern]);
  }
  return items;
}

// Around what a lane, a row and a tile hold, one tile and several, and several for each block.
inline std::vector<std::int64_t> lengths()
{
  return {1, 2, 3, 5, 31, 32, 33, 127, 128, 1000, 4095, 5632, 5633, 7040, 7041, 33792, 70001, 1000003, 3000017};
}

// Where totals go.
class totals
{
public:
  totals()
      : memory_(2, 0)
  {}
  std::int64_t* data() const
  {
    return memory_.data();
  }
  std::int64_t operator[](std::size_t which) const
  {
    return memory_.download()[which];
  }

private:
  guarded_memory<std::int64_t> memory_;
};

// Launches in one kernel; false where this GPU, or program, has no pipeline.
template <class Problem>
bool launched(const Problem& problem, kernels in)
{
  const auto done = lightscan::dispatch::launcher<Problem>(problem, nullptr, in).run();
  if (in == kernels::bulk_only && done.error == cudaErrorNotSupported)
  {
    EXPECT_TRUE(compiled_for() != 90 || !pipeline_runs_here()) << done.doing;
    return false;
  }
  EXPECT_EQ(done.error, cudaSuccess) << done.doing;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const auto path = lightscan::runtime::last_report().taken;
  EXPECT_EQ(path, in == kernels::bulk_only ? lightscan::path::bulk_pipeline : lightscan::path::plain_kernel);
  return true;
}

// What runs of keys are reduced to: the first key of each, and its values from left to right.
template <class Key, class Value>
struct runs_of_keys
{
  std::vector<Key> keys;
  std::vector<Value> values;

  template <class Same, class Op>
  runs_of_keys(const std::vector<Key>& all_keys, const std::vector<Value>& all_values, Same same, Op op)
  {
    for (std::size_t i = 0; i < all_keys.size(); ++i)
    {
      if (i != 0 && same(all_keys[i - 1], all_keys[i]))
      {
        values.back() = op(values.back(), all_values[i]);
        continue;
      }
      keys.push_back(all_keys[i]);
      values.push_back(all_values[i]);
    }
  }
};

// The results are there, in order, and nothing behind them was written.
template <class T>
void expect_results(const guarded_memory<T>& memory, const std::vector<T>& wanted, const char* what)
{
  std::vector<T> there = memory.download();
  ASSERT_GE(there.size(), wanted.size());
  std::size_t wrong = wanted.size();
  for (std::size_t i = wanted.size(); i-- > 0;)
  {
    wrong = std::memcmp(&there[i], &wanted[i], sizeof(T)) == 0 ? wrong : i;
  }
  EXPECT_EQ(wrong, wanted.size()) << what << ": the first wrong result is number " << wrong;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(there.data());
  std::size_t touched     = there.size() * sizeof(T);
  for (std::size_t b = wanted.size() * sizeof(T); b < touched; ++b)
  {
    if (bytes[b] != guarded_memory<T>::poison)
    {
      touched = b;
    }
  }
  EXPECT_EQ(touched, there.size() * sizeof(T)) << what << ": written behind the last result, at byte " << touched;
  memory.expect_guards_untouched();
}
} // namespace testing_support
