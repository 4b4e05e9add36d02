// One scan, one launch: picks the kernel, plans, takes a workspace, launches. Reports CUDA's failures instead of throwing
// them (the standard library may still throw for want of memory), and does not wait for the GPU.
#pragma once

#include <lightscan/carry/exchange.h>
#include <lightscan/dispatch/bulk_view.h>
#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/device.h>
#include <lightscan/dispatch/lease.h>
#include <lightscan/dispatch/memory.h>
#include <lightscan/dispatch/plain_view.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/report.h>
#include <lightscan/dispatch/resident.h>
#include <lightscan/dispatch/stream.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/kernel/bulk_scan.h>
#include <lightscan/kernel/plain_scan.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
#if defined(__CUDACC__)
// Which kernels a launch may use. Tests and perf/ narrow it; everybody else leaves it alone.
enum class kernels
{
  best,
  bulk_only,
  plain_only
};

template <class Problem, class Exchange = carry::default_exchange, class Rows = chosen_rows>
class launcher
{
  using form     = typename Problem::form;
  using T        = typename form::accumulator;
  using Op       = typename Problem::op_type;
  using Init     = typename Problem::init_type;
  using Count    = typename Problem::count_type;
  using Inputs   = typename Problem::inputs_type;
  using OutputIt = typename Problem::output_type;

  using ring = carry::slot_ring<T>;

  static constexpr int words_per_slot = ring::words_per_slot;

  // The host knows how many items there are.
  static constexpr bool counted = ::cuda::std::is_integral_v<Count>;

  template <class>
  struct of_inputs;
  template <class... Its>
  struct of_inputs<::cuda::std::tuple<Its...>>
  {
    using bulk = typename bulk_view<Rows, form, OutputIt, Its...>::type;

    static index most_for_plain(int multiprocessors)
    {
      return dispatch::most_for_plain<Rows, form, OutputIt, Its...>(multiprocessors);
    }

    // For any scan of up to so many items, wherever its ranges lie; one where the plain kernel makes one tile of them.
    static index most_slots(index num_items)
    {
      using source      = plain_source<T, Its...>;
      using items       = tile::iterator_source<Its...>; // of memory that does not meet the 16-byte grid
      index tiles       = most_plain_tiles<T, Rows, source>(num_items);
      const index there = tile::always_meets_grid<T> ? 0 : most_plain_tiles<T, Rows, items>(num_items);
      tiles             = there > tiles ? there : tiles;
      index slots       = slots_for(tiles, num_items, 2, 1);
      if constexpr (bulk::serves)
      {
        using shape     = typename bulk::shape::type;
        const index own = slots_for(num_items / shape::tile_items + 2, num_items, 1, shape::groups);
        slots           = tiles > 1 && own > slots ? own : slots;
      }
      return slots;
    }
  };
  using bulk = typename of_inputs<Inputs>::bulk;

  using tiles_type = ::cuda::std::conditional_t<counted, tile::known_tiles, tile::counted_tiles<Count>>;

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
      return workspace_bytes;
    }
  }

  // `memory`: device memory, aligned to 8 bytes, for this launch alone, at least bytes_for() of it; null: the library's own.
  outcome run(void* memory = nullptr, std::size_t bytes = workspace_bytes)
  {
    last_report()      = launch_report{};
    memory_            = memory;
    bytes_             = memory != nullptr ? bytes : workspace_bytes;
    const outcome done = attempt();
    if (!done && facts_ != nullptr)
    {
      forget(*facts_);
    }
    return done;
  }

