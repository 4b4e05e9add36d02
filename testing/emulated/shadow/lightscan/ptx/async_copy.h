// As lightscan/ptx/async_copy.h, by the emulator.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
inline void copy_async_to_shared(void* shared, const void* global, ::cuda::std::uint64_t)
{
  emulated::load_16(shared, global);
}
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
