// Sources and sinks of the plain kernel: where the items of a chunk come from and where their results go.
//
//   memory_source, memory_sink      contiguous memory of the accumulator's or the result's own type: 16-byte words
//   marked_source                   the same of values, beside a list of where segments begin
//   converted_source, converted_sink  contiguous memory of another arithmetic type: a chunk at once, converted on the way
//   iterator_source, iterator_sink  any random-access iterators: item by item, converted on the way
//
// A source says how many items make a chunk and how they lie in registers. Only the first and the last chunk of a range, or of a whole
// row (row_scan.h), may hold fewer.
#pragma once

#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/segment_heads.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace plain
{
// Items of a chunk behind iterators. Neighbouring threads' items lie a chunk apart, so that a warp's access to one item of each
// touches a sector for every thread: the L1 cache joins loads, nothing joins stores. With few items in a chunk that costs
// little, and one shuffle scan serves them all (perf/DECISIONS.md, iterator-chunks).
LIGHTSCAN_HOST_DEVICE constexpr int iterator_chunk_items(unsigned accumulator_size)
{
  return accumulator_size <= 4 ? 4 : accumulator_size <= 8 ? 2 : 1;
}

// Whether chunks of T move in 16-byte words. Chunks of other sizes would take more registers than there are
// (perf/DECISIONS.md, words-per-chunk).
template <class T>
inline constexpr bool moves_in_words = sizeof(T) <= tile::grid_bytes&& tile::chunk_bytes_for(sizeof(T))
                                    <= 3 * tile::grid_bytes;

struct memory_source
{
  const unsigned char* first; // the range's first item; the range's tiles begin on the 16-byte grid

  template <class T>
  static constexpr int chunk_items = tile::chunk_bytes_for(sizeof(T)) / static_cast<int>(sizeof(T));
  template <class T>
  static constexpr int item_bytes = static_cast<int>(sizeof(T)); // in a thread's registers
};

// Items are runs of one value (tile/segmented_kind.h). `List`: where segments begin (tile/segment_heads.h).
template <class List>
struct marked_source
{
  const unsigned char* first; // the range's first value, as memory_source has it
  List list;

  template <class Run>
  using value_of = decltype(Run::value);
  template <class Run>
  static constexpr int chunk_items = memory_source::chunk_items<value_of<Run>>;
  template <class Run>
  static constexpr int item_bytes = memory_source::item_bytes<value_of<Run>>;
};

template <class Source>
inline constexpr bool is_marked_source = false;
template <class List>
inline constexpr bool is_marked_source<marked_source<List>> = true;

// Items are Vs in memory, converted to the accumulator.
template <class V>
struct converted_source
{
  const V* first;
  bool in_words; // whether a chunk's lie as one or more words do

  template <class T>
  static constexpr int chunk_items = iterator_chunk_items(sizeof(T));
  template <class T>
  static constexpr int item_bytes = static_cast<int>(sizeof(T));
};

template <class Source>
inline constexpr bool is_converted_source = false;
template <class V>
inline constexpr bool is_converted_source<converted_source<V>> = true;

struct memory_sink
{
  unsigned char* first; // the first result
  bool on_grid;         // whether tiles of results begin on the 16-byte grid
};

template <class R>
struct converted_sink
{
  R* first;
  bool in_words;

  static constexpr bool on_grid = true; // whole tiles are whole wherever they lie
};

// One iterator for each argument of the kind's lift.
template <class... Its>
struct iterator_source
{
  ::cuda::std::tuple<Its...> first;

  template <class T>
  static constexpr int chunk_items = iterator_chunk_items(sizeof(T));
  template <class T>
  static constexpr int item_bytes = static_cast<int>(sizeof(T));
};

template <class It>
struct iterator_sink
{
  It first;

  static constexpr bool on_grid = true; // an iterator knows no grid
};

#if defined(__CUDACC__)
template <class T, int Items>
struct item_chunk
{
  util::uninitialized<T> at[Items];

  __device__ util::uninitialized<T> item(int i) const
  {
    return at[i];
  }
};

// Values, and in bit i whether a segment begins with value i.
template <class Kind, class Value, int Items>
struct marked_chunk : tile::column_chunk<tile::column<Value>, Items>
{
  using values = tile::column_chunk<tile::column<Value>, Items>;

  unsigned heads;

  __device__ util::uninitialized<typename Kind::accumulator> item(int i) const
  {
    return util::uninitialized<typename Kind::accumulator>(Kind::lift((heads >> i & 1) != 0, values::item(i).value));
  }
};

// Vs, each of which is lifted where it is asked for.
template <class Kind, class V, int Items>
struct converted_chunk : tile::column_chunk<tile::column<V>, Items>
{
  using values = tile::column_chunk<tile::column<V>, Items>;

  __device__ util::uninitialized<typename Kind::accumulator> item(int i) const
  {
    return util::uninitialized<typename Kind::accumulator>(Kind::lift(values::item(i).value));
  }
};

template <class Kind, class V>
__device__ auto chunk_of(const converted_source<V>&)
{
  return converted_chunk<Kind, V, converted_source<V>::template chunk_items<typename Kind::accumulator>>{};
}

template <class Kind>
__device__ auto chunk_of(const memory_source&)
{
  using T = typename Kind::accumulator;
  return tile::column_chunk<tile::column<T>, memory_source::chunk_items<T>>{};
}

template <class Kind, class List>
__device__ auto chunk_of(const marked_source<List>&)
{
  using Run = typename Kind::accumulator;
  return marked_chunk<Kind, typename Kind::result, marked_source<List>::template chunk_items<Run>>{};
}

template <class Kind, class... Its>
__device__ auto chunk_of(const iterator_source<Its...>&)
{
  using T = typename Kind::accumulator;
  return item_chunk<T, iterator_source<Its...>::template chunk_items<T>>{};
}

// Whether item i of chunk r lies in `inside`, which counts from item 0 of chunk 0 and begins in chunk 0. Chunks lie `step` items
// apart.
__device__ inline bool holds(tile::span inside, int step, int r, int i)
{
  return (r > 0 || inside.first <= i) && r * step + i < inside.last;
}

// Of Ts in memory; in words, where `in_words`.
template <class T, int Items, bool Whole, class Chunk, int Stripes>
__device__ void load_words(const unsigned char* first,
                           Chunk (&chunks)[Stripes],
                           tile::index at,
                           tile::span inside,
                           int step,
                           bool in_words = true)
{
  using word                      = typename Chunk::word_type;
  const unsigned char* const from = first + at * static_cast<tile::index>(sizeof(T));
#  pragma unroll
  for (int r = 0; r < Stripes; ++r)
  {
    const unsigned char* const chunk = from + r * step * static_cast<int>(sizeof(T));
    if (in_words && (Whole || (holds(inside, step, r, 0) && holds(inside, step, r, Items - 1))))
    {
#  pragma unroll
      for (int w = 0; w < Chunk::words; ++w)
      {
        chunks[r].word[w] = reinterpret_cast<const word*>(chunk)[w];
      }
    }
    else
    {
#  pragma unroll
      for (int i = 0; i < Items; ++i)
      {
        if (Whole || holds(inside, step, r, i))
        {
          const util::uninitialized<T> item(reinterpret_cast<const T*>(chunk)[i]);
          chunks[r].set(i, item.value);
        }
      }
    }
  }
}

// Loads item `at` + r * `step` + i of the range as item i of chunk r, as far as `inside` holds it. `Whole`: it holds all.
template <class Kind, bool Whole, class Chunk, int Stripes>
__device__ void
load_striped(const memory_source& source, Chunk (&chunks)[Stripes], tile::index at, tile::span inside, int step)
{
  using T = typename Kind::accumulator;
  load_words<T, memory_source::chunk_items<T>, Whole>(source.first, chunks, at, inside, step);
}

template <class Kind, bool Whole, class V, class Chunk, int Stripes>
__device__ void
load_striped(const converted_source<V>& source, Chunk (&chunks)[Stripes], tile::index at, tile::span inside, int step)
{
  constexpr int items = converted_source<V>::template chunk_items<typename Kind::accumulator>;
  load_words<V, items, Whole>(
    reinterpret_cast<const unsigned char*>(source.first), chunks, at, inside, step, source.in_words);
}

template <class Kind, bool Whole, class List, class Chunk, int Stripes>
__device__ void
load_striped(const marked_source<List>& source, Chunk (&chunks)[Stripes], tile::index at, tile::span inside, int step)
{
  constexpr int items = marked_source<List>::template chunk_items<typename Kind::accumulator>;
  load_words<typename Kind::result, items, Whole>(source.first, chunks, at, inside, step);
  tile::each_chunks_heads<items, Stripes>(source.list, at, step, [&](int r, unsigned heads) {
    chunks[r].heads = heads;
  });
}

template <class Kind, bool Whole, class Chunk, int Stripes, class... Its>
__device__ void load_striped(
  const iterator_source<Its...>& source, Chunk (&chunks)[Stripes], tile::index at, tile::span inside, int step)
{
  using T = typename Kind::accumulator;
  ::cuda::std::apply(
    [&](const auto&... first) {
#  pragma unroll
      for (int r = 0; r < Stripes; ++r)
      {
#  pragma unroll
        for (int i = 0; i < iterator_chunk_items(sizeof(T)); ++i)
        {
          if (Whole || holds(inside, step, r, i))
          {
            chunks[r].at[i] = util::uninitialized<T>(Kind::lift(*(first + (at + (r * step + i)))...));
          }
        }
      }
    },
    source.first);
}

// Stores items from where load_striped loads them. `Whole`: `inside` holds all, and the output lies on the grid. An output that
// lies differently is stored item by item (perf/DECISIONS.md, bytes-for-items).
template <bool Whole, class R, int Items, int Stripes>
__device__ void store_striped(
  const memory_sink& sink, const item_chunk<R, Items> (&results)[Stripes], tile::index at, tile::span inside, int step)
{
  constexpr int size  = static_cast<int>(sizeof(R));
  constexpr int bytes = Items * size;
  constexpr int words = (bytes + tile::grid_bytes - 1) / tile::grid_bytes;
  // A 128-bit integer is stored as it is (util/uninitialized.h).
  constexpr bool in_words = bytes % tile::grid_bytes == 0 && !(::cuda::std::is_integral_v<R> && size == 16);
  unsigned char* const to = sink.first + at * size;
#  pragma unroll
  for (int r = 0; r < Stripes; ++r)
  {
    unsigned char* const chunk = to + r * step * size;
    if (in_words && (Whole || (sink.on_grid && holds(inside, step, r, 0) && holds(inside, step, r, Items - 1))))
    {
      uint4 word[words];
      util::copy_bytes(word, results[r].at, bytes);
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
          reinterpret_cast<util::uninitialized<R>*>(chunk)[i] = results[r].at[i];
        }
      }
    }
  }
}

