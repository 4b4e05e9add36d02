// The ring of stages through which a resident block's tiles pass, and the four barriers of a stage's life:
//
//   empty -> loader copies in -> full -> group folds, publishes -> communicator brings the carry -> carried
//         -> group scans in place -> scanned -> storer copies out -> empty
//
// Whoever has written or read a stage arrives for itself: all lanes of the loader and of the storer (they copy the bytes
// at a range's ends), all threads of a group; and all lanes of the communicator, for a warp that parts where one lane
// arrives for the others looks across later (on an H200, 2^22 int32 take 0.4 microseconds more). Each barrier completes
// once per turn of the ring, so one parity bit tells a role whether its turn has come, and no role can be a whole turn
// ahead of another. The carry is handed over in the stage's own record: the communicator writes it only after the stage
// is full again, which it is only after the group has read the last one.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/version.h>

#include <cuda/ptx>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
#if defined(__CUDACC__)
// A role's place in the ring.
class turn
{
public:
  __device__ turn(int stages, int first)
      : stages_(stages)
      , stage_(first)
  {}

  __device__ int stage() const
  {
    return stage_;
  }
  __device__ unsigned parity() const
  {
    return parity_;
  }
  // `steps` must not exceed the number of stages.
  __device__ void advance(int steps)
  {
    stage_ += steps;
    if (stage_ >= stages_)
    {
      stage_ -= stages_;
      parity_ ^= 1;
    }
  }

private:
  int stages_;
  int stage_;
  unsigned parity_ = 0;
};

using barrier = ::cuda::std::uint64_t; // an mbarrier object

template <class T, int Stages>
struct ring
{
  barrier full[Stages];
  barrier carried[Stages];
  barrier scanned[Stages];
  barrier empty[Stages];
  carry::uninitialized<T> carry[Stages];
};

__device__ inline void arrive(barrier& b)
{
  ::cuda::ptx::mbarrier_arrive(&b);
}

// `bytes` are still to arrive by bulk copy.
__device__ inline void arrive_expecting(barrier& b, unsigned bytes)
{
  ::cuda::ptx::mbarrier_arrive_expect_tx(
    ::cuda::ptx::sem_release, ::cuda::ptx::scope_cta, ::cuda::ptx::space_shared, &b, bytes);
}

__device__ inline void wait(barrier& b, unsigned parity)
{
  while (!::cuda::ptx::mbarrier_try_wait_parity(&b, parity))
  {}
}

// By one thread; the block must synchronise before anyone uses them.
template <class T, int Stages>
__device__ void initialize(ring<T, Stages>& shared, int group_threads)
{
  constexpr unsigned warp_threads = 32;
  for (int s = 0; s < Stages; ++s)
  {
    ::cuda::ptx::mbarrier_init(&shared.full[s], warp_threads);
    ::cuda::ptx::mbarrier_init(&shared.carried[s], warp_threads);
    ::cuda::ptx::mbarrier_init(&shared.scanned[s], static_cast<unsigned>(group_threads));
    ::cuda::ptx::mbarrier_init(&shared.empty[s], warp_threads);
  }
  ::cuda::ptx::fence_mbarrier_init(::cuda::ptx::sem_release, ::cuda::ptx::scope_cluster);
}
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
