// Outputs: where the results of a tile go, once they stand in its stage. An output has
//
//   columns                the columns that results have in the stage (result_column), which decides where they are put there
//                          (stage_view.h)
//   set(chunks, i, value)  puts result i into chunks of these columns
//   by_storer(), store     whether the storer has something to store, and what it does, with all its lanes; it returns when the
//                          stage may be filled again
//   by_group(),            the same for the threads of a group, which have all put their results
//   store_by_group
#pragma once

#include <lightscan/bulk/edges.h>
#include <lightscan/bulk/inputs.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/functional>
#include <cuda/std/memory>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
template <class Stored, bool Reversed = false>
struct result_column
{
  static constexpr bool reversed  = Reversed;
  static constexpr int item_bytes = static_cast<int>(sizeof(Stored));

#if defined(__CUDACC__)
  template <int Items>
  using chunk = tile::column_chunk<tile::column<Stored, ::cuda::std::identity, Reversed>, Items>;
#endif
};

// A column of contiguous memory. Where it lies differently on the 16-byte grid than the tiles, the group shifts word by word: bulk
// copies cannot, and one storer warp would be too slow for it (perf/DECISIONS.md, misaligned-output).
template <class Column>
struct memory_column : Column
{
  using result = result_column<typename Column::stored, Column::reversed>;

#if defined(__CUDACC__)
  template <int TileItems, class Mover>
  __device__ void store(const Mover& mover, const unsigned char* area, tile::index t, tile::span inside) const
  {
    if (this->on_grid())
    {
      mover.empty(address<TileItems>(t), area, Column::bytes_of(inside, TileItems));
    }
  }

  template <int TileItems>
  __device__ void
  store_by_group(const unsigned char* area, tile::index t, tile::span inside, int thread, int threads) const
  {
    if (!this->on_grid())
    {
      store_tile(address<TileItems>(t), area, Column::bytes_of(inside, TileItems), thread, threads);
    }
  }

private:
  template <int TileItems>
  __device__ unsigned char* address(tile::index t) const
  {
    return this->tile(t, TileItems * static_cast<int>(sizeof(typename Column::stored)));
  }
#endif
};

// One result for each element: in a column of memory; or in several, its members one by one where it is a tuple.
template <class... Columns>
struct column_output
{
  using columns = leaf_list<typename memory_column<Columns>::result...>;

  ::cuda::std::tuple<memory_column<Columns>...> to;

#if defined(__CUDACC__)
  template <class Chunks, class Result>
  static __device__ void set(Chunks& chunks, int i, const Result& value)
  {
    if constexpr (sizeof...(Columns) == 1)
    {
      (::cuda::std::get<0>(chunks).set(i, static_cast<typename Columns::stored>(value)), ...);
    }
    else
    {
      set_members(chunks, i, value, ::cuda::std::index_sequence_for<Columns...>{});
    }
  }

  __device__ bool by_storer() const
  {
    return ::cuda::std::apply(
      [](const auto&... column) {
        return (column.on_grid() || ...);
      },
      to);
  }
  __device__ bool by_group() const
  {
    return !::cuda::std::apply(
      [](const auto&... column) {
        return (column.on_grid() && ...);
      },
      to);
  }

  template <class View, class Mover>
  __device__ void store(const Mover& mover, unsigned char* stage, tile::index t, tile::span inside) const
  {
    each_column<View>(
      stage, ::cuda::std::index_sequence_for<Columns...>{}, [&](const auto& column, unsigned char* area) {
        column.template store<View::tile_items>(mover, area, t, inside);
      });
  }

  template <class View>
  __device__ void store_by_group(unsigned char* stage, tile::index t, tile::index, tile::span inside, int thread) const
  {
    each_column<View>(
      stage, ::cuda::std::index_sequence_for<Columns...>{}, [&](const auto& column, unsigned char* area) {
        column.template store_by_group<View::tile_items>(area, t, inside, thread, View::threads);
      });
  }

private:
  template <class Chunks, class Result, ::cuda::std::size_t... K>
  static __device__ void set_members(Chunks& chunks, int i, const Result& value, ::cuda::std::index_sequence<K...>)
  {
    using ::cuda::std::get;
    (::cuda::std::get<K>(chunks).set(i, static_cast<typename Columns::stored>(get<K>(value))), ...);
  }

  template <class View, ::cuda::std::size_t... K, class F>
  __device__ void each_column(unsigned char* stage, ::cuda::std::index_sequence<K...>, F f) const
  {
    (f(::cuda::std::get<K>(to), View::template output_area<static_cast<int>(K)>(stage)), ...);
  }
#endif
};

