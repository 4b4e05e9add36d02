// What threads of the pipeline of long lines share besides the stages and their barriers (pipeline.h).
#pragma once

#include <lightscan/batched/line_fold.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
#if defined(__CUDACC__)
// The threads of a group, which meet at a barrier of their own.
template <int Threads>
struct group_team
{
  int number;

  __device__ int thread() const
  {
    return static_cast<int>(threadIdx.x) - number * Threads;
  }
  __device__ void meet() const
  {
    __barrier_sync_count(1 + number, Threads);
  }
};

// What is known of a tile besides its items: parts of the carries, and the fold of each line. A stage has one: it is written once the stage
// is full, and has been read when it is empty.
template <class T, int Parts>
struct pipeline_record
{
  static constexpr int parts = Parts;

  util::uninitialized<T> carry[parts][warp::lanes]; // of a line each
  bool carried[parts];
  util::uninitialized<T> total[warp::lanes];
  bool begun; // a line begins in the tile
};

// A part of a tile's carries, which a bringer has put there.
template <class T, int Parts>
__device__ line_fold<T> part_of(const pipeline_record<T, Parts>& known, int part, int line)
{
  return {known.carry[part][line], known.carried[part], false};
}

// By all lanes of a bringer.
template <class T, int Parts>
__device__ void put(pipeline_record<T, Parts>& known, int part, const line_fold<T>& folded)
{
  const int line          = warp::lane_id();
  known.carry[part][line] = folded.value;
  if (line == 0)
  {
    known.carried[part] = folded.there;
  }
}
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
