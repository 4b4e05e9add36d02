// One scan, one launch: picks the kernel, plans, takes a workspace, launches. Reports CUDA's failures instead of throwing
// them (the standard library may still throw for want of memory), and does not wait for the GPU.
#pragma once

#include <lightscan/carry/exchange.h>
#include <lightscan/dispatch/bulk_view.h>
#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/device.h>
#include <lightscan/dispatch/memory.h>
#include <lightscan/dispatch/plain_view.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/report.h>
#include <lightscan/dispatch/resident.h>
#include <lightscan/dispatch/stream.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/dispatch/workspace.h>
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

  // `memory`: workspace_bytes of device memory, aligned to 8 bytes, for this launch alone; null: the stream's own.
  outcome run(void* memory = nullptr)
  {
    last_report()      = launch_report{};
    memory_            = memory;
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
    if (!facts_->device.cooperative)
    {
      return {cudaErrorNotSupported, "launching cooperatively, which this GPU cannot"};
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

  int resident(int possible, int groups) const
  {
    const int most = max_resident_blocks(groups, carry::slot_ring<T>::words_per_slot);
    possible       = possible < most ? possible : most;
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

  // A number of tiles that only the GPU knows may be any.
  plan plan_of(const tiles_type& tiles, int blocks, int groups) const
  {
    if constexpr (counted)
    {
      plan p                = plan_for(tiles.tiles, blocks, groups);
      const looks_row looks = Rows::looks(p.grid, (p.tiles.num_tiles - 1) / p.grid + 1);
      p.first_look          = looks.first_look;
      return with_copies(p, looks.copies, carry::slot_ring<T>::words_per_slot);
    }
    else
    {
      constexpr index any = index{1} << 62;
      return plan_for(tile::geometry(any, 0, 1), blocks, groups);
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
    const int resident_blocks = facts->resident_blocks[shape::threads / 32];
    if (facts->compiled_for < 90 || resident_blocks == 0)
    {
      return {};
    }
    ran                    = true;
    const tiles_type tiles = tiles_of(lead, shape::tile_items);
    const plan p           = plan_of(tiles, resident(resident_blocks, shape::groups), shape::groups);
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
    const plan p           = plan_of(tiles, resident(facts->resident_blocks[warps + 1], 1), 1);
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
    using ring              = carry::slot_ring<T>;
    const std::size_t bytes = slot_bytes_for(p, ring::words_per_slot);
    lease workspace;
    const outcome got = memory_ != nullptr
                        ? workspace_registry::clear(memory_, bytes, stream_, workspace)
                        : acquire_workspace(*facts_, stream_, bytes, counted ? tags_for(p) : 0, workspace);
    if (!got)
    {
      return got;
    }
    arguments.slots = ring(
      static_cast<carry::slot_word*>(workspace.memory), p.log2_ring_windows, workspace.first_tag, p.ring_copies);
    int grid                = p.grid;
    const CUresult launched = launch_grid(
      *facts_->device.calls, kernel, one_tile_each(p), grid, threads, shared_bytes, stream_, &arguments);
    const outcome released = workspace_registry::release(stream_, workspace);
    if (launched || !released)
    {
      return launched ? failed(launched, "launching the scan kernel") : released;
    }
    report.blocks = grid;
    last_report() = report;
    return watch(report, stream_);
  }

  Problem problem_;
  cudaStream_t stream_;
  kernels allowed_;
  int max_blocks_;
  void* memory_        = nullptr;
  stream_facts* facts_ = nullptr;
};
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