private:
  outcome attempt()
  {
    if constexpr (counted)
    {
      if (problem_.num_items <= 0)
      {
        return {};
      }
    }
    if (const outcome found = facts_of(stream_, facts_); !found)
    {
      return found;
    }
    if constexpr (bulk::serves)
    {
      if (worth_the_pipeline())
      {
        bool ran           = false;
        const outcome done = ::cuda::std::apply(
          [&](const auto&... input) {
            return run_bulk(ran, as_memory(input)...);
          },
          problem_.inputs());
        if (ran || !done)
        {
          return done;
        }
      }
    }
    if (allowed_ == kernels::bulk_only)
    {
      return {cudaErrorNotSupported, "using the bulk pipeline for a range or a GPU that it does not serve"};
    }
    return run_plain();
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
    const index usual          = of_inputs<Inputs>::most_for_plain(facts_->device.multiprocessors);
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
  int resident(const kernel_facts& facts, int warps) const
  {
    const int possible = facts.blocks_each[warps] * facts_->multiprocessors;
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

  plan plan_of(const tiles_type& tiles, int possible, int groups) const
  {
    constexpr index any = index{1} << 62; // what a number of tiles may be that only the GPU knows
    if constexpr (counted)
    {
      const int blocks      = resident_within(bytes_, tiles.tiles.num_tiles, possible, groups, words_per_slot);
      plan p                = plan_for(tiles.tiles, blocks, groups);
      const looks_row looks = Rows::looks(p.grid, (p.tiles.num_tiles - 1) / (p.grid > 0 ? p.grid : 1) + 1);
      p.first_look          = looks.first_look;
      return with_copies(p, looks.copies, words_per_slot, bytes_);
    }
    else
    {
      return plan_for(
        tile::geometry(any, 0, 1), resident_within(bytes_, any, possible, groups, words_per_slot), groups);
    }
  }

  // Leaves `ran` as it is where the columns do not lie alike on the 16-byte grid, or the first segment would lie before the
  // range (of bytes among 16-byte items, say), or the GPU has no pipeline.
  template <class... Ranges>
  outcome run_bulk(bool& ran, const Ranges&... inputs)
  {
    using shape    = typename bulk::shape::type;
    const int lead = tile::common_lead(inputs.misalignment()...);
    if (lead < 0 || lead >= bulk::shape::segment_items)
    {
      return {};
    }
    constexpr auto scan_kernel = kernel::bulk_scan<typename bulk::items, Op, Init, tiles_type, shape, Exchange>;
    const kernel_facts* facts  = nullptr;
    if (const outcome found = kernel_on<scan_kernel>(facts_->device, shape::shared_bytes, facts); !found)
    {
      return found;
    }
    const int resident_blocks = resident(*facts, shape::threads / 32);
    if (facts->compiled_for < 90 || resident_blocks == 0)
    {
      return {};
    }
    ran                    = true;
    const tiles_type tiles = tiles_of(lead, shape::tile_items);
    const plan p           = plan_of(tiles, resident_blocks, shape::groups);
    kernel::bulk_arguments<typename bulk::items, Op, Init, tiles_type> arguments{
      {problem_.what(), as_memory(problem_.output).starting(lead), {inputs.starting(lead)...}},
      tiles,
      {},
      problem_.combining(),
      problem_.before_first()};
    return launch(path::bulk_pipeline, facts->function, p, arguments, shape::threads, shape::shared_bytes);
  }

  outcome run_plain()
  {
    return plain_view<Problem>(problem_).with_ends([this](const auto& source, const auto& sink, int lead) {
      return this->run_plain_between(source, sink, lead);
    });
  }

  template <class Source, class Sink>
  outcome run_plain_between(Source source, Sink sink, int lead)
  {
    using chosen               = plain_shape_for<T, Source, counted>;
    using shape                = typename chosen::type;
    constexpr auto scan_kernel = kernel::plain_scan<form, Source, Sink, Op, Init, tiles_type, shape, Exchange>;
    const index chunks         = (num_items_or(index{1} << 61) + lead - 1) / chosen::chunk_items + 1;
    const int warps            = chosen::warps_for(Rows::plain(chunks));
    const int threads          = (warps + 1) * 32;
    const kernel_facts* facts  = nullptr;
    if (const outcome found = kernel_on<scan_kernel>(facts_->device, 0, facts); !found)
    {
      return found;
    }
    const tiles_type tiles = tiles_of(lead, warps * shape::warp_items);
    const plan p           = plan_of(tiles, resident(*facts, warps + 1), 1);
    kernel::plain_arguments<form, Source, Sink, Op, Init, tiles_type> arguments{
      source, sink, tiles, problem_.what(), {}, p.first_look, problem_.combining(), problem_.before_first()};
    return launch(path::plain_kernel, facts->function, p, arguments, threads, 0);
  }

  template <class Arguments>
  outcome launch(path taken, CUfunction kernel, const plan& p, Arguments& arguments, int threads, int shared_bytes)
  {
    launch_report report;
    report.taken      = taken;
    report.call       = Problem::call;
    report.num_items  = num_items_or(-1);
    report.blocks     = p.grid;
    report.threads    = threads;
    report.tile_items = arguments.tiles.items_a_tile();
    const nvtx_range range(report);
    if (const outcome possible = check(p); !possible)
    {
      return possible;
    }
    lease slots;
    if (const outcome got = memory_for(p, slots); !got)
    {
      return got;
    }
    arguments.slots         = ring(static_cast<carry::slot_word*>(slots.memory),
                           p.log2_ring_windows,
                           slots.first_tag,
                           slots.memory != nullptr ? p.ring_copies : 0);
    int grid                = p.grid;
    const CUresult launched = launch_grid(
      *facts_->device.calls, kernel, one_tile_each(p), grid, threads, shared_bytes, stream_, &arguments);
    const outcome released = release(*facts_->device.calls, stream_, slots);
    if (launched || !released)
    {
      return launched ? failed(launched, "launching the scan kernel") : released;
    }
    report.blocks = grid;
    last_report() = report;
    return watch(report, stream_);
  }

  outcome check(const plan& p) const
  {
    if (p.grid < 1)
    {
      return {cudaErrorInvalidValue, "looking for room for slots in the memory that was brought"};
    }
    if (!one_tile_each(p) && !facts_->device.cooperative)
    {
      return {cudaErrorNotSupported, "launching cooperatively, which this GPU cannot"};
    }
    return counted && tags_for(p) >= carry::last_tag
           ? outcome{cudaErrorInvalidValue, "looking for as many tags as so many items take"}
           : outcome{};
  }

  // One tile takes none.
  outcome memory_for(const plan& p, lease& slots)
  {
    const std::size_t bytes = slot_bytes_for(p, words_per_slot);
    if (bytes == 0)
    {
      return {};
    }
    if (memory_ != nullptr)
    {
      slots.memory = memory_;
      return bytes <= bytes_
             ? clear(memory_, bytes, stream_)
             : outcome{cudaErrorInvalidValue, "looking for room for slots in the memory that was brought"};
    }
    return facts_->captured ? acquire_in_graph(stream_, bytes, slots)
                            : acquire(*facts_, stream_, bytes, counted ? tags_for(p) : unknown_tags, slots);
  }

  Problem problem_;
  cudaStream_t stream_;
  kernels allowed_;
  int max_blocks_;
  void* memory_        = nullptr;
  std::size_t bytes_   = workspace_bytes; // that there are for slots
  stream_facts* facts_ = nullptr;
};
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
