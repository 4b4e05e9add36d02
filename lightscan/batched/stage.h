// A tile in shared memory as it lies in global memory, for lines so narrow that it must be read element by element, neighbouring threads
// neighbouring elements.
#pragma once

#include <lightscan/batched/geometry.h>
#include <lightscan/batched/tile.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
#if defined(__CUDACC__)
template <class T, class Policy>
class stage
{
  using tile_type = tile_of_lines<Policy>;

  static constexpr int threads = Policy::threads;
  static constexpr int at_once = Policy::items_at_once;

public:
  __device__ stage(util::uninitialized<T>* items, const tile_type& tile)
      : stage(items, tile, tile.width)
  {}
  // `pitch`: elements from a layer to the next, where that may be more than the tile has.
  __device__ stage(util::uninitialized<T>* items, const tile_type& tile, int pitch)
      : items_(items)
      , tile_(tile)
      , pitch_(pitch)
  {}

  // The thread's first item, and how far the one of the next layer stands from one: some tiles stand from their last layer on.
  __device__ util::uninitialized<T>* own() const
  {
    const int layer = tile_.lines.upward ? tile_.depth - 1 - tile_.begin : tile_.begin;
    return items_ + layer * pitch_ + tile_.column;
  }
  __device__ int next() const
  {
    return tile_.lines.upward ? -pitch_ : pitch_;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class InputIt>
  __device__ void fill(const InputIt& input, const strided_range& from) const
  {
    util::uninitialized<T> loaded[at_once]; // all loads come first, so that they are under way together
    each(
      from,
      [&](int i, int, index at) {
        loaded[i] = util::uninitialized<T>(static_cast<T>(*(input + at)));
      },
      [&](int i, int element) {
        items_[element] = loaded[i];
      });
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class OutputIt>
  __device__ void empty(const OutputIt& output, const strided_range& to) const
  {
    each(
      to,
      [&](int, int element, index at) {
        *(output + at) = items_[element].value;
      },
      [](int, int) {});
  }

private:
  // f(i, element, at) for the elements of a tile: where it stands in the stage, and where in a range. Once f has been called for some,
  // then(i, element) is for each of them.
  template <class F, class Then>
  __device__ void each(const strided_range& where, F f, Then then) const
  {
    const int count = tile_.width * tile_.depth;
    if (tile_.lines.side_by_side)
    {
      // Turned, so that warps meet the lines of the cache where the range does.
      const index begin = tile_.begin_in(where);
      const int turned  = static_cast<int>(threadIdx.x) - static_cast<int>(begin & 31);
      LIGHTSCAN_KEEP_ROLLED
      for (int first = turned < 0 ? turned + threads : turned; first < count; first += at_once * threads)
      {
        if (first + (at_once - 1) * threads < count)
        {
          some<true>(first, count, begin, f, then);
        }
        else
        {
          some<false>(first, count, begin, f, then);
        }
      }
      return;
    }
    const index layer = tile_.lines.upward ? tile_.layer + tile_.depth - 1
                                           : tile_.layer; // that stands first in the stage
    LIGHTSCAN_KEEP_ROLLED
    for (int element = static_cast<int>(threadIdx.x); element < count; element += threads)
    {
      const int down      = element / tile_.width;
      const int column    = element - down * tile_.width;
      const index counted = tile_.lines.upward ? layer - down : layer + down;
      const index gaps    = tile_.lines.by_length.quotient(counted) * where.gap;
      f(0, element, where.origin + counted * where.along + gaps + tile_.line + column);
      then(0, element);
    }
  }

  template <bool Whole, class F, class Then>
  static __device__ void some(int first, int count, index begin, F f, Then then)
  {
    LIGHTSCAN_UNROLL
    for (int i = 0; i < at_once; ++i)
    {
      if (Whole || first + i * threads < count)
      {
        f(i, first + i * threads, begin + first + i * threads);
      }
    }
    LIGHTSCAN_UNROLL
    for (int i = 0; i < at_once; ++i)
    {
      if (Whole || first + i * threads < count)
      {
        then(i, first + i * threads);
      }
    }
  }

  util::uninitialized<T>* items_;
  const tile_type& tile_;
  int pitch_;
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
