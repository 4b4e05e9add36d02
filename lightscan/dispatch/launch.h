// One scan, one launch: picks the kernel, plans, takes a workspace, launches. Reports CUDA's failures instead of throwing
// them (the standard library may still throw for want of memory), and does not wait for the GPU.
#pragma once

#include <lightscan/bulk/kernel.h>
#include <lightscan/carry/aggregate.h>
#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/dispatch/plain_shape.h>
#include <lightscan/dispatch/plain_view.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/shape.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/plain/kernel.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/launch_grid.h>
#include <lightscan/runtime/report.h>
#include <lightscan/runtime/slot_source.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
inline runtime::outcome expect_architecture(int compiled_for)
{
  return architecture_number(compiled_for) >= 0
         ? runtime::outcome{}
         : runtime::outcome{cudaErrorNotSupported, "running code for a GPU of a compute capability below 7.5"};
}

#if defined(__CUDACC__)
template <class Problem, class Transport = carry::default_transport, class Policies = tuned_policies>
class launcher
{
  using kind     = typename Problem::kind_type;
  using T        = typename kind::accumulator;
  using Op       = typename Problem::op_type;
  using Init     = typename Problem::init_type;
  using Count    = typename Problem::count_type;
  using Inputs   = typename Problem::inputs_type;
  using OutputIt = typename Problem::output_type;

  using ring = carry::slot_ring<carry::aggregate_t<T>>;

  static constexpr int words_per_slot = ring::words_per_slot;

  // The host knows how many items there are; or at least how many tags they can take.
  static constexpr bool counted = ::cuda::std::is_integral_v<Count>;
  static constexpr bool bounded = counted || most_items<Count> < any_number;

  template <class>
  struct of_inputs;
  template <class... Its>
  struct of_inputs<::cuda::std::tuple<Its...>>
  {
    using view = typename bulk_view<Policies, kind, OutputIt, Its...>::type;

    static index most_for_plain(int multiprocessors)
    {
      return dispatch::most_for_plain<Policies, kind, OutputIt, Its...>(multiprocessors);
    }

    // For any scan of up to so many items, wherever its ranges lie; one where the plain kernel makes one tile of them.
    static index most_slots(index num_items)
    {
      using source = plain_source<kind, Its...>;
      using items  = plain::iterator_source<Its...>; // of memory that does not meet the 16-byte grid
      using value  = typename words_read<kind, ::cuda::std::tuple<Its...>>::value;
      index tiles  = most_plain_tiles<T, Policies, source>(num_items);
      const index there =
        kind::emits || tile::always_meets_grid<value> ? 0 : most_plain_tiles<T, Policies, items>(num_items);
      tiles       = there > tiles ? there : tiles;
      index slots = slots_for(tiles, num_items, 2, 1);
      if constexpr (view::serves)
      {
        for (const architecture_row& on : architectures)
        {
          const bulk_shape& shape = view::policies::shape(on.compute_capability);
          const index own         = shape.serves
                                    ? slots_for(num_items / shape.tile_items + 2, num_items, 1, shape.tiles_in_hand)
                                    : 0;
          slots                   = tiles > 1 && own > slots ? own : slots;
        }
      }
      return slots;
    }
  };
  using view = typename of_inputs<Inputs>::view;

  using tiles_type = ::cuda::std::conditional_t<counted, tile::known_tiles, tile::counted_tiles<Count>>;

  template <class View>
  static constexpr auto bulk_kernel_of =
    bulk::bulk_scan<typename View::items, Op, Init, tiles_type, typename View::policies, Transport>;

public:
  launcher(const Problem& problem, cudaStream_t stream, kernels allowed = kernels::best, int max_blocks = 0)
      : problem_(problem)
      , stream_(stream)
      , allowed_(allowed)
      , max_blocks_(max_blocks)
  {}

  // Bytes of memory that whoever brings it has to bring for a launch of `problem`: 0 where it takes none. The more items, the
  // more: what is enough for many is enough for fewer. The same for every GPU.
  static std::size_t bytes_for(const Problem& problem)
  {
    if constexpr (counted)
    {
      const auto num_items = static_cast<index>(problem.num_items);
      return brought_bytes_for(of_inputs<Inputs>::most_slots(num_items), num_items, words_per_slot);
    }
    else
    {
      return carry::workspace_bytes;
    }
  }

