// Rule: a fold of lanes that is shorter than the tree comes to the same bits, in every lane and for every number of lanes that count;
// the others hold what nobody may read.
#include "case.h"

#include <lightscan/tile/select_counts.h>
#include <lightscan/warp/device_warp.h>
#include <lightscan/warp/serial_warp.h>

#include <cuda/std/functional>

#include <cstring>
#include <random>
#include <string>

using namespace emulated;

namespace
{
namespace tile = lightscan::tile;
namespace warp = lightscan::warp;

// What the kernel reads and leaves: kernels are functions of nothing.
template <class T>
struct lanes_in_memory
{
  static inline T value[warp::lanes];
  static inline T folded[warp::lanes];
  static inline int count;
};

template <class T, class Op>
void fold_lanes()
{
  Op op{};
  using memory    = lanes_in_memory<T>;
  const auto lane = threadIdx.x;
  memory::folded[lane] =
    warp::device_warp::fold(lightscan::util::uninitialized<T>(memory::value[lane]), memory::count, op).value;
}

template <class T>
bool same(const T& one, const T& other)
{
  return std::memcmp(&one, &other, sizeof(T)) == 0;
}
template <class Value>
bool same(const tile::reduced<Value, tile::tile_count>& one, const tile::reduced<Value, tile::tile_count>& other)
{
  return one.value == other.value && one.begun == other.begun; // and whatever lies between
}

// make(random, one_in) gives a lane's value: a run begins in one lane of so many, where there are runs.
template <class T, class Op, class Make>
void expect_the_trees_bits(Make make)
{
  static_assert(warp::short_fold<T, Op>::exists);
  each_seed(20, [&](std::mt19937_64& random) {
    using memory = lanes_in_memory<T>;
    for (memory::count = 1; memory::count <= warp::lanes; ++memory::count)
    {
      const int one_in = 1 << below(random, 8);
      typename warp::serial_warp::per_lane<lightscan::util::uninitialized<T>> values;
      for (int lane = 0; lane < warp::lanes; ++lane)
      {
        memory::value[lane] = make(random, one_in);
        values.lane[lane]   = lightscan::util::uninitialized<T>(memory::value[lane]);
      }
      Op op{};
      const T expected = warp::serial_warp::fold(values, memory::count, op).value;

      grid launched;
      launched.blocks       = 1;
      launched.threads      = warp::lanes;
      launched.resident     = 1;
      launched.kernel       = fold_lanes<T, Op>;
      launched.block_begins = [] {};
      launched.block_ends   = [] {
        return std::string();
      };
      run(launched);
      for (int lane = 0; lane < warp::lanes; ++lane)
      {
        ASSERT_TRUE(same(memory::folded[lane], expected))
          << "lane " << lane << " of " << memory::count << " that count";
      }
    }
  });
}

template <class T>
T any_bits(std::mt19937_64& random, int)
{
  return static_cast<T>(random());
}

template <class Value>
tile::reduced<Value, tile::tile_count> any_runs(std::mt19937_64& random, int one_in)
{
  return {static_cast<Value>(random()), below(random, one_in) == 0 ? 1 + below(random, 1000) : 0};
}
} // namespace

TEST(lane_folds, sums_of_integers)
{
  expect_the_trees_bits<int, cuda::std::plus<>>(any_bits<int>);
  expect_the_trees_bits<unsigned, cuda::std::plus<unsigned>>(any_bits<unsigned>);
  expect_the_trees_bits<signed char, cuda::std::plus<>>(any_bits<signed char>);
  expect_the_trees_bits<unsigned short, cuda::std::plus<int>>(any_bits<unsigned short>);
}

TEST(lane_folds, counts)
{
  expect_the_trees_bits<tile::part_counts<2, tile::tile_count>, tile::count_op>([](std::mt19937_64& random, int) {
    return tile::part_counts<2, tile::tile_count>{{below(random, 1 << 16)}};
  });
  expect_the_trees_bits<tile::part_counts<3, tile::tile_count>, tile::count_op>([](std::mt19937_64& random, int) {
    return tile::part_counts<3, tile::tile_count>{{below(random, 1 << 16), below(random, 1 << 16)}};
  });
}

TEST(lane_folds, runs_of_integers)
{
  expect_the_trees_bits<tile::reduced<int, tile::tile_count>, tile::reduced_op<cuda::std::plus<>>>(any_runs<int>);
  expect_the_trees_bits<tile::reduced<unsigned, tile::tile_count>, tile::reduced_op<cuda::std::plus<unsigned>>>(
    any_runs<unsigned>);
  expect_the_trees_bits<tile::reduced<signed char, tile::tile_count>, tile::reduced_op<cuda::std::plus<>>>(
    any_runs<signed char>);
}

// Not sums, or not of one word, or rounded.
static_assert(!warp::short_fold<float, cuda::std::plus<>>::exists);
static_assert(!warp::short_fold<long long, cuda::std::plus<>>::exists);
static_assert(!warp::short_fold<int, cuda::std::multiplies<>>::exists);
static_assert(!warp::short_fold<int, cuda::std::plus<signed char>>::exists);
static_assert(!warp::short_fold<bool, cuda::std::plus<>>::exists);
static_assert(!warp::short_fold<tile::reduced<float, tile::tile_count>, tile::reduced_op<cuda::std::plus<>>>::exists);
