// The engine without Thrust. Built a second time with ThreadSanitizer.
//
// Rules covered:
//   - each result is the fold of exactly the elements before it, in order (the interval monoid), for any number of
//     elements and of threads, in place and not, by ordinary and by streaming stores
//   - bits: those of the documented order, for any number of threads
//   - an exception on whichever thread, of whichever call of the operator or access to an element, reaches the caller
//     when no thread is in the call any more, and the next call works
//   - nested calls and calls from several threads at once
//   - small inputs and accumulators that fit no slot run on the calling thread; others on as many as allowed
#include "../support/operators.h"
#include "../support/random_values.h"

#include <lightscan/carry/slot.h>
#include <lightscan/host/engine.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace engine = lightscan::host_engine;
namespace carry  = lightscan::carry;
using carry::no_init;
using engine::index;
using testing_support::broken_interval;
using testing_support::interval;
using testing_support::join;

struct as_shipped : engine::default_tuning
{};
// The paths of large inputs, for small ones.
struct at_once : engine::default_tuning
{
  static constexpr index tiles_for_threads  = 2;
  static constexpr index streams_from_bytes = 0;
};
struct unstreamed : at_once
{
  static constexpr index streams_from_bytes = index{1} << 60;
};

template <class Tuning, bool Inclusive, class T, class In, class Out, class Op, class Init>
void scan(int threads, In in, Out out, index count, Op op, Init init, bool in_place = false)
{
  engine::scan<Tuning, Inclusive, T>(
    threads, in_place, engine::elements<T, In>{in}, out, engine::all_of_it{}, count, op, init);
}

const int thread_counts[] = {1, 2, 3, 7, 16};

constexpr index interval_tile    = engine::tile_shape<interval>::tile_items;
constexpr index interval_segment = engine::tile_shape<interval>::segment_items;

#if defined(__SANITIZE_THREAD__)
constexpr bool every_size = false; // ThreadSanitizer looks at how threads meet, which a few sizes show
#else
constexpr bool every_size = true;
#endif

std::vector<index> interesting_counts()
{
  std::vector<index> counts;
  for (index n = 1; n < 3000; n += every_size ? (n < 300 ? 1 : 61) : 701)
  {
    counts.push_back(n);
  }
  for (const index tiles : {1, 2, 3, 4, 5, 7, 16, 17, 33, 159, 160, 161, 325})
  {
    if (!every_size && tiles != 3 && tiles != 17)
    {
      continue;
    }
    for (index d = -2; d <= 2; ++d)
    {
      counts.push_back(tiles * interval_tile + d);
    }
    counts.push_back(tiles * interval_tile + interval_segment * 11 + 3);
  }
  return counts;
}

// Index of the first wrong result, or -1. Element i is [i + 1, i + 2); an initial value [0, 1).
index first_wrong(const std::vector<interval>& results, bool inclusive, bool with_init)
{
  for (std::size_t i = 0; i < results.size(); ++i)
  {
    const std::uint32_t begin = with_init ? 0 : 1;
    const std::uint32_t end   = static_cast<std::uint32_t>(i) + (inclusive ? 2 : 1);
    if (!(results[i] == interval{begin, end}))
    {
      return static_cast<index>(i);
    }
  }
  return -1;
}

std::vector<interval> intervals(index count)
{
  std::vector<interval> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = {static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(i) + 2};
  }
  return values;
}

template <class Tuning, bool Inclusive, class Init>
void check_intervals(Init init)
{
  constexpr bool with_init = !std::is_same_v<Init, no_init>;
  for (const index count : interesting_counts())
  {
    const std::vector<interval> values = intervals(count);
    for (const int threads : thread_counts)
    {
      if (threads > 3 && count < 4 * interval_tile)
      {
        continue;
      }
      SCOPED_TRACE(std::to_string(count) + " elements, " + std::to_string(threads) + " threads");
      std::vector<interval> results(values.size() + 2, broken_interval);
      // Off the line of a cache by one element.
      scan<Tuning, Inclusive, interval>(threads, values.data(), results.data() + 1, count, join{}, init);
      EXPECT_EQ(results.front(), broken_interval);
      EXPECT_EQ(results.back(), broken_interval);
      ASSERT_EQ(first_wrong({results.begin() + 1, results.end() - 1}, Inclusive, with_init), -1);

      std::vector<interval> in_place = values;
      scan<Tuning, Inclusive, interval>(threads, in_place.data(), in_place.data(), count, join{}, init, true);
      ASSERT_EQ(first_wrong(in_place, Inclusive, with_init), -1);
    }
  }
}

