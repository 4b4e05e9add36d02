// Where tiles lie: every element in exactly one tile, every tile with exactly one block, at any size and alignment.
#include <lightscan/tile/geometry.h>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace tile = lightscan::tile;
using tile::geometry;
using index = std::int64_t;

TEST(geometry, gives_every_element_to_one_tile)
{
  for (const int tile_items : {1, 3, 16, 61})
  {
    for (int lead = 0; lead < tile_items && lead < 16; ++lead)
    {
      for (index n = 0; n < 4 * tile_items + 3; ++n)
      {
        const geometry tiles{n, lead, tile_items};
        std::vector<int> visits(static_cast<std::size_t>(n), 0);
        for (index t = 0; t < tiles.num_tiles; ++t)
        {
          const tile::span inside = tiles.inside(t);
          ASSERT_TRUE(0 <= inside.first && inside.first < inside.last && inside.last <= tile_items)
            << "n " << n << " lead " << lead << " tile " << t << " of " << tile_items;
          ASSERT_EQ(tiles.whole(t), inside.last - inside.first == tile_items);
          for (int i = inside.first; i < inside.last; ++i)
          {
            ++visits.at(static_cast<std::size_t>(tiles.begin(t) + i));
          }
        }
        for (index t = tiles.num_tiles; t < tiles.num_tiles + 3; ++t)
        {
          ASSERT_FALSE(tiles.whole(t)) << "the plain kernel's loop over whole tiles ends there: n " << n << " lead "
                                       << lead;
        }
        ASSERT_EQ(visits, std::vector<int>(static_cast<std::size_t>(n), 1)) << "lead " << lead << " of " << tile_items;
      }
    }
  }
}

// Element counts around the limits of 32-bit arithmetic, and beyond every GPU's memory.
const index sizes[] = {1,
                       (index{1} << 31) - 1,
                       index{1} << 31,
                       (index{1} << 31) + 1,
                       (index{1} << 32) - 1,
                       index{1} << 32,
                       (index{1} << 32) + 1,
                       index{1} << 37,
                       (index{1} << 62) - 1,
                       index{1} << 62};

TEST(geometry, does_not_overflow)
{
  for (const index n : sizes)
  {
    for (const int tile_items : {1280, 1728, 20480, 27648})
    {
      for (const int lead : {0, 1, 15})
      {
        SCOPED_TRACE(::testing::Message() << "n " << n << " lead " << lead << " tile_items " << tile_items);
        const geometry tiles{n, lead, tile_items};
        const index count  = tiles.num_tiles;
        const auto covered = static_cast<__int128>(n) + lead;
        ASSERT_EQ(count, static_cast<index>((covered + tile_items - 1) / tile_items));
        ASSERT_EQ(tiles.begin(0) + tiles.inside(0).first, 0);
        ASSERT_EQ(tiles.begin(count - 1) + tiles.inside(count - 1).last, n);
        for (const index t : {index{1}, count / 2, (index{1} << 31) / tile_items, (index{1} << 32) / tile_items})
        {
          if (0 < t && t < count - 1)
          {
            ASSERT_EQ(tiles.begin(t - 1) + tile_items, tiles.begin(t));
            ASSERT_TRUE(tiles.whole(t));
          }
        }
      }
    }
  }
}

static_assert(geometry{(index{1} << 37), 3, 1728}.num_tiles == 79536432, "usable in constant expressions");

TEST(owned_tiles, gives_every_tile_to_one_block)
{
  for (index num_tiles = 0; num_tiles < 70; ++num_tiles)
  {
    for (index num_blocks = 1; num_blocks < 20; ++num_blocks)
    {
      std::vector<int> owners(static_cast<std::size_t>(num_tiles), 0);
      for (index block = 0; block < num_blocks; ++block)
      {
        for (index k = 0; k < tile::owned_tiles(num_tiles, block, num_blocks); ++k)
        {
          ++owners.at(static_cast<std::size_t>(block + k * num_blocks));
        }
      }
      ASSERT_EQ(owners, std::vector<int>(static_cast<std::size_t>(num_tiles), 1)) << num_blocks << " blocks";
    }
  }
}

