// Calls of the engine that fail, that are nested and that meet. Built a second time with ThreadSanitizer.
//
// Rules covered:
//   - an exception on whichever thread, of whichever call of the operator or access to an element, reaches the caller
//     when no thread is in the call any more, and the next call works; one of another language ends the program
//   - nested calls and calls from several threads at once
//   - accumulators may point to what the operator has made on another thread
//   - what users hand over is copied for each thread, not for each strip of a tile
#include "engine_scan.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if __has_include(<unwind.h>)
#  include <unwind.h>
#endif

#include <gtest/gtest.h>

namespace
{
using namespace engine_testing;
using engine_testing::index; // not the one of <strings.h>

struct planned : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

// Counts calls of all threads; the one numbered `fatal` throws. `inside` tells who is still in a call.
struct fuse
{
  std::atomic<index> calls{0};
  index fatal = -1;

  void burn()
  {
    if (calls.fetch_add(1, std::memory_order_relaxed) == fatal)
    {
      throw planned("call " + std::to_string(fatal));
    }
  }
};

struct burning_join
{
  fuse* of;
  interval operator()(const interval& a, const interval& b) const
  {
    of->burn();
    return join{}(a, b);
  }
};

struct burning_iterator
{
  const interval* at;
  fuse* of;
  interval operator[](index i) const
  {
    of->burn();
    return at[i];
  }
};

template <class Scan>
void check_exceptions(Scan scan_with)
{
  fuse counting;
  scan_with(counting, 1);
  const index calls = counting.calls.load();
  ASSERT_GT(calls, 0);
  for (const int threads : {1, 2, 3, 7})
  {
    for (index fatal = 0; fatal < calls; fatal += std::max<index>(1, calls / 97))
    {
      SCOPED_TRACE("call " + std::to_string(fatal) + ", " + std::to_string(threads) + " threads");
      fuse burning;
      burning.fatal = fatal;
      try
      {
        scan_with(burning, threads);
        ADD_FAILURE() << "no exception";
      }
      catch (const planned& error)
      {
        EXPECT_EQ(error.what(), "call " + std::to_string(fatal));
      }
      // Nobody is in the call any more: were a thread left in it, ThreadSanitizer would see `burning` go.
    }
  }
}

TEST(exceptions, of_the_operator_reach_the_caller)
{
  const index count                  = 9 * interval_tile + 7;
  const std::vector<interval> values = intervals(count);
  std::vector<interval> results(values.size());
  check_exceptions([&](fuse& f, int threads) {
    scan<at_once, true, interval>(threads, values.data(), results.data(), count, burning_join{&f}, no_init{});
  });
  scan<at_once, true, interval>(7, values.data(), results.data(), count, join{}, no_init{});
  EXPECT_EQ(first_wrong(results, true, false), -1);
}

TEST(exceptions, of_iterators_reach_the_caller)
{
  const index count                  = 6 * interval_tile + 7;
  const std::vector<interval> values = intervals(count);
  std::vector<interval> results(values.size());
  check_exceptions([&](fuse& f, int threads) {
    scan<at_once, false, interval>(
      threads, burning_iterator{values.data(), &f}, results.data(), count, join{}, interval{0, 1});
  });
}

#if __has_include(<unwind.h>) && !defined(__SANITIZE_THREAD__)
// As code of another language throws, which C++ can catch and not keep.
TEST(exceptions, of_other_languages_stop_the_program)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::vector<int> ones(1 << 20, 1);
  std::vector<int> results(ones.size());
  const auto throws = [](int a, int b) {
    static _Unwind_Exception foreign{};
    if (a > 1000)
    {
      _Unwind_RaiseException(&foreign);
    }
    return a + b;
  };
  for (const int threads : {1, 3})
  {
    EXPECT_DEATH((scan<at_once, true, int>(
                   threads, ones.data(), results.data(), static_cast<index>(ones.size()), throws, no_init{})),
                 "");
  }
}
#endif

// Thrown where the copy for a thread is made.
struct uncopyable_twice
{
  std::atomic<int>* copies;
  explicit uncopyable_twice(std::atomic<int>* c)
      : copies(c)
  {}
  uncopyable_twice(const uncopyable_twice& other)
      : copies(other.copies)
  {
    if (copies->fetch_sub(1) <= 0)
    {
      throw planned("copy");
    }
  }
  interval operator()(const interval& a, const interval& b) const
  {
    return join{}(a, b);
  }
};

TEST(exceptions, of_copies_reach_the_caller)
{
  const index count                  = 9 * interval_tile;
  const std::vector<interval> values = intervals(count);
  std::vector<interval> results(values.size());
  int caught = 0;
  for (int allowed = 0; allowed < 12; ++allowed)
  {
    std::atomic<int> copies{allowed};
    const uncopyable_twice op(&copies);
    try
    {
      engine::scan<unstreamed, true, interval>(3,
                                               false,
                                               engine::elements<interval, const interval*>{values.data()},
                                               results.data(),
                                               engine::all_of_it{},
                                               count,
                                               op,
                                               no_init{});
    }
    catch (const planned&)
    {
      ++caught;
    }
  }
  EXPECT_GT(caught, 2);
}