TEST(engine, folds_what_lies_before_in_order)
{
  check_intervals<unstreamed, true>(no_init{});
}
TEST(engine, folds_what_lies_before_in_order_after_an_initial_value)
{
  check_intervals<as_shipped, true>(interval{0, 1});
}
TEST(engine, folds_what_lies_before_in_order_exclusively)
{
  check_intervals<unstreamed, false>(interval{0, 1});
}
TEST(engine, folds_what_lies_before_in_order_with_streaming_stores)
{
  check_intervals<at_once, true>(no_init{});
  check_intervals<at_once, false>(interval{0, 1});
}

// The documented order, written down plainly: segments of 1 KiB, tiles of 64 segments, windows of 160 tiles, in which
// runs of five are folded by a tree over neighbours.
template <class T, class Op>
class documented
{
public:
  documented(const std::vector<T>& values, Op op)
      : values_(values)
      , op_(op)
  {}

  std::vector<T> results()
  {
    const std::size_t items = 1024 / sizeof(T);
    std::vector<T> aggregates;
    for (std::size_t begin = 0; begin + 64 * items <= values_.size(); begin += 64 * items)
    {
      T aggregate = segment(begin);
      for (std::size_t s = 1; s < 64; ++s)
      {
        aggregate = op_(aggregate, segment(begin + s * items));
      }
      aggregates.push_back(aggregate);
    }
    std::vector<T> out;
    for (std::size_t begin = 0; begin < values_.size(); begin += items)
    {
      const std::size_t tile = begin / (64 * items);
      bool has_carry         = tile > 0;
      T value                = has_carry ? tile_carry(aggregates, tile) : T{};
      for (std::size_t s = tile * 64 * items; s < begin; s += items)
      {
        value     = has_carry ? op_(value, segment(s)) : segment(s);
        has_carry = true;
      }
      for (std::size_t i = begin; i < std::min(begin + items, values_.size()); ++i)
      {
        value     = has_carry ? op_(value, values_[i]) : values_[i];
        has_carry = true;
        out.push_back(value);
      }
    }
    return out;
  }

private:
  T segment(std::size_t begin)
  {
    T value = values_[begin];
    for (std::size_t i = begin + 1; i < begin + 1024 / sizeof(T); ++i)
    {
      value = op_(value, values_[i]);
    }
    return value;
  }

  T window(const std::vector<T>& aggregates, std::size_t begin, std::size_t end)
  {
    std::vector<T> level;
    for (std::size_t run = begin; run < end; run += 5)
    {
      T value = aggregates[run];
      for (std::size_t t = run + 1; t < std::min(run + 5, end); ++t)
      {
        value = op_(value, aggregates[t]);
      }
      level.push_back(value);
    }
    while (level.size() > 1)
    {
      std::vector<T> next;
      for (std::size_t i = 0; i < level.size(); i += 2)
      {
        next.push_back(i + 1 < level.size() ? op_(level[i], level[i + 1]) : level[i]);
      }
      level = next;
    }
    return level.front();
  }

  T tile_carry(const std::vector<T>& aggregates, std::size_t tile)
  {
    bool begun = false;
    T value{};
    for (std::size_t w = 0; w < tile; w += 160)
    {
      const T part = window(aggregates, w, std::min(w + 160, tile));
      value        = begun ? op_(value, part) : part;
      begun        = true;
    }
    return value;
  }

  const std::vector<T>& values_;
  Op op_;
};

template <class T>
std::vector<T> rounded_values(index count)
{
  std::mt19937_64 random(testing_support::seed());
  std::uniform_real_distribution<T> distribution(-1, 1);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values)
  {
    value = distribution(random);
  }
  return values;
}

template <class T>
void check_bits()
{
  const index tile = engine::tile_shape<T>::tile_items;
  for (const index count : {tile / 2, 3 * tile + 5, 9 * tile, 330 * tile + tile / 3})
  {
    const std::vector<T> values   = rounded_values<T>(count);
    const std::vector<T> expected = documented<T, testing_support::plus>(values, {}).results();
    for (const int threads : thread_counts)
    {
      SCOPED_TRACE(std::to_string(count) + " elements, " + std::to_string(threads) + " threads");
      std::vector<T> results(values.size());
      scan<at_once, true, T>(threads, values.data(), results.data(), count, testing_support::plus{}, no_init{});
      ASSERT_EQ(std::memcmp(results.data(), expected.data(), results.size() * sizeof(T)), 0);
    }
  }
}

