// A bulk copy from global to shared memory whose lines stay in L2 longer than others, and such lines brought to L2 alone: what
// cuda::ptx has no overload for. sm_90 and newer.
#pragma once

#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
#if defined(__CUDACC__)
// The L2 policy "evict these lines last", as an operand for what is below.
__device__ inline ::cuda::std::uint64_t evict_last_policy()
{
  ::cuda::std::uint64_t policy = 0;
#  if __CUDA_ARCH__ >= 800
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
#  endif
  return policy;
}

// Begins a copy that completes on the mbarrier object at `barrier`. Both addresses and `bytes` are multiples of 16.
__device__ inline void copy_bulk_to_shared(
  void* shared, const void* global, unsigned bytes, ::cuda::std::uint64_t* barrier, ::cuda::std::uint64_t policy)
{
#  if __CUDA_ARCH__ >= 900
  asm volatile(
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(
      static_cast<unsigned>(__cvta_generic_to_shared(shared))),
    "l"(__cvta_generic_to_global(global)),
    "r"(bytes),
    "r"(static_cast<unsigned>(__cvta_generic_to_shared(barrier))),
    "l"(policy)
    : "memory");
#  endif
}

// Begins to bring memory to L2, for a copy that comes later; nothing says when it is there. Address and `bytes` as above.
__device__ inline void prefetch_bulk_to_l2(const void* global, unsigned bytes, ::cuda::std::uint64_t policy)
{
#  if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(__cvta_generic_to_global(global)),
               "r"(bytes),
               "l"(policy)
               : "memory");
#  endif
}
#endif
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
