// Scans along an axis whose lines lie side by side: one launch of the batched kernel. (Where lines follow one another in memory, they are
// segments: entry/axis_call.h.)
#pragma once

#include <lightscan/axis.h>
#include <lightscan/batched/arguments.h>
#include <lightscan/batched/copied.h>
#include <lightscan/batched/kernel.h>
#include <lightscan/batched/pipeline.h>
#include <lightscan/batched/stretches.h>
#include <lightscan/batched/walk.h>
#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/walk_launch.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/launch_grid.h>
#include <lightscan/runtime/lease.h>
#include <lightscan/runtime/report.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/runtime/tensor_map.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/type_traits>

#include <cstdint>

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
  template <batched::access How>
  using policy = batched::policy<sizeof(T), How>;

  using arguments_of_all = batched::batched_arguments<T,
                                                      typename Problem::input_type,
                                                      typename Problem::output_type,
                                                      typename Problem::op_type,
                                                      typename Problem::init_type>;
  template <batched::access How>
  using arguments = ::cuda::std::
    conditional_t<How == batched::access::bands, batched::banded_arguments<arguments_of_all>, arguments_of_all>;

  template <batched::access How>
  using block = ::cuda::std::conditional_t<
    How == batched::access::pipeline || How == batched::access::bands,
    batched::line_pipeline<T, Problem::inclusive, arguments<How>, typename Problem::op_type, policy<How>, Transport>,
    batched::batched_block<T, Problem::inclusive, arguments<How>, typename Problem::op_type, policy<How>, Transport>>;

  template <batched::access How>
  static constexpr auto kernel = batched::batched_scan<block<How>>;

  static constexpr bool may_be_staged = sizeof(T) <= batched::most_staged_bytes;

  template <class It>
  static constexpr bool is_memory = ::cuda::std::is_pointer_v<It>&& ::cuda::std::is_same_v<util::value_t<It>, T>;
  static constexpr bool may_be_copied =
    sizeof(T) <= batched::most_bulk_bytes
    && is_memory<typename Problem::input_type> && is_memory<typename Problem::output_type> && util::assigns_bytes<T, T>;
  static constexpr bool may_be_in_bands = may_be_copied && (sizeof(T) == 4 || sizeof(T) == 8);

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
    std::size_t bytes = 0;
    by_threads(along, [&](auto how) {
      bytes = bytes_of<decltype(how)::value>(along, multiprocessors);
    });
    if constexpr (may_be_copied)
    {
      // Which it is depends on where the ranges lie, too.
      by_copies(batched::access_by_copies<sizeof(T)>(along, multiprocessors), [&](auto how) {
        const std::size_t others = bytes_of<decltype(how)::value>(along, multiprocessors);
        bytes                    = others > bytes ? others : bytes;
      });
    }
    return bytes;
  }

  // The same of this call, whose ranges lie where they lie.
  runtime::outcome bytes_as_they_lie(std::size_t& bytes)
  {
    bytes = 0;
    return as_they_lie(
      [](const walk_launcher<Problem>&) {
        return runtime::outcome{};
      },
      [&](auto how) {
        bytes = bytes_of<decltype(how)::value>(problem_.along, stream_attributes_->device.multiprocessors);
        return runtime::outcome{};
      });
  }

  // `brought`: device memory, aligned to 8 bytes, for this launch alone; may be null where it takes none.
  runtime::outcome run(void* brought, std::size_t bytes)
  {
    runtime::last_report() = launch_report{};
    return as_they_lie(
      [](const walk_launcher<Problem>& walks) {
        return walks.launch();
      },
      [&](auto how) {
        return launch<decltype(how)::value>(brought, bytes);
      });
  }

