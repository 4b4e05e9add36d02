// What selections and reductions by key accumulate (select_kind.h): counts, and beside them the fold of a run. What a tile publishes of
// them is narrower than what a range comes to, and 32 lanes' of counts and integers are folded in one step.
#pragma once

#include <lightscan/carry/aggregate.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/call.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
// A number of items of a tile, or of a window of tiles.
using tile_count = ::cuda::std::int32_t;

// How many items went to each part but the last, of which that follows. `Count`: index; of the items of a tile, tile_count.
template <int Parts, class Count = index>
struct part_counts
{
  Count of[Parts - 1];
};

struct count_op
{
  template <int Parts, class Count>
  LIGHTSCAN_HOST_DEVICE part_counts<Parts, Count> operator()(part_counts<Parts, Count> left,
                                                             const part_counts<Parts, Count>& right) const
  {
    LIGHTSCAN_UNROLL
    for (int p = 0; p < Parts - 1; ++p)
    {
      left.of[p] += right.of[p];
    }
    return left;
  }
};

// Of a run of items: how many runs of equal keys begin in it, and the fold of the values since the last one did. Of runs that are only
// measured: how many bounds it has (runs_kind), and how many items since the last one.
template <class Value, class Count = index>
struct reduced
{
  Value value;
  Count begun;
};

template <class ReductionOp>
struct reduced_op
{
  ReductionOp reduction_op;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Value, class Count>
  LIGHTSCAN_HOST_DEVICE reduced<Value, Count> operator()(const reduced<Value, Count>& left,
                                                         const reduced<Value, Count>& right)
  {
    return {right.begun > 0 ? right.value : static_cast<Value>(util::call(reduction_op, left.value, right.value)),
            left.begun + right.begun};
  }
};
} // namespace tile

// Words without the padding behind a tile's count.
namespace util
{
template <class Value>
inline constexpr ::cuda::std::size_t used_bytes<tile::reduced<Value, tile::tile_count>> =
  (sizeof(Value) + sizeof(tile::tile_count) - 1) / sizeof(tile::tile_count) * sizeof(tile::tile_count)
  + sizeof(tile::tile_count);
} // namespace util

#if defined(__CUDACC__)
namespace warp
{
template <int Parts>
struct short_fold<tile::part_counts<Parts, tile::tile_count>, tile::count_op>
{
  static constexpr bool exists = true;

  using counts = tile::part_counts<Parts, tile::tile_count>;

  static __device__ counts of(counts value, int count, const tile::count_op&)
  {
#  pragma unroll
    for (int p = 0; p < Parts - 1; ++p)
    {
      value.of[p] = warp::sum(lane_id() < count ? value.of[p] : 0);
    }
    return value;
  }
};

// Where values are such integers: those of the lanes from the last one in which a run begins.
template <class Value, class ReductionOp>
struct short_fold<tile::reduced<Value, tile::tile_count>, tile::reduced_op<ReductionOp>>
{
  static constexpr bool exists = short_fold<Value, ReductionOp>::exists;

  using runs = tile::reduced<Value, tile::tile_count>;

  static __device__ runs of(const runs& value, int count, const tile::reduced_op<ReductionOp>&)
  {
    const bool counts    = lane_id() < count;
    const unsigned heads = __ballot_sync(0xffffffffu, counts && value.begun > 0);
    const int first      = heads != 0 ? lanes - 1 - __clz(static_cast<int>(heads)) : 0;
    const int sum        = warp::sum(counts && lane_id() >= first ? static_cast<int>(value.value) : 0);
    return {static_cast<Value>(sum), warp::sum(counts ? value.begun : 0)};
  }
};
} // namespace warp
#endif

namespace carry
{
template <int Parts>
struct aggregate_of<tile::part_counts<Parts>>
{
  using type = tile::part_counts<Parts, tile::tile_count>;

  static LIGHTSCAN_HOST_DEVICE tile::part_counts<Parts> widened(const type& counts)
  {
    return converted<tile::index>(counts);
  }
  static LIGHTSCAN_HOST_DEVICE type narrowed(const tile::part_counts<Parts>& counts)
  {
    return converted<tile::tile_count>(counts);
  }

private:
  template <class To, class From>
  static LIGHTSCAN_HOST_DEVICE tile::part_counts<Parts, To> converted(const tile::part_counts<Parts, From>& counts)
  {
    tile::part_counts<Parts, To> result{};
    LIGHTSCAN_UNROLL
    for (int p = 0; p < Parts - 1; ++p)
    {
      result.of[p] = static_cast<To>(counts.of[p]);
    }
    return result;
  }
};

template <class Value>
struct aggregate_of<tile::reduced<Value>>
{
  using type = tile::reduced<Value, tile::tile_count>;

  static LIGHTSCAN_HOST_DEVICE tile::reduced<Value> widened(const type& of_tile)
  {
    return {of_tile.value, of_tile.begun};
  }
  static LIGHTSCAN_HOST_DEVICE type narrowed(const tile::reduced<Value>& of_tile)
  {
    return {of_tile.value, static_cast<tile::tile_count>(of_tile.begun)};
  }
};
} // namespace carry
LIGHTSCAN_NAMESPACE_END
