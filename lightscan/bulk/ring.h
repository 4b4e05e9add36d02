// The ring of stages through which a resident block's tiles pass, and the four barriers of a stage's life:
//
//   empty -> loader copies in, evaluators put in -> full -> group folds, publishes -> lookahead warp brings the carry -> carried
//         -> group scans in place -> scanned -> storer copies out -> empty
//
// Every thread that has written or read a stage arrives for itself: all lanes of the loader and of the storer (they copy the
// bytes at a range's ends), all threads of a group; and all lanes of the lookahead warp, for a warp that parts where one lane
// arrives for the others polls later (on an H200, 2^22 int32 take 0.4 microseconds more; perf/DECISIONS.md,
// all-lanes-arrive). Each barrier completes once per round of the ring, so one phase bit tells a role whether its stage is
// ready, and no role can be a whole round ahead of another. The carry is handed over in the stage's own record: the lookahead
// warp writes it only after the stage is full again, which it is only after the group has read the last one.
#pragma once

#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/ptx>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// A role's position in the ring: the index of a stage, and the phase of that stage's barriers.
class pipeline_state
{
public:
  __device__ pipeline_state(int stages, int first)
      : stages_(stages)
      , index_(first)
  {}

  __device__ int index() const
  {
    return index_;
  }
  __device__ unsigned phase() const
  {
    return phase_;
  }
  // `steps` must not exceed the number of stages.
  __device__ void advance(int steps)
  {
    index_ += steps;
    if (index_ >= stages_)
    {
      index_ -= stages_;
      phase_ ^= 1;
    }
  }

private:
  int stages_;
  int index_;
  unsigned phase_ = 0;
};

using barrier = ::cuda::std::uint64_t; // an mbarrier object

template <class T, int Stages>
struct ring
{
  barrier full[Stages];
  barrier carried[Stages];
  barrier scanned[Stages];
  barrier empty[Stages];
  util::uninitialized<T> carry_of[Stages];
};

__device__ inline void arrive(barrier& b)
{
  ::cuda::ptx::mbarrier_arrive(&b);
}

// Arrives, and makes the barrier's phase wait for `bytes` by bulk copy too.
__device__ inline void arrive_expecting(barrier& b, unsigned bytes)
{
  ::cuda::ptx::mbarrier_arrive_expect_tx(
    ::cuda::ptx::sem_release, ::cuda::ptx::scope_cta, ::cuda::ptx::space_shared, &b, bytes);
}

__device__ inline void wait(barrier& b, unsigned phase)
{
  while (!::cuda::ptx::mbarrier_try_wait_parity(&b, phase))
  {}
}

// Whether the phase is over, without a wait.
__device__ inline bool is_over(barrier& b, unsigned phase)
{
  return ::cuda::ptx::mbarrier_test_wait_parity(&b, phase);
}

// Initialises the barriers, in one thread; the block must synchronise before anyone uses them. The number of stages is known to
// the compiler, which unrolls the loop (perf/DECISIONS.md, barriers-unrolled).
template <class T, int Stages>
__device__ void initialize(ring<T, Stages>& shared, unsigned filling_threads, unsigned group_threads)
{
  constexpr unsigned warp_threads = 32;
  for (int s = 0; s < Stages; ++s)
  {
    ::cuda::ptx::mbarrier_init(&shared.full[s], filling_threads);
    ::cuda::ptx::mbarrier_init(&shared.carried[s], warp_threads);
    ::cuda::ptx::mbarrier_init(&shared.scanned[s], group_threads);
    ::cuda::ptx::mbarrier_init(&shared.empty[s], warp_threads);
  }
  ::cuda::ptx::fence_mbarrier_init(::cuda::ptx::sem_release, ::cuda::ptx::scope_cluster);
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
