// Rule: rows of one length follow one another without a gap, each beginning in the chunk that its first item lies in, whatever comes before
// the first row in its chunk; beyond 2^32 items, too.
#include <lightscan/tile/row_geometry.h>

#include <string>

#include <gtest/gtest.h>

namespace tile = lightscan::tile;

namespace
{
void check(tile::index row, int length, int lead, int chunk_items)
{
  SCOPED_TRACE("row " + std::to_string(row) + " of " + std::to_string(length) + ", lead " + std::to_string(lead)
               + ", chunks of " + std::to_string(chunk_items));
  const tile::row_geometry rows{row + 1, length, lead, chunk_items};
  const tile::span inside = rows.inside(row);
  ASSERT_EQ(rows.begin(row) + inside.first, row * length) << "its first item";
  ASSERT_EQ(inside.last - inside.first, length);
  ASSERT_GE(inside.first, 0);
  ASSERT_LT(inside.first, chunk_items) << "in its first chunk";
  ASSERT_EQ((rows.begin(row) + lead) % chunk_items, 0) << "where a chunk begins";
}
} // namespace

TEST(row_geometry, begins_rows_with_the_chunk_of_their_first_item)
{
  for (const int chunk_items : {1, 2, 4, 8, 16})
  {
    for (int lead = 0; lead < chunk_items; ++lead)
    {
      for (const int length : {1, 2, 3, 15, 16, 17, 1000, 1001, 4095})
      {
        for (const tile::index row : {0, 1, 2, 3, 17, 4096})
        {
          ASSERT_NO_FATAL_FAILURE(check(row, length, lead, chunk_items));
        }
        ASSERT_NO_FATAL_FAILURE(check((tile::index{1} << 40) + 3, length, lead, chunk_items));
      }
    }
  }
}
