// Rows that blocks hold as a whole (plain/row_scan.h): which, and how warps share them out. Constexpr arithmetic.
#pragma once

#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
using tile::index;

// Of one row, in warps that hold so many items each.
struct row_shape
{
  int warps;
  int log2_warps; // rounded up
  int rows_a_block;

  // `items`: the most that there are from the beginning of the chunk that a row begins in to its end.
  constexpr row_shape(int items, int warp_items)
      : warps((items - 1) / warp_items + 1)
      , log2_warps(0)
      , rows_a_block(1)
  {
    while ((1 << log2_warps) < warps)
    {
      ++log2_warps;
    }
    if (warps < least_row_warps)
    {
      rows_a_block = least_row_warps >> log2_warps;
    }
  }

  constexpr int warps_a_block() const
  {
    return rows_a_block > 1 ? rows_a_block << log2_warps : warps;
  }
};

// Those items, of rows of which the first has `lead` items before it in its chunk.
constexpr int most_from_chunk(int length, int lead, int chunk_items)
{
  return length % chunk_items == 0 ? lead + length : length + chunk_items - 1;
}

// Whether rows of so many items, each in so many places of its warps, are scanned faster as a whole, in an array of `num_items`.
// `word_bytes`: of an item that is read from words of memory; 0 of others.
constexpr bool faster_as_whole(index length, index places, index num_items, int word_bytes, int accumulator_bytes)
{
  if (num_items <= length || (word_bytes == 0 && num_items > most_row_bytes_by_iterators / accumulator_bytes))
  {
    return false;
  }
  for (const whole_row_limit& limit : whole_row_limits)
  {
    if (length * 100 >= places * limit.least_percent)
    {
      return num_items <= (word_bytes > 0 && word_bytes < 4 ? limit.most_narrow_items : limit.most_items);
    }
  }
  return false;
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
