// As lightscan/ptx/bulk_copy.h, by the emulator.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
inline ::cuda::std::uint64_t evict_last_policy()
{
  return 0;
}

inline void copy_bulk_to_shared(
  void* shared, const void* global, unsigned bytes, ::cuda::std::uint64_t* barrier, ::cuda::std::uint64_t)
{
  emulated::load_bulk(shared, global, bytes, barrier);
}

inline void prefetch_bulk_to_l2(const void* global, unsigned bytes, ::cuda::std::uint64_t)
{
  emulated::prefetch_bulk(global, bytes);
}
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
