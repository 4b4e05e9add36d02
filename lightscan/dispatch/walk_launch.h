// Scans along an axis whose lines threads take as a whole: one launch of batched/walk.h's kernel, in the one of its forms that serves.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/batched/geometry.h>
#include <lightscan/batched/walk.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/launch_grid.h>
#include <lightscan/runtime/report.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/tile/divisor.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

#include <cstdint>
#include <limits>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
#if defined(__CUDACC__)
template <class Problem>
class walk_launcher
{
  using T           = typename Problem::accumulator;
  using input_type  = typename Problem::input_type;
  using output_type = typename Problem::output_type;

  template <batched::walk How>
  using walker = batched::walker<T,
                                 Problem::inclusive,
                                 input_type,
                                 output_type,
                                 typename Problem::op_type,
                                 typename Problem::init_type,
                                 batched::walk_policy_for<T, input_type, output_type, How>>;

public:
  walk_launcher(const Problem& problem,
                cudaStream_t stream,
                const runtime::stream_attributes& of_stream,
                int max_blocks)
      : problem_(problem)
      , stream_(stream)
      , stream_attributes_(of_stream)
      , max_blocks_(max_blocks)
  {}

  // Whether threads walk the call's lines.
  bool serves() const
  {
    bool walked = false;
    with_walker([&](auto) {
      walked = true;
    });
    return walked;
  }

  // If they do.
  runtime::outcome launch() const
  {
    runtime::outcome done;
    with_walker([&](auto how) {
      done = launch<walker<decltype(how)::value>>();
    });
    return done;
  }

private:
  // Calls f with the first of the walks that serves the call, as a constant, if one does.
  template <class F>
  void with_walker(F f) const
  {
    using batched::walk;
    if constexpr (sizeof(T) <= batched::max_walked_bytes)
    {
      if constexpr (batched::walked_memory<T, input_type, output_type>::by_word
                    && walker<walk::several>::policy::lines > 1)
      {
        first_of<walk::several_of_few, walk::several, walk::one>(f);
      }
      else
      {
        first_of<walk::one>(f);
      }
    }
  }
  template <batched::walk How, batched::walk... Others, class F>
  void first_of(F f) const
  {
    if (is_walked<typename walker<How>::policy>())
    {
      f(::cuda::std::integral_constant<batched::walk, How>{});
    }
    else if constexpr (sizeof...(Others) > 0)
    {
      first_of<Others...>(f);
    }
  }

  template <class Policy>
  bool is_walked() const
  {
    const axis& along = problem_.along;
    if constexpr (Policy::lines > 1)
    {
      if (!on_grid(along, along.input, problem_.input, Policy::lines)
          || !on_grid(along, along.output, problem_.output, Policy::lines))
      {
        return false;
      }
    }
    return batched::suits_walks<Policy>(along, stream_attributes_.device.multiprocessors);
  }

  // Whether one access reaches so many neighbouring lines, in each layer of a range.
  template <class X>
  static bool on_grid(const axis& along, const axis_strides& strides, const X* memory, int lines)
  {
    return reinterpret_cast<std::uintptr_t>(memory) % (static_cast<unsigned>(lines) * sizeof(X)) == 0
        && strides.along % lines == 0 && (along.outer == 1 || strides.outer % lines == 0);
  }

  template <class Walker>
  runtime::outcome launch() const
  {
    const runtime::kernel_attributes* found = nullptr;
    if (const runtime::outcome asked = runtime::kernel_on<batched::batched_walk<Walker>>(
          stream_attributes_.device, found);
        !asked)
    {
      return asked;
    }
    const axis& along        = problem_.along;
    const tile::index across = along.inner / Walker::policy::lines;
    const tile::index walks  = along.outer * across;
    launch_report report{
      path::batched_kernel,
      Problem::call,
      along.outer * along.length * along.inner,
      grid_for((walks - 1) / Walker::threads + 1, max_blocks_ > 0 ? max_blocks_ : std::numeric_limits<int>::max()),
      Walker::threads,
      Walker::threads * Walker::policy::lines * Walker::policy::at_once,
      found->compiled_for};
    const runtime::nvtx_range range(report);
    typename Walker::arguments args{problem_.input,
                                    problem_.output,
                                    batched::strided_range(along, along.input),
                                    batched::strided_range(along, along.output),
                                    along.length,
                                    walks,
                                    across,
                                    tile::divisor(across),
                                    problem_.scan_op,
                                    problem_.init};
    return runtime::launch_and_report(
      *stream_attributes_.device.calls, found->function, true, report, 0, stream_, &args);
  }

  const Problem& problem_;
  cudaStream_t stream_;
  const runtime::stream_attributes& stream_attributes_;
  int max_blocks_;
};
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