#if defined(__CUDACC__)
// What an iterator's `*` yields, kept until it is assigned to: a reference as its address, an object that stands for an element as
// itself.
template <class Reference>
struct kept_reference
{
  util::uninitialized<Reference> target;

  template <class Value>
  __device__ void assign(const Value& value)
  {
    target.value = value;
  }
};
template <class Element>
struct kept_reference<Element&>
{
  Element* target;

  template <class Value>
  __device__ void assign(const Value& value)
  {
    *target = value;
  }
};

template <class It>
__device__ auto kept(const It& it)
{
  using reference = decltype(*it);
  if constexpr (::cuda::std::is_lvalue_reference_v<reference>)
  {
    return kept_reference<reference>{::cuda::std::addressof(*it)};
  }
  else
  {
    return kept_reference<reference>{{*it}};
  }
}
#endif

// Any iterator: each result, as the scan has it, is assigned to its element once, in coalesced order. The iterator is dereferenced
// for several elements before any of them is assigned to, for that may take a load (a permutation's), which could not pass a store
// (perf/DECISIONS.md, assigned-at-once).
template <class It, class Result>
struct iterator_output
{
  using columns = leaf_list<result_column<Result>>;

  It first;

#if defined(__CUDACC__)
  template <class Chunks>
  static __device__ void set(Chunks& chunks, int i, const Result& value)
  {
    ::cuda::std::get<0>(chunks).set(i, value);
  }

  static __device__ bool by_storer()
  {
    return false;
  }
  static __device__ bool by_group()
  {
    return true;
  }

  template <class View, class Mover>
  __device__ void store(const Mover&, unsigned char*, tile::index, tile::span) const
  {}

  template <class View>
  __device__ void
  store_by_group(unsigned char* stage, tile::index, tile::index begin, tile::span inside, int thread) const
  {
    const auto* const results =
      reinterpret_cast<const util::uninitialized<Result>*>(View::template output_area<0>(stage));
    const It tile = first + begin;
    if (inside.first == 0 && inside.last == View::tile_items)
    {
      assign<true, View::tile_items, View::threads>(tile, results, inside, thread);
    }
    else
    {
      assign<false, View::tile_items, View::threads>(tile, results, inside, thread);
    }
  }

private:
  // `Whole`: all of the tile's results are inside.
  template <bool Whole, int TileItems, int Threads>
  static __device__ void
  assign(const It& tile, const util::uninitialized<Result>* results, tile::span inside, int thread)
  {
    using target = decltype(kept(tile + 0));
    // Some iterators stand for their element themselves, and `*` of one yields a reference to it: which ends with the expression.
    constexpr bool itself  = ::cuda::std::is_same_v<::cuda::std::remove_cvref_t<decltype(*tile)>, It>;
    constexpr bool keeps   = util::is_bitwise_copyable<target> && !itself;
    constexpr int at_once  = keeps ? items_at_once(TileItems / Threads, static_cast<int>(sizeof(target))) : 1;
    const auto is_to_store = [&](int p) {
      return Whole || (inside.first <= p && p < inside.last);
    };
#  pragma unroll 1
    for (int begin = thread; begin < TileItems; begin += at_once * Threads)
    {
      if constexpr (keeps)
      {
        util::uninitialized<target> targets[at_once];
#  pragma unroll
        for (int k = 0; k < at_once; ++k)
        {
          if (is_to_store(begin + k * Threads))
          {
            targets[k] = kept(tile + (begin + k * Threads));
          }
        }
#  pragma unroll
        for (int k = 0; k < at_once; ++k)
        {
          if (is_to_store(begin + k * Threads))
          {
            targets[k].value.assign(results[begin + k * Threads].value);
          }
        }
      }
      else if (is_to_store(begin))
      {
        *(tile + begin) = results[begin].value;
      }
    }
  }
#endif
};

// Results that nobody wants.
struct discarded_output
{
  using columns = leaf_list<>;

#if defined(__CUDACC__)
  template <class Chunks, class Result>
  static __device__ void set(Chunks&, int, const Result&)
  {}

  static __device__ bool by_storer()
  {
    return false;
  }
  static __device__ bool by_group()
  {
    return false;
  }

  template <class View, class Mover>
  __device__ void store(const Mover&, unsigned char*, tile::index, tile::span) const
  {}

  template <class View>
  __device__ void store_by_group(unsigned char*, tile::index, tile::index, tile::span, int) const
  {}
#endif
};

// The output that a kernel's items name: memory by its column, others by themselves.
template <class Output>
struct output_of
{
  using type = Output;
};
template <class Stored, class Function, bool Reversed>
struct output_of<tile::column<Stored, Function, Reversed>>
{
  using type = column_output<tile::column<Stored, Function, Reversed>>;
};
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
