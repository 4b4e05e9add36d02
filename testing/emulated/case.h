// What the tests of emulated kernels share: seeds, values whose order matters, launches that fail with their seed.
#pragma once

#include "cuda_on_host.h"
#include "memory.h"

#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace emulated
{
namespace dispatch = lightscan::dispatch;
using dispatch::kernels;
using lightscan::util::no_init;

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise)
{
  const char* const given = std::getenv(name);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

// Calls f(random) with the numbers that each of some seeds gives, on GPUs of all shapes: `seeds` of them, or that many times
// LIGHTSCAN_EMULATED_SEEDS; or LIGHTSCAN_EMULATED_SEED alone.
template <class F>
void each_seed(unsigned seeds, F f)
{
  const std::uint64_t only  = from_environment("LIGHTSCAN_EMULATED_SEED", 0);
  const std::uint64_t first = only > 0 ? only : 1;
  const std::uint64_t last  = only > 0 ? only : seeds * from_environment("LIGHTSCAN_EMULATED_SEEDS", 1);
  for (std::uint64_t seed = first; seed <= last && !::testing::Test::HasFailure(); ++seed)
  {
    SCOPED_TRACE("LIGHTSCAN_EMULATED_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    gpu& here            = device();
    here.seed            = seed;
    here.multiprocessors = 1 + static_cast<int>(random() % 4);
    here.blocks_each     = 1 + static_cast<int>(random() % 2);
    here.room            = random() % 4 == 0 ? 1 + static_cast<int>(random() % 3) : 0;
    f(random);
  }
}

inline int below(std::mt19937_64& random, int end)
{
  return static_cast<int>(random() % static_cast<unsigned>(end));
}

// x -> scale * x + shift, for several shifts, composed from left to right: associative, exact, of any size, and not commutative.
template <class Number, int Shifts>
struct maps
{
  Number scale; // odd, or soon nothing would be left of what came first
  Number shift[Shifts];
};

struct compose
{
  template <class Number, int Shifts>
  maps<Number, Shifts> operator()(const maps<Number, Shifts>& first, const maps<Number, Shifts>& then) const
  {
    maps<Number, Shifts> both;
    both.scale = static_cast<Number>(first.scale * then.scale);
    for (int i = 0; i < Shifts; ++i)
    {
      both.shift[i] = static_cast<Number>(first.shift[i] * then.scale + then.shift[i]);
    }
    return both;
  }

  // The same in four bits each.
  std::uint8_t operator()(std::uint8_t first, std::uint8_t then) const
  {
    const unsigned scale = (first & 15u) * (then & 15u);
    const unsigned shift = (first >> 4) * (then & 15u) + (then >> 4);
    return static_cast<std::uint8_t>((scale & 15) | shift << 4);
  }
};

template <class T>
struct any_value
{
  static T from(std::mt19937_64& random)
  {
    T value;
    auto* const bytes = reinterpret_cast<unsigned char*>(&value);
    for (std::size_t b = 0; b < sizeof value; ++b)
    {
      bytes[b] = static_cast<unsigned char>(random() >> 11);
    }
    bytes[0] |= 1; // `scale`
    return value;
  }
};

template <class T>
std::vector<T> values(std::size_t count, std::mt19937_64& random)
{
  std::vector<T> all(count);
  for (T& value : all)
  {
    value = any_value<T>::from(random);
  }
  return all;
}

// Where a range lies on the 16-byte grid, and which of its ends touches a page that nobody may touch.
struct place
{
  unsigned offset;
  bool at_end;
};
inline place any_place(std::mt19937_64& random)
{
  return {static_cast<unsigned>(below(random, 3) == 0 ? 0 : below(random, 16)), below(random, 2) == 0};
}

template <class T>
class range : public memory<T>
{
public:
  range(const std::vector<T>& values, place where)
      : memory<T>(values, where.offset, where.at_end)
  {}
  range(std::size_t count, place where)
      : memory<T>(count, where.offset, where.at_end)
  {}
};

template <class Launcher>
void expect_run(Launcher launcher)
{
  try
  {
    const lightscan::runtime::outcome done = launcher.run();
    ASSERT_TRUE(done) << done.doing << ", error " << done.error;
  }
  catch (const failure& failed)
  {
    FAIL() << failed.what();
  }
}

template <class Problem>
void launch(const Problem& problem, kernels which, int most_blocks = 0)
{
  expect_run(dispatch::launcher<Problem>(problem, nullptr, which, most_blocks));
}

// Numbers of items for tiles of so many: around the ends of tiles, or anywhere; sometimes so many tiles that every block uses each
// of its stages several times.
inline std::int64_t any_number(std::mt19937_64& random, int tile_items, int stages)
{
  const int tiles           = below(random, 3) == 0 ? below(random, 3)
                            : below(random, 2) == 0 ? below(random, 4 * device().multiprocessors)
                                                    : below(random, (3 * stages + 2) * device().multiprocessors);
  const int rest            = below(random, 2) == 0 ? below(random, 3) - 1 : below(random, tile_items);
  const std::int64_t number = static_cast<std::int64_t>(tiles) * tile_items + rest;
  return number < 1 ? 1 : number;
}

template <bool Inclusive, class T, class Init, class Op>
std::vector<T> scan_of(const std::vector<T>& input, Init init, Op op)
{
  std::vector<T> result(input.size());
  T before{};
  bool has_before = false;
  if constexpr (!std::is_same_v<Init, no_init>)
  {
    before     = init;
    has_before = true;
  }
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    const T after = has_before ? static_cast<T>(op(before, input[i])) : input[i];
    result[i]     = Inclusive ? after : before;
    before        = after;
    has_before    = true;
  }
  return result;
}

// [begin, end): joins only what touches (Chong, Donaldson, Ketema, POPL 2014; ../support/operators.h).
struct interval
{
  std::uint32_t begin;
  std::uint32_t end;
};

inline std::atomic<int> joins{0};
inline std::atomic<int> bad_joins{0};

struct strict_join
{
  interval operator()(const interval& left, const interval& right) const
  {
    ++joins;
    bad_joins += left.end != right.begin || left.begin >= left.end || right.begin >= right.end;
    return {left.begin, right.end};
  }
};
} // namespace emulated
