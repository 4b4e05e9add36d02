// Where results go that are fewer than items, or that part ways (tile/select_kind.h): a tile's results for one place stand side by side
// in its stage, before the carry is there; then the group stores them to a stretch of the output that the carry tells, word by word, for
// it lies on any grid (perf/DECISIONS.md, emitted-by-group). A target has
//
//   stored, item_bytes   what the stage holds of a result; no bytes where nobody wants it
//   slot(rank, count)    the place of result number `rank` among so many
//   store(...)           stores results first, ..., last - 1 of `count`, which are numbers `begin` + first and so on of the output; by
//                        all threads of a group
#pragma once

#include <lightscan/bulk/edges.h>
#include <lightscan/tile/byte_span.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Contiguous memory. Result k goes to edge[k]; `Against`: to edge[-1 - k]; `FromEnd`: to edge[num_items - 1 - k].
template <class O, bool Against, bool FromEnd>
struct memory_target
{
  using stored = O;

  static constexpr int item_bytes = static_cast<int>(sizeof(O));

  O* edge;

#if defined(__CUDACC__)
  static __device__ int slot(int rank, int count)
  {
    return Against || FromEnd ? count - 1 - rank : rank;
  }

  __device__ void store(const unsigned char* area,
                        tile::index begin,
                        int first,
                        int last,
                        int count,
                        tile::index num_items,
                        int thread,
                        int threads) const
  {
    O* const slot_0 = FromEnd ? edge + (num_items - begin - count) : Against ? edge - begin - count : edge + begin;
    const int low   = Against || FromEnd ? count - last : first;
    const int high  = Against || FromEnd ? count - first : last;
    if (low < high)
    {
      const tile::byte_span range{low * item_bytes, high * item_bytes};
      bulk::store_tile<4>(reinterpret_cast<unsigned char*>(slot_0), area, range, thread, threads);
    }
  }
#endif
};

// Any iterator: results are assigned one by one, in coalesced order.
template <class It, class Value, bool FromEnd>
struct iterator_target
{
  using stored = Value;

  static constexpr int item_bytes = static_cast<int>(sizeof(Value));

  It to;

#if defined(__CUDACC__)
  static __device__ int slot(int rank, int)
  {
    return rank;
  }

  __device__ void store(const unsigned char* area,
                        tile::index begin,
                        int first,
                        int last,
                        int,
                        tile::index num_items,
                        int thread,
                        int threads) const
  {
    const auto* const results = reinterpret_cast<const util::uninitialized<Value>*>(area);
    for (int k = first + thread; k < last; k += threads)
    {
      *(to + (FromEnd ? num_items - 1 - (begin + k) : begin + k)) = results[k].value;
    }
  }
#endif
};

struct no_target
{
  static constexpr int item_bytes = 0;

#if defined(__CUDACC__)
  __device__ void store(const unsigned char*, tile::index, int, int, int, tile::index, int, int) const {}
#endif
};

// Bytes of a stage beside the items' own, for each target of a column: results begin on a 16-byte word, the word behind the last one is
// read, and there may be one result more than items.
LIGHTSCAN_HOST_DEVICE constexpr int emission_slack(int item_bytes)
{
  return 2 * tile::grid_bytes + (item_bytes + tile::grid_bytes - 1) / tile::grid_bytes * tile::grid_bytes;
}

#if defined(__CUDACC__)
// Calls f with 0, 1, ... as integral constants.
template <int... Values, class F>
__device__ void each_constant(::cuda::std::integer_sequence<int, Values...>, F f)
{
  (f(::cuda::std::integral_constant<int, Values>{}), ...);
}

// The next 16-byte word after so many bytes.
__device__ inline unsigned char* word_after(unsigned char* area, int bytes)
{
  return area + (bytes + tile::grid_bytes - 1) / tile::grid_bytes * tile::grid_bytes;
}

// Puts result number `rank` of `count` for a target into the stage.
template <class Target, class Value>
__device__ void put_result(const Target&, unsigned char* area, int rank, int count, const Value& value)
{
  if constexpr (Target::item_bytes > 0)
  {
    using stored = typename Target::stored;
    reinterpret_cast<util::uninitialized<stored>*>(area)[Target::slot(rank, count)] =
      util::uninitialized<stored>(static_cast<stored>(value));
  }
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
