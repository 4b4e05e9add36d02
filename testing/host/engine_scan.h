// What the tests of the engine share: calls of it as any tuning would make them, and intervals to scan.
#pragma once

#include "../support/operators.h"

#include <lightscan/carry/slot.h>
#include <lightscan/host/engine.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine_testing
{
namespace engine = lightscan::host_engine;
using engine::index;
using lightscan::util::no_init;
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

constexpr index interval_tile = engine::tile_shape<interval>::tile_items;

// Index of the first wrong result, or -1. Element i is [i + 1, i + 2); an initial value [0, 1).
inline index first_wrong(const std::vector<interval>& results, bool inclusive, bool with_init)
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

inline std::vector<interval> intervals(index count)
{
  std::vector<interval> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = {static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(i) + 2};
  }
  return values;
}
} // namespace engine_testing
