// One scan, one cooperative launch: picks the kernel, plans, takes a workspace, launches. Reports CUDA's failures
// instead of throwing them (the standard library may still throw for want of memory), and does not wait for the GPU.
#pragma once

#include <lightscan/carry/exchange.h>
#include <lightscan/dispatch/device.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/dispatch/workspace.h>
#include <lightscan/kernel/bulk_scan.h>
#include <lightscan/kernel/plain_scan.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
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
  using T        = typename Problem::accumulator;
  using Op       = typename Problem::op_type;
  using Init     = typename Problem::init_type;
  using InputIt  = typename Problem::input_type;
  using OutputIt = typename Problem::output_type;

  static constexpr bool memory_in  = is_memory_of<InputIt, T>;
  static constexpr bool memory_out = is_memory_of<OutputIt, T>;

  using bulk_shape  = typename bulk_shape_for<T, Rows>::type;
  using plain_shape = typename plain_shape_for<T>::type;

public:
  launcher(const Problem& problem, cudaStream_t stream, kernels allowed = kernels::best, int max_blocks = 0)
      : problem_(problem)
      , stream_(stream)
      , allowed_(allowed)
      , max_blocks_(max_blocks)
  {}

  outcome run()
  {
    if (problem_.num_items <= 0)
    {
      return {};
    }
    if (const outcome found = current_device(device_); !found)
    {
      return found;
    }
    if (!device_.cooperative)
    {
      return {cudaErrorNotSupported, "launching cooperatively, which this GPU cannot"};
    }
    if constexpr (fits_bulk_pipeline<Problem>)
    {
      const int lead        = lead_in_memory(problem_.input);
      const index bytes     = problem_.num_items * static_cast<index>(sizeof(T));
      const bool worthwhile = bytes >= bulk_shape_for<T, Rows>::row.min_bytes || allowed_ == kernels::bulk_only;
      if (lead >= 0 && worthwhile && allowed_ != kernels::plain_only)
      {
        kernel_facts facts;
        constexpr auto scan_kernel = kernel::bulk_scan<T, Op, Init, bulk_shape, Exchange, Problem::inclusive>;
        if (const outcome found = kernel_on<scan_kernel>(device_, bulk_shape::threads, bulk_shape::shared_bytes, facts);
            !found)
        {
          return found;
        }
        if (facts.compiled_for >= 90 && facts.resident_blocks > 0)
        {
          return run_bulk(facts.resident_blocks, lead);
        }
      }
    }
    if (allowed_ == kernels::bulk_only)
    {
      return {cudaErrorNotSupported, "using the bulk pipeline for a range or a GPU that it does not serve"};
    }
    return run_plain();
  }

private:
  template <class P>
  static int lead_in_memory(P pointer)
  {
    return tile::lead_of(
      static_cast<unsigned>(reinterpret_cast<::cuda::std::uintptr_t>(pointer) % tile::grid_bytes), sizeof(T));
  }

  // The address that mirrors the stages: `lead` elements before the first. Never dereferenced there.
  template <class P>
  static auto* mirror(P pointer, int lead)
  {
    using byte = ::cuda::std::
      conditional_t<::cuda::std::is_const_v<::cuda::std::remove_pointer_t<P>>, const unsigned char, unsigned char>;
    return reinterpret_cast<byte*>(reinterpret_cast<::cuda::std::uintptr_t>(pointer)
                                   - static_cast<unsigned>(lead) * sizeof(T));
  }

  int resident(int possible) const
  {
    return max_blocks_ > 0 && max_blocks_ < possible ? max_blocks_ : possible;
  }

  outcome run_bulk(int resident_blocks, int lead)
  {
    const tile::geometry tiles{problem_.num_items, lead, bulk_shape::tile_bytes / static_cast<int>(sizeof(T))};
    const plan p = plan_for(tiles, resident(resident_blocks), bulk_shape::groups);
    kernel::bulk_arguments<T, Op, Init> arguments{
      mirror(problem_.input, lead), mirror(problem_.output, lead), tiles, {}, problem_.op, problem_.init};
    constexpr auto scan_kernel = kernel::bulk_scan<T, Op, Init, bulk_shape, Exchange, Problem::inclusive>;
    return launch(scan_kernel, p, arguments, bulk_shape::threads, bulk_shape::shared_bytes);
  }

  outcome run_plain()
  {
    // Memory of T that meets the 16-byte grid moves in words; anything else, element by element.
    if constexpr (memory_in)
    {
      const int lead = lead_in_memory(problem_.input);
      if (tile::always_meets_grid<T> || lead >= 0)
      {
        return run_plain_from(tile::memory_source{mirror(problem_.input, lead)}, lead);
      }
    }
    if constexpr (!memory_in || !tile::always_meets_grid<T>)
    {
      return run_plain_from(tile::iterator_source<InputIt>{problem_.input}, 0);
    }
  }

  template <class Source>
  outcome run_plain_from(Source source, int lead)
  {
    if constexpr (memory_out)
    {
      return run_plain_between(source, tile::memory_sink{mirror(problem_.output, lead)}, lead);
    }
    else
    {
      return run_plain_between(source, tile::iterator_sink<OutputIt>{problem_.output}, lead);
    }
  }

  template <class Source, class Sink>
  outcome run_plain_between(Source source, Sink sink, int lead)
  {
    constexpr auto scan_kernel =
      kernel::plain_scan<T, Source, Sink, Op, Init, plain_shape, Exchange, Problem::inclusive>;
    kernel_facts facts;
    if (const outcome found = kernel_on<scan_kernel>(device_, plain_shape::threads, 0, facts); !found)
    {
      return found;
    }
    const plain_row row = Rows::plain(problem_.num_items * static_cast<index>(sizeof(T)));
    const int chunks    = tile::chunks_within(row.segment_bytes, tile::chunk_bytes_for(sizeof(T)));
    const tile::geometry tiles{
      problem_.num_items, lead, chunks * plain_shape::bytes_a_chunk / static_cast<int>(sizeof(T))};
    const int possible = facts.resident_blocks < max_resident_blocks ? facts.resident_blocks : max_resident_blocks;
    const plan p       = plan_for(tiles, resident(possible), 1);
    kernel::plain_arguments<T, Source, Sink, Op, Init> arguments{
      source, sink, tiles, chunks, {}, problem_.op, problem_.init};
    return launch(scan_kernel, p, arguments, plain_shape::threads, 0);
  }

  template <class Arguments>
  outcome launch(void (*kernel)(Arguments), const plan& p, Arguments& arguments, int threads, int shared_bytes)
  {
    using ring                   = carry::slot_ring<T>;
    workspace_registry& registry = workspace_registry::instance();
    workspace_registry::lease workspace;
    if (const outcome got = registry.acquire(
          device_.context, stream_, slot_bytes_for(p, ring::words_per_slot), tags_for(p), workspace);
        !got)
    {
      return got;
    }
    arguments.slots  = ring(static_cast<carry::slot_word*>(workspace.memory), p.log2_ring_windows, workspace.first_tag);
    void* pointers[] = {&arguments};
    const cudaError_t launched = cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                                             dim3(static_cast<unsigned>(p.grid)),
                                                             dim3(static_cast<unsigned>(threads)),
                                                             pointers,
                                                             static_cast<std::size_t>(shared_bytes),
                                                             stream_);
    const outcome released     = registry.release(stream_, workspace);
    return launched ? failed(launched, "launching the scan kernel") : released;
  }

  Problem problem_;
  cudaStream_t stream_;
  kernels allowed_;
  int max_blocks_;
  device_facts device_;
};
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
