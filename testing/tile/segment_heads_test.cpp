// Rule: where segments begin is told alike item by item and from one segment to the next, for rows of any length (their quotients are
// exact up to 2^63) and for offsets, with segments that are empty.
#include "../support/random_values.h"

#include <lightscan/tile/segment_heads.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace tile = lightscan::tile;

constexpr tile::index most = std::numeric_limits<tile::index>::max();

void check_quotients(tile::index divisor, std::mt19937_64& random)
{
  const tile::divisor by(divisor);
  std::vector<tile::index> numbers{
    0, 1, divisor - 1, divisor, most, most - 1, most / divisor * divisor, most / divisor * divisor - 1};
  for (int k = 0; k < 200; ++k)
  {
    const auto number = static_cast<tile::index>(random() >> (1 + random() % 62));
    numbers.insert(numbers.end(), {number, number / divisor * divisor});
    if (number >= divisor)
    {
      numbers.push_back(number / divisor * divisor - 1);
    }
  }
  for (const tile::index number : numbers)
  {
    ASSERT_EQ(by.quotient(number), number / divisor) << number << " by " << divisor;
  }
}

// For chunks of so many items, `step` apart: what the plain kernel asks.
template <int Items, class List>
void check_chunks_heads(const List& list, tile::index items, int step)
{
  for (tile::index first = -Items + 1; first < items; ++first)
  {
    int chunks = 0;
    tile::each_chunks_heads<Items, 4>(list, first, step, [&](int r, unsigned heads) {
      ASSERT_EQ(r, chunks);
      ++chunks;
      for (int i = 0; i < Items; ++i)
      {
        const tile::index item = first + r * step + i;
        ASSERT_EQ((heads >> i & 1) != 0, item >= 0 && list.begins(item)) << "item " << item << ", chunk " << r;
      }
      ASSERT_EQ(heads >> (Items - 1) >> 1, 0u);
    });
    ASSERT_EQ(chunks, 4);
  }
}
} // namespace

TEST(divisor, quotients_are_exact)
{
  const auto seed = static_cast<unsigned>(testing_support::seed());
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (tile::index divisor = 1; divisor < 2000; ++divisor)
  {
    ASSERT_NO_FATAL_FAILURE(check_quotients(divisor, random));
  }
  for (int power = 11; power < 63; ++power)
  {
    const tile::index near = tile::index{1} << power;
    for (const tile::index divisor :
         {near - 1, near, near + 1, near + static_cast<tile::index>(random() % static_cast<std::uint64_t>(near))})
    {
      ASSERT_NO_FATAL_FAILURE(check_quotients(divisor, random));
    }
  }
  ASSERT_NO_FATAL_FAILURE(check_quotients(most, random));
}

TEST(heads, of_rows)
{
  for (const tile::index length : {1, 2, 3, 7, 32, 1000})
  {
    const tile::row_list rows(length);
    const tile::row_heads heads{rows};
    tile::index before = 0;
    for (tile::index item = 0; item < 3001; ++item)
    {
      ASSERT_EQ(rows.below(item), before) << item << " of rows of " << length;
      ASSERT_EQ(*(heads + item), item % length == 0);
      before += item % length == 0 ? 1 : 0;
      ASSERT_EQ(rows.offset(before - 1), item / length * length);
    }
    EXPECT_EQ(rows.below(-5), 0);
  }
}

TEST(heads, of_chunks_apart)
{
  for (const tile::index length : {1, 2, 3, 7, 16, 32, 127, 128, 129, 1000})
  {
    SCOPED_TRACE("rows of " + std::to_string(length));
    const tile::row_list rows(length);
    check_chunks_heads<1>(rows, 2001, 32);
    check_chunks_heads<4>(rows, 2001, 128);
    check_chunks_heads<16>(rows, 2001, 512);
  }
  const std::vector<int> offsets{0, 0, 3, 4, 4, 4, 9, 20, 20, 150};
  const tile::offset_list<const int*, int> list{offsets.data(), static_cast<int>(offsets.size()) - 1};
  check_chunks_heads<1>(list, 150, 32);
  check_chunks_heads<4>(list, 150, 128);
  check_chunks_heads<16>(list, 150, 512);
}

TEST(heads, at_offsets)
{
  const std::vector<std::uint16_t> offsets{0, 0, 3, 4, 4, 4, 9, 20, 20, 20};
  const auto segments = static_cast<int>(offsets.size()) - 1; // of which the last two are empty
  const tile::offset_list<const std::uint16_t*, int> list{offsets.data(), segments};
  const tile::items_in_segments<const std::uint16_t*, int> count{list};
  EXPECT_EQ(static_cast<tile::index>(count), 20);
  const tile::offset_heads<const std::uint16_t*, int> heads{list};
  for (tile::index item = 0; item < 20; ++item)
  {
    EXPECT_EQ(*(heads + item), item == 0 || item == 3 || item == 4 || item == 9) << item;
  }
  const tile::items_in_segments<const std::uint16_t*, int> none{{offsets.data(), 0}};
  EXPECT_EQ(static_cast<tile::index>(none), 0);
}
