// The clock that all multiprocessors of a GPU share, in nanoseconds. It moves in steps of up to a microsecond.
#pragma once

#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
#if defined(__CUDACC__)
__device__ inline ::cuda::std::uint64_t nanoseconds()
{
  ::cuda::std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
#endif
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
