// One fold of a range, one launch (plain/part_fold.h). Reports CUDA's failures, and does not wait for the GPU.
#pragma once

#include <lightscan/dispatch/plain_shape.h>
#include <lightscan/dispatch/plain_view.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/plain/part_fold.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/launch_grid.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
#if defined(__CUDACC__)
// What the folds of one part after another leave in device memory between their blocks: for one launch at a time.
struct fold_memory
{
  void* block_folds = nullptr; // plain::fold_bytes
  unsigned* done    = nullptr; // 0
};

// Folds what `problem` would scan, and has `last` called with that on the GPU. Of no items, too.
template <class Problem, class Last>
runtime::outcome fold_part(const Problem& problem, const fold_memory& memory, const Last& last, cudaStream_t stream)
{
  using kind = typename Problem::kind_type;
  using T    = typename kind::accumulator;
  using Op   = typename Problem::op_type;

  runtime::stream_attributes* attributes = nullptr;
  if (const runtime::outcome found = runtime::attributes_of(stream, attributes); !found)
  {
    return found;
  }
  const auto launch = [&](const auto& source, const auto&, int lead) {
    using source_type     = ::cuda::std::remove_cvref_t<decltype(source)>;
    using policy          = plain_policy<T, source_type>;
    constexpr auto kernel = plain::fold_part<kind, source_type, Op, Last, policy::stripes>;
    const auto num_items  = static_cast<index>(problem.num_items);
    const tile::geometry tiles(num_items > 0 ? num_items : 0, lead, policy::warp_items);
    const auto shares                           = plain::fold_shares::of(tiles.num_tiles, sizeof(T));
    const runtime::kernel_attributes* of_kernel = nullptr;
    if (const runtime::outcome found = runtime::kernel_on<kernel>(attributes->device, of_kernel); !found)
    {
      return found;
    }
    plain::fold_arguments<kind, source_type, Op, Last> arguments{
      source, tiles, shares.tiles_a_warp, problem.kind, problem.scan_op, memory.block_folds, memory.done, last};
    int blocks              = shares.blocks;
    const CUresult launched = runtime::launch_grid(
      *attributes->device.calls, of_kernel->function, true, blocks, plain::fold_threads, 0, stream, &arguments);
    return launched ? runtime::failed(launched, "launching the fold of this GPU's part") : runtime::outcome{};
  };
  const runtime::outcome done = plain_view<Problem>(problem).with_source_and_sink(launch);
  if (!done)
  {
    runtime::forget(*attributes);
  }
  return done;
}
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
