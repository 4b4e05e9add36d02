// Rule: the bits of a thread's items come out as they went in, chunk by chunk, for any number of items a chunk and chunks a thread.
#include "../support/random_values.h"

#include <lightscan/bulk/item_flags.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace
{
template <int ChunkItems, int Chunks>
void check(unsigned seed)
{
  SCOPED_TRACE(std::to_string(Chunks) + " chunks of " + std::to_string(ChunkItems) + " items, seed "
               + std::to_string(seed));
  std::mt19937 random(seed);
  // All bits, none, a single one anywhere, and random ones.
  std::vector<std::vector<unsigned>> patterns;
  const unsigned all = (1u << ChunkItems) - 1;
  patterns.emplace_back(Chunks, 0u);
  patterns.emplace_back(Chunks, all);
  for (int item = 0; item < ChunkItems * Chunks; ++item)
  {
    patterns.emplace_back(Chunks, 0u);
    patterns.back()[static_cast<std::size_t>(item / ChunkItems)] = 1u << item % ChunkItems;
  }
  patterns.emplace_back();
  for (int c = 0; c < Chunks; ++c)
  {
    patterns.back().push_back(static_cast<unsigned>(random()) & all);
  }
  for (const std::vector<unsigned>& pattern : patterns)
  {
    lightscan::bulk::item_flags<ChunkItems, Chunks> flags;
    bool any = false;
    for (const unsigned bits : pattern)
    {
      flags.append(bits);
      any = any || bits != 0;
    }
    ASSERT_EQ(flags.any(), any);
    for (const unsigned bits : pattern)
    {
      ASSERT_EQ(flags.take(), bits);
    }
  }
}
} // namespace

TEST(item_flags, come_out_as_they_went_in)
{
  const auto seed = static_cast<unsigned>(testing_support::seed());
  check<1, 1>(seed);
  check<1, 32>(seed);
  check<1, 33>(seed);
  check<2, 11>(seed);
  check<2, 13>(seed);
  check<4, 8>(seed);
  check<4, 9>(seed);
  check<4, 15>(seed);
  check<5, 7>(seed);
  check<8, 5>(seed);
  check<16, 1>(seed);
  check<16, 9>(seed);
  check<16, 11>(seed);
}