// Calls in calls, calls beside calls ----------------------------------------------------------------------------------

struct scanning_join
{
  index every;
  std::atomic<index>* calls;
  interval operator()(const interval& a, const interval& b) const
  {
    if (calls->fetch_add(1, std::memory_order_relaxed) % every == 0)
    {
      const index count                  = 5 * interval_tile;
      const std::vector<interval> values = intervals(count);
      std::vector<interval> results(values.size());
      scan<at_once, true, interval>(4, values.data(), results.data(), count, join{}, no_init{});
      if (first_wrong(results, true, false) != -1)
      {
        return broken_interval;
      }
    }
    return join{}(a, b);
  }
};

TEST(calls, may_be_nested)
{
  const index count                  = 10 * interval_tile + 1;
  const std::vector<interval> values = intervals(count);
  for (const int threads : {1, 2, 5})
  {
    std::atomic<index> calls{0};
    std::vector<interval> results(values.size());
    scan<at_once, true, interval>(
      threads, values.data(), results.data(), count, scanning_join{9973, &calls}, no_init{});
    EXPECT_EQ(first_wrong(results, true, false), -1);
  }
}

TEST(calls, may_fail_in_a_call)
{
  const index count                  = 8 * interval_tile;
  const std::vector<interval> values = intervals(count);
  std::vector<interval> results(values.size());
  std::atomic<index> calls{0};
  std::atomic<index> caught{0};
  const auto op = [&](const interval& a, const interval& b) {
    if (calls.fetch_add(1) % 20011 == 0)
    {
      fuse burning;
      burning.fatal = 50000;
      std::vector<interval> inner(values.size());
      try
      {
        scan<at_once, true, interval>(4, values.data(), inner.data(), count, burning_join{&burning}, no_init{});
      }
      catch (const planned&)
      {
        ++caught;
      }
    }
    return join{}(a, b);
  };
  scan<at_once, true, interval>(3, values.data(), results.data(), count, op, no_init{});
  EXPECT_EQ(first_wrong(results, true, false), -1);
  EXPECT_GE(caught.load(), 3);
}

TEST(calls, may_come_from_several_threads_at_once)
{
  const index count                  = 7 * interval_tile + 3;
  const std::vector<interval> values = intervals(count);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller)
  {
    callers.emplace_back([&, caller] {
      for (int call = 0; call < 20; ++call)
      {
        std::vector<interval> results(values.size());
        fuse burning;
        burning.fatal = caller % 2 == 1 && call % 3 == 0 ? 1000 * call + 17 : -1;
        try
        {
          scan<at_once, true, interval>(4, values.data(), results.data(), count, burning_join{&burning}, no_init{});
          wrong += burning.fatal >= 0 || first_wrong(results, true, false) != -1 ? 1 : 0;
        }
        catch (const planned&)
        {
          wrong += burning.fatal < 0 ? 1 : 0;
        }
      }
    });
  }
  for (std::thread& caller : callers)
  {
    caller.join();
  }
  EXPECT_EQ(wrong.load(), 0);
}

struct node
{
  index sum;
};

TEST(calls, accumulate_in_what_points_to_objects_of_other_threads)
{
  const index count = 9 * engine::tile_shape<const node*>::tile_items + 3;
  std::vector<node> nodes(static_cast<std::size_t>(5 * count), node{1}); // the elements, and what the operator makes
  std::vector<const node*> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = &nodes[i];
  }
  std::atomic<std::size_t> next{values.size()};
  const auto joined = [&](const node* a, const node* b) -> const node* {
    node& made = nodes.at(next.fetch_add(1, std::memory_order_relaxed));
    made.sum   = a->sum + b->sum;
    return &made;
  };
  std::vector<const node*> results(values.size());
  scan<at_once, true, const node*>(4, values.data(), results.data(), count, joined, no_init{});
  for (std::size_t i = 0; i < results.size(); ++i)
  {
    ASSERT_EQ(results[i]->sum, static_cast<index>(i) + 1) << i;
  }
}

// A function that is not cheap to copy.
struct copied_function
{
  std::atomic<int>* copies;

  explicit copied_function(std::atomic<int>& counter)
      : copies(&counter)
  {}
  copied_function(const copied_function& other)
      : copies(other.copies)
  {
    ++*copies;
  }

  index operator()(index element) const
  {
    return 2 * element;
  }
};

TEST(calls, copy_functions_for_each_thread_only)
{
  using source      = engine::elements<index, const index*, copied_function>;
  const index count = 50 * engine::tile_shape<index>::tile_items;
  const std::vector<index> values(static_cast<std::size_t>(count), 1);
  std::vector<index> results(values.size());
  std::atomic<int> copies{0};
  engine::scan<unstreamed, true, index>(
    3,
    false,
    source{values.data(), copied_function(copies)},
    results.data(),
    engine::all_of_it{},
    count,
    [](index a, index b) {
      return a + b;
    },
    no_init{});
  EXPECT_EQ(results.back(), 2 * count);
  EXPECT_LE(copies.load(), 20);
}
} // namespace
