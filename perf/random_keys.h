// Keys for scans by key, as a function of the index alone.
#pragma once

#include "random_data.h"

#include <cstdint>

namespace perf
{
// Where in a stretch of `Length` elements the key changes.
template <int Length>
PERF_HOST_DEVICE std::int64_t change_in(std::int64_t stretch)
{
  return static_cast<std::int64_t>(random_bits(~stretch) % Length);
}

// Keys that change once in every `Length` elements, at a random place: runs of 1 to 2 * Length - 1 elements, `Length` on
// average. A function of the index alone.
template <class Key, int Length>
PERF_HOST_DEVICE Key key_at(std::int64_t i)
{
  const std::int64_t stretch = i / Length;
  return static_cast<Key>(i % Length < change_in<Length>(stretch) ? stretch - 1 : stretch);
}

// The runs of those keys, by their number from 0 on.
template <int Length>
struct runs_of
{
  // Stretch 0 may begin with what is left of a run of the key before it.
  static PERF_HOST_DEVICE std::int64_t earlier()
  {
    return change_in<Length>(0) > 0 ? 1 : 0;
  }

  template <class Key>
  static PERF_HOST_DEVICE Key key(std::int64_t run)
  {
    return static_cast<Key>(run - earlier());
  }

  static PERF_HOST_DEVICE std::int64_t begin(std::int64_t run)
  {
    const std::int64_t stretch = run - earlier();
    return stretch < 0 ? 0 : stretch * Length + change_in<Length>(stretch);
  }

  // In the first n elements, of which the last run may lack its end.
  static PERF_HOST_DEVICE std::int64_t number(std::int64_t n)
  {
    const std::int64_t whole = n / Length + earlier();
    return begin(whole) < n ? whole + 1 : whole;
  }

  static PERF_HOST_DEVICE std::int64_t end(std::int64_t run, std::int64_t n)
  {
    const std::int64_t next = begin(run + 1);
    return next < n ? next : n;
  }
};

// Segments of so many elements on average: one ends in each stretch of that length, before the element of that index.
inline constexpr std::int64_t segment_length = 32;

PERF_HOST_DEVICE inline std::int64_t end_of_segment(std::int64_t segment)
{
  return segment * segment_length + static_cast<std::int64_t>(random_bits(~segment) % segment_length);
}

// The segment of an element, by binary search among the places at which segments end.
struct segment_of
{
  const std::int32_t* ends;
  std::int32_t segments;

  PERF_HOST_DEVICE std::int32_t operator()(std::int32_t i) const
  {
    std::int32_t first = 0;
    for (std::int32_t left = segments; left > 0;)
    {
      const std::int32_t half = left / 2;
      const bool beyond       = ends[first + half] <= i;
      first                   = beyond ? first + half + 1 : first;
      left                    = beyond ? left - half - 1 : half;
    }
    return first;
  }
};
} // namespace perf