private:
  static bool is_empty(const axis& along)
  {
    return along.outer == 0 || along.length == 0 || along.inner == 0;
  }

  template <batched::access How>
  static std::size_t bytes_of(const axis& along, int multiprocessors)
  {
    return bytes_of<How>(batched::geometry_of<policy<How>>(along, multiprocessors));
  }
  template <batched::access How>
  static std::size_t bytes_of(const batched::geometry& lines)
  {
    constexpr bool in_pipeline = How == batched::access::pipeline || How == batched::access::bands;
    // Tiles of the pipeline may happen to end with lines: it publishes all the same.
    if (!in_pipeline && !lines.carries())
    {
      return 0;
    }
    const tile::index each = in_pipeline ? batched::slots_of_pipeline(lines.below, How) : lines.below;
    return static_cast<std::size_t>(each) * static_cast<std::size_t>(lines.inner) * slots::words
         * sizeof(carry::slot_word);
  }

  // Bytes by which an address lies past the 16-byte grid.
  static std::uintptr_t past_grid(const void* address)
  {
    return reinterpret_cast<std::uintptr_t>(address) % tile::grid_bytes;
  }

  // Calls f with the access that serves any iterators, as a constant.
  template <class F>
  static void by_threads(const axis& along, F f)
  {
    using batched::access;
    if constexpr (may_be_staged)
    {
      if (batched::is_staged(along, sizeof(T)))
      {
        f(::cuda::std::integral_constant<access, access::staged>{});
        return;
      }
    }
    f(::cuda::std::integral_constant<access, access::direct>{});
  }

  // Calls f with an access by copies, as a constant, if it is one.
  template <class F>
  static void by_copies(batched::access copies, F f)
  {
    using batched::access;
    if (copies == access::bulk)
    {
      f(::cuda::std::integral_constant<access, access::bulk>{});
    }
    else if (copies == access::pipeline)
    {
      f(::cuda::std::integral_constant<access, access::pipeline>{});
    }
    if constexpr (may_be_in_bands)
    {
      if (copies == access::bands)
      {
        f(::cuda::std::integral_constant<access, access::bands>{});
      }
    }
  }

  // by_walks(launcher), where threads walk the lines; or by_tiles(access), with what serves the call as a constant.
  template <class Walks, class Tiles>
  runtime::outcome as_they_lie(Walks by_walks, Tiles by_tiles)
  {
    if (is_empty(problem_.along))
    {
      return {};
    }
    if (const runtime::outcome found = runtime::attributes_of(stream_, stream_attributes_); !found)
    {
      return found;
    }
    batched::access mover = batched::access::direct;
    runtime::outcome done = find_mover(mover);
    if (done)
    {
      const walk_launcher<Problem> walks(problem_, stream_, *stream_attributes_, max_blocks_);
      const bool by_bulk = mover == batched::access::bulk || mover == batched::access::pipeline;
      if ((!by_bulk || batched::suits_walks_most(problem_.along, static_cast<int>(sizeof(T)))) && walks.serves())
      {
        done = by_walks(walks);
      }
      else
      {
        done = with_tiles(mover, by_tiles);
      }
    }
    if (!done)
    {
      runtime::forget(*stream_attributes_);
    }
    return done;
  }

  template <class Tiles>
  runtime::outcome with_tiles([[maybe_unused]] batched::access mover, Tiles by_tiles) const
  {
    runtime::outcome done;
    const auto served = [&](auto how) {
      done = by_tiles(how);
    };
    if constexpr (may_be_copied)
    {
      if (mover != batched::access::direct)
      {
        by_copies(mover, served);
        return done;
      }
    }
    by_threads(problem_.along, served);
    return done;
  }

  // Which copies serve the call, if any do. Bulk copies need ranges that lie alike on the 16-byte grid, tensor copies such that begin there.
  runtime::outcome find_mover([[maybe_unused]] batched::access& mover) const
  {
    if constexpr (may_be_copied)
    {
      const batched::access suited = batched::access_by_copies<sizeof(T)>(
        problem_.along, stream_attributes_->device.multiprocessors);
      const bool alike = past_grid(problem_.input) == past_grid(problem_.output);
      runtime::outcome asked;
      if (alike && (suited != batched::access::bands || past_grid(problem_.input) == 0))
      {
        by_copies(suited, [&](auto how) {
          const runtime::kernel_attributes* found = nullptr;
          asked                                   = attributes_of<decltype(how)::value>(found);
          if (asked && batched::has_bulk_copies(found->compiled_for))
          {
            mover = suited;
          }
        });
      }
      return asked;
    }
    return {};
  }

  template <batched::access How>
  runtime::outcome attributes_of(const runtime::kernel_attributes*& found) const
  {
    const auto shared_bytes = [](int compiled_for) {
      const bool serves = !block<How>::by_bulk || batched::has_bulk_copies(compiled_for);
      return serves ? block<How>::shared_bytes : 0; // a GPU may not have as much as an empty kernel would say
    };
    return runtime::kernel_on<kernel<How>>(stream_attributes_->device, shared_bytes, found);
  }

  template <batched::access How>
  runtime::outcome launch(void* brought, std::size_t bytes)
  {
    const axis& along             = problem_.along;
    const batched::geometry lines = batched::geometry_of<policy<How>>(
      along, stream_attributes_->device.multiprocessors);
    const runtime::kernel_attributes* found = nullptr;
    if (const runtime::outcome asked = attributes_of<How>(found); !asked)
    {
      return asked;
    }
    const int possible = found->blocks_each[block<How>::threads / 32] * stream_attributes_->multiprocessors;
    const int resident = max_blocks_ > 0 && max_blocks_ < possible ? max_blocks_ : possible;
    launch_report report{path::batched_kernel,
                         Problem::call,
                         along.outer * along.length * along.inner,
                         grid_for(lines.pieces, resident),
                         block<How>::threads,
                         lines.tile_layers() * lines.lines,
                         found->compiled_for};
    const runtime::nvtx_range range(report);
    const std::size_t needed = bytes_of<How>(lines);
    if (report.blocks < 1 || bytes < needed)
    {
      return {cudaErrorInvalidValue, "looking for room for a block, or for slots in the memory that was brought"};
    }
    const bool one_piece_each = lines.pieces <= report.blocks;
    if (needed > 0)
    {
      if (!one_piece_each && !stream_attributes_->device.cooperative)
      {
        return {cudaErrorNotSupported, "launching cooperatively, which this GPU cannot"};
      }
      if (const runtime::outcome cleared = runtime::clear(brought, needed, stream_); !cleared)
      {
        return cleared;
      }
    }
    arguments<How> args{arguments_of_all{problem_.input,
                                         problem_.output,
                                         batched::strided_range(along, along.input),
                                         batched::strided_range(along, along.output),
                                         lines,
                                         slots{static_cast<carry::slot_word*>(brought), lines.inner},
                                         problem_.scan_op,
                                         problem_.init}};
    if constexpr (How == batched::access::bands)
    {
      runtime::outcome described = describe(lines, args.from, problem_.input, args.maps.input);
      described                  = described ? describe(lines, args.to, problem_.output, args.maps.output) : described;
      if (!described)
      {
        return described;
      }
    }
    return runtime::launch_and_report(*stream_attributes_->device.calls,
                                      found->function,
                                      one_piece_each || needed == 0, // nobody waits for a block that has not begun
                                      report,
                                      block<How>::shared_bytes,
                                      stream_,
                                      &args);
  }

  // Of the array: from wherever it is scanned, its first row is where the range begins.
  runtime::outcome
  describe(const batched::geometry& lines, const batched::strided_range& range, const T* first, CUtensorMap& map) const
  {
    constexpr tile::index words = sizeof(T) / batched::tensor_word_bytes;
    const tile::index apart     = range.along < 0 ? -range.along : range.along;
    return runtime::describe(
      *stream_attributes_->device.calls,
      {first + (range.along < 0 ? range.origin + (lines.layers - 1) * range.along : range.origin),
       lines.inner * words,
       lines.layers,
       apart * static_cast<tile::index>(sizeof(T)),
       static_cast<int>(lines.lines * words),
       lines.tile_layers()},
      map);
  }

  Problem problem_;
  cudaStream_t stream_;
  int max_blocks_;
  runtime::stream_attributes* stream_attributes_ = nullptr;
};
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