  // Of memory that is brought, at least bytes_for(). In slots that somebody keeps, a scan whose number of tags the host knows.
  runtime::outcome run(const runtime::slot_source& from = {})
  {
    from_                  = from;
    runtime::last_report() = launch_report{};
    if constexpr (counted)
    {
      if (problem_.num_items <= 0)
      {
        if constexpr (!kind::emits)
        {
          return {};
        }
        problem_.num_items = 0; // and so many results, which somebody waits to be told
      }
    }
    const runtime::kernel_attributes* pipeline = nullptr;
    runtime::outcome done                      = find_pipeline(pipeline);
    if (done && pipeline == nullptr)
    {
      done = run_plain();
    }
    else if constexpr (view::serves)
    {
      if (done)
      {
        const bulk_shape& shape = view::policies::shape(pipeline->compiled_for);
        auto arguments          = bulk_arguments(shape);
        const plan p = plan_of(arguments.tiles, resident(*pipeline, shape.threads / 32), shape.tiles_in_hand);
        done         = launch(path::bulk_pipeline, *pipeline, p, arguments, shape.threads, shape.shared_bytes);
      }
    }
    if (!done && stream_attributes_ != nullptr)
    {
      runtime::forget(*stream_attributes_);
    }
    return done;
  }

private:
  // The bulk kernel, where it is to run; null, where the plain one is.
  runtime::outcome find_pipeline(const runtime::kernel_attributes*& found)
  {
    runtime::outcome asked = runtime::attributes_of(stream_, stream_attributes_);
    if constexpr (view::serves)
    {
      if (asked && worth_the_pipeline())
      {
        const runtime::kernel_attributes* of_kernel = nullptr;
        asked                                       = runtime::kernel_on<bulk_kernel_of<view>>(
          stream_attributes_->device, view::policies::shared_bytes, of_kernel);
        if (asked)
        {
          const bulk_shape& shape = view::policies::shape(of_kernel->compiled_for);
          found                   = shape.serves && resident(*of_kernel, shape.threads / 32) > 0 ? of_kernel : nullptr;
          if (found == nullptr && asks_for_more(shape, Policies::architecture(of_kernel->compiled_for)))
          {
            return {cudaErrorInvalidConfiguration, "looking for the shared memory of a row of LIGHTSCAN_BULK_ROWS"};
          }
        }
      }
    }
    return asked && found == nullptr && allowed_ == kernels::bulk_only
           ? runtime::outcome{cudaErrorNotSupported,
                              "using the bulk pipeline for a range or a GPU that it does not serve"}
           : asked;
  }

  bool worth_the_pipeline() const
  {
    if constexpr (counted)
    {
      return allowed_ == kernels::bulk_only
          || (allowed_ == kernels::best && static_cast<index>(problem_.num_items) > most_for_plain());
    }
    else
    {
      return allowed_ != kernels::plain_only;
    }
  }

  index most_for_plain() const
  {
    const index usual          = of_inputs<Inputs>::most_for_plain(stream_attributes_->device.multiprocessors);
    constexpr index if_shifted = most_bytes_for_items / static_cast<index>(sizeof(T));
    return usual > if_shifted && plain_view<Problem>(problem_).shifts() ? if_shifted : usual;
  }

  index num_items_or(index unknown) const
  {
    if constexpr (counted)
    {
      return static_cast<index>(problem_.num_items);
    }
    else
    {
      return unknown;
    }
  }

  // Of the GPU, or of the part that the stream's context has of it.
  int resident(const runtime::kernel_attributes& attributes, int warps) const
  {
    const int possible = attributes.blocks_each[warps] * stream_attributes_->multiprocessors;
    return max_blocks_ > 0 && max_blocks_ < possible ? max_blocks_ : possible;
  }

  tiles_type tiles_of(int lead, int tile_items) const
  {
    if constexpr (counted)
    {
      return {tile::geometry(static_cast<index>(problem_.num_items), lead, tile_items)};
    }
    else
    {
      return {problem_.num_items, lead, tile_items};
    }
  }

  // Of as many tiles as there can be, where only the GPU knows how many there are.
  plan plan_of(const tiles_type& tiles, int possible, int in_hand) const
  {
    const tile::geometry most = tiles.of_most(most_items<Count>);
    const int blocks          = resident_within(from_.bytes, most.num_tiles, possible, in_hand, words_per_slot);
    plan p                    = plan_for(most, blocks, in_hand);
    if constexpr (counted)
    {
      const lookahead_row row = Policies::lookahead(p.grid, (p.tiles.num_tiles - 1) / (p.grid > 0 ? p.grid : 1) + 1);
      p.first_poll_delay      = row.first_poll_delay;
      p.grid                  = kind::emits && p.grid == 0 ? 1 : p.grid; // for the number of no results
      const bool cleared      = from_.brought != nullptr && !stream_attributes_->captured;
      p                       = with_copies(p, row.copies, words_per_slot, from_.bytes, cleared);
    }
    return p;
  }

  auto bulk_arguments(const bulk_shape& shape) const
  {
    const int limit = shape.items_per_thread;
    const int lead  = with_leaves<kind>(problem_.inputs, [&](const auto&... leaf) {
      if constexpr (kind::emits)
      {
        return lead_for(limit, discarded{}, leaf...); // results lie where the carry says
      }
      else
      {
        return lead_for(limit, dispatch::output<typename kind::result>(problem_.output), leaf...);
      }
    });
    return bulk::bulk_arguments<typename view::items, Op, Init, tiles_type>{
      items_of(problem_.kind, problem_.output, problem_.inputs, lead),
      tiles_of(lead, shape.tile_items),
      {},
      problem_.scan_op,
      problem_.init};
  }

