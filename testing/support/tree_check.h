// Scans by the bulk pipeline over iterators of any kind, held against sequential ones on the host at the sizes where tiles and
// grids end. A test says for a size where its elements come from and where its results go.
#pragma once

#include "entry_check.h"
#include "expect_cuda.h"
#include "guarded_memory.h"
#include "random_values.h"
#include "scan_check.h"

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/launched.h>
#include <lightscan/runtime/report.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

namespace testing_support
{
// Memory that is read: `offset` elements after a 256-byte boundary. Copies share it; the last one to go sees whether it was
// written to, or beside it.
template <class T>
class column
{
public:
  column(std::vector<T> values, std::size_t offset)
      : shared_(std::make_shared<const contents>(std::move(values), offset))
  {}
  // Of any bits (random_values.h).
  column(std::int64_t count, std::size_t offset, std::uint64_t stream = 0)
      : column(random_values<T>(static_cast<std::size_t>(count), stream), offset)
  {}

  const T* data() const
  {
    return shared_->memory.data();
  }
  const T& operator[](std::size_t i) const
  {
    return shared_->values[i];
  }

private:
  struct contents
  {
    contents(std::vector<T>&& from, std::size_t offset)
        : values(std::move(from))
        , memory(values.size(), offset)
    {
      memory.upload(values);
    }
    ~contents()
    {
      expect_equal(memory.download(), values, "what was only to be read");
      memory.expect_guards_untouched();
    }
    contents(const contents&)            = delete;
    contents& operator=(const contents&) = delete;

    std::vector<T> values;
    guarded_memory<T> memory;
  };

  std::shared_ptr<const contents> shared_;
};

// Memory that is written, and may have been read before. Copies share it.
template <class T>
class target
{
public:
  target(std::int64_t count, std::size_t offset)
      : memory_(std::make_shared<guarded_memory<T>>(static_cast<std::size_t>(count), offset))
  {}
  target(const std::vector<T>& values, std::size_t offset)
      : target(static_cast<std::int64_t>(values.size()), offset)
  {
    memory_->upload(values);
  }

