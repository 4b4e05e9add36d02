// Barriers of a stage: so many arrivals end a phase and begin the next, and whoever waits names the phase by its parity.
//
// From sm_80 on they are the hardware's mbarrier objects. sm_75 has none: there a word of shared memory counts arrivals, and each
// warp that arrives adds its lanes at once.
#pragma once

#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/atomic>
#include <cuda/ptx>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
using barrier = ::cuda::std::uint64_t; // an mbarrier object, or a counted one

#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
// Arrivals of the phase under way, and above them its parity; in the word after it, how many end a phase.
namespace counted
{
inline constexpr unsigned parity_bit = 1u << 31;

__device__ inline ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_block> arrivals(barrier& b)
{
  return ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_block>(reinterpret_cast<unsigned*>(&b)[0]);
}

__device__ inline unsigned expected(barrier& b)
{
  return reinterpret_cast<const unsigned*>(&b)[1];
}
} // namespace counted
#  endif

// By one thread; the block must synchronise before anyone uses the barrier.
__device__ inline void initialize(barrier& b, unsigned arrivals)
{
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  b = static_cast<barrier>(arrivals) << 32;
#  else
  ::cuda::ptx::mbarrier_init(&b, arrivals);
#  endif
}

// Once for all of them, after the last.
__device__ inline void finish_initializing()
{
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  ::cuda::ptx::fence_mbarrier_init(::cuda::ptx::sem_release, ::cuda::ptx::scope_cluster);
#  endif
}

// What the calling thread did before comes before what those do who have waited for the phase that this ends. By all lanes of a warp,
// in whatever order: on sm_75 they meet, and one adds for all. (__activemask would not do: lanes that run together may have come to
// the same code for another barrier.)
__device__ inline void arrive(barrier& b)
{
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  __syncwarp();
  if (warp::lane_id() == 0)
  {
    constexpr unsigned count = warp::lanes;
    const unsigned last      = counted::expected(b);
    const unsigned there     = counted::arrivals(b).fetch_add(count, ::cuda::std::memory_order_release);
    const unsigned all       = (there & ~counted::parity_bit) + count;
    if (all == last)
    {
      // Takes the arrivals away and turns the parity: nobody arrives for the next phase before he has seen this one's end.
      counted::arrivals(b).fetch_add(counted::parity_bit - last, ::cuda::std::memory_order_release);
    }
  }
#  else
  ::cuda::ptx::mbarrier_arrive(&b);
#  endif
}

// Arrives, and makes the barrier's phase wait for `bytes` by bulk copy too.
__device__ inline void arrive_expecting(barrier& b, unsigned bytes)
{
#  if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  ::cuda::ptx::mbarrier_arrive_expect_tx(
    ::cuda::ptx::sem_release, ::cuda::ptx::scope_cta, ::cuda::ptx::space_shared, &b, bytes);
#  endif
}

// Whether the phase is over, without a wait.
__device__ inline bool is_over(barrier& b, unsigned phase)
{
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  return counted::arrivals(b).load(::cuda::std::memory_order_acquire) / counted::parity_bit != phase;
#  else
  return ::cuda::ptx::mbarrier_test_wait_parity(&b, phase);
#  endif
}

__device__ inline void wait(barrier& b, unsigned phase)
{
#  if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  while (!::cuda::ptx::mbarrier_try_wait_parity(&b, phase))
  {}
#  else
  // Older GPUs have no wait that lets a thread sleep until the phase ends. A pause leaves issue slots to those that are waited for; on an
  // H200 sums were as fast without (perf/DECISIONS.md, sleeping-waits).
  constexpr unsigned nanoseconds = 20;
  while (!is_over(b, phase))
  {
    __nanosleep(nanoseconds);
  }
#  endif
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
