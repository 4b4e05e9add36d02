// As lightscan/ptx/prefetch.h, by the emulator.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
inline void prefetch_to_l2(const void* global)
{
  emulated::prefetch(global);
}
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
