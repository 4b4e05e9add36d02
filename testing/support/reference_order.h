// The order of combination that LightScan promises, as a plain host program: it makes the very bits that the kernels make, on
// any GPU, for any number of blocks, in any run. Written from ARCHITECTURE.md; shares no code with the kernels.
//
// Host and device add alike (IEEE 754, round to nearest); what could differ is a multiplication and an addition made one by
// the compiler, and the operators used with this have no such pair.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/carry/words.h>
#include <lightscan/tile/geometry.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace testing_support
{
using lightscan::carry::no_init;

constexpr std::ptrdiff_t run_of_tiles    = lightscan::carry::slot_position::slots_per_lane;
constexpr std::ptrdiff_t window_of_tiles = lightscan::carry::slot_position::window_size;

template <class T>
struct found_carry
{
  bool exists;
  lightscan::carry::uninitialized<T> value;
};

// A fold under way that may not have begun.
template <class T, class Op>
struct running_fold
{
  Op op;
  found_carry<T> value;

  running_fold(Op o, no_init)
      : op(o)
      , value{false, {}}
  {}
  running_fold(Op o, const T& init)
      : op(o)
      , value{true, init}
  {}

  void append(const T& right)
  {
    value = {true, value.exists ? op(value.value.value, right) : right};
  }
};

// Between tiles -------------------------------------------------------------------------------------------------------
//
// Windows of 32 x 5 tiles: in each, 32 runs of five consecutive aggregates are folded from left to right, then the runs by a
// tree over neighbours; windows are folded from left to right.
template <class T, class Op>
T fold_of_window(const T* first, const T* last, Op op)
{
  std::vector<T> lanes;
  for (const T* run = first; run < last; run += run_of_tiles)
  {
    running_fold<T, Op> lane(op, no_init{});
    std::for_each(run, std::min(run + run_of_tiles, last), [&](const T& aggregate) {
      lane.append(aggregate);
    });
    lanes.push_back(lane.value.value.value);
  }
  while (lanes.size() > 1)
  {
    std::vector<T> pairs;
    for (std::size_t i = 0; i < lanes.size(); i += 2)
    {
      pairs.push_back(i + 1 < lanes.size() ? op(lanes[i], lanes[i + 1]) : lanes[i]);
    }
    lanes = pairs;
  }
  return lanes.front();
}

template <class T, class Op, class Init>
std::vector<found_carry<T>> carries_in_order(const std::vector<T>& aggregates, Op op, Init init)
{
  running_fold<T, Op> windows(op, init);
  std::vector<found_carry<T>> carries;
  for (std::size_t t = 0; t < aggregates.size(); ++t)
  {
    const T* const window = aggregates.data() + t - t % window_of_tiles;
    if (t > 0 && t % window_of_tiles == 0)
    {
      windows.append(fold_of_window(window - window_of_tiles, window, op));
    }
    running_fold<T, Op> carry = windows;
    if (t % window_of_tiles > 0)
    {
      carry.append(fold_of_window(window, window + t % window_of_tiles, op));
    }
    carries.push_back(carry.value);
  }
  return carries;
}

// Inside a tile -------------------------------------------------------------------------------------------------------

// Every thread's fold of the tile's elements before its segment (thread 0 has none), and the tile's aggregate.
template <class T>
struct folded_tile
{
  std::vector<T> before;
  T aggregate;
};

// Segments from left to right; the segments of 32 lanes by a scan in five steps, of distances 1, 2, 4, 8, 16; warps from
// left to right. `elements` are those of the range: the tile's from `first` on, if it is the range's first with a lead.
template <class T, class Op>
folded_tile<T> fold_tile(const T* elements, int first, int last, int segment_items, Op op)
{
  constexpr int lanes = 32;
  const int threads   = (last + segment_items - 1) / segment_items;
  std::vector<T> folds;
  for (int t = 0; t < threads; ++t)
  {
    const int begin = std::max(t * segment_items, first);
    const int end   = std::min((t + 1) * segment_items, last);
    T fold          = elements[begin - first];
    for (int i = begin + 1; i < end; ++i)
    {
      fold = op(fold, elements[i - first]);
    }
    folds.push_back(fold);
  }

  folded_tile<T> tile{std::vector<T>(folds.size()), folds[0]};
  for (int warp = 0; warp < threads; warp += lanes)
  {
    const int count = std::min(lanes, threads - warp);
    T* const lane   = folds.data() + warp;
    for (int distance = 1; distance < lanes; distance *= 2)
    {
      for (int l = count - 1; l >= distance; --l)
      {
        lane[l] = op(lane[l - distance], lane[l]);
      }
    }
    for (int l = 0; l < count; ++l)
    {
      T& before = tile.before[static_cast<std::size_t>(warp + l)];
      if (warp > 0)
      {
        before = l > 0 ? op(tile.aggregate, lane[l - 1]) : tile.aggregate;
      }
      else if (l > 0)
      {
        before = lane[l - 1];
      }
    }
    tile.aggregate = warp > 0 ? op(tile.aggregate, lane[count - 1]) : lane[count - 1];
  }
  return tile;
}

// The scan of a range whose tiles and segments are so long. Either array may be the other.
template <bool Inclusive, class T, class Op, class Init>
void scan_in_order(const T* input, T* output, lightscan::tile::geometry tiles, int segment_items, Op op, Init init)
{
  std::vector<T> aggregates;
  for (std::int64_t t = 0; t < tiles.num_tiles; ++t)
  {
    const lightscan::tile::span inside = tiles.inside(t);
    aggregates.push_back(
      fold_tile(input + tiles.begin(t) + inside.first, inside.first, inside.last, segment_items, op).aggregate);
  }
  const std::vector<found_carry<T>> carries = carries_in_order(aggregates, op, init);

  for (std::int64_t t = 0; t < tiles.num_tiles; ++t)
  {
    const lightscan::tile::span inside = tiles.inside(t);
    const std::int64_t begin           = tiles.begin(t);
    const folded_tile<T> tile = fold_tile(input + begin + inside.first, inside.first, inside.last, segment_items, op);
    running_fold<T, Op> running(op, no_init{});
    for (int i = inside.first; i < inside.last; ++i)
    {
      if (i == inside.first || i % segment_items == 0)
      {
        running.value = carries[static_cast<std::size_t>(t)];
        if (i / segment_items > 0)
        {
          running.append(tile.before[static_cast<std::size_t>(i / segment_items)]);
        }
      }
      const T element = input[begin + i];
      if constexpr (Inclusive)
      {
        running.append(element);
        output[begin + i] = running.value.value.value;
      }
      else
      {
        output[begin + i] = running.value.value.value;
        running.append(element);
      }
    }
  }
}
} // namespace testing_support
