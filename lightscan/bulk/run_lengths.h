// What a selection of the items that begin a run (group_lengths.h) has besides those items: where they stand, and where lengths go.
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
#endif
};
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