  T* data() const
  {
    return memory_->data();
  }
  void expect(const std::vector<T>& expected, const char* what = "results") const
  {
    ASSERT_NO_FATAL_FAILURE(expect_equal(memory_->download(), expected, what));
    memory_->expect_guards_untouched();
  }

private:
  std::shared_ptr<guarded_memory<T>> memory_;
};

// A scan: its input and, on the host, element i of it; its output, and what says whether the expected results are there.
template <class In, class At, class Out, class Check>
struct scan_call
{
  In first;
  At at;
  Out to;
  Check check;
};
template <class In, class At, class Out, class Check>
scan_call(In, At, Out, Check) -> scan_call<In, At, Out, Check>;

// The same by key.
template <class Keys, class KeyAt, class Values, class ValueAt, class Out, class Check>
struct by_key_call
{
  Keys keys;
  KeyAt key_at;
  Values values;
  ValueAt value_at;
  Out to;
  Check check;
};
template <class Keys, class KeyAt, class Values, class ValueAt, class Out, class Check>
by_key_call(Keys, KeyAt, Values, ValueAt, Out, Check) -> by_key_call<Keys, KeyAt, Values, ValueAt, Out, Check>;

// A scan of `n` elements to memory of T.
template <class T, class In, class At>
auto to_memory(std::int64_t n, In first, At at, std::size_t offset = 1)
{
  const target<T> out(n, offset);
  return scan_call{first, at, out.data(), [out](const std::vector<T>& expected) {
                     out.expect(expected);
                   }};
}
template <class T, class Keys, class KeyAt, class Values, class ValueAt>
auto by_key_to_memory(std::int64_t n, Keys keys, KeyAt key_at, Values values, ValueAt value_at, std::size_t offset = 1)
{
  const target<T> out(n, offset);
  return by_key_call{keys, key_at, values, value_at, out.data(), [out](const std::vector<T>& expected) {
                       out.expect(expected);
                     }};
}

template <class Problem>
void run_problem(const Problem& problem, kernels allowed, int max_blocks)
{
  const lightscan::runtime::outcome done =
    lightscan::dispatch::launcher<Problem>(problem, nullptr, allowed, max_blocks).run();
  ASSERT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_EQ(lightscan::runtime::last_report().taken,
            allowed == kernels::bulk_only ? lightscan::path::bulk_pipeline : lightscan::path::plain_kernel);
}

// Elements of the longest range.
inline constexpr std::int64_t usual_longest = 3000017;

// Calls scan(n, kernels, blocks at most) around the pipeline's tiles and grids: the whole GPU's and one of three blocks, which
// has several rounds. And for a few elements by the kernel that serves so few: the plain one.
template <class Scan>
void at_boundaries(Scan scan, std::int64_t longest = usual_longest)
{
  const auto checked = [&](std::int64_t n, kernels allowed, std::int64_t blocks) {
    SCOPED_TRACE("n = " + std::to_string(n) + (allowed == kernels::bulk_only ? ", bulk pipeline, " : ", plain kernel, ")
                 + std::to_string(blocks) + " blocks at most");
    ASSERT_NO_FATAL_FAILURE(scan(n, allowed, static_cast<int>(blocks)));
  };
  ASSERT_NO_FATAL_FAILURE(checked(1, kernels::bulk_only, 0));
  const std::int64_t tile = lightscan::runtime::last_report().tile_items;
  ASSERT_GT(tile, 0);
  const std::int64_t grid = std::clamp<std::int64_t>(longest / tile - 1, 1, multiprocessors());
  for (const std::int64_t n :
       {std::int64_t{2}, std::int64_t{33}, tile - 1, tile, tile + 1, grid * tile - 1, grid * tile, grid * tile + 1})
  {
    ASSERT_NO_FATAL_FAILURE(checked(n, kernels::bulk_only, grid));
  }
  for (const std::int64_t n : {3 * tile - 1, 3 * tile, 3 * tile + 1, 7 * tile + 13})
  {
    ASSERT_NO_FATAL_FAILURE(checked(n, kernels::bulk_only, 3));
  }
  ASSERT_NO_FATAL_FAILURE(checked(longest, kernels::bulk_only, 0));
  ASSERT_NO_FATAL_FAILURE(checked(1, kernels::best, 0));
  ASSERT_NO_FATAL_FAILURE(checked(333, kernels::best, 0));
}

// One kind of scan of make(n), accumulated in T. Without an initial value: Init = no_init.
template <class T, bool Inclusive, class Make, class Op, class Init>
void check_kind(Make make, Op op, Init init, std::int64_t longest = usual_longest)
{
  SCOPED_TRACE(Inclusive ? "inclusive" : "exclusive");
  at_boundaries(
    [&](std::int64_t n, kernels allowed, int blocks) {
      const auto call = make(n);
      using call_type = std::remove_const_t<decltype(call)>;
      using problem =
        lightscan::dispatch::scan_problem<T, decltype(call_type::first), decltype(call_type::to), Op, Init, Inclusive>;
      std::vector<T> elements(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < elements.size(); ++i)
      {
        elements[i] = static_cast<T>(call.at(i));
      }
      ASSERT_NO_FATAL_FAILURE(run_problem(problem{{call.first}, call.to, n, op, init, {}}, allowed, blocks));
      ASSERT_NO_FATAL_FAILURE(call.check(host_scan<Inclusive>(elements, init, op)));
    },
    longest);
}

template <class T, class Make, class Op>
void check_both_kinds(Make make, Op op, T init, std::int64_t longest = usual_longest)
{
  ASSERT_NO_FATAL_FAILURE((check_kind<T, true>(make, op, lightscan::util::no_init{}, longest)));
  ASSERT_NO_FATAL_FAILURE((check_kind<T, false>(make, op, init, longest)));
}

// By key, inclusive without an initial value, exclusive with one.
template <class Key, class Value, class Make, class Same, class Op, class Init>
void check_by_key(Make make, Same same, Op op, Init init, std::int64_t longest = usual_longest)
{
  constexpr bool inclusive = std::is_same_v<Init, lightscan::util::no_init>;
  SCOPED_TRACE(inclusive ? "inclusive by key" : "exclusive by key");
  at_boundaries(
    [&](std::int64_t n, kernels allowed, int blocks) {
      const auto call = make(n);
      using call_type = std::remove_const_t<decltype(call)>;
      using problem   = lightscan::dispatch::by_key_problem<Key,
                                                          Value,
                                                          decltype(call_type::keys),
                                                          decltype(call_type::values),
                                                          decltype(call_type::to),
                                                          Same,
                                                          Op,
                                                          Init>;
      std::vector<Key> keys(static_cast<std::size_t>(n));
      std::vector<Value> values(keys.size());
      for (std::size_t i = 0; i < keys.size(); ++i)
      {
        keys[i]   = static_cast<Key>(call.key_at(i));
        values[i] = static_cast<Value>(call.value_at(i));
      }
      const problem asked{{call.keys, call.values}, call.to, n, {same, op}, {}, {init}};
      lightscan::dispatch::launched<problem>::with(asked, [&](const auto& launched) {
        run_problem(launched, allowed, blocks);
      });
      ASSERT_NO_FATAL_FAILURE(call.check(host_scan_by_key<inclusive, Value>(keys, values, init, same, op)));
    },
    longest);
}
} // namespace testing_support
