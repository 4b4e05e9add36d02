// The policies that lightscan_tune compares, for one kind of scan each. Included by tune_*.cu and what tune_sums.cu.in becomes.
//
// A kind of scan is a class with nothing but static members:
//
//   output                          the results' type
//   input_bytes                     of an element, in all input arrays
//   problem(input, output, count)   the scan (lightscan/dispatch/problem.h)
//   write(input, i, count)          writes input element i
//   right(i, result)                whether element i of a result is right, given that those before it are
#pragma once

#include "../checked_steps.h"
#include "../gpu.h"
#include "../random_data.h"
#include "tune.h"

#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/path.h>

#include <cuda/std/functional>
#include <cuda/std/tuple>

#include <cstdint>
#include <vector>

namespace perf::tune
{
// Whichever the program measures next: short tiles suit small inputs, long ones large. One kernel serves them all.
inline int plain_tile_stripes = 0;

template <int Groups, int Threads, int BytesPerThread, int Unroll, int Ahead, int AtOnce = 2, int Prefetched = 0>
struct policies : lightscan::dispatch::tuned_policies
{
  static constexpr int groups           = Groups;
  static constexpr int group_threads    = Threads;
  static constexpr int bytes_per_thread = BytesPerThread;
  static constexpr int unroll           = Unroll;
  static constexpr int loads_ahead      = Ahead;
  static constexpr int loads_at_once    = AtOnce;
  static constexpr int prefetched       = Prefetched;

  static constexpr lightscan::dispatch::bulk_row
  bulk(int, lightscan::bulk::source source, int columns, lightscan::bulk::placement placed, unsigned accumulator)
  {
    return {lightscan::dispatch::tuned_for,
            source,
            columns,
            placed,
            accumulator,
            0,
            Groups,
            Threads,
            BytesPerThread,
            Unroll,
            Ahead,
            AtOnce,
            1,
            0,
            Prefetched};
  }
  static lightscan::dispatch::plain_row plain(std::int64_t)
  {
    return {INT64_MAX, plain_tile_stripes};
  }
  static lightscan::dispatch::lookahead_row lookahead(int blocks, std::int64_t tiles_a_block)
  {
    return lightscan::dispatch::lookahead_row_for(blocks, tiles_a_block);
  }
};

// A dozen at most, for each is a kernel to compile. Most have 768 threads in groups, about what the registers of the one
// block on a multiprocessor leave room for; wide accumulators need more registers, so fewer threads. perf/DECISIONS.md (policy-...)
// has what was tried beyond these.
template <class... Policies>
struct list
{};

using for_narrow_elements = list<policies<4, 192, 144, 3, 5>,
                                 policies<4, 192, 144, 3, 6>,
                                 policies<4, 192, 144, 3, 6, 3>,
                                 policies<4, 192, 112, 3, 8>,
                                 policies<4, 192, 176, 3, 5>,
                                 policies<5, 160, 176, 3, 6>,
                                 policies<5, 160, 176, 3, 7>,
                                 policies<6, 128, 208, 3, 7>,
                                 policies<6, 128, 144, 3, 8>,
                                 policies<6, 128, 144, 3, 8, 3>,
                                 policies<6, 128, 176, 3, 8>,
                                 policies<6, 128, 176, 3, 8, 3>>;

using for_wide_elements = list<policies<4, 128, 208, 1, 6>,
                               policies<4, 128, 208, 3, 7>,
                               policies<4, 128, 240, 1, 5>,
                               policies<4, 128, 240, 1, 6>,
                               policies<4, 128, 240, 3, 6>,
                               policies<5, 128, 240, 3, 6>,
                               policies<4, 128, 304, 1, 4>,
                               policies<3, 160, 240, 1, 5>,
                               policies<2, 256, 208, 1, 3>>;

using for_widening = list<policies<4, 192, 144, 9, 6, 4>,
                          policies<5, 128, 208, 3, 7, 4>,
                          policies<5, 128, 208, 13, 7, 3>,
                          policies<5, 128, 208, 13, 7, 4>,
                          policies<5, 128, 208, 13, 7, 4, 1>,
                          policies<5, 160, 176, 11, 7, 4>,
                          policies<6, 128, 208, 13, 7, 4>,
                          policies<6, 128, 240, 15, 6, 4>>;

using for_narrowing = list<policies<3, 256, 112, 7, 6, 2>,
                           policies<4, 128, 176, 11, 7, 2>,
                           policies<4, 160, 176, 11, 6, 2>,
                           policies<4, 160, 176, 11, 6, 3>,
                           policies<4, 192, 144, 9, 6, 2>,
                           policies<4, 192, 176, 3, 5, 2>,
                           policies<4, 192, 176, 11, 5, 2>>;

using for_keys = list<policies<3, 128, 288, 3, 5>,
                      policies<4, 128, 240, 3, 6>,
                      policies<4, 128, 288, 1, 5>,
                      policies<4, 128, 288, 3, 5>,
                      policies<4, 128, 288, 3, 5, 3>,
                      policies<4, 160, 240, 3, 5>,
                      policies<5, 96, 288, 3, 5>,
                      policies<5, 128, 240, 3, 6>>;

template <class Kind>
using problem_of = decltype(Kind::problem(nullptr, nullptr, std::int64_t{}));

template <class Kind, class Policies>
int scan(const void* input, void* output, std::int64_t count, cudaStream_t stream, bool bulk)
{
  namespace dispatch = lightscan::dispatch;
  using launcher     = dispatch::launcher<problem_of<Kind>, lightscan::carry::default_transport, Policies>;

  const dispatch::kernels with = bulk ? dispatch::kernels::bulk_only : dispatch::kernels::plain_only;
  const auto done              = launcher(Kind::problem(input, output, count), stream, with).run();
  if (done.error == cudaErrorNotSupported)
  {
    return 0;
  }
  require(done.error, done.doing);
  return lightscan::last_launch().compiled_for;
}

template <class Problem, class Policies, class Inputs = typename Problem::inputs_type>
struct bulk_view_of;
template <class Problem, class Policies, class... Its>
struct bulk_view_of<Problem, Policies, ::cuda::std::tuple<Its...>>
    : lightscan::dispatch::bulk_view<Policies, typename Problem::kind_type, typename Problem::output_type, Its...>::type
{
  using accumulator = typename Problem::kind_type::accumulator;
  using plain =
    lightscan::dispatch::plain_policy<accumulator,
                                      lightscan::dispatch::plain_source<typename Problem::kind_type, Its...>>;
};

template <class Kind, class Policies>
candidate candidate_of()
{
  constexpr lightscan::dispatch::bulk_shape compiled = bulk_view_of<problem_of<Kind>, Policies>::policies::best;
  static_assert(compiled.groups == Policies::groups && compiled.loads_ahead == Policies::loads_ahead
                  && compiled.loads_at_once == Policies::loads_at_once && compiled.prefetched == Policies::prefetched,
                "does not fit into shared memory as it stands");
  return {[](int compute_capability) {
            const lightscan::dispatch::bulk_shape& shape =
              bulk_view_of<problem_of<Kind>, Policies>::policies::shape(compute_capability);
            return row_numbers{shape.groups,
                               shape.group_threads,
                               shape.tile_bytes / shape.group_threads,
                               shape.unroll,
                               shape.loads_ahead,
                               shape.loads_at_once,
                               shape.prefetched};
          },
          scan<Kind, Policies>};
}

template <class Kind>
__global__ void write_elements(void* input, std::int64_t count)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
  {
    Kind::write(input, i, count);
  }
}

