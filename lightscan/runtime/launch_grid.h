// The launch itself: an ordinary one, or of a grid whose blocks are all resident at once.
#pragma once

#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/report.h>
#include <lightscan/version.h>

#include <cuda.h> // types of the driver's functions; the library itself is not linked

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
// Launches a kernel whose blocks wait for the tiles before their own.
//
// Where each block has one tile, those are other blocks' of lower index, and a GPU starts blocks in the order of their index
// (CUB's scans rest on that, too: cub/agent/agent_scan.cuh). So of the blocks that have not ended, the first one is always
// resident and waits for nobody: however little room there is, all run in the end. An ordinary launch will do. It takes
// 0.2 us less than a cooperative one, and begins beside other work that leaves room for one block (perf/DECISIONS.md,
// ordinary-launch).
//
// Otherwise the first block's second tile waits for the last block, so all must be resident. Not all that could be may
// be, where others hold a part of the GPU (under MPS, say). Fewer do the same work, for a plan's tiles and slots serve any
// smaller grid: `grid` is what was launched in the end.
inline CUresult launch_grid(const driver& calls,
                            CUfunction kernel,
                            bool one_tile_each,
                            int& grid,
                            int threads,
                            int shared_bytes,
                            CUstream stream,
                            void* arguments)
{
  const auto in_block  = static_cast<unsigned>(threads);
  const auto in_shared = static_cast<unsigned>(shared_bytes);
  if (one_tile_each)
  {
    const auto blocks = static_cast<unsigned>(grid);
    return calls.launch(kernel, blocks, 1, 1, in_block, 1, 1, in_shared, stream, &arguments, nullptr);
  }
  for (;; grid /= 2)
  {
    const auto blocks       = static_cast<unsigned>(grid);
    const CUresult launched = calls.launch_cooperatively(
      kernel, blocks, 1, 1, in_block, 1, 1, in_shared, stream, &arguments);
    if (launched != CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE || grid == 1)
    {
      return launched;
    }
  }
}

// The same for kernels after whose launch nothing is left to be done.
inline outcome launch_and_report(const driver& calls,
                                 CUfunction kernel,
                                 bool one_tile_each,
                                 launch_report& report,
                                 int shared_bytes,
                                 CUstream stream,
                                 void* arguments)
{
  const CUresult launched = launch_grid(
    calls, kernel, one_tile_each, report.blocks, report.threads, shared_bytes, stream, arguments);
  if (launched)
  {
    return failed(launched, "launching the kernel");
  }
  last_report() = report;
  return watch(report, stream);
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
