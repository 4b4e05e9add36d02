// Shared memory that a block of the bulk pipeline has besides its stages.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// An upper bound of the size of bulk_block::shared_state (kernel.h): the ring's barriers and carries, and the totals of the
// groups' warps. `accumulator`, `alignment`: its own, in bytes; `emits`: each group has two for itself, with a flag each.
constexpr int state_bytes(int stages, int groups, int group_threads, int accumulator, int alignment, bool emits)
{
  constexpr int barriers = 4 * 8; // of a stage
  const int aligning     = 2 * (alignment > 64 ? alignment : 64);
  const int flag         = alignment > 16 ? alignment : 16;
  return stages * (barriers + accumulator) + (emits ? groups * 2 * (accumulator + flag) : 0)
       + groups * 2 * (group_threads / 32) * accumulator + aligning;
}
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
