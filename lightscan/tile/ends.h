// The two ends of the plain kernel: where the items of a chunk come from and where their results go.
//
//   memory_source, memory_sink      contiguous memory of the accumulator's own type: 16-byte words
//   iterator_source, iterator_sink  any random-access iterators: item by item, converted on the way
//
// A source says how many items make a chunk and how they lie in registers. Only the range's last chunk may hold fewer.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/cstring>
#include <cuda/std/tuple>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
// Neighbouring threads' items lie a chunk apart, so that a warp's access to one item of each touches a sector for every
// thread: the L1 cache joins loads, nothing joins stores. With few items in a chunk that costs little, and one shuffle
// scan serves them all.
LIGHTSCAN_HOST_DEVICE constexpr int iterator_chunk_items(unsigned accumulator_size)
{
  return accumulator_size <= 4 ? 4 : accumulator_size <= 8 ? 2 : 1;
}

// Chunks of other sizes would take more registers than there are.
template <class T>
inline constexpr bool moves_in_words = sizeof(T) <= grid_bytes&& chunk_bytes_for(sizeof(T)) <= 3 * grid_bytes;

struct memory_source
{
  const unsigned char* first;

  template <class T>
  static constexpr int chunk_items = chunk_bytes_for(sizeof(T)) / static_cast<int>(sizeof(T));
};

struct memory_sink
{
  unsigned char* first;
};

// One iterator for each argument of the form's lift.
template <class... Its>
struct iterator_source
{
  ::cuda::std::tuple<Its...> first;

  template <class T>
  static constexpr int chunk_items = iterator_chunk_items(sizeof(T));
};

template <class It>
struct iterator_sink
{
  It first;
};

#if defined(__CUDACC__)
template <class T, int Items>
struct item_chunk
{
  carry::uninitialized<T> at[Items];

  __device__ carry::uninitialized<T> item(int i) const
  {
    return at[i];
  }
};

template <class T>
struct memory_of_accumulators
{
  using stored                   = T;
  static constexpr bool reversed = false;
};

template <class Form>
__device__ auto chunk_of(const memory_source&)
{
  using T = typename Form::accumulator;
  return column_chunk<memory_of_accumulators<T>, memory_source::chunk_items<T>>{};
}

template <class Form, class... Its>
__device__ auto chunk_of(const iterator_source<Its...>&)
{
  using T = typename Form::accumulator;
  return item_chunk<T, iterator_source<Its...>::template chunk_items<T>>{};
}

__device__ inline bool on_grid(const void* address)
{
  return reinterpret_cast<::cuda::std::uintptr_t>(address) % grid_bytes == 0;
}

// Chunk r of `chunks` gets the items of the range from `at` + r * `step` on. Of the last there may be too few: `left` is how
// many there are from `at` on, possibly none. Whole: enough for all chunks.
template <class Form, bool Whole, class Chunk, int Rows>
__device__ void load_rows(const memory_source& source, Chunk (&chunks)[Rows], index at, int left, int step)
{
  using T             = typename Form::accumulator;
  constexpr int items = memory_source::chunk_items<T>;
  const T* const from = reinterpret_cast<const T*>(source.first) + at;
  if (Whole && on_grid(source.first))
  {
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
#  pragma unroll
      for (int w = 0; w < Chunk::words; ++w)
      {
        chunks[r].word[w] = reinterpret_cast<const uint4*>(from + r * step)[w];
      }
    }
  }
  else
  {
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
#  pragma unroll
      for (int i = 0; i < items; ++i)
      {
        if (Whole || r * step + i < left)
        {
          const carry::uninitialized<T> item(from[r * step + i]);
          chunks[r].set(i, item.value);
        }
      }
    }
  }
}

template <class Form, bool Whole, class Chunk, int Rows, class... Its>
__device__ void load_rows(const iterator_source<Its...>& source, Chunk (&chunks)[Rows], index at, int left, int step)
{
  using T = typename Form::accumulator;
  ::cuda::std::apply(
    [&](const auto&... first) {
#  pragma unroll
      for (int r = 0; r < Rows; ++r)
      {
#  pragma unroll
        for (int i = 0; i < iterator_chunk_items(sizeof(T)); ++i)
        {
          if (Whole || r * step + i < left)
          {
            chunks[r].at[i] = carry::uninitialized<T>(Form::lift(*(first + (at + (r * step + i)))...));
          }
        }
      }
    },
    source.first);
}

// The same the other way.
template <bool Whole, class R, int Items, int Rows>
__device__ void
store_rows(const memory_sink& sink, const item_chunk<R, Items> (&results)[Rows], index at, int left, int step)
{
  constexpr int bytes               = Items * static_cast<int>(sizeof(R));
  carry::uninitialized<R>* const to = reinterpret_cast<carry::uninitialized<R>*>(sink.first) + at;
  if (Whole && bytes % grid_bytes == 0 && on_grid(sink.first))
  {
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
      uint4 word[(bytes + grid_bytes - 1) / grid_bytes];
      ::cuda::std::memcpy(word, static_cast<const void*>(results[r].at), bytes);
#  pragma unroll
      for (int w = 0; w < bytes / grid_bytes; ++w)
      {
        reinterpret_cast<uint4*>(to + r * step)[w] = word[w];
      }
    }
  }
  else
  {
#  pragma unroll
    for (int r = 0; r < Rows; ++r)
    {
#  pragma unroll
      for (int i = 0; i < Items; ++i)
      {
        if (Whole || r * step + i < left)
        {
          to[r * step + i] = results[r].at[i];
        }
      }
    }
  }
}

template <bool Whole, class It, class R, int Items, int Rows>
__device__ void
store_rows(const iterator_sink<It>& sink, const item_chunk<R, Items> (&results)[Rows], index at, int left, int step)
{
#  pragma unroll
  for (int r = 0; r < Rows; ++r)
  {
#  pragma unroll
    for (int i = 0; i < Items; ++i)
    {
      if (Whole || r * step + i < left)
      {
        *(sink.first + (at + (r * step + i))) = results[r].at[i].value;
      }
    }
  }
}
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
