// Inputs: where the items of a tile come from. An input is a tree, a function of the items of other inputs, down to leaves:
//
//   memory_input      a column of contiguous memory, which the loader copies into the stage
//   evaluated_input   any iterator, read once for each item into the stage: in coalesced order by the evaluators or, where none
//                     reads memory, by those who fold: a scan's by the item's thread, when it does, others by the group, before
//   computed_input    an iterator that computes its item from the index and takes no room in the stage: it is read where an item
//                     is wanted, because that costs next to nothing, or because the item, a key, is wanted but once
//   and where segments begin, in heads_input.h
//
// A leaf says what the stage holds of an item (`stored`; none: item_bytes is 0) and has
//
//   load(chunk, area, ...)     neighbouring items into registers
//   value<First>(chunks, i)    item i, given the chunks of the tree's leaves; this one's is number `First`
//   each_leaf<Number>(f)       f(leaf, number) for each leaf underneath, numbered from `Number` on
#pragma once

#include <lightscan/bulk/edges.h>
#include <lightscan/bulk/items_at_once.h>
#include <lightscan/bulk/source.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Whether a leaf that is evaluated is so by sections of a tile: neighbouring items, by one warp, in ways of its own (heads_input.h).
template <class Leaf>
inline constexpr bool is_marked = false;

// Whether a leaf is of keys that are searched for (source::searched).
template <class Leaf>
inline constexpr bool is_searched = false;

// Whether a leaf is a column that threads fill with what they make of other leaves' items.
template <class Leaf>
inline constexpr bool is_kept_beside = false;

// The leaves of a tree, from left to right.
template <class... Leaves>
struct leaf_list
{
  static constexpr int count      = static_cast<int>(sizeof...(Leaves));
  static constexpr int in_memory  = ((Leaves::in_memory ? 1 : 0) + ... + 0);
  static constexpr bool evaluated = (Leaves::evaluated || ... || false);
  // Nothing is evaluated item by item.
  static constexpr bool only_marked = evaluated && ((!Leaves::evaluated || is_marked<Leaves>) &&...);
  static constexpr bool gathers     = (Leaves::gathers || ... || false);
  // Nothing is gathered but keys that are searched for.
  static constexpr bool only_searched = gathers && ((!Leaves::gathers || is_searched<Leaves>) &&...);
  static constexpr source from        = only_marked                              ? source::marked
                                      : only_searched                            ? source::searched
                                      : gathers                                  ? source::gathered
                                      : (Leaves::calculates || ... || false)     ? source::calculated
                                      : (is_kept_beside<Leaves> || ... || false) ? source::kept
                                                                                 : source::memory;
  // What reads no memory is calculated by those who fold it: else warps would write to the stage what others read there. (Loads would not
  // be coalesced so: evaluators read them.)
  static constexpr bool only_calculated = evaluated && from == source::calculated;
  static constexpr bool has_evaluators  = evaluated && !only_calculated;

  // Bytes of the widest item that is evaluated.
  static constexpr int widest_evaluated()
  {
    int widest = 1;
    ((widest = Leaves::evaluated && Leaves::item_bytes > widest ? Leaves::item_bytes : widest), ...);
    return widest;
  }

  // Whether evaluating may take longer than scanning, with loads of words that groups have registers for (perf/DECISIONS.md,
  // groups-evaluate).
  static constexpr bool may_be_slow()
  {
    return widest_evaluated() >= 4 && reads_items(from);
  }

  // Whether memory is sure to lie on the tiles' 16-byte grid: there is but one column of it, and the grid lies fewer than
  // `most_lead` items before any address of it.
  static constexpr bool on_grid(int most_lead)
  {
    return in_memory == 0 || (in_memory == 1 && ((Leaves::leads_to_grid <= most_lead) && ... && true));
  }

#if defined(__CUDACC__)
  template <int Items>
  using chunks = ::cuda::std::tuple<typename Leaves::template chunk<Items>...>;
#endif
};

template <class... Lists>
struct joined
{
  using type = leaf_list<>;
};
template <class List>
struct joined<List>
{
  using type = List;
};
template <class... A, class... B, class... Lists>
struct joined<leaf_list<A...>, leaf_list<B...>, Lists...> : joined<leaf_list<A..., B...>, Lists...>
{};

// The leaves of the first `number` of some inputs.
template <class... Inputs>
LIGHTSCAN_HOST_DEVICE constexpr int leaves_before(int number)
{
  constexpr int counts[] = {Inputs::leaves::count...};
  int before             = 0;
  for (int k = 0; k < number; ++k)
  {
    before += counts[k];
  }
  return before;
}

