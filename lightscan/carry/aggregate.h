// What a tile publishes of an accumulator: all of it, unless the accumulator says that a tile needs less. Counts of a tile's items fit
// into 32 bits where those of a range need 64: fewer words to scan, to publish and to poll (perf/DECISIONS.md, counts-of-a-tile).
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace carry
{
// Specialized beside the accumulator that differs. An aggregate holds the fold of any window of tiles (lookahead.h), not of more.
template <class T>
struct aggregate_of
{
  using type = T;

  static LIGHTSCAN_HOST_DEVICE const T& widened(const T& aggregate)
  {
    return aggregate;
  }
  static LIGHTSCAN_HOST_DEVICE const T& narrowed(const T& of_tile)
  {
    return of_tile;
  }
};

template <class T>
using aggregate_t = typename aggregate_of<T>::type;
} // namespace carry
LIGHTSCAN_NAMESPACE_END
