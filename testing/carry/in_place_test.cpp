// Rule: results that are fewer than items may be stored in the items' own place in one pass. A tile is read before it publishes how many
// results it has, the item before it is read by then, too, and its results are stored once every earlier tile has published. In any
// order of the blocks' steps the outcome is that of one pass from left to right; with either wait left out it is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace
{
enum class fault
{
  none,
  stores_early,     // before every earlier tile has published
  asks_late,        // for the item before the tile, after it has published
  publishes_unread, // before the tile has been read
};

// The steps that a group of the pipeline takes for a tile. Each is one turn of a schedule; so is each result that is stored.
enum class step
{
  ask,
  read,
  publish,
  store,
  done
};

// In the order that the fault makes of them.
std::vector<step> steps(fault planted)
{
  switch (planted)
  {
    case fault::asks_late:
      return {step::read, step::publish, step::ask, step::store, step::done};
    case fault::publishes_unread:
      return {step::ask, step::publish, step::read, step::store, step::done};
    default:
      return {step::ask, step::read, step::publish, step::store, step::done};
  }
}

struct tile_work
{
  int tile;
  std::size_t taken = 0;    // steps
  int before        = 0;    // the item before the tile
  std::vector<int> items{}; // as they were read
  std::size_t stored = 0;
};

class pass
{
public:
  pass(std::vector<int> items, int tile_items, int workers, fault planted)
      : items_(std::move(items))
      , tile_items_(tile_items)
      , steps_(steps(planted))
      , waits_(planted != fault::stores_early)
  {
    const int tiles = (static_cast<int>(items_.size()) + tile_items - 1) / tile_items;
    counts_.assign(static_cast<std::size_t>(tiles), -1);
    for (int w = 0; w < workers; ++w)
    {
      queues_.emplace_back();
      for (int t = w; t < tiles; t += workers) // cyclic, as blocks and their groups take tiles
      {
        queues_.back().push_back({t});
      }
    }
  }

  // Whoever can take a step may be the next one. The unique items, in place.
  std::vector<int> run(std::mt19937& random)
  {
    std::vector<std::size_t> able;
    while (true)
    {
      able.clear();
      for (std::size_t w = 0; w < queues_.size(); ++w)
      {
        if (!queues_[w].empty() && can_step(queues_[w].front()))
        {
          able.push_back(w);
        }
      }
      if (able.empty())
      {
        break;
      }
      std::vector<tile_work>& queue = queues_[able[random() % able.size()]];
      take_step(queue.front());
      if (next(queue.front()) == step::done)
      {
        queue.erase(queue.begin());
      }
    }
    int all = 0;
    for (const int count : counts_)
    {
      EXPECT_GE(count, 0) << "a tile was never done";
      all += count;
    }
    return {items_.begin(), items_.begin() + all};
  }

private:
  step next(const tile_work& work) const
  {
    return steps_[work.taken];
  }

  bool can_step(const tile_work& work) const
  {
    return next(work) != step::store || !waits_
        || std::all_of(counts_.begin(), counts_.begin() + work.tile, [](int count) {
             return count >= 0;
           });
  }

  void take_step(tile_work& work)
  {
    const int begin = work.tile * tile_items_;
    switch (next(work))
    {
      case step::ask:
        work.before = item_before(begin);
        ++work.taken;
        break;
      case step::read:
        work.items = read(begin);
        ++work.taken;
        break;
      case step::publish:
        counts_[static_cast<std::size_t>(work.tile)] =
          static_cast<int>(results(read(begin), item_before(begin), begin).size());
        ++work.taken;
        break;
      case step::store:
        store(work, begin);
        break;
      case step::done:
        break;
    }
  }

  int item_before(int begin) const
  {
    return begin > 0 ? items_[static_cast<std::size_t>(begin) - 1] : 0;
  }

  std::vector<int> read(int begin) const
  {
    const int end = std::min(begin + tile_items_, static_cast<int>(items_.size()));
    return {items_.begin() + begin, items_.begin() + end};
  }

  static std::vector<int> results(const std::vector<int>& items, int before, int begin)
  {
    std::vector<int> unique;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
      if (i == 0 ? begin == 0 || items[i] != before : items[i] != items[i - 1])
      {
        unique.push_back(items[i]);
      }
    }
    return unique;
  }

  // One result at a time, at the place that the carry tells.
  void store(tile_work& work, int begin)
  {
    const std::vector<int> put = results(work.items, work.before, begin);
    if (work.stored < put.size())
    {
      int carry = 0;
      for (int t = 0; t < work.tile; ++t)
      {
        carry += std::max(counts_[static_cast<std::size_t>(t)], 0);
      }
      items_[static_cast<std::size_t>(carry) + work.stored] = put[work.stored];
      ++work.stored;
    }
    if (work.stored >= put.size())
    {
      ++work.taken;
    }
  }

  std::vector<int> items_;
  int tile_items_;
  std::vector<step> steps_;
  bool waits_;              // for the carry
  std::vector<int> counts_; // published; -1 where not yet
  std::vector<std::vector<tile_work>> queues_;
};

// How many of so many schedules go wrong.
int wrong_schedules(fault planted, unsigned schedules)
{
  int wrong = 0;
  for (unsigned seed = 0; seed < schedules; ++seed)
  {
    std::mt19937 random(seed);
    std::vector<int> items(1 + random() % 60);
    for (int& item : items)
    {
      item = static_cast<int>(random() % 3);
    }
    std::vector<int> wanted = items;
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const int tile_items = static_cast<int>(1 + random() % 7);
    const int workers    = static_cast<int>(1 + random() % 5);
    const bool right     = pass(items, tile_items, workers, planted).run(random) == wanted;
    EXPECT_TRUE(right || planted != fault::none) << "with the seed " << seed;
    wrong += right ? 0 : 1;
  }
  return wrong;
}

TEST(in_place, any_order_of_steps_is_as_one_pass)
{
  EXPECT_EQ(wrong_schedules(fault::none, 20000), 0);
}

TEST(in_place, results_that_are_stored_early_are_found)
{
  EXPECT_GT(wrong_schedules(fault::stores_early, 2000), 0);
}

TEST(in_place, an_item_that_is_asked_for_late_is_found)
{
  EXPECT_GT(wrong_schedules(fault::asks_late, 2000), 0);
}

TEST(in_place, tiles_that_publish_before_they_are_read_are_found)
{
  EXPECT_GT(wrong_schedules(fault::publishes_unread, 2000), 0);
}
} // namespace
