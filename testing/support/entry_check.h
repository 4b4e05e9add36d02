// What the tests of the entry points share: the sizes at which a call changes its kernel, its number of tiles or its
// number of rounds; runs of keys and a sequential scan by them; and a comparison that names the first wrong element.
#pragma once

#include "expect_cuda.h"
#include "guarded_memory.h"
#include "launched_shape.h"
#include "random_values.h"
#include "scan_check.h"

#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/shape.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include <cuda_runtime_api.h>

namespace testing_support
{
inline int multiprocessors()
{
  int count = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  return count;
}

// Input columns hold `In...`, the output column holds `Out`.
template <class Kind, class Out, class... In>
std::int64_t fewest_for_the_pipeline()
{
  namespace dispatch = lightscan::dispatch;
  return dispatch::most_for_plain<dispatch::tuned_policies, Kind, Out*, const In*...>(multiprocessors()) + 1;
}

// Sizes for a call whose input columns hold `In...` and whose output column holds `Out`: around nothing, a warp, the
// size beyond which the bulk pipeline serves, a whole number of its tiles and a whole number of its rounds.
template <class Kind, class Out, class... In>
std::vector<std::int64_t> entry_sizes()
{
  namespace tile = lightscan::tile;
  const lightscan::dispatch::bulk_shape shape =
    lightscan::dispatch::shape_on<lightscan::bulk::column_items<Kind, tile::column<Out>, tile::column<In>...>,
                                  lightscan::dispatch::tuned_policies>(compiled_for());
  EXPECT_TRUE(shape.serves) << "the bulk pipeline must serve what these sizes are for";
  const std::int64_t items = shape.tile_items;
  const std::int64_t round = items * multiprocessors();
  const std::int64_t from  = fewest_for_the_pipeline<Kind, Out, In...>();
  std::vector<std::int64_t> sizes{0, 1, 2, 31, 32, 33, 257, 1021, 4099, 100003};
  for (const std::int64_t around : {from, (from / items + 1) * items, (from / round + 1) * round})
  {
    for (const std::int64_t n : {around - 1, around, around + 1})
    {
      sizes.push_back(n);
    }
  }
  return sizes;
}

// Segments are runs in which same(key, next key) holds. Without an initial value: Init = lightscan::util::no_init.
template <bool Inclusive, class T, class K, class V, class Init, class Same, class Op>
std::vector<T> host_scan_by_key(const std::vector<K>& keys, const std::vector<V>& values, Init init, Same same, Op op)
{
  constexpr bool has_init = !std::is_same_v<Init, lightscan::util::no_init>;
  std::vector<T> output(values.size());
  T running{};
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    const bool begins = i == 0 || !same(keys[i - 1], keys[i]);
    if constexpr (has_init)
    {
      running = begins ? static_cast<T>(init) : running;
    }
    const T before = running;
    running = begins && !has_init ? static_cast<T>(values[i]) : static_cast<T>(op(running, static_cast<T>(values[i])));
    output[i] = Inclusive ? running : before;
  }
  return output;
}

template <class T>
void expect_equal(const std::vector<T>& actual, const std::vector<T>& expected, const char* what)
{
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    ASSERT_TRUE(actual[i] == expected[i]) << what << ": element " << i << " of " << expected.size();
  }
}

// Runs of equal keys, `average` long on average (exponentially distributed); 0: all are one run.
inline std::vector<int> random_runs(std::int64_t n, int average)
{
  std::mt19937_64 engine(seed() + static_cast<std::uint64_t>(average));
  std::vector<int> keys(static_cast<std::size_t>(n));
  int key = 5;
  for (int& k : keys)
  {
    // A key may come back later on: only neighbours make a segment.
    key = average > 0 && engine() % static_cast<unsigned>(average) == 0
          ? (key + 1 + static_cast<int>(engine() % 3)) % 11
          : key;
    k   = key;
  }
  return keys;
}

inline std::vector<int> small_values(std::int64_t n)
{
  std::vector<int> values = random_values<int>(static_cast<std::size_t>(n));
  for (int& v : values)
  {
    v %= 100; // the default operator is signed +
  }
  return values;
}
} // namespace testing_support
