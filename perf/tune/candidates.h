// The shapes that lightscan_tune compares, for one element type each. Included by the tune_*.cu.
#pragma once

#include "../checked_steps.h"
#include "../gpu.h"
#include "../random_data.h"
#include "tune.h"

#include <lightscan/dispatch/launch.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace perf::tune
{
// Whichever the program measures next: short tiles suit small inputs, long ones large. One kernel serves them all.
inline int plain_tile_rows = 0;

template <int Groups, int Threads, int Segment, int Unroll, int Ahead, int AtOnce>
struct rows
{
  static constexpr lightscan::dispatch::bulk_row bulk(int inputs, lightscan::tile::results placed, unsigned accumulator)
  {
    return {inputs, placed, accumulator, Groups, Threads, Segment, Unroll, Ahead, AtOnce, 0};
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

// `Element` has type, op, and what checked_steps.h asks of a step.
template <class Element, class Rows>
bool scan(const void* input, void* output, std::int64_t count, cudaStream_t stream, bool bulk)
{
  namespace dispatch = lightscan::dispatch;
  using T            = typename Element::type;
  using no_init      = lightscan::carry::no_init;
  using problem      = dispatch::problem<T, const T*, T*, typename Element::op, no_init, true>;
  using launcher     = dispatch::launcher<problem, lightscan::carry::default_exchange, Rows>;

  const dispatch::kernels with = bulk ? dispatch::kernels::bulk_only : dispatch::kernels::plain_only;
  const dispatch::outcome done =
    launcher({static_cast<const T*>(input), static_cast<T*>(output), count, {}, {}}, stream, with).run();
  if (done.error == cudaErrorNotSupported)
  {
    return false;
  }
  require(done.error, done.doing);
  return true;
}

template <class Element, int Groups, int Threads, int Segment, int Unroll, int Ahead, int AtOnce = 2>
void add(std::vector<candidate>& candidates)
{
  using these = rows<Groups, Threads, Segment, Unroll, Ahead, AtOnce>;
  using shape = lightscan::dispatch::bulk_shape_for<typename Element::type, these>;
  static_assert(shape::groups == Groups && shape::loads_ahead == Ahead, "does not fit into shared memory as it stands");
  candidates.push_back({Groups, Threads, Segment, Unroll, Ahead, AtOnce, scan<Element, these>});
}

template <class Element>
__global__ void write_elements(typename Element::type* values, std::int64_t count)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
  {
    values[i] = Element::value(i);
  }
}

// A dozen, for each is a kernel to compile. Most have 768 threads in groups, about what the registers of the one block on
// a multiprocessor leave room for; wide accumulators need more registers, so fewer threads. NOTES.md has what was tried
// beyond these.
template <class Element>
element_to_tune element_of(const char* name)
{
  using T = typename Element::type;
  std::vector<candidate> candidates;
  if constexpr (sizeof(T) <= 8)
  {
    add<Element, 4, 192, 144, 3, 5>(candidates);
    add<Element, 4, 192, 144, 3, 6>(candidates);
    add<Element, 4, 192, 144, 3, 6, 3>(candidates);
    add<Element, 4, 192, 112, 3, 8>(candidates);
    add<Element, 4, 192, 176, 3, 5>(candidates);
    add<Element, 5, 160, 176, 3, 6>(candidates);
    add<Element, 5, 160, 176, 3, 7>(candidates);
    add<Element, 6, 128, 208, 3, 7>(candidates);
    add<Element, 6, 128, 144, 3, 8>(candidates);
    add<Element, 6, 128, 144, 3, 8, 3>(candidates);
    add<Element, 6, 128, 176, 3, 8>(candidates);
    add<Element, 6, 128, 176, 3, 8, 3>(candidates);
  }
  else
  {
    add<Element, 4, 128, 208, 1, 6>(candidates);
    add<Element, 4, 128, 208, 3, 7>(candidates);
    add<Element, 4, 128, 240, 1, 5>(candidates);
    add<Element, 4, 128, 240, 1, 6>(candidates);
    add<Element, 4, 128, 240, 3, 6>(candidates);
    add<Element, 5, 128, 240, 3, 6>(candidates);
    add<Element, 4, 128, 304, 1, 4>(candidates);
    add<Element, 3, 160, 240, 1, 5>(candidates);
    add<Element, 2, 256, 208, 1, 3>(candidates);
  }
  return {name,
          sizeof(T),
          candidates,
          [](void* input, std::int64_t count, cudaStream_t stream) {
            write_elements<Element><<<fill_blocks, fill_threads, 0, stream>>>(static_cast<T*>(input), count);
            require(cudaGetLastError(), "making the input");
          },
          [](const void* output, std::int64_t count, cudaStream_t stream) {
            return check_by_steps<Element>(static_cast<const T*>(output), 0, count, stream);
          },
          [](int rows) {
            plain_tile_rows = rows;
          }};
}

// Sums of an arithmetic type.
template <class T>
struct sum_of : sum_step<T, true>
{
  using type = T;
  using op   = ::cuda::std::plus<>;

  static __device__ T value(std::int64_t i)
  {
    return random_value<T>(i);
  }
};
} // namespace perf::tune
