// Rule: a policy may bring another mover (lightscan/bulk/movers.h), and the pipeline's results stay the same: here one with
// ordinary loads and stores, at any size, in place, and wherever the ranges lie on the 16-byte grid.
#include "../support/launched_shape.h"
#include "../support/operators.h"
#include "../support/random_values.h"
#include "../support/scan_check.h"

#include <lightscan/bulk/barrier.h>
#include <lightscan/bulk/edges.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/byte_span.h>
#include <lightscan/tile/geometry.h>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

using namespace testing_support;
using lightscan::carry::default_transport;
using lightscan::util::no_init;

namespace
{
namespace bulk = lightscan::bulk;
namespace tile = lightscan::tile;

// Counted, so that a test can tell that the mover was at work.
__device__ unsigned long long stages_filled;
__device__ unsigned long long stages_emptied;

// Every thread moves every `threads`th word. The barriers order its stores before the loads of whoever waits for them, so nothing is
// left to arrive, and nothing to wait for in the end.
struct ordinary_mover
{
  static constexpr unsigned arrivals = 1;

  __device__ ordinary_mover(int thread, int threads)
      : thread_(thread)
      , threads_(threads)
  {}

  __device__ int thread() const
  {
    return thread_;
  }

  __device__ unsigned fill(unsigned char* to, const unsigned char* from, tile::byte_span range, bulk::barrier&) const
  {
    move(to, from, range);
    count(stages_filled);
    return 0;
  }

  static __device__ void arrive(bulk::barrier& full, unsigned)
  {
    bulk::arrive(full);
  }

  static __device__ void order_stores() {}

  __device__ void empty(unsigned char* to, const unsigned char* from, tile::byte_span range) const
  {
    move(to, from, range);
    count(stages_emptied);
  }

  static __device__ void finish() {}

private:
  __device__ void move(unsigned char* to, const unsigned char* from, tile::byte_span range) const
  {
    const tile::byte_span words = range.whole_words(to);
    for (int at = words.first + thread_ * tile::grid_bytes; at < words.last; at += threads_ * tile::grid_bytes)
    {
      *reinterpret_cast<uint4*>(to + at) = *reinterpret_cast<const uint4*>(from + at);
    }
    bulk::copy_edges(to, from, range, words, thread_);
  }

  __device__ void count(unsigned long long& stages) const
  {
    if (thread_ == 0)
    {
      atomicAdd(&stages, 1ull);
    }
  }

  int thread_;
  int threads_;
};

// The tuned rows, with that mover.
struct policies : lightscan::dispatch::tuned_policies
{
  template <int ComputeCapability>
  using mover = ordinary_mover;
};

struct moves
{
  unsigned long long filled;
  unsigned long long emptied;
};

// Since it was asked last.
moves moves_made()
{
  moves made{~0ull, ~0ull};
  const unsigned long long none = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&made.filled, stages_filled, sizeof(none)), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(&made.emptied, stages_emptied, sizeof(none)), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(stages_filled, &none, sizeof(none)), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(stages_emptied, &none, sizeof(none)), cudaSuccess);
  return made;
}

// The three kinds of scan.
template <class T, class Op>
void check(std::int64_t n, placement where)
{
  const std::vector<T> input = random_values<T>(static_cast<std::size_t>(n));
  const T init               = random_values<T>(1, 1).front();
  (void) moves_made();
  ASSERT_NO_FATAL_FAILURE(
    (check_scan<default_transport, true, policies>(input, no_init{}, Op{}, where, kernels::bulk_only)));
  ASSERT_NO_FATAL_FAILURE(
    (check_scan<default_transport, true, policies>(input, init, Op{}, where, kernels::bulk_only)));
  ASSERT_NO_FATAL_FAILURE(
    (check_scan<default_transport, false, policies>(input, init, Op{}, where, kernels::bulk_only)));

  const moves made       = moves_made();
  const std::int64_t own = launched_shape<T, policies>().tile_items;
  EXPECT_GE(made.filled, 3 * static_cast<unsigned long long>((n - 1) / own + 1)) << "another mover was at work";
  // Where the output lies differently on the 16-byte grid than the input, the groups store.
  const bool shifted = !where.in_place && where.input_offset != where.output_offset;
  EXPECT_EQ(made.emptied, shifted ? 0 : made.filled);
}

template <class T, class Op>
void check_sizes(placement where)
{
  const std::int64_t own = launched_shape<T, policies>().tile_items;
  for (const std::int64_t n : {std::int64_t{1}, own, 3 * own + 5})
  {
    ASSERT_NO_FATAL_FAILURE((check<T, Op>(n, where)));
  }
}

template <class T, class Op>
void check_everywhere()
{
  ASSERT_NO_FATAL_FAILURE((check_sizes<T, Op>({0, 0, false})));
  ASSERT_NO_FATAL_FAILURE((check_sizes<T, Op>({1, 1, false}))) << "alike on the grid, beside it";
  ASSERT_NO_FATAL_FAILURE((check_sizes<T, Op>({1, 0, false}))) << "not alike";
  ASSERT_NO_FATAL_FAILURE((check_sizes<T, Op>({1, 0, true})));
}
} // namespace

TEST(a_mover_of_the_policys_own, serves_bytes)
{
  check_everywhere<std::int8_t, plus>();
}

TEST(a_mover_of_the_policys_own, serves_doubles)
{
  check_everywhere<double, plus>();
}

TEST(a_mover_of_the_policys_own, serves_an_operator_that_does_not_commute)
{
  check_everywhere<affine, compose>();
}

TEST(a_mover_of_the_policys_own, serves_a_whole_gpu)
{
  const std::int64_t own = launched_shape<affine, policies>().tile_items;
  check<affine, compose>(1000 * own + 5, {1, 1, false});
}
