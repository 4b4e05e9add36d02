// The leaf that says where segments begin (tile/segment_heads.h): a byte of the stage for each item, put there by the evaluators. A warp
// clears a section of a tile, finds its first offset, and marks the items at this one and those after it; so each offset is read once,
// but for the searches' and those that a round reads past its section. In a search 32 lanes ask at once, and begin where the warp's last
// two sections let expect the offset: between segments of one length the first round finds it. Empty segments have equal offsets: once
// all of a round are, a search finds the first one behind them, so that millions cost no more than hundreds. Where rows begin is
// calculated.
//
// (Rows told by the index in each thread, without room in the stage, take longer: perf/DECISIONS.md, marked-rows.)
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/bulk/section_guess.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/segment_heads.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// The number of offsets below `item`, of those from `first` to `last` - 1: `first` at least. In all lanes, which call it together.
template <class List>
__device__ tile::index offsets_below(const List& list, tile::index first, tile::index last, tile::index item)
{
  while (first < last)
  {
    const tile::index step = (last - first + warp::lanes - 1) / warp::lanes;
    const tile::index at   = first + step * (warp::lane_id() + 1) - 1; // a lane's last one of `step`
    const bool below       = at < last && list.offset(at) < item;
    first += step * __popc(__ballot_sync(0xffffffffu, below));
    if (step == 1)
    {
      break;
    }
    last = first + step - 1 < last ? first + step - 1 : last;
  }
  return first;
}

// The same of all offsets, from where they may be expected: a first round asks 1, 2, 4, ... 2^15 before and behind that place.
template <class List>
__device__ tile::index offsets_below_near(const List& list, tile::index count, tile::index expected, tile::index item)
{
  constexpr int half         = warp::lanes / 2;
  const int lane             = warp::lane_id();
  const tile::index distance = tile::index{1} << (lane < half ? half - 1 - lane : lane - half);
  const auto place           = [&](int of_lane) {
    const tile::index away = tile::index{1} << (of_lane < half ? half - 1 - of_lane : of_lane - half);
    return of_lane < half ? expected - away : expected + away - 1;
  };
  const tile::index at = lane < half ? expected - distance : expected + distance - 1;
  const bool below     = at < 0 || (at < count && list.offset(at) < item);
  const int lanes      = __popc(__ballot_sync(0xffffffffu, below));
  tile::index first    = lanes == 0 ? 0 : place(lanes - 1) + 1;
  tile::index last     = lanes == warp::lanes ? count : place(lanes);
  first                = first < 0 ? 0 : first;
  last                 = last < count ? last : count;
  return offsets_below(list, first, last, item);
}
#endif

// `List` is one of segment_heads.h.
template <class List>
struct heads_input
{
  using leaves = leaf_list<heads_input>;
  using stored = unsigned char;

  static constexpr bool in_memory    = false;
  static constexpr bool evaluated    = true;
  static constexpr bool calculates   = true;
  static constexpr bool gathers      = true;
  static constexpr int leads_to_grid = 0;
  static constexpr bool reversed     = false;
  static constexpr int item_bytes    = 1;

  List list;

#if defined(__CUDACC__)
  template <int Items>
  using chunk = tile::column_chunk<tile::column<stored>, Items>;

  template <int Items>
  static __device__ void load(chunk<Items>& part, unsigned char* area, int number, int count, tile::index)
  {
    part.load(area, number, count);
  }

  template <int First, class Chunks>
  __device__ bool value(const Chunks& chunks, int i)
  {
    return ::cuda::std::get<First>(chunks).item(i).value != 0;
  }

  template <int Number, class F>
  __device__ void each_leaf(F& f) const
  {
    f(*this, ::cuda::std::integral_constant<int, Number>{});
  }

  // Clears `items` items from item `begin` of the range on, a multiple of 32, and marks those before item `end`, where the range ends
  // (offsets from there on tell of no item); by all lanes of a warp.
  __device__ void
  mark(unsigned char* section, tile::index begin, int items, tile::index end, section_guess& guess) const
  {
    const tile::index count = list.segments();
    for (int word = warp::lane_id(); word < items / static_cast<int>(sizeof(uint4)); word += warp::lanes)
    {
      reinterpret_cast<uint4*>(section)[word] = uint4{0, 0, 0, 0};
    }
    if (end <= begin)
    {
      return;
    }
    const int inside = end - begin < items ? static_cast<int>(end - begin) : items;
    tile::index next = first_in(begin, count, guess);
    __syncwarp();
    // Few are asked for at first, for long segments; then many at once (perf/DECISIONS.md, offsets-at-once).
    if (mark_from<1>(section, begin, inside, next, count))
    {
      while (mark_from<offsets_at_once>(section, begin, inside, next, count))
      {}
    }
  }

private:
  using offset_type = decltype(::cuda::std::declval<const List&>().raw_offset(tile::index{}));

  static constexpr int offsets_at_once = sizeof(offset_type) <= 4 ? 16 : 8;
  static constexpr bool may_be_empty   = !::cuda::std::is_same_v<List, tile::row_list>;

  __device__ tile::index first_in(tile::index begin, tile::index count, [[maybe_unused]] section_guess& guess) const
  {
    if constexpr (!may_be_empty)
    {
      return list.below(begin);
    }
    else
    {
      const tile::index first = guess.has_slope() ? offsets_below_near(list, count, guess.expected(begin), begin)
                                                  : offsets_below(list, 0, count, begin);
      guess.learn(begin, first);
      return first;
    }
  }

  // Marks at `AtOnce` offsets for each lane from `next` on, as far as they lie among the section's first `items` items; returns whether
  // all do. Moves `next` behind them, and where they are all equal behind all others that are, too.
  template <int AtOnce>
  __device__ bool
  mark_from(unsigned char* section, tile::index begin, int items, tile::index& next, tile::index count) const
  {
    offset_type there[AtOnce];
#  pragma unroll
    for (int k = 0; k < AtOnce; ++k)
    {
      const tile::index j = next + k * warp::lanes + warp::lane_id();
      if (j < count)
      {
        there[k] = list.raw_offset(j);
      }
    }
    bool inside = true;
#  pragma unroll
    for (int k = 0; k < AtOnce; ++k)
    {
      const tile::index j    = next + k * warp::lanes + warp::lane_id();
      const tile::index item = j < count ? static_cast<tile::index>(there[k]) - begin : items;
      inside                 = item >= 0 && item < items;
      if (inside)
      {
        section[item] = 1;
      }
    }
    if (!__all_sync(0xffffffffu, inside))
    {
      return false;
    }
    next += AtOnce * warp::lanes;
    // They ascend, so a lane's are equal if its first and last are; and those that two lanes have overlap.
    if constexpr (may_be_empty && AtOnce > 1)
    {
      if (__all_sync(0xffffffffu, there[0] == there[AtOnce - 1]))
      {
        const tile::index others = offsets_below_near(list, count, next, static_cast<tile::index>(there[0]) + 1);
        next                     = others > next ? others : next; // never back, though offsets do not ascend
      }
    }
    return true;
  }
#endif
};

template <class List>
inline constexpr bool is_marked<heads_input<List>> = true;
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
