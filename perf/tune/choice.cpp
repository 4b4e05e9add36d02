#include "choice.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace perf::tune
{
namespace
{
double best_of(const std::vector<std::vector<double>>& times, std::size_t size)
{
  double best = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& of_tile : times)
  {
    best = std::min(best, of_tile.at(size));
  }
  return best;
}
} // namespace

std::size_t fastest(const std::vector<double>& times)
{
  return static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin());
}

std::int64_t bulk_from(const std::vector<std::int64_t>& sizes,
                       const std::vector<double>& bulk,
                       const std::vector<double>& plain)
{
  std::int64_t from = none_faster;
  for (std::size_t i = sizes.size(); i-- > 0 && bulk.at(i) <= plain.at(i);)
  {
    from = sizes[i];
  }
  return from;
}

// Tile s of size i costs what the cheapest way costs that ends the size before with s or a shorter one.
std::vector<plain_step> plain_steps(const std::vector<std::int64_t>& sizes,
                                    const std::vector<int>& tiles,
                                    const std::vector<std::vector<double>>& times)
{
  if (sizes.empty() || tiles.empty() || times.size() != tiles.size())
  {
    throw std::invalid_argument("plain_steps: no sizes, no tiles, or not a row of times for each");
  }
  std::vector<double> cost(tiles.size(), 0);
  std::vector<std::vector<std::size_t>> came_from; // of size i and tile s: the tile of size i - 1
  for (std::size_t i = 0; i < sizes.size(); ++i)
  {
    std::vector<double> next(tiles.size());
    std::vector<std::size_t> from(tiles.size());
    for (std::size_t s = 0; s < tiles.size(); ++s)
    {
      from[s] = static_cast<std::size_t>(
        std::min_element(cost.begin(), cost.begin() + static_cast<std::ptrdiff_t>(s) + 1) - cost.begin());
      next[s] = cost[from[s]] + times[s].at(i) / best_of(times, i);
    }
    cost = next;
    came_from.push_back(from);
  }

  std::vector<plain_step> steps;
  std::size_t s = fastest(cost);
  steps.push_back({INT64_MAX, tiles[s]});
  for (std::size_t i = sizes.size() - 1; i > 0; --i)
  {
    const std::size_t before = came_from[i][s];
    if (before != s)
    {
      steps.push_back({sizes[i - 1], tiles[before]});
    }
    s = before;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::string bytes_text(std::int64_t bytes)
{
  for (const int shift : {20, 10})
  {
    if (bytes > 0 && bytes % (std::int64_t{1} << shift) == 0)
    {
      return std::to_string(bytes >> shift) + " << " + std::to_string(shift);
    }
  }
  return std::to_string(bytes);
}

std::string bar(double done, double seconds_left)
{
  constexpr int width = 30;
  const double share  = std::clamp(done, 0.0, 1.0);
  const int filled    = static_cast<int>(share * width);
  return "[" + std::string(static_cast<std::size_t>(filled), '#')
       + std::string(static_cast<std::size_t>(width - filled), '.') + "] "
       + std::to_string(static_cast<int>(share * 100)) + "%, about " + std::to_string(static_cast<int>(seconds_left))
       + " s left";
}
} // namespace perf::tune
