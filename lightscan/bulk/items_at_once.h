// How many items a thread reads through iterators, or assigns through them, at once.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Bytes of values that a thread has under way at once: to hide the memory's latency, as far as there are registers; half as many where
// there are other columns, of which more is under way, unless items are wide (perf/DECISIONS.md, evaluated-at-once).
inline constexpr int evaluated_bytes_at_once = 104;

LIGHTSCAN_HOST_DEVICE constexpr int evaluated_bytes_for(int item_bytes, int columns)
{
  return evaluated_bytes_at_once / (columns > 1 && item_bytes < 16 ? 2 : 1);
}

// How many of a thread's items are under way at once: of what they can be divided by, the most that find room in so many bytes.
LIGHTSCAN_HOST_DEVICE constexpr int items_at_once(int items, int item_bytes, int bytes = evaluated_bytes_at_once)
{
  int at_once = 1;
  for (int count = 1; count <= items; ++count)
  {
    at_once = items % count == 0 && count * item_bytes <= bytes && count <= 32 ? count : at_once;
  }
  return at_once;
}
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