TEST(bits, of_float_sums_are_the_documented_order_s)
{
  check_bits<float>();
}
TEST(bits, of_double_sums_are_the_documented_order_s)
{
  check_bits<double>();
}
TEST(bits, of_the_documented_order_are_not_those_from_left_to_right)
{
  const std::vector<float> values = rounded_values<float>(100000);
  std::vector<float> plain        = values;
  for (std::size_t i = 1; i < plain.size(); ++i)
  {
    plain[i] = plain[i - 1] + values[i];
  }
  EXPECT_NE(plain, (documented<float, testing_support::plus>(values, {}).results()));
}

// Exceptions ----------------------------------------------------------------------------------------------------------

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

// Where a call runs ---------------------------------------------------------------------------------------------------

// Says who came for an element.
struct recorded_elements
{
  using iterator = const interval*;
  const interval* first;
  std::thread::id* ids;

  interval operator()(index i)
  {
    ids[i] = std::this_thread::get_id(); // its tile belongs to one thread
    return first[i];
  }
};

std::set<std::thread::id> threads_of(int allowed, index count)
{
  const std::vector<interval> values = intervals(count);
  std::vector<interval> results(values.size());
  std::vector<std::thread::id> ids(static_cast<std::size_t>(count));
  const recorded_elements source{values.data(), ids.data()};
  engine::scan<as_shipped, true, interval>(
    allowed, false, source, results.data(), engine::all_of_it{}, count, join{}, no_init{});
  return {ids.begin(), ids.end()};
}

TEST(threads, of_small_inputs_are_the_caller)
{
  for (const index count : {index{1}, interval_tile, 3 * interval_tile})
  {
    EXPECT_EQ(threads_of(4, count), std::set<std::thread::id>{std::this_thread::get_id()}) << count;
  }
}

TEST(threads, of_larger_inputs_are_as_many_as_allowed)
{
  for (const int allowed : {1, 2, 3, 7})
  {
    const std::set<std::thread::id> ids = threads_of(allowed, 20 * interval_tile);
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(allowed));
    EXPECT_EQ(ids.count(std::this_thread::get_id()), 1u);
  }
}

// Values --------------------------------------------------------------------------------------------------------------

template <int Bytes>
void check_size()
{
  using T                     = testing_support::bytes_of_size<Bytes>;
  const index count           = 6 * engine::tile_shape<T>::tile_items + 3;
  const std::vector<T> values = testing_support::random_values<T>(static_cast<std::size_t>(count), Bytes);
  std::vector<T> expected     = values;
  for (std::size_t i = 1; i < expected.size(); ++i)
  {
    expected[i] = expected[i - 1] + expected[i];
  }
  std::vector<T> results(values.size());
  scan<at_once, true, T>(3, values.data(), results.data(), count, testing_support::plus{}, no_init{});
  EXPECT_TRUE(results == expected) << Bytes << " bytes";
  EXPECT_EQ(engine::fits_slots<T>, Bytes <= 256);
}

TEST(values, of_any_size_are_scanned)
{
  check_size<1>();
  check_size<2>();
  check_size<3>();
  check_size<8>();
  check_size<17>();
  check_size<64>();
  check_size<100>();
  check_size<256>();
  check_size<257>();
}

TEST(stream_copy, writes_what_it_is_given_and_nothing_else)
{
  std::vector<unsigned char> from(1000);
  for (std::size_t i = 0; i < from.size(); ++i)
  {
    from[i] = static_cast<unsigned char>(i * 7 + 1);
  }
  for (std::size_t offset = 0; offset < 70; ++offset)
  {
    for (std::size_t bytes : {0, 1, 5, 63, 64, 65, 127, 128, 200, 511, 640})
    {
      std::vector<unsigned char> to(1000, 0xee);
      engine::stream_copy(to.data() + offset, from.data() + 3, bytes);
      engine::finish_stream_stores();
      for (std::size_t i = 0; i < to.size(); ++i)
      {
        const bool inside = offset <= i && i < offset + bytes;
        ASSERT_EQ(to[i], inside ? from[3 + i - offset] : 0xee) << offset << " " << bytes << " " << i;
      }
    }
  }
}
} // namespace
