// From a size to a launch: the grid, the ring of slots, the tags.
#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/tile/geometry.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace dispatch = lightscan::dispatch;
using dispatch::plan;
using lightscan::carry::slot_position;
using lightscan::carry::slot_ring;
using lightscan::tile::geometry;
using index = std::int64_t;

constexpr index window = slot_position::window_size;

static_assert(dispatch::plan_for(geometry{1000000, 0, 1000}, 132, 4).grid == 132, "usable in constant expressions");

const index tile_counts[] = {1,
                             2,
                             131,
                             132,
                             133,
                             159,
                             160,
                             161,
                             1000,
                             4095,
                             4096,
                             79536432,
                             (index{1} << 31) - 1,
                             index{1} << 31,
                             (index{1} << 32) + 1,
                             index{1} << 37};

TEST(grid, has_no_idle_block_and_no_more_than_fit)
{
  for (const index num_tiles : tile_counts)
  {
    for (const int resident : {1, 2, 78, 132, 160, 2048})
    {
      const int grid = dispatch::grid_for(num_tiles, resident);
      EXPECT_EQ(grid, std::min<index>(num_tiles, resident));
    }
  }
}

// Runs blocks as far ahead of one another as the kernels' own waiting lets them, and measures the furthest that a
// published tile gets ahead of a tile that some block has still to read.
//
// Per block, in tiles of its own: a tile is published once the tile `groups` before it is finished; the lookahead warp
// reads a tile's carry once all tiles before that tile are published; a tile is finished once both have happened.
class race
{
public:
  race(int grid, int groups, int rounds)
      : groups_(groups)
      , rounds_(rounds)
      , blocks_(static_cast<std::size_t>(grid))
  {}

  // `slow` communicates only when nobody else can do anything.
  index furthest_with_slow(std::size_t slow)
  {
    for (bool moving = true; moving;)
    {
      moving = false;
      for (std::size_t b = 0; b < blocks_.size(); ++b)
      {
        while (publish(b) || (b != slow && look_ahead(b)))
        {
          moving = true;
        }
      }
      moving = moving || look_ahead(slow);
    }
    return furthest_;
  }

  index furthest_at_random(std::mt19937& random)
  {
    for (int idle = 0; idle < 1000; ++idle)
    {
      const std::size_t b = random() % blocks_.size();
      if (random() % 2 != 0 ? publish(b) : look_ahead(b))
      {
        idle = 0;
      }
    }
    return furthest_;
  }

  bool over() const
  {
    return std::all_of(blocks_.begin(), blocks_.end(), [&](const block& b) {
      return b.published == rounds_ && b.carried == rounds_;
    });
  }

private:
  struct block
  {
    int published = 0;
    int carried   = 0;

    int finished() const
    {
      return std::min(published, carried);
    }
  };

  index tile(std::size_t b, int k) const
  {
    return static_cast<index>(k) * static_cast<index>(blocks_.size()) + static_cast<index>(b);
  }

  bool publish(std::size_t b)
  {
    block& self = blocks_[b];
    if (self.published == rounds_ || self.published - groups_ >= self.finished())
    {
      return false;
    }
    const index published = tile(b, self.published++);
    for (std::size_t other = 0; other < blocks_.size(); ++other)
    {
      // Having the carry of its last tile, a block has read every tile before that one; but lanes may read their runs again.
      const int carried  = blocks_[other].carried;
      const index before = carried == 0 ? 0 : tile(other, carried - 1);
      const index unread = before - before % slot_position::slots_per_lane;
      if (carried < rounds_)
      {
        furthest_ = std::max(furthest_, published - unread);
      }
    }
    return true;
  }

  bool look_ahead(std::size_t b)
  {
    block& self = blocks_[b];
    if (self.carried == rounds_)
    {
      return false;
    }
    for (std::size_t other = 0; other < blocks_.size(); ++other)
    {
      const int needed = self.carried + (other < b ? 1 : 0);
      if (blocks_[other].published < needed)
      {
        return false;
      }
    }
    ++self.carried;
    return true;
  }

  int groups_;
  int rounds_;
  std::vector<block> blocks_;
  index furthest_ = 0;
};

