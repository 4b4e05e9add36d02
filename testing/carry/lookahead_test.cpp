// Rule: whatever tiles a block asks for, one after the other, each carry is the fold of all tiles before, in order: with steps inside a
// window of tiles, over its end and over several; with and without an initial value; from any copy of the slots. Or the aggregate of
// the tile before alone.
//
// All aggregates are there before the first poll; who waits for whom is in protocol_test.cpp and schedule_test.cpp.
#include "values.h"

#include <lightscan/carry/lookahead.h>
#include <lightscan/carry/slot.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/warp/serial_warp.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace carry = lightscan::carry;
using testing_support::interval;
using testing_support::join;
using transport = carry::atomic_transport;

constexpr int window       = carry::slot_position::window_size;
constexpr int tiles        = 12 * window + 7;
constexpr int log2_windows = 4;
constexpr int warp_lanes   = carry::slot_position::lanes;

// Tile t is number t of a row that the initial value, where there is one, begins with -1.
class lookahead : public ::testing::TestWithParam<int>
{
protected:
  lookahead()
      : memory_(static_cast<std::size_t>(copies() * window) << log2_windows << 1)
      , ring_(memory_.data(), log2_windows, 7, copies())
  {
    for (int t = 0; t < tiles; ++t)
    {
      for (int lane = 0; lane < warp_lanes; ++lane)
      {
        ring_.publish<transport>(ring_.address_of(t, lane), interval{t, t}, lane, warp_lanes);
      }
    }
  }

  static int copies()
  {
    return GetParam();
  }

  template <class Init>
  void ask(int first, int step, Init init, int before) const
  {
    ask_one_that<false>(first, step, init, before);
    ask_one_that<true>(first, step, init, before);
  }

  template <bool Rereads, class Init>
  void ask_one_that(int first, int step, Init init, int before) const
  {
    using block = carry::lookahead<interval, join, transport, lightscan::warp::serial_warp, Rereads>;
    block carries(ring_.copy_for(static_cast<unsigned>(first)), join{}, init);
    for (int t = first; t < tiles; t += step)
    {
      const lightscan::util::uninitialized<interval> found = carries.carry_before(t);
      const bool expected                                  = t > 0 || before < 0;
      ASSERT_EQ(carries.has_carry(), expected) << "tile " << t << " from " << first << " by " << step;
      if (expected)
      {
        ASSERT_EQ(found.value.first, before) << "tile " << t << " from " << first << " by " << step;
        ASSERT_EQ(found.value.last, t - 1) << "tile " << t << " from " << first << " by " << step;
      }
    }
  }

  void ask_for_the_tile_before(int tile) const
  {
    using block = carry::lookahead<interval, join, transport, lightscan::warp::serial_warp>;
    const block carries(ring_.copy_for(static_cast<unsigned>(tile)), join{}, lightscan::util::no_init{});
    const lightscan::util::uninitialized<interval> found = carries.aggregate_before(tile);
    ASSERT_EQ(found.value.first, tile - 1);
    ASSERT_EQ(found.value.last, tile - 1);
  }

private:
  std::vector<carry::slot_word> memory_;
  carry::slot_ring<interval> ring_;
};
} // namespace

TEST_P(lookahead, finds_every_carry_at_any_step)
{
  for (const int step :
       {1, 3, 79, 132, 155, 156, 157, window - 1, window, window + 1, 264, 315, 316, 2 * window, 321, 999})
  {
    for (int first = 0; first < step && first < 2 * window; first += step < 100 ? 1 : 7)
    {
      ASSERT_NO_FATAL_FAILURE(ask(first, step, lightscan::util::no_init{}, 0));
      ASSERT_NO_FATAL_FAILURE(ask(first, step, interval{-1, -1}, -1));
    }
  }
}

TEST_P(lookahead, finds_the_tile_before)
{
  for (int tile = 1; tile <= tiles; ++tile)
  {
    ASSERT_NO_FATAL_FAILURE(ask_for_the_tile_before(tile));
  }
}

INSTANTIATE_TEST_SUITE_P(copies, lookahead, ::testing::Values(1, 8));

// A tile's count has 32 bits, its carry 64.
TEST(lookahead_of_counts, has_carries_that_no_tile_could_count)
{
  using counts = lightscan::tile::part_counts<2>;
  using block  = carry::lookahead<counts, lightscan::tile::count_op, transport, lightscan::warp::serial_warp>;
  constexpr std::int32_t of = (1 << 23) - 1; // of a tile; a window of them still has 32 bits
  static_assert(sizeof(block::aggregate) == 4 && block::ring::words_per_slot == 1);
  std::vector<carry::slot_word> memory(static_cast<std::size_t>(window) << log2_windows);
  const block::ring ring(memory.data(), log2_windows, 7);
  for (int t = 0; t < tiles; ++t)
  {
    ring.publish<transport>(ring.address_of(t), block::aggregate{{of}});
  }
  block carries(ring, lightscan::tile::count_op{}, lightscan::util::no_init{});
  for (int t = 1; t < tiles; t += 132)
  {
    EXPECT_EQ(carries.carry_before(t).value.of[0], std::int64_t{of} * t) << "tile " << t;
  }
}
