// The protocol between blocks on host threads that run one at a time, in orders that seeds decide (schedule.h).
//
// Rules covered:
//   - in every order tried, with one block far behind the others, every tile's carry is right, launch after launch on the
//     same slots, and every launch ends
//   - with one resident block fewer than the grid has, a launch with more tiles than blocks does not end
//
// CMakeLists.txt builds this file again for each of a list of faults planted in the protocol's own headers; there it must
// fail.
#include "launch.h"
#include "reference_folds.h"
#include "schedule.h"
#include "values.h"

#include <lightscan/carry/lookahead.h>

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using namespace testing_support;

// Empty if the launch ended and all its carries are right.
template <class T>
std::string outcome_of(unsigned seed, workspace<T>& memory, int num_tiles, shape resident)
{
  using op                        = typename sample<T>::op;
  const std::vector<T> aggregates = aggregates_of<T>(num_tiles);
  launch<scheduled_transport, T, op, no_init> scan(memory, aggregates, op{}, no_init{}, resident);
  schedule order(seed);
  const bool ended = order.run(scan.grid(), resident.blocks, [&](int block) {
    scan.block(block);
  });
  return ended ? difference(scan.carries(), left_to_right(aggregates, op{}, no_init{})) : no_progress{}.what();
}

// Launches of several sizes, one after the other on the same slots.
template <class T>
void check_launches(shape resident, const std::vector<int>& tile_counts, unsigned seeds)
{
  const std::size_t brought = resident.bytes / sizeof(carry::slot_word) / carry::slot_ring<T>::words_per_slot;
  workspace<T> memory(
    std::min(brought, static_cast<std::size_t>(8 * resident.copies) * carry::slot_position::window_size));
  for (const bool rereads : {false, true})
  {
    resident.rereads = rereads;
    for (unsigned seed = 0; seed < seeds; ++seed)
    {
      for (const int num_tiles : tile_counts)
      {
        ASSERT_EQ((outcome_of<T>(seed, memory, num_tiles, resident)), "")
          << num_tiles << " tiles, " << resident.blocks << " blocks, " << resident.groups << " groups, seed " << seed
          << (rereads ? ", runs read again" : "");
        ASSERT_TRUE(memory.nothing_behind()) << num_tiles << " tiles, " << resident.blocks << " blocks";
      }
    }
  }
}
} // namespace

TEST(schedule, few_blocks)
{
  const std::vector<int> tile_counts{7, 1, 40, 3, 333};
  check_launches<interval>({2, 1}, tile_counts, 40);
  check_launches<triangle>({3, 2}, tile_counts, 40);
  check_launches<keyed>({3, 2}, tile_counts, 40);
  check_launches<interval>({3, 1, 2}, tile_counts, 40);
}

// In as little memory as a caller may bring: for few tiles halves of windows, for many fewer blocks.
TEST(schedule, in_little_memory)
{
  for (const int num_tiles : {2, 6, 24, 80, 81, 159, 161, 240, 241})
  {
    const std::size_t bytes = dispatch::brought_bytes_for(
      num_tiles, 1 << 30, carry::slot_ring<interval>::words_per_slot);
    const std::size_t least = dispatch::bytes_of_slots(
      dispatch::own_slots(num_tiles), carry::slot_ring<interval>::words_per_slot);
    EXPECT_LE(least, bytes);
    check_launches<interval>({3, 1, 2, least}, {num_tiles, num_tiles - 1}, 20);
    check_launches<interval>({9, 1, 2, least}, {num_tiles}, 10);
  }
  const std::size_t window = dispatch::bytes_of_slots(
    carry::slot_position::window_size, carry::slot_ring<interval>::words_per_slot);
  check_launches<interval>({60, 1, 2, window}, {400}, 4);
  check_launches<interval>({60, 1, 2, 2 * window + 8}, {400}, 4);
}

// Blocks enough for a ring of more windows than one, which they run around several times.
TEST(schedule, around_the_ring)
{
  check_launches<interval>({60, 1}, {1500, 400}, 6);
  check_launches<interval>({34, 4}, {1500, 400}, 6);
  check_launches<interval>({5, 15}, {1500}, 6); // a ring of 160 slots, of which 159 are needed
}

// Two blocks with 39 tiles in hand need 158 slots, and 162 where runs are read again: more than the ring has that dispatch/plan.h gives
// them, for no kernel has so many.
TEST(schedule, a_run_read_again_needs_slots_that_its_lane_has_had)
{
  workspace<interval> memory(8 * carry::slot_position::window_size);
  shape resident{2, 39};
  EXPECT_EQ(outcome_of<interval>(1, memory, 1500, resident), "");
  resident.rereads = true;
  workspace<interval> fresh(8 * carry::slot_position::window_size);
  EXPECT_EQ(outcome_of<interval>(1, fresh, 1500, resident), no_progress{}.what());
}

TEST(schedule, a_block_that_is_not_resident_is_missed)
{
  using scan_type                        = launch<scheduled_transport, interval, join, no_init>;
  const std::vector<interval> aggregates = aggregates_of<interval>(20);
  for (int resident = 1; resident <= 4; ++resident)
  {
    workspace<interval> memory(carry::slot_position::window_size);
    scan_type scan(memory, aggregates, join{}, no_init{}, {4, 1});
    schedule order(static_cast<unsigned>(resident));
    EXPECT_EQ(order.run(4,
                        resident,
                        [&](int block) {
                          scan.block(block);
                        }),
              resident == 4)
      << resident << " of 4 blocks";
  }
}
