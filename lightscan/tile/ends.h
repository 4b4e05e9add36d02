// The two ends of the plain kernel: where the items of a chunk come from and where their results go.
//
//   memory_source, memory_sink      contiguous memory of the accumulator's own type: 16-byte words
//   iterator_source, iterator_sink  any random-access iterators: item by item, converted on the way
//
// A source says how many items make a chunk and how they lie in registers. Only the range's first and last chunk may
// hold fewer.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
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
  const unsigned char* first; // the range's first item; its tiles begin on the 16-byte grid, if T ever meets it

  template <class T>
  static constexpr int chunk_items = chunk_bytes_for(sizeof(T)) / static_cast<int>(sizeof(T));
};

struct memory_sink
{
  unsigned char* first; // the first result
  bool on_grid;         // tiles of results begin on the 16-byte grid
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

  static constexpr bool on_grid = true; // it has none
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

template <class Form>
__device__ auto chunk_of(const memory_source&)
{
  using T = typename Form::accumulator;
  return column_chunk<column<T>, memory_source::chunk_items<T>>{};
}

template <class Form, class... Its>
__device__ auto chunk_of(const iterator_source<Its...>&)
{
  using T = typename Form::accumulator;
  return item_chunk<T, iterator_source<Its...>::template chunk_items<T>>{};
}

// Whether place i of chunk r, r * `step` + i items on, is in `inside`, whose first is in chunk 0.
__device__ inline bool holds(span inside, int step, int r, int i)
{
  return (r > 0 || inside.first <= i) && r * step + i < inside.last;
}

// Place i of chunk r gets item `at` + r * `step` + i of the range, as far as `inside` holds it. Whole: it holds all.
template <class Form, bool Whole, class Chunk, int Rows>
__device__ void load_rows(const memory_source& source, Chunk (&chunks)[Rows], index at, span inside, int step)
{
  using T                         = typename Form::accumulator;
  constexpr int items             = memory_source::chunk_items<T>;
  const unsigned char* const from = source.first + at * static_cast<index>(sizeof(T));
#  pragma unroll
  for (int r = 0; r < Rows; ++r)
  {
    const unsigned char* const chunk = from + r * step * static_cast<int>(sizeof(T));
    if (Whole || (holds(inside, step, r, 0) && holds(inside, step, r, items - 1)))
    {
#  pragma unroll
      for (int w = 0; w < Chunk::words; ++w)
      {
        chunks[r].word[w] = reinterpret_cast<const uint4*>(chunk)[w];
      }
    }
    else
    {
#  pragma unroll
      for (int i = 0; i < items; ++i)
      {
        if (holds(inside, step, r, i))
        {
          const carry::uninitialized<T> item(reinterpret_cast<const T*>(chunk)[i]);
          chunks[r].set(i, item.value);
        }
      }
    }
  }
}

template <class Form, bool Whole, class Chunk, int Rows, class... Its>
__device__ void load_rows(const iterator_source<Its...>& source, Chunk (&chunks)[Rows], index at, span inside, int step)
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
          if (Whole || holds(inside, step, r, i))
          {
            chunks[r].at[i] = carry::uninitialized<T>(Form::lift(*(first + (at + (r * step + i)))...));
          }
        }
      }
    },
    source.first);
}

// The same as load_rows the other way. Whole: and on the grid. An output that lies differently goes item by item.
template <bool Whole, class R, int Items, int Rows>
__device__ void
store_rows(const memory_sink& sink, const item_chunk<R, Items> (&results)[Rows], index at, span inside, int step)
{
  constexpr int size      = static_cast<int>(sizeof(R));
  constexpr int bytes     = Items * size;
  constexpr int words     = (bytes + grid_bytes - 1) / grid_bytes;
  constexpr bool in_words = bytes % grid_bytes == 0;
  unsigned char* const to = sink.first + at * size;
#  pragma unroll
  for (int r = 0; r < Rows; ++r)
  {
    unsigned char* const chunk = to + r * step * size;
    if (in_words && (Whole || (sink.on_grid && holds(inside, step, r, 0) && holds(inside, step, r, Items - 1))))
    {
      uint4 word[words];
      carry::copy_bytes(word, results[r].at, bytes);
#  pragma unroll
      for (int w = 0; w < words; ++w)
      {
        reinterpret_cast<uint4*>(chunk)[w] = word[w];
      }
    }
    else
    {
#  pragma unroll
      for (int i = 0; i < Items; ++i)
      {
        if (Whole || holds(inside, step, r, i))
        {
          reinterpret_cast<carry::uninitialized<R>*>(chunk)[i] = results[r].at[i];
        }
      }
    }
  }
}

template <bool Whole, class It, class R, int Items, int Rows>
__device__ void
store_rows(const iterator_sink<It>& sink, const item_chunk<R, Items> (&results)[Rows], index at, span inside, int step)
{
#  pragma unroll
  for (int r = 0; r < Rows; ++r)
  {
#  pragma unroll
    for (int i = 0; i < Items; ++i)
    {
      if (Whole || holds(inside, step, r, i))
      {
        *(sink.first + (at + (r * step + i))) = results[r].at[i].value;
      }
    }
  }
}
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
