// The launch itself: of a grid whose blocks are all resident at once.
#pragma once

#include <lightscan/dispatch/driver.h>
#include <lightscan/version.h>

#include <cuda.h> // types of the driver's functions; the library itself is not linked

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Not all of the blocks that could be resident may be, where others hold a part of the GPU (under MPS, say). Fewer do the
// same work, for a plan's tiles and slots serve any smaller grid: `grid` is what was launched in the end.
//
// A block that is alone waits for no other: an ordinary launch will do, and takes 0.1 us less (perf/NOTES.md).
inline CUresult launch_resident(
  const driver& calls, CUfunction kernel, int& grid, int threads, int shared_bytes, CUstream stream, void* arguments)
{
  const auto in_block  = static_cast<unsigned>(threads);
  const auto in_shared = static_cast<unsigned>(shared_bytes);
  for (; grid > 1; grid /= 2)
  {
    const auto blocks       = static_cast<unsigned>(grid);
    const CUresult launched = calls.launch_cooperatively(
      kernel, blocks, 1, 1, in_block, 1, 1, in_shared, stream, &arguments);
    if (launched != CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
    {
      return launched;
    }
  }
  return calls.launch(kernel, 1, 1, 1, in_block, 1, 1, in_shared, stream, &arguments, nullptr);
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