  runtime::outcome run_plain()
  {
    return plain_view<Problem>(problem_).with_source_and_sink([this](const auto& source, const auto& sink, int lead) {
      return this->run_plain_between(source, sink, lead);
    });
  }

  template <class Source, class Sink>
  runtime::outcome run_plain_between(Source source, Sink sink, int lead)
  {
    using policy               = plain_policy<T, Source, counted>;
    constexpr auto scan_kernel = plain::plain_scan<kind, Source, Sink, Op, Init, tiles_type, policy, Transport>;
    const index chunks         = (num_items_or(index{1} << 61) + lead - 1) / policy::chunk_items + 1;
    const int warps            = policy::warps_for(Policies::plain(chunks));
    const int threads          = (warps + 1) * 32;
    const runtime::kernel_attributes* attributes = nullptr;
    if (const runtime::outcome found = runtime::kernel_on<scan_kernel>(stream_attributes_->device, attributes); !found)
    {
      return found;
    }
    const tiles_type tiles = tiles_of(lead, warps * policy::warp_items);
    const plan p           = plan_of(tiles, resident(*attributes, warps + 1), 1);
    plain::plain_arguments<kind, Source, Sink, Op, Init, tiles_type> arguments{
      source, sink, tiles, problem_.kind, {}, p.first_poll_delay, problem_.scan_op, problem_.init};
    return launch(path::plain_kernel, *attributes, p, arguments, threads, 0);
  }

  template <class Arguments>
  runtime::outcome launch(path taken,
                          const runtime::kernel_attributes& kernel,
                          const plan& p,
                          Arguments& arguments,
                          int threads,
                          int shared_bytes)
  {
    if (max_blocks_ == loads_only)
    {
      return {};
    }
    const launch_report report{
      taken, kind::call, num_items_or(-1), p.grid, threads, arguments.tiles.items_a_tile(), kernel.compiled_for};
    return launch(report, kernel, p, arguments.slots, &arguments, shared_bytes);
  }

  // The same for either kernel, so that it is compiled once: a call knows both. `slots` is in the arguments.
  runtime::outcome launch(launch_report report,
                          const runtime::kernel_attributes& kernel,
                          const plan& p,
                          ring& slots,
                          void* arguments,
                          int shared_bytes)
  {
    const runtime::nvtx_range range(report);
    runtime::outcome possible = expect_architecture(kernel.compiled_for);
    possible                  = possible ? check(p) : possible;
    if (!possible)
    {
      return possible;
    }
    runtime::lease leased;
    if (const runtime::outcome got = memory_for(p, leased); !got)
    {
      return got;
    }
    slots                        = ring(static_cast<carry::slot_word*>(leased.memory),
                 p.log2_ring_windows,
                 leased.first_tag,
                 leased.memory != nullptr ? p.ring_copies : 0);
    const runtime::driver& calls = *stream_attributes_->device.calls;
    const CUresult launched      = runtime::launch_grid(
      calls, kernel.function, one_tile_each(p), report.blocks, report.threads, shared_bytes, stream_, arguments);
    const runtime::outcome released = runtime::release(calls, stream_, leased);
    if (launched || !released)
    {
      return launched ? runtime::failed(launched, "launching the scan kernel") : released;
    }
    runtime::last_report() = report;
    // Who keeps slots waits for his launches himself: they may stand behind what waits for other GPUs (ranks/queue.h).
    return from_.kept != nullptr ? runtime::outcome{} : runtime::watch(report, stream_);
  }

  runtime::outcome check(const plan& p) const
  {
    if (p.grid < 1)
    {
      return {cudaErrorInvalidValue, "looking for room for slots in the memory that was brought"};
    }
    if (!one_tile_each(p) && !stream_attributes_->device.cooperative)
    {
      return {cudaErrorNotSupported, "launching cooperatively, which this GPU cannot"};
    }
    return bounded && tags_for(p) >= carry::last_tag
           ? runtime::outcome{cudaErrorInvalidValue, "looking for as many tags as so many items take"}
           : runtime::outcome{};
  }

  // One tile takes none.
  runtime::outcome memory_for(const plan& p, runtime::lease& slots)
  {
    const std::size_t bytes          = slot_bytes_for(p, words_per_slot);
    const ::cuda::std::uint64_t tags = bounded ? tags_for(p) : runtime::unknown_tags;
    return bytes == 0 ? runtime::outcome{}
                      : runtime::acquire_from(from_, *stream_attributes_, stream_, bytes, tags, slots);
  }

  Problem problem_;
  cudaStream_t stream_;
  kernels allowed_;
  int max_blocks_;
  runtime::slot_source from_;
  runtime::stream_attributes* stream_attributes_ = nullptr;
};
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
