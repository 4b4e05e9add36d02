// An asynchronous copy of one 16-byte word from global to shared memory whose line stays in L2 longer than others: what
// cuda::ptx has no function for. sm_80 and newer.
#pragma once

#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
#if defined(__CUDACC__)
// Begins a copy past the L1 cache. Both addresses are multiples of 16. `policy`: evict_last_policy() (bulk_copy.h).
__device__ inline void copy_async_to_shared(void* shared, const void* global, ::cuda::std::uint64_t policy)
{
#  if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(
                 static_cast<unsigned>(__cvta_generic_to_shared(shared))),
               "l"(__cvta_generic_to_global(global)),
               "l"(policy)
               : "memory");
#  endif
}
#endif
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
