// A warp's 32 lanes as a loop on one host thread: what device_warp does, in the same order, to the same bits.
#pragma once

#include <lightscan/util/words.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace warp
{
struct serial_warp
{
  static constexpr int lanes = 32;

  template <class T, class Op>
  static constexpr bool folds_in_one_step = false;

  template <class V>
  struct per_lane
  {
    V lane[lanes];
  };

  template <class V>
  static LIGHTSCAN_HOST_DEVICE V& at(per_lane<V>& value, int lane)
  {
    return value.lane[lane];
  }

  template <class F>
  static void each_lane(F f)
  {
    for (int lane = 0; lane < lanes; ++lane)
    {
      f(lane);
    }
  }

  template <class T, class Op>
  static util::uninitialized<T> fold(per_lane<util::uninitialized<T>> value, int count, Op& op)
  {
    for (int distance = 1; distance < lanes; distance *= 2)
    {
      for (int lane = 0; lane + distance < count; lane += 2 * distance)
      {
        value.lane[lane] = util::combine(op, value.lane[lane].value, value.lane[lane + distance].value);
      }
    }
    return value.lane[0];
  }
};
} // namespace warp
LIGHTSCAN_NAMESPACE_END
