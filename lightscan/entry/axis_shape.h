// What can be told of an axis before anything is scanned along it.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
inline bool makes_sense(const axis& along)
{
  return along.outer >= 0 && along.length >= 0 && along.inner >= 0;
}

inline bool has_elements_side_by_side(const axis& along, const axis_strides& strides)
{
  return along.inner == 1 && strides.along == 1 && (along.outer == 1 || strides.outer == along.length);
}

// Lines that are segments of one length.
inline bool follow_one_another(const axis& along)
{
  return !along.reverse && has_elements_side_by_side(along, along.input)
      && has_elements_side_by_side(along, along.output);
}
} // namespace entry
LIGHTSCAN_NAMESPACE_END
