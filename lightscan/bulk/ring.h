// The ring of stages through which a resident block's tiles pass, and the four barriers of a stage's life:
//
//   empty -> loader copies in, evaluators put in -> full -> group folds, publishes -> lookahead warp brings the carry -> carried
//         -> group scans in place -> scanned -> storer copies out -> empty
//
// Every thread that has written or read a stage arrives for itself: all lanes of the loaders and of the storers (they copy the
// bytes at a range's ends), all threads of a group; and all lanes of the lookahead warp, for a warp that parts where one lane
// arrives for the others polls later (on an H200, 2^22 int32 take 0.4 microseconds more; perf/DECISIONS.md,
// all-lanes-arrive). Each barrier completes once per round of the ring, so one phase bit tells a role whether its stage is
// ready, and no role can be a whole round ahead of another. The carry is handed over in the stage's own record: the lookahead
// warp writes it only after the stage is full again, which it is only after the group has read the last one.
//
// Another pipeline has more roles at the same barriers (batched/pipeline.h).
#pragma once

#include <lightscan/bulk/barrier.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

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

template <class T, int Stages>
struct ring
{
  barrier full[Stages];
  barrier carried[Stages];
  barrier scanned[Stages];
  barrier empty[Stages];
  util::uninitialized<T> carry_of[Stages];
};

// Initialises the barriers, in one thread; the block must synchronise before anyone uses them. The number of stages is known to
// the compiler, which unrolls the loop (perf/DECISIONS.md, barriers-unrolled). How many threads fill a stage, work on it, empty it,
// and bring its carry.
template <class T, int Stages>
__device__ void initialize(ring<T, Stages>& shared,
                           unsigned filling_threads,
                           unsigned group_threads,
                           unsigned emptying_threads,
                           unsigned carrying_threads = warp::lanes)
{
  for (int s = 0; s < Stages; ++s)
  {
    initialize(shared.full[s], filling_threads);
    initialize(shared.carried[s], carrying_threads);
    initialize(shared.scanned[s], group_threads);
    initialize(shared.empty[s], emptying_threads);
  }
  finish_initializing();
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