#if defined(__CUDACC__)
// Stores items of a tile into its stage, as far as they are `inside`: item p is from[p], converted to what the stage holds. By all
// lanes of a warp, which hold neighbours beside each other: each has items `first`, first + `Step`, ..., `Count` of them. `Whole`: all
// of the tile's items are inside.
template <bool Whole, int Count, int Step, class Stored, class It>
__device__ void evaluate_items(util::uninitialized<Stored>* to, const It& from, tile::span inside, int first)
{
  constexpr int at_once = items_at_once(Count, static_cast<int>(sizeof(Stored)));
#  pragma unroll 1
  for (int begin = first; begin < first + Count * Step; begin += at_once * Step)
  {
    util::uninitialized<Stored> value[at_once];
#  pragma unroll
    for (int k = 0; k < at_once; ++k)
    {
      if (Whole || (inside.first <= begin + k * Step && begin + k * Step < inside.last))
      {
        value[k] = util::uninitialized<Stored>(static_cast<Stored>(*(from + (begin + k * Step))));
      }
    }
#  pragma unroll
    for (int k = 0; k < at_once; ++k)
    {
      if (Whole || (inside.first <= begin + k * Step && begin + k * Step < inside.last))
      {
        to[begin + k * Step] = value[k];
      }
    }
  }
}
#endif

// `Column` is a tile::column.
template <class Column>
struct memory_input : Column
{
  using leaves = leaf_list<memory_input>;
  using stored = typename Column::stored;

  static constexpr bool in_memory  = true;
  static constexpr bool evaluated  = false;
  static constexpr bool calculates = false;
  static constexpr bool gathers    = false;
  static constexpr int item_bytes  = static_cast<int>(sizeof(stored));
  // The grid lies fewer items before any address; more than any tile has where it need not lie whole items before.
  static constexpr int leads_to_grid = tile::always_meets_grid<stored> ? tile::chunk_bytes_for(item_bytes) / item_bytes
                                                                       : 1 << 30;

#if defined(__CUDACC__)
  template <int Items>
  using chunk = tile::column_chunk<Column, Items>;
#endif

#if defined(__CUDACC__)
  template <int Items>
  static __device__ void load(chunk<Items>& part, unsigned char* area, int number, int count, tile::index)
  {
    part.load(area, number, count);
  }

  template <int First, class Chunks>
  __device__ auto value(const Chunks& chunks, int i)
  {
    return this->function(::cuda::std::get<First>(chunks).item(i).value);
  }

  template <int Number, class F>
  __device__ void each_leaf(F& f) const
  {
    f(*this, ::cuda::std::integral_constant<int, Number>{});
  }

  // Begins to fill its part of the stage, `area`, by all threads of the loaders; returns how many bytes will still arrive. Where memory
  // lies on another 16-byte grid than the tiles, a whole tile comes rotated (edges.h), and one at the range's ends not at all.
  template <bool OnGrid, class Mover, class Barrier>
  __device__ unsigned
  fill(const Mover& mover, unsigned char* area, tile::index t, tile::span inside, int tile_items, Barrier& full) const
  {
    const int bytes           = tile_items * item_bytes;
    const unsigned char* from = this->tile(t, bytes);
    tile::byte_span range     = Column::bytes_of(inside, tile_items);
    if (!OnGrid && !this->on_grid())
    {
      if (range.last - range.first < bytes)
      {
        return 0;
      }
      copy_around(area, from, bytes, mover.thread());
      from += bytes_to_grid(from);
      range.last -= tile::grid_bytes;
    }
    return mover.fill(area, from, range, full);
  }
#endif
};

// The stage holds the items as `Stored`. `From`: calculated, or reading one may read memory: gathered or searched.
template <class It, class Stored, source From = source::gathered>
struct evaluated_input
{
  using leaves = leaf_list<evaluated_input>;
  using stored = Stored;

  static constexpr bool in_memory    = false;
  static constexpr bool evaluated    = true;
  static constexpr bool calculates   = true;
  static constexpr bool gathers      = reads_items(From);
  static constexpr int leads_to_grid = 0;
  static constexpr bool reversed     = false;
  static constexpr int item_bytes    = static_cast<int>(sizeof(stored));

#if defined(__CUDACC__)
  template <int Items>
  using chunk = tile::column_chunk<tile::column<Stored>, Items>;
#endif

  It first;

#if defined(__CUDACC__)
  template <int Items>
  static __device__ void load(chunk<Items>& part, unsigned char* area, int number, int count, tile::index)
  {
    part.load(area, number, count);
  }

