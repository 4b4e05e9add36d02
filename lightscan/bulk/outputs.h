// Outputs: where the results of a tile go, once they stand in its stage. An output has
//
//   stored, reversed    the type of a result in memory, and whether results lie against their order: which decides where in the
//                       stage they are put (stage_view.h)
//   by_storer()         whether the storer stores tiles; otherwise each group stores its own
//   store(...)          by all lanes of the storer; returns when the stage may be filled again
//   store_by_group(...) by all threads of a group, once all of them have put their results
#pragma once

#include <lightscan/bulk/edges.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// One result for each element, in contiguous memory. Where it lies differently on the 16-byte grid than the input, the group
// shifts word by word: bulk copies cannot, and one storer warp would be too slow for it (perf/DECISIONS.md, misaligned-output).
template <class Column>
struct column_output : Column
{
#if defined(__CUDACC__)
  __device__ bool by_storer() const
  {
    return this->on_grid();
  }

  template <int TileItems, class Mover>
  __device__ void store(const Mover& mover, const unsigned char* area, tile::index t, tile::span inside) const
  {
    mover.empty(address<TileItems>(t), area, Column::bytes_of(inside, TileItems));
  }

  template <int TileItems>
  __device__ void
  store_by_group(const unsigned char* area, tile::index t, tile::span inside, int thread, int threads) const
  {
    store_tile(address<TileItems>(t), area, Column::bytes_of(inside, TileItems), thread, threads);
  }

private:
  template <int TileItems>
  __device__ unsigned char* address(tile::index t) const
  {
    return this->tile(t, TileItems * static_cast<int>(sizeof(typename Column::stored)));
  }
#endif
};

// The output that a kernel's items name: memory by its column, others by themselves.
template <class Output>
struct output_of
{
  using type = Output;
};
template <class Stored, class Function, bool Reversed>
struct output_of<tile::column<Stored, Function, Reversed>>
{
  using type = column_output<tile::column<Stored, Function, Reversed>>;
};
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
