// Asks that a line of memory comes to L2, for a load that follows: what cuda::ptx has no function for. Every architecture.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
#if defined(__CUDACC__)
// `global`: any address in the line. Nothing says when the line is there.
__device__ inline void prefetch_to_l2(const void* global)
{
  asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(global)) : "memory");
}
#endif
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
