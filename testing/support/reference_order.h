// The order of combination that LightScan promises, as a plain host program: it makes the very bits that the kernels make, on
// any GPU, for any number of blocks, in any run. Written from ARCHITECTURE.md; shares no code with the kernels.
//
// Host and device add alike (IEEE 754, round to nearest); what could differ is a multiplication and an addition made one by
// the compiler, and the operators used with this have no such pair.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace testing_support
{
using lightscan::util::no_init;

constexpr std::ptrdiff_t run_of_tiles    = lightscan::carry::slot_position::slots_per_lane;
constexpr std::ptrdiff_t window_of_tiles = lightscan::carry::slot_position::window_size;

template <class T>
struct found_carry
{
  bool exists;
  lightscan::util::uninitialized<T> value;
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

// A tile is cut into pieces that are folded from left to right: the items of a thread (the bulk pipeline), or chunks (the
// plain kernel, where `stripes` of 32 make a warp's part).
struct inside_tile
{
  int piece_items;
  int stripes; // 0: pieces are the items of threads
};

constexpr inside_tile in_threads(int items_per_thread)
{
  return {items_per_thread, 0};
}
constexpr inside_tile in_stripes(int chunk_items, int stripes)
{
  return {chunk_items, stripes};
}

// Of up to 32 neighbours: every one's fold of the first to its own, in five steps, of distances 1, 2, 4, 8, 16.
template <class T, class Op>
void scan_lanes(T* lane, int count, Op op)
{
  constexpr int lanes = 32;
  for (int distance = 1; distance < lanes; distance *= 2)
  {
    for (int l = count - 1; l >= distance; --l)
    {
      lane[l] = op(lane[l - distance], lane[l]);
    }
  }
}

// Appends a tile's elements, cut into pieces, to what comes before it.
template <class T>
struct folded_tile
{
  T aggregate;
  std::vector<T> before;      // each piece: the tile's elements before it, as far as they are folded in advance
  std::vector<T> before_part; // each piece's part of the tile: the elements before that (none without stripes)
};

// `elements` are those of the range: the tile's from `first` on, if it is the range's first with a lead.
template <class T, class Op>
folded_tile<T> fold_tile(const T* elements, int first, int last, inside_tile inside, Op op)
{
  constexpr int lanes = 32;
  const int pieces    = (last + inside.piece_items - 1) / inside.piece_items;
  std::vector<T> folds;
  for (int p = 0; p < pieces; ++p)
  {
    const int begin = std::max(p * inside.piece_items, first);
    const int end   = std::min((p + 1) * inside.piece_items, last);
    T fold          = elements[begin - first];
    for (int i = begin + 1; i < end; ++i)
    {
      fold = op(fold, elements[i - first]);
    }
    folds.push_back(fold);
  }

  // 32 pieces at a time, what comes before them appended from left to right: to the end of the tile, or of a part of it.
  folded_tile<T> tile{folds[0], std::vector<T>(folds.size()), {}};
  const int part = inside.stripes == 0 ? pieces : inside.stripes * lanes;
  std::vector<T> parts;
  for (int group = 0; group < pieces; group += lanes)
  {
    const int count   = std::min(lanes, pieces - group);
    const bool begins = group % part == 0;
    T* const lane     = folds.data() + group;
    scan_lanes(lane, count, op);
    if (begins)
    {
      parts.push_back(lane[count - 1]);
    }
    T& running = parts.back();
    for (int l = 0; l < count; ++l)
    {
      T& before = tile.before[static_cast<std::size_t>(group + l)];
      if (!begins)
      {
        before = l > 0 ? op(running, lane[l - 1]) : running;
      }
      else if (l > 0)
      {
        before = lane[l - 1];
      }
    }
    running = begins ? running : op(running, lane[count - 1]);
  }
  if (inside.stripes > 0)
  {
    scan_lanes(parts.data(), static_cast<int>(parts.size()), op);
    tile.before_part = parts;
  }
  tile.aggregate = parts.back();
  return tile;
}

// The scan of a range whose tiles are so long and so cut. Either array may be the other.
template <bool Inclusive, class T, class Op, class Init>
void scan_in_order(const T* input, T* output, lightscan::tile::geometry tiles, inside_tile inside, Op op, Init init)
{
  const auto folded = [&](std::int64_t t) {
    const lightscan::tile::span s = tiles.inside(t);
    return fold_tile(input + tiles.begin(t) + s.first, s.first, s.last, inside, op);
  };
  std::vector<T> aggregates;
  for (std::int64_t t = 0; t < tiles.num_tiles; ++t)
  {
    aggregates.push_back(folded(t).aggregate);
  }
  const std::vector<found_carry<T>> carries = carries_in_order(aggregates, op, init);

  for (std::int64_t t = 0; t < tiles.num_tiles; ++t)
  {
    const lightscan::tile::span s = tiles.inside(t);
    const std::int64_t begin      = tiles.begin(t);
    const folded_tile<T> tile     = folded(t);
    running_fold<T, Op> running(op, no_init{});
    for (int i = s.first; i < s.last; ++i)
    {
      if (i == s.first || i % inside.piece_items == 0)
      {
        const int piece  = i / inside.piece_items;
        const int within = inside.stripes == 0 ? piece : piece % (inside.stripes * 32);
        running.value    = carries[static_cast<std::size_t>(t)];
        if (within < piece)
        {
          running.append(tile.before_part[static_cast<std::size_t>(piece / (inside.stripes * 32) - 1)]);
        }
        if (within > 0)
        {
          running.append(tile.before[static_cast<std::size_t>(piece)]);
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
