// The shapes that lightscan_tune compares, for one kind of scan each. Included by the tune_*.cu.
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

#include <lightscan/dispatch/bulk_view.h>
#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/launch.h>

#include <cuda/std/functional>
#include <cuda/std/tuple>

#include <cstdint>
#include <vector>

namespace perf::tune
{
// Whichever the program measures next: short tiles suit small inputs, long ones large. One kernel serves them all.
inline int plain_tile_rows = 0;

template <int Groups, int Threads, int Segment, int Unroll, int Ahead, int AtOnce = 2>
struct shape
{
  static constexpr int groups        = Groups;
  static constexpr int group_threads = Threads;
  static constexpr int segment_bytes = Segment;
  static constexpr int unroll        = Unroll;
  static constexpr int loads_ahead   = Ahead;
  static constexpr int loads_at_once = AtOnce;

  static constexpr lightscan::dispatch::bulk_row bulk(int inputs, lightscan::tile::results placed, unsigned accumulator)
  {
    return {inputs, placed, accumulator, Groups, Threads, Segment, Unroll, Ahead, AtOnce, 1};
  }
  static lightscan::dispatch::plain_row plain(std::int64_t)
  {
    return {INT64_MAX, plain_tile_rows};
  }
  static lightscan::dispatch::looks_row looks(int blocks, std::int64_t tiles_a_block)
  {
    return lightscan::dispatch::looks_for(blocks, tiles_a_block);
  }
};

// A dozen at most, for each is a kernel to compile. Most have 768 threads in groups, about what the registers of the one
// block on a multiprocessor leave room for; wide accumulators need more registers, so fewer threads. NOTES.md has what was
// tried beyond these.
template <class... Shapes>
struct shapes
{};

using for_narrow_elements = shapes<shape<4, 192, 144, 3, 5>,
                                   shape<4, 192, 144, 3, 6>,
                                   shape<4, 192, 144, 3, 6, 3>,
                                   shape<4, 192, 112, 3, 8>,
                                   shape<4, 192, 176, 3, 5>,
                                   shape<5, 160, 176, 3, 6>,
                                   shape<5, 160, 176, 3, 7>,
                                   shape<6, 128, 208, 3, 7>,
                                   shape<6, 128, 144, 3, 8>,
                                   shape<6, 128, 144, 3, 8, 3>,
                                   shape<6, 128, 176, 3, 8>,
                                   shape<6, 128, 176, 3, 8, 3>>;

using for_wide_elements = shapes<shape<4, 128, 208, 1, 6>,
                                 shape<4, 128, 208, 3, 7>,
                                 shape<4, 128, 240, 1, 5>,
                                 shape<4, 128, 240, 1, 6>,
                                 shape<4, 128, 240, 3, 6>,
                                 shape<5, 128, 240, 3, 6>,
                                 shape<4, 128, 304, 1, 4>,
                                 shape<3, 160, 240, 1, 5>,
                                 shape<2, 256, 208, 1, 3>>;

using for_widening = shapes<shape<4, 192, 144, 9, 6, 4>,
                            shape<5, 128, 208, 3, 7, 4>,
                            shape<5, 128, 208, 13, 7, 3>,
                            shape<5, 128, 208, 13, 7, 4>,
                            shape<5, 160, 176, 11, 7, 4>,
                            shape<6, 128, 208, 13, 7, 4>,
                            shape<6, 128, 240, 15, 6, 4>>;

using for_narrowing = shapes<shape<3, 256, 112, 7, 6, 2>,
                             shape<4, 128, 176, 11, 7, 2>,
                             shape<4, 160, 176, 11, 6, 2>,
                             shape<4, 160, 176, 11, 6, 3>,
                             shape<4, 192, 144, 9, 6, 2>,
                             shape<4, 192, 176, 3, 5, 2>,
                             shape<4, 192, 176, 11, 5, 2>>;

using for_keys = shapes<shape<3, 128, 288, 3, 5>,
                        shape<4, 128, 240, 3, 6>,
                        shape<4, 128, 288, 1, 5>,
                        shape<4, 128, 288, 3, 5>,
                        shape<4, 128, 288, 3, 5, 3>,
                        shape<4, 160, 240, 3, 5>,
                        shape<5, 128, 240, 3, 6>>;

template <class Kind>
using problem_of = decltype(Kind::problem(nullptr, nullptr, std::int64_t{}));

template <class Kind, class Shape>
bool scan(const void* input, void* output, std::int64_t count, cudaStream_t stream, bool bulk)
{
  namespace dispatch = lightscan::dispatch;
  using launcher     = dispatch::launcher<problem_of<Kind>, lightscan::carry::default_exchange, Shape>;

  const dispatch::kernels with = bulk ? dispatch::kernels::bulk_only : dispatch::kernels::plain_only;
  const dispatch::outcome done = launcher(Kind::problem(input, output, count), stream, with).run();
  if (done.error == cudaErrorNotSupported)
  {
    return false;
  }
  require(done.error, done.doing);
  return true;
}

template <class Problem, class Shape, class Inputs = typename Problem::inputs_type>
struct bulk_shape;
template <class Problem, class Shape, class... Its>
struct bulk_shape<Problem, Shape, ::cuda::std::tuple<Its...>>
    : lightscan::dispatch::bulk_view<Shape, typename Problem::form, typename Problem::output_type, Its...>::type
{
  using accumulator = typename Problem::form::accumulator;
  using plain =
    lightscan::dispatch::plain_shape_for<accumulator, lightscan::dispatch::plain_source<accumulator, Its...>>;
};

template <class Kind, class Shape>
candidate candidate_of()
{
  using compiled = typename bulk_shape<problem_of<Kind>, Shape>::shape;
  static_assert(compiled::groups == Shape::groups && compiled::loads_ahead == Shape::loads_ahead
                  && compiled::loads_at_once == Shape::loads_at_once,
                "does not fit into shared memory as it stands");
  return {Shape::groups,
          Shape::group_threads,
          Shape::segment_bytes,
          Shape::unroll,
          Shape::loads_ahead,
          Shape::loads_at_once,
          scan<Kind, Shape>};
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

template <class Kind, class... Shapes>
kind_to_tune kind_of(const char* name, shapes<Shapes...>)
{
  using problem = problem_of<Kind>;
  using output  = typename Kind::output;
  using any     = bulk_shape<problem, shape<1, 32, 16, 1, 1, 1>>;
  return {name,
          static_cast<int>(::cuda::std::tuple_size_v<typename problem::inputs_type>),
          any::items::placed,
          sizeof(typename problem::form::accumulator),
          Kind::input_bytes,
          sizeof(output),
          {candidate_of<Kind, Shapes>()...},
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
          [](int rows) {
            plain_tile_rows = rows;
          }};
}

// An array of `In`, accumulated in the type of the results.
template <class In, class Out, class Op>
struct scan_of_one_array
{
  using output = Out;

  static constexpr std::size_t input_bytes = sizeof(In);

  static lightscan::dispatch::problem<Out, const In*, Out*, Op, lightscan::carry::no_init, true>
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