template <bool Whole, class R, class T, int Items, int Stripes>
__device__ void store_striped(const converted_sink<R>& sink,
                              const item_chunk<T, Items> (&results)[Stripes],
                              tile::index at,
                              tile::span inside,
                              int step)
{
  using chunk_type = tile::column_chunk<tile::column<R>, Items>;
  using word       = typename chunk_type::word_type;
#  pragma unroll
  for (int r = 0; r < Stripes; ++r)
  {
    R* const chunk = sink.first + at + r * step;
    if (sink.in_words && (Whole || (holds(inside, step, r, 0) && holds(inside, step, r, Items - 1))))
    {
      chunk_type converted;
#  pragma unroll
      for (int i = 0; i < Items; ++i)
      {
        converted.set(i, static_cast<R>(results[r].at[i].value));
      }
#  pragma unroll
      for (int w = 0; w < chunk_type::words; ++w)
      {
        reinterpret_cast<word*>(chunk)[w] = converted.word[w];
      }
    }
    else
    {
#  pragma unroll
      for (int i = 0; i < Items; ++i)
      {
        if (Whole || holds(inside, step, r, i))
        {
          chunk[i] = static_cast<R>(results[r].at[i].value);
        }
      }
    }
  }
}

template <bool Whole, class It, class R, int Items, int Stripes>
__device__ void store_striped(const iterator_sink<It>& sink,
                              const item_chunk<R, Items> (&results)[Stripes],
                              tile::index at,
                              tile::span inside,
                              int step)
{
#  pragma unroll
  for (int r = 0; r < Stripes; ++r)
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
} // namespace plain
LIGHTSCAN_NAMESPACE_END
