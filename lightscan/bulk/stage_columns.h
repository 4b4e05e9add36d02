// The columns that leaves (inputs.h) have in a stage, and how many items a chunk of them has.
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Columns of a stage, in their order.
template <int Most>
struct stage_columns
{
  int count  = 0;
  int bytes  = 0; // of an item, in all
  int widest = 1;
  int width[Most + 1]{}; // bytes of an item
  int leaf[Most + 1]{};  // whose column it is
  bool reversed[Most + 1]{};

  constexpr void add(int item_bytes, int of_leaf, bool against)
  {
    if (item_bytes > 0)
    {
      width[count]    = item_bytes;
      leaf[count]     = of_leaf;
      reversed[count] = against;
      widest          = item_bytes > widest ? item_bytes : widest;
      bytes += item_bytes;
      ++count;
    }
  }

  // Bytes of an item in the first `columns` of them.
  LIGHTSCAN_HOST_DEVICE constexpr int before(int columns) const
  {
    int sum = 0;
    for (int k = 0; k < columns; ++k)
    {
      sum += width[k];
    }
    return sum;
  }
};

template <class... Leaves>
constexpr auto columns_of(leaf_list<Leaves...>)
{
  stage_columns<sizeof...(Leaves)> columns;
  int leaf = 0;
  (columns.add(Leaves::item_bytes, leaf++, Leaves::reversed), ...);
  return columns;
}

// Bytes that an item has in the columns of the first `number` leaves.
template <class... Leaves>
LIGHTSCAN_HOST_DEVICE constexpr int bytes_of_leaves(leaf_list<Leaves...>, int number)
{
  const int bytes[] = {Leaves::item_bytes...};
  int sum           = 0;
  for (int k = 0; k < number; ++k)
  {
    sum += bytes[k];
  }
  return sum;
}

// The fewest items of which the widest type fills whole 16-byte words. Narrower ones then move in narrower words: with
// whole 16-byte words of each, a thread's bytes of the widest would be an even number of them, and neighbours' accesses
// meet in banks (perf/DECISIONS.md, chunk-items). One, where so many would not find room in registers.
constexpr int chunk_items_for(int widest)
{
  constexpr int most_bytes = 256;
  const int bytes          = tile::chunk_bytes_for(static_cast<unsigned>(widest));
  return bytes <= most_bytes ? bytes / widest : 1;
}

// Bytes of an item where results are emitted: threads hold what they need of the tile in registers by then, so results come to lie on any of
// the inputs (perf/DECISIONS.md, emitted-over-all). One, where all is computed from an index, and nobody wants it.
template <int Inputs, int Results>
constexpr int emitted_bytes(const stage_columns<Inputs>& inputs, const stage_columns<Results>& results)
{
  const int most = inputs.bytes > results.bytes ? inputs.bytes : results.bytes;
  return most > 0 ? most : 1;
}

// Three chunks of a thread have rather up to so many bytes then than that there is but one (perf/DECISIONS.md, taken-bytes).
inline constexpr int three_emitted_chunks = 224;

// Items of a chunk of runs that are reduced. Of three columns and more a chunk is as long as their own types ask for, so that each is read in
// words of several items, or shorter, if three would not fit; results are put one by one anyway (perf/DECISIONS.md, reduced-chunks).
template <int Inputs, int Results>
constexpr int reduced_chunk_items(const stage_columns<Inputs>& inputs, const stage_columns<Results>& results)
{
  if (inputs.count < 3)
  {
    return chunk_items_for(inputs.widest > results.widest ? inputs.widest : results.widest);
  }
  int items = chunk_items_for(inputs.widest);
  while (items % 2 == 0 && 3 * items * emitted_bytes(inputs, results) > three_emitted_chunks)
  {
    items /= 2;
  }
  return items;
}
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