TEST(ring, exceeds_the_distance_between_blocks)
{
  std::mt19937 random(1);
  for (const int groups : {1, 2, 3, 4, 6})
  {
    for (const int grid : {1, 2, 3, 7, 16, 132})
    {
      const index bound = std::max(static_cast<index>(2 * groups + 2) * grid,
                                   static_cast<index>(2 * groups + 1) * grid + slot_position::slots_per_lane - 1);
      index furthest    = 0;
      for (const int slow : {0, grid / 2, grid - 1})
      {
        race r(grid, groups, 30);
        furthest = std::max(furthest, r.furthest_with_slow(static_cast<std::size_t>(slow)));
        ASSERT_TRUE(r.over());
      }
      for (int repeat = 0; repeat < 3; ++repeat)
      {
        race r(grid, groups, 30);
        furthest = std::max(furthest, r.furthest_at_random(random));
        ASSERT_TRUE(r.over());
      }
      const index slots = window << dispatch::log2_ring_windows_for(30 * grid, grid, groups);
      EXPECT_LT(furthest, std::min<index>(slots, bound)) << grid << " blocks of " << groups << " groups";
      RecordProperty("furthest_" + std::to_string(grid) + "x" + std::to_string(groups), std::to_string(furthest));
    }
  }
}

TEST(ring, is_large_enough_and_not_much_larger)
{
  for (const index num_tiles : tile_counts)
  {
    for (const int resident : {1, 2, 78, 132, 148, 160, 500, 2048})
    {
      for (const int groups : {1, 3, 4, 6})
      {
        const plan p      = dispatch::plan_for(geometry{num_tiles, 0, 1}, resident, groups);
        const index slots = window << p.log2_ring_windows;
        const index span  = std::min(num_tiles, static_cast<index>(2 * groups + 2) * p.grid);
        EXPECT_GE(slots, span);
        EXPECT_LE(slots, 2 * (span + 2 * window));
        // A launch that fits one round uses one tag.
        EXPECT_TRUE(slots < num_tiles || dispatch::tags_for(p) == 1);
      }
    }
  }
}

TEST(tags, are_as_many_as_the_ring_has_rounds)
{
  for (const index num_tiles : tile_counts)
  {
    for (const int resident : {1, 132, 2048})
    {
      for (const int groups : {1, 4})
      {
        const plan p = dispatch::plan_for(geometry{num_tiles, 0, 1}, resident, groups);
        const slot_ring<int> ring(nullptr, p.log2_ring_windows, 1000);
        const std::uint32_t last = ring.tag(slot_position::of(num_tiles - 1).window);
        EXPECT_EQ(dispatch::tags_for(p), last - 1000 + 1) << num_tiles << " tiles, " << p.grid << " blocks";
      }
    }
  }
}

TEST(slots, fill_the_bytes_that_are_asked_for)
{
  const plan p = dispatch::plan_for(geometry{100000, 0, 10}, 132, 4);
  EXPECT_EQ(dispatch::slot_bytes_for(p, 1), static_cast<std::size_t>(window << p.log2_ring_windows) * 8);
  EXPECT_EQ(dispatch::slot_bytes_for(p, 4), 4 * dispatch::slot_bytes_for(p, 1));
  EXPECT_EQ(dispatch::slot_bytes_for(dispatch::with_copies(p, 2, 1), 1), 2 * dispatch::slot_bytes_for(p, 1));
}

TEST(copies, are_as_many_as_a_workspace_holds)
{
  for (const index num_tiles : tile_counts)
  {
    for (const int words : {1, 2, 4, 64})
    {
      const plan p = dispatch::plan_for(geometry{num_tiles, 0, 1}, 132, 4);
      for (const int copies : {1, 2, 8})
      {
        const plan with = dispatch::with_copies(p, copies, words);
        EXPECT_GE(with.ring_copies, 1);
        EXPECT_LE(with.ring_copies, copies);
        EXPECT_TRUE(with.ring_copies == 1
                    || dispatch::slot_bytes_for(with, words) <= lightscan::carry::workspace_bytes);
        plan twice = with;
        twice.ring_copies *= 2;
        EXPECT_TRUE(with.ring_copies == copies
                    || dispatch::slot_bytes_for(twice, words) > lightscan::carry::workspace_bytes);
      }
    }
  }
}

