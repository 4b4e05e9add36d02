// What a selection of the items that runs are measured by (group_lengths.h) has besides those items: where they stand, and where that
// which follows goes.
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// An index without its upper bits. No tile has more items than these count.
using short_index = ::cuda::std::uint16_t;

// The index of each item, which takes no room in the stage (inputs.h).
struct index_input
{
  using leaves = leaf_list<index_input>;

  static constexpr bool in_memory    = false;
  static constexpr bool evaluated    = false;
  static constexpr bool calculates   = false;
  static constexpr bool gathers      = false;
  static constexpr int leads_to_grid = 0;
  static constexpr bool reversed     = false;
  static constexpr int item_bytes    = 0;

  template <int Items>
  struct chunk
  {
    static constexpr int bytes = 0;

    unsigned first;
  };

#if defined(__CUDACC__)
  template <int Items>
  static __device__ void load(chunk<Items>& part, unsigned char*, int, int, tile::index first_of_chunk)
  {
    part.first = static_cast<unsigned>(first_of_chunk);
  }

  template <int First, class Chunks>
  __device__ short_index value(const Chunks& chunks, int i)
  {
    return static_cast<short_index>(::cuda::std::get<First>(chunks).first + static_cast<unsigned>(i));
  }

  template <int Number, class F>
  __device__ void each_leaf(F& f) const
  {
    f(*this, ::cuda::std::integral_constant<int, Number>{});
  }
#endif
};

#if defined(__CUDACC__)
// A tile whose stage holds where the items stand that were selected; `Aggregate` and `Carry` are tile::reduced.
template <class Aggregate, class Carry>
struct marked_tile
{
  const short_index* marked;
  tile::index first;          // its first item that is in the range
  const Aggregate& aggregate; // how many were selected, and what the items since the last one come to
  const Carry& carry;         // the same of all before
  bool begins;                // there is none before
  bool ends;                  // nor behind

  // Item number k, from the tile's first on.
  __device__ short_index position(int k) const
  {
    return static_cast<short_index>(marked[k] - static_cast<short_index>(first));
  }
};
#endif

// Where numbers of runs go that follow from how long they are: `each` times as many as a run has items. The stage holds where each run
// of the tile begins.
template <class It, class Value>
struct length_target
{
  using stored = short_index;

  static constexpr int item_bytes = static_cast<int>(sizeof(stored));

  It to;
  Value each;

#if defined(__CUDACC__)
  static __device__ int slot(int rank, int)
  {
    return rank;
  }

  // Modulo a power of two, as sums of 64 bits and less are.
  __device__ Value times(unsigned items) const
  {
    return static_cast<Value>(static_cast<::cuda::std::uint64_t>(each) * items);
  }

  // A run's length is known where the next one begins.
  template <class Aggregate, class Carry>
  __device__ void store_measured(const marked_tile<Aggregate, Carry>& of, int thread, int threads) const
  {
    const auto runs = to + of.carry.begun;
    const int begun = of.aggregate.begun;
    for (int k = thread; k < begun - 1; k += threads)
    {
      *(runs + k) = times(static_cast<short_index>(of.marked[k + 1] - of.marked[k]));
    }
    if (thread != 0)
    {
      return;
    }
    if (!of.begins && (begun > 0 || of.ends))
    {
      *(runs + -1) = static_cast<Value>(of.carry.value + (begun > 0 ? times(of.position(0)) : of.aggregate.value));
    }
    if (of.ends && begun > 0)
    {
      *(runs + (begun - 1)) = of.aggregate.value;
    }
  }
#endif
};

// Where it goes at which item a run of several begins, and how long it is. `Kind` is tile::runs_kind; the stage holds where its bounds
// stand.
template <class Kind, class OffsetIt, class LengthIt, class Value>
struct bound_target
{
  using stored = short_index;

  static constexpr int item_bytes = static_cast<int>(sizeof(stored));

  OffsetIt offsets;
  LengthIt lengths;

#if defined(__CUDACC__)
  static __device__ int slot(int rank, int)
  {
    return rank;
  }

  static __device__ Value times(unsigned items)
  {
    return static_cast<Value>(items);
  }

  template <class Aggregate, class Carry>
  __device__ void store_measured(const marked_tile<Aggregate, Carry>& of, int thread, int threads) const
  {
    const int count = of.aggregate.begun;
    for (int k = thread; k < count; k += threads)
    {
      const tile::index bounds = of.carry.begun + k;
      const int position       = of.position(k);
      if (Kind::opens(bounds))
      {
        *(offsets + bounds / 2) = of.first + position - 1;
      }
      else
      {
        const Value items       = k > 0 ? times(static_cast<unsigned>(position - of.position(k - 1)))
                                        : static_cast<Value>(of.carry.value + times(static_cast<unsigned>(position)));
        *(lengths + bounds / 2) = Kind::length(items);
      }
    }
    const tile::index bounds = of.carry.begun + count;
    if (of.ends && thread == 0 && !Kind::opens(bounds))
    {
      const Value items = count > 0 ? of.aggregate.value : static_cast<Value>(of.carry.value + of.aggregate.value);
      *(lengths + bounds / 2) = Kind::length(items);
    }
  }
#endif
};
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
