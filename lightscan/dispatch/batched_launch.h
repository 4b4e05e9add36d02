// Scans along an axis whose lines lie side by side: one launch of the batched kernel. (Where lines follow one another in memory, they are
// segments: entry/axis_call.h.)
#pragma once

#include <lightscan/axis.h>
#include <lightscan/batched/kernel.h>
#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/launch_grid.h>
#include <lightscan/runtime/lease.h>
#include <lightscan/runtime/report.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
template <class T, bool Inclusive, class InputIt, class OutputIt, class ScanOp, class Init>
struct batched_problem
{
  using accumulator = T;
  using input_type  = InputIt;
  using output_type = OutputIt;
  using op_type     = ScanOp;
  using init_type   = Init;

  static constexpr bool inclusive   = Inclusive;
  static constexpr const char* call = Inclusive ? "inclusive_batched_scan" : "exclusive_batched_scan";

  InputIt input;
  OutputIt output;
  axis along;
  ScanOp scan_op;
  Init init;
};

// The widest accumulator whose tile and folds fit into the shared memory of every architecture.
inline constexpr ::cuda::std::size_t max_batched_bytes = 512;

#if defined(__CUDACC__)
template <class Problem, class Transport = carry::default_transport>
class batched_launcher
{
  using T     = typename Problem::accumulator;
  using slots = batched::line_slots<T>;
  template <bool Staged>
  using policy = batched::policy<sizeof(T), Staged>;

  template <bool Staged>
  using block = batched::batched_block<T,
                                       Problem::inclusive,
                                       typename Problem::input_type,
                                       typename Problem::output_type,
                                       typename Problem::op_type,
                                       typename Problem::init_type,
                                       policy<Staged>,
                                       Transport>;

  template <bool Staged>
  static constexpr auto kernel = batched::batched_scan<block<Staged>>;

  static constexpr bool may_be_staged = sizeof(T) <= batched::most_staged_bytes;

public:
  batched_launcher(const Problem& problem, cudaStream_t stream, int max_blocks = 0)
      : problem_(problem)
      , stream_(stream)
      , max_blocks_(max_blocks)
  {}

  // Bytes of memory that a launch takes for slots, on a GPU of so many multiprocessors.
  static std::size_t bytes_for(const axis& along, int multiprocessors)
  {
    if (is_empty(along))
    {
      return 0;
    }
    if constexpr (may_be_staged)
    {
      if (batched::is_staged(along, sizeof(T)))
      {
        return bytes_of(batched::geometry_of<policy<true>>(along, multiprocessors));
      }
    }
    return bytes_of(batched::geometry_of<policy<false>>(along, multiprocessors));
  }

  // `brought`: device memory, aligned to 8 bytes, for this launch alone; may be null where it takes none.
  runtime::outcome run(void* brought, std::size_t bytes)
  {
    runtime::last_report() = launch_report{};
    if (is_empty(problem_.along))
    {
      return {};
    }
    if (const runtime::outcome found = runtime::attributes_of(stream_, stream_attributes_); !found)
    {
      return found;
    }
    runtime::outcome done;
    if constexpr (may_be_staged)
    {
      done = batched::is_staged(problem_.along, sizeof(T)) ? launch<true>(brought, bytes)
                                                           : launch<false>(brought, bytes);
    }
    else
    {
      done = launch<false>(brought, bytes);
    }
    if (!done)
    {
      runtime::forget(*stream_attributes_);
    }
    return done;
  }

private:
  static bool is_empty(const axis& along)
  {
    return along.outer == 0 || along.length == 0 || along.inner == 0;
  }

  static std::size_t bytes_of(const batched::geometry& lines)
  {
    return lines.carries() ? static_cast<std::size_t>(lines.tiles_below()) * static_cast<std::size_t>(lines.inner)
                               * slots::words * sizeof(carry::slot_word)
                           : 0;
  }

  template <bool Staged>
  runtime::outcome launch(void* brought, std::size_t bytes)
  {
    const axis& along             = problem_.along;
    const batched::geometry lines = batched::geometry_of<policy<Staged>>(
      along, stream_attributes_->device.multiprocessors);
    const runtime::kernel_attributes* found = nullptr;
    const auto shared_bytes                 = [](int) {
      return block<Staged>::shared_bytes;
    };
    if (const runtime::outcome asked = runtime::kernel_on<kernel<Staged>>(
          stream_attributes_->device, shared_bytes, found);
        !asked)
    {
      return asked;
    }
    const int possible = found->blocks_each[block<Staged>::threads / 32] * stream_attributes_->multiprocessors;
    const int resident = max_blocks_ > 0 && max_blocks_ < possible ? max_blocks_ : possible;
    launch_report report{path::batched_kernel,
                         Problem::call,
                         along.outer * along.length * along.inner,
                         grid_for(lines.tiles, resident),
                         block<Staged>::threads,
                         lines.tile_layers() * lines.lines,
                         found->compiled_for};
    const runtime::nvtx_range range(report);
    const std::size_t needed = bytes_of(lines);
    if (report.blocks < 1 || bytes < needed)
    {
      return {cudaErrorInvalidValue, "looking for room for a block, or for slots in the memory that was brought"};
    }
    const bool one_tile_each = lines.tiles <= report.blocks;
    if (needed > 0)
    {
      if (!one_tile_each && !stream_attributes_->device.cooperative)
      {
        return {cudaErrorNotSupported, "launching cooperatively, which this GPU cannot"};
      }
      if (const runtime::outcome cleared = runtime::clear(brought, needed, stream_); !cleared)
      {
        return cleared;
      }
    }
    typename block<Staged>::arguments args{problem_.input,
                                           problem_.output,
                                           batched::strided_range(along, along.input),
                                           batched::strided_range(along, along.output),
                                           lines,
                                           slots{static_cast<carry::slot_word*>(brought), lines.inner},
                                           problem_.scan_op,
                                           problem_.init};
    const CUresult launched = runtime::launch_grid(
      *stream_attributes_->device.calls,
      found->function,
      one_tile_each || needed == 0, // nobody waits for a block that has not begun
      report.blocks,
      block<Staged>::threads,
      block<Staged>::shared_bytes,
      stream_,
      &args);
    if (launched)
    {
      return runtime::failed(launched, "launching the batched kernel");
    }
    runtime::last_report() = report;
    return runtime::watch(report, stream_);
  }

  Problem problem_;
  cudaStream_t stream_;
  int max_blocks_;
  runtime::stream_attributes* stream_attributes_ = nullptr;
};
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
