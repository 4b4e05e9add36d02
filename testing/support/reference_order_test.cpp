// The reference that the GPU's bits are held against (reference_order.h), itself: it is a scan, however a tile is cut, and its
// order is not simply that from left to right.
#include "operators.h"
#include "random_values.h"
#include "reference_order.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using namespace testing_support;

template <bool Inclusive, class T, class Op, class Init>
std::vector<T> in_order(const std::vector<T>& input, int lead, int tile, inside_tile inside, Op op, Init init)
{
  std::vector<T> output(input.size());
  const lightscan::tile::geometry tiles{static_cast<std::int64_t>(input.size()), lead, tile};
  scan_in_order<Inclusive>(input.data(), output.data(), tiles, inside, op, init);
  return output;
}
} // namespace

// The operator does not commute, and joins nothing but neighbours.
TEST(reference_order, is_a_scan)
{
  for (const inside_tile inside :
       {in_threads(3), in_threads(36), in_stripes(1, 2), in_stripes(4, 4), in_stripes(16, 1)})
  {
    const int piece = inside.piece_items;
    for (const int pieces : {128, 384})
    {
      const int tile = piece * pieces;
      for (const int n : {1, piece, tile - 1, tile, tile + 1, 5 * tile + 7, 170 * tile + 1})
      {
        for (const int lead : {0, piece - 1})
        {
          SCOPED_TRACE(std::to_string(n) + " items, tiles of " + std::to_string(tile) + ", pieces of "
                       + std::to_string(piece) + ", " + std::to_string(inside.stripes) + " stripes, a lead of "
                       + std::to_string(lead));
          const std::vector<interval> input = random_values<interval>(static_cast<std::size_t>(n));
          std::vector<interval> inclusive   = in_order<true>(input, lead, tile, inside, join{}, no_init{});
          for (int i = 0; i < n; ++i)
          {
            ASSERT_TRUE((inclusive[static_cast<std::size_t>(i)] == interval{0, static_cast<std::uint32_t>(i) + 1}))
              << i;
          }
          std::vector<interval> later(input.begin() + 1, input.end());
          std::vector<interval> exclusive = in_order<false>(later, lead, tile, inside, join{}, interval{0, 1});
          for (int i = 0; i + 1 < n; ++i)
          {
            ASSERT_TRUE((exclusive[static_cast<std::size_t>(i)] == interval{0, static_cast<std::uint32_t>(i) + 1}))
              << i;
          }
        }
      }
    }
  }
}

// Were it not so, comparing the GPU's bits with it would say nothing of the order; nor would it if the cut did not show.
TEST(reference_order, shows_in_the_bits)
{
  std::mt19937_64 engine(seed());
  std::vector<float> values(200000);
  for (float& value : values)
  {
    value = std::ldexp(static_cast<float>(engine() % 2000) - 1000.0f, static_cast<int>(engine() % 40) - 20);
  }
  const auto bytes_differ = [](const std::vector<float>& a, const std::vector<float>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) != 0;
  };
  const std::vector<float> chosen = in_order<true>(values, 0, 36 * 192, in_threads(36), plus{}, no_init{});
  EXPECT_FALSE(bytes_differ(chosen, in_order<true>(values, 0, 36 * 192, in_threads(36), plus{}, no_init{})));
  EXPECT_TRUE(
    bytes_differ(chosen, in_order<true>(values, 0, 200000, in_threads(200000), plus{}, no_init{}))); // left to right
  EXPECT_TRUE(
    bytes_differ(chosen, in_order<true>(values, 1, 36 * 192, in_threads(36), plus{}, no_init{}))); // another alignment
  EXPECT_TRUE(
    bytes_differ(chosen, in_order<true>(values, 0, 28 * 192, in_threads(28), plus{}, no_init{}))); // another cut
  EXPECT_TRUE(bytes_differ(chosen, in_order<true>(values, 0, 36 * 192, in_stripes(36, 2), plus{}, no_init{})));
}
