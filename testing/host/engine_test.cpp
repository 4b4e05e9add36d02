// The engine without Thrust. Built a second time with ThreadSanitizer.
//
// Rules covered:
//   - each result is the fold of exactly the elements before it, in order (the interval monoid), for any number of
//     elements and of threads, in place and not, by ordinary and by streaming stores
//   - bits: those of the documented order, for any number of threads
//   - small inputs and accumulators that fit no slot run on the calling thread; others on as many as allowed
#include "../support/random_values.h"
#include "engine_scan.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace carry = lightscan::carry;
using namespace engine_testing;
using engine_testing::index; // not the one of <strings.h>

const int thread_counts[] = {1, 2, 3, 7, 16};

constexpr index interval_strip = engine::tile_shape<interval>::strip_items;

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
    counts.push_back(tiles * interval_tile + interval_strip * 11 + 3);
  }
  return counts;
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

// The documented order, written down plainly: strips of 1 KiB, tiles of 64 strips, windows of 160 tiles, in which
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
      T aggregate = strip(begin);
      for (std::size_t s = 1; s < 64; ++s)
      {
        aggregate = op_(aggregate, strip(begin + s * items));
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
        value     = has_carry ? op_(value, strip(s)) : strip(s);
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
  T strip(std::size_t begin)
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