TEST(copies, are_as_many_as_are_cleared_cheaply_where_slots_are_cleared_first)
{
  const std::size_t cheap = dispatch::cheaply_cleared_bytes;
  int fewer               = 0;
  for (const index num_tiles : tile_counts)
  {
    for (const int words : {1, 2, 4, 64})
    {
      const plan p         = dispatch::plan_for(geometry{num_tiles, 0, 1}, 132, 4);
      const plan kept      = dispatch::with_copies(p, 8, words);
      const plan cleared   = dispatch::with_copies(p, 8, words, lightscan::carry::workspace_bytes, true);
      const bool at_a_cost = dispatch::slot_bytes_for(p, words) > cheap; // with one copy
      EXPECT_TRUE(at_a_cost ? cleared.ring_copies == kept.ring_copies
                            : dispatch::slot_bytes_for(cleared, words) <= cheap);
      EXPECT_LE(cleared.ring_copies, kept.ring_copies);
      fewer += cleared.ring_copies < kept.ring_copies ? 1 : 0;
    }
  }
  EXPECT_GT(fewer, 0);
}

// What a caller has to bring, in whatever amount: a launch has room there, and its blocks still have the ring they need.
TEST(brought_memory, is_enough_for_every_launch_of_up_to_so_many_tiles)
{
  for (const int words : {1, 2, 3, 4, 6, 64, 256})
  {
    for (const index most : {2, 3, 64, 80, 81, 159, 160, 161, 640, 641, 2185, 100000})
    {
      for (const index num_items : {index{1} << 12, index{1} << 16, index{1} << 20, index{1} << 22, index{1} << 30})
      {
        const std::size_t bytes = dispatch::brought_bytes_for(most, num_items, words);
        EXPECT_LE(bytes, lightscan::carry::workspace_bytes);
        EXPECT_LE(bytes, dispatch::brought_bytes_for(most + 1, num_items, words));
        EXPECT_LE(bytes, dispatch::brought_bytes_for(most, num_items + 1, words));
        for (index num_tiles = 1; num_tiles <= most; num_tiles += 1 + num_tiles / 7)
        {
          for (const int resident : {1, 16, 132, 264, 2048})
          {
            for (const int groups : {1, 6})
            {
              const int blocks = dispatch::resident_within(bytes, num_tiles, resident, groups, words);
              if (dispatch::bytes_of_slots(dispatch::own_slots(num_tiles), words) <= lightscan::carry::workspace_bytes)
              {
                ASSERT_EQ(blocks, resident) << num_tiles << " of " << most << " tiles, " << words << " words";
              }
              ASSERT_GE(blocks, 1) << num_tiles << " of " << most << " tiles, " << words << " words";
              const plan p = dispatch::with_copies(
                dispatch::plan_for(geometry{num_tiles, 0, 1}, blocks, groups), 8, words, bytes);
              ASSERT_LE(dispatch::slot_bytes_for(p, words), bytes) << num_tiles << " of " << most << " tiles";
              const index slots = window << p.log2_ring_windows;
              ASSERT_GE(slots, std::min(num_tiles, static_cast<index>(2 * groups + 2) * p.grid));
            }
          }
        }
      }
    }
  }
}

TEST(brought_memory, is_none_for_one_tile_and_little_for_few_items)
{
  EXPECT_EQ(dispatch::brought_bytes_for(0, 0, 4), 0u);
  EXPECT_EQ(dispatch::brought_bytes_for(1, 4096, 4), 0u);
  EXPECT_LE(dispatch::brought_bytes_for(65, 1 << 16, 1), 1500u);
  EXPECT_EQ(
    dispatch::brought_bytes_for(162, 1 << 16, 64), dispatch::bytes_of_slots(240, 64)); // three halves of windows
  EXPECT_LE(dispatch::brought_bytes_for(1200, 1 << 22, 2), 32u << 10);
  EXPECT_EQ(dispatch::brought_bytes_for(index{1} << 40, index{1} << 50, 1), lightscan::carry::workspace_bytes);
}
} // namespace
