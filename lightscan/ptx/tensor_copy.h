// A tensor copy of a box of two dimensions from global to shared memory whose lines stay in L2 longer than others: what cuda::ptx has no
// overload for. sm_90 and newer.
#pragma once

#include <lightscan/version.h>

#include <cuda/std/cstdint>

#include <cuda.h> // CUtensorMap

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
#if defined(__CUDACC__)
// Begins a copy that completes on the mbarrier object at `barrier`; the box begins with that column and row of the array, which may lie
// outside it. `map` is a kernel's parameter, or in global memory; `shared` a multiple of 128. `policy`: evict_last_policy() (bulk_copy.h).
__device__ inline void copy_tensor_to_shared(void* shared,
                                             const CUtensorMap& map,
                                             ::cuda::std::int32_t column,
                                             ::cuda::std::int32_t row,
                                             ::cuda::std::uint64_t* barrier,
                                             ::cuda::std::uint64_t policy)
{
#  if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint "
               "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
               "l"(&map),
               "r"(column),
               "r"(row),
               "r"(static_cast<unsigned>(__cvta_generic_to_shared(barrier))),
               "l"(policy)
               : "memory");
#  endif
}
#endif
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
