// As lightscan/ptx/coherent.h, by the emulator.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
inline ::cuda::std::uint64_t load_cg(const ::cuda::std::uint64_t* address)
{
  emulated::reads(address, false);
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

inline void store_cg(::cuda::std::uint64_t* address, ::cuda::std::uint64_t value)
{
  emulated::store_late(address, value);
}
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
