// The paper's way past the L1 cache: 64-bit loads and stores at L2, one instruction each.
// `.cg` accesses are weak in the PTX memory model (sections "Cache Operators" and "Memory Consistency Model"); the
// strong ones are `ld.relaxed.gpu` and `st.relaxed.gpu`, which cuda::atomic_ref emits. volatile keeps them in the PTX;
// ptxas may still drop a loop that only polls by them, unless there is a fence in it (carry/slot.h, cg_transport).
#pragma once

#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
#if defined(__CUDACC__)
__device__ inline ::cuda::std::uint64_t load_cg(const ::cuda::std::uint64_t* address)
{
  ::cuda::std::uint64_t value;
  asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}

__device__ inline void store_cg(::cuda::std::uint64_t* address, ::cuda::std::uint64_t value)
{
  asm volatile("st.global.cg.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}
#endif
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