template <class Kind, class... Policies>
kind_to_tune kind_of(const char* name, list<Policies...>)
{
  using problem = problem_of<Kind>;
  using output  = typename Kind::output;
  using any     = bulk_view_of<problem, policies<1, 32, 16, 1, 1, 1>>;
  return {name,
          static_cast<int>(::cuda::std::tuple_size_v<typename problem::inputs_type>),
          any::items::placed,
          sizeof(typename problem::kind_type::accumulator),
          Kind::input_bytes,
          sizeof(output),
          {candidate_of<Kind, Policies>()...},
          [](int multiprocessors) {
            return any::plain::items_in(1, multiprocessors);
          },
          [](void* input, std::int64_t count, cudaStream_t stream) {
            write_elements<Kind><<<fill_blocks, fill_threads, 0, stream>>>(input, count);
            require(cudaGetLastError(), "making the input");
          },
          [](const void* result, std::int64_t count, cudaStream_t stream) {
            return check_by_steps<Kind>(static_cast<const output*>(result), 0, count, stream);
          },
          [](int stripes) {
            plain_tile_stripes = stripes;
          }};
}

// An array of `In`, accumulated in the type of the results.
template <class In, class Out, class Op>
struct scan_of_one_array
{
  using output = Out;

  static constexpr std::size_t input_bytes = sizeof(In);

  static lightscan::dispatch::scan_problem<Out, const In*, Out*, Op, lightscan::util::no_init, true>
  problem(const void* input, void* output, std::int64_t count)
  {
    return {static_cast<const In*>(input), static_cast<Out*>(output), count, {}, {}};
  }
};

template <class In, class Out = In>
struct sum_of : scan_of_one_array<In, Out, ::cuda::std::plus<>>
{
  static __device__ void write(void* input, std::int64_t i, std::int64_t)
  {
    static_cast<In*>(input)[i] = random_value<In>(i);
  }
  static __device__ bool right(std::int64_t i, const Out* result)
  {
    const Out expected = next_sum(i == 0 ? Out{} : result[i - 1], static_cast<Out>(random_value<In>(i)));
    return result[i] == expected && sums_are_exact_up_to(expected);
  }
};
} // namespace perf::tune