  template <int First, class Chunks>
  __device__ Stored value(const Chunks& chunks, int i)
  {
    return ::cuda::std::get<First>(chunks).item(i).value;
  }

  template <int Number, class F>
  __device__ void each_leaf(F& f) const
  {
    f(*this, ::cuda::std::integral_constant<int, Number>{});
  }

  // Neighbouring items, from item `begin` of the range on, as far as they are `inside`; garbage elsewhere.
  template <bool Whole, int Items>
  __device__ void calculate(chunk<Items>& part, tile::index begin, tile::span inside) const
  {
    part = {};
#  pragma unroll
    for (int i = 0; i < Items; ++i)
    {
      if (Whole || (inside.first <= i && i < inside.last))
      {
        part.set(i, static_cast<Stored>(*(first + (begin + i))));
      }
    }
  }

  template <int Count, int Step>
  __device__ void evaluate(unsigned char* area, tile::index begin, tile::span inside, bool whole, int first_item) const
  {
    auto* const to = reinterpret_cast<util::uninitialized<Stored>*>(area);
    if (whole)
    {
      evaluate_items<true, Count, Step>(to, first + begin, inside, first_item);
    }
    else
    {
      evaluate_items<false, Count, Step>(to, first + begin, inside, first_item);
    }
  }
#endif
};

template <class It, class Stored>
inline constexpr bool is_searched<evaluated_input<It, Stored, source::searched>> = true;

// `Calculates`: more than next to nothing, but only once.
template <class It, class Value, bool Calculates = false>
struct computed_input
{
  using leaves = leaf_list<computed_input>;

  static constexpr bool in_memory    = false;
  static constexpr bool evaluated    = false;
  static constexpr bool calculates   = Calculates;
  static constexpr bool gathers      = false;
  static constexpr int leads_to_grid = 0;
  static constexpr bool reversed     = false;
  static constexpr int item_bytes    = 0;

  template <int Items>
  struct chunk
  {
    static constexpr int bytes = 0;

    tile::index first;
  };

  It first;

#if defined(__CUDACC__)
  template <int Items>
  static __device__ void load(chunk<Items>& part, unsigned char*, int, int, tile::index first_of_chunk)
  {
    part.first = first_of_chunk;
  }

  template <int First, class Chunks>
  __device__ Value value(const Chunks& chunks, int i)
  {
    return *(first + (::cuda::std::get<First>(chunks).first + i));
  }

  template <int Number, class F>
  __device__ void each_leaf(F& f) const
  {
    f(*this, ::cuda::std::integral_constant<int, Number>{});
  }
#endif
};

// A function of the items of other inputs.
template <class Function, class... Inputs>
struct composed_input
{
  using leaves = typename joined<typename Inputs::leaves...>::type;

  Function function;
  ::cuda::std::tuple<Inputs...> inputs;

#if defined(__CUDACC__)
  template <int First, class Chunks>
  __device__ auto value(const Chunks& chunks, int i)
  {
    return apply<First>(chunks, i, ::cuda::std::index_sequence_for<Inputs...>{});
  }

  template <int Number, class F>
  __device__ void each_leaf(F& f) const
  {
    leaves_of<Number>(f, ::cuda::std::index_sequence_for<Inputs...>{});
  }

private:
  template <int Number, class F, ::cuda::std::size_t... I>
  __device__ void leaves_of(F& f, ::cuda::std::index_sequence<I...>) const
  {
    (::cuda::std::get<I>(inputs).template each_leaf<Number + bulk::leaves_before<Inputs...>(I)>(f), ...);
  }

  template <int First, class Chunks, ::cuda::std::size_t... I>
  __device__ auto apply(const Chunks& chunks, int i, ::cuda::std::index_sequence<I...>)
  {
    return function(
      ::cuda::std::get<I>(inputs).template value<First + bulk::leaves_before<Inputs...>(I)>(chunks, i)...);
  }
#endif
};

// Whether reading an item calls nothing of a user's, so that it may be read where there is none.
template <class Input>
inline constexpr bool reads_anywhere = false;
template <class Stored, bool Reversed>
inline constexpr bool reads_anywhere<memory_input<tile::column<Stored, ::cuda::std::identity, Reversed>>> = true;

// The input that a kernel's items name: memory by its column, others by themselves.
template <class Input>
struct input_of
{
  using type = Input;
};
template <class Stored, class Function, bool Reversed>
struct input_of<tile::column<Stored, Function, Reversed>>
{
  using type = memory_input<tile::column<Stored, Function, Reversed>>;
};
template <class Input>
using input_of_t = typename input_of<Input>::type;
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