TEST(owned_tiles, does_not_overflow)
{
  const index many = index{1} << 40;
  EXPECT_EQ(tile::owned_tiles(many + 5, 4, 132), many / 132 + 1);
  index total = 0;
  for (index block = 0; block < 132; ++block)
  {
    total += tile::owned_tiles(many + 5, block, 132);
  }
  EXPECT_EQ(total, many + 5);
}

// The smallest number of elements back to the 16-byte grid, or -1, by trying.
int lead_by_search(unsigned misalignment, unsigned size)
{
  for (int lead = 0; lead < 16; ++lead)
  {
    const int address = static_cast<int>(misalignment) - lead * static_cast<int>(size);
    if (address % 16 == 0)
    {
      return lead;
    }
  }
  return -1;
}

int lead_of(unsigned misalignment, unsigned size)
{
  return tile::common_lead(tile::misalignment{misalignment, size});
}

TEST(common_lead, of_one_column_finds_the_way_back_to_the_grid)
{
  for (unsigned size = 1; size <= 64; ++size)
  {
    for (unsigned misalignment = 0; misalignment < 16; ++misalignment)
    {
      ASSERT_EQ(lead_of(misalignment, size), lead_by_search(misalignment, size)) << size << " " << misalignment;
    }
  }
  EXPECT_EQ(lead_of(4, 8), -1);
  EXPECT_EQ(lead_of(12, 4), 3);
  EXPECT_EQ(lead_of(15, 1), 15);
}

template <int Size, int Alignment>
struct alignas(Alignment) element
{
  unsigned char byte[Size];
};

template <class T>
void check_always_meets_grid(bool expected)
{
  bool meets = true;
  for (unsigned misalignment = 0; misalignment < 16; misalignment += alignof(T))
  {
    meets = meets && lead_of(misalignment, sizeof(T)) >= 0;
  }
  EXPECT_EQ(meets, expected) << sizeof(T) << " bytes on " << alignof(T);
  EXPECT_EQ(tile::always_meets_grid<T>, expected) << sizeof(T) << " bytes on " << alignof(T);
}

TEST(always_meets_grid, says_what_common_lead_finds)
{
  check_always_meets_grid<element<1, 1>>(true);
  check_always_meets_grid<element<2, 1>>(false);
  check_always_meets_grid<element<2, 2>>(true);
  check_always_meets_grid<element<3, 1>>(true);
  check_always_meets_grid<element<4, 2>>(false);
  check_always_meets_grid<element<4, 4>>(true);
  check_always_meets_grid<element<6, 2>>(true);
  check_always_meets_grid<element<8, 4>>(false);
  check_always_meets_grid<element<8, 8>>(true);
  check_always_meets_grid<element<12, 4>>(true);
  check_always_meets_grid<element<16, 8>>(false);
  check_always_meets_grid<element<16, 16>>(true);
}

// A thread has an odd number of chunks: so an odd number of 16-byte words only if a chunk is.
TEST(chunk, is_whole_elements_and_an_odd_number_of_words)
{
  for (unsigned size = 1; size <= 16; ++size)
  {
    const int bytes = tile::chunk_bytes_for(size);
    ASSERT_GT(bytes, 0) << size;
    ASSERT_EQ(bytes % static_cast<int>(size), 0) << size;
    ASSERT_EQ(bytes % 16, 0) << size;
    ASSERT_EQ(bytes / 16 % 2, 1) << size;
  }
}

// bulk/group_scan.h counts on it: the threads that have elements are the lowest ones.
TEST(chunk, is_longer_than_any_lead)
{
  for (unsigned size = 1; size <= 16; ++size)
  {
    for (unsigned misalignment = 0; misalignment < 16; ++misalignment)
    {
      ASSERT_LT(lead_of(misalignment, size), tile::chunk_bytes_for(size) / static_cast<int>(size));
    }
  }
}

TEST(chunks_within, is_the_largest_odd_number_that_fits)
{
  for (int chunk_bytes = 16; chunk_bytes <= 240; chunk_bytes += 32)
  {
    for (int bytes = 0; bytes < 1000; ++bytes)
    {
      const int chunks = tile::chunks_within(bytes, chunk_bytes);
      ASSERT_EQ(chunks % 2, 1);
      ASSERT_TRUE(chunks == 1 || chunks * chunk_bytes <= bytes);
      ASSERT_GT((chunks + 2) * chunk_bytes, bytes);
    }
  }
}
} // namespace
