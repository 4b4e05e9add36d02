// A tile's inputs in its stage: one column for each leaf (inputs.h) that has room there, filled, evaluated, put right, and read by
// chunks: a few neighbouring items in registers.
#pragma once

#include <lightscan/bulk/edges.h>
#include <lightscan/bulk/inputs.h>
#include <lightscan/bulk/kept_input.h>
#include <lightscan/bulk/section_guess.h>
#include <lightscan/bulk/stage_columns.h>
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
#if defined(__CUDACC__)
// A thread has `Chunks` chunks of `ChunkItems` items, a tile those of `Threads` threads. `Items` has a tuple `from` of the inputs.
template <class Items, int ChunkItems, int Threads, int Chunks, class... Inputs>
class stage_inputs
{
public:
  using items_type = Items;
  using leaves     = typename joined<typename Inputs::leaves...>::type;
  using in_chunks  = typename leaves::template chunks<ChunkItems>;

  static constexpr int chunk_items       = ChunkItems;
  static constexpr int chunks_per_thread = Chunks;
  static constexpr int threads           = Threads;
  static constexpr int tile_chunks       = Threads * Chunks;
  static constexpr int tile_items        = tile_chunks * chunk_items;

private:
  static constexpr bool on_grid = leaves::on_grid(Chunks * chunk_items);

public:
  __device__ explicit stage_inputs(const items_type& items)
      : from_(items.from)
  {}

  // The tile in `stage`, whose grid item 0 is item `begin` of the range.
  __device__ void look_at(unsigned char* stage, tile::index begin)
  {
    stage_ = stage;
    begin_ = begin;
  }

  __device__ unsigned char* stage() const
  {
    return stage_;
  }

  __device__ tile::index begin() const
  {
    return begin_;
  }

  // Loads chunk `number` of the tile, of the inputs from `First` on, up to `Last`.
  template <int First = 0, int Last = static_cast<int>(sizeof...(Inputs))>
  __device__ void load_inputs(in_chunks& in, int number) const
  {
    load_leaves<bulk::leaves_before<Inputs...>(First), bulk::leaves_before<Inputs...>(Last)>(
      in, number, leaves{}, ::cuda::std::make_index_sequence<leaves::count>{});
  }

  // The same for the first time, where no evaluator has read the iterators: reads them, as far as items are `inside`, counted from the
  // chunk's first, and puts what they yield into the stage.
  template <bool Whole>
  __device__ void calculate_inputs(in_chunks& in, int number, tile::span inside) const
  {
    unsigned char* area     = stage_;
    const tile::index first = begin_ + number * chunk_items;
    each_leaf(from_, [&](const auto& leaf, auto at) {
      using leaf_type = ::cuda::std::remove_cvref_t<decltype(leaf)>;
      auto& part      = ::cuda::std::get<decltype(at)::value>(in);
      if constexpr (leaf_type::evaluated)
      {
        leaf.template calculate<Whole>(part, first, inside);
        part.store(area, number, tile_chunks);
      }
      else
      {
        leaf_type::template load<chunk_items>(part, area, number, tile_chunks, first);
      }
      area += tile_items * leaf_type::item_bytes;
    });
  }

  // The same for all of a tile's items, by all threads of a group.
  __device__ void calculate_tile(tile::span inside, bool whole, int thread) const
  {
#  pragma unroll 1
    for (int number = thread; number < tile_chunks; number += Threads)
    {
      in_chunks in;
      const int first = number * chunk_items;
      if (whole)
      {
        calculate_inputs<true>(in, number, {});
      }
      else
      {
        calculate_inputs<false>(in, number, {inside.first - first, inside.last - first});
      }
    }
  }

  // Calls the functions whose values are kept, for a chunk that has been loaded for the first time.
  template <bool Whole>
  __device__ void keep_values(in_chunks& in, int number, tile::span inside)
  {
    keep_values<Whole>(in, number, inside, ::cuda::std::index_sequence_for<Inputs...>{});
  }

  // Item i of a chunk, of input K.
  template <int K>
  __device__ auto input(const in_chunks& in, int i)
  {
    return ::cuda::std::get<K>(from_).template value<bulk::leaves_before<Inputs...>(K)>(in, i);
  }

  // The item of the first input before a chunk's first, given the one before the tile; garbage where one of the two is not of the range,
  // for functions see no others. `inside`: where the range's items lie in the tile; `Whole`: they are all of it.
  template <bool Whole, class Value>
  __device__ util::uninitialized<Value> before_chunk(int number,
                                                     tile::span inside,
                                                     const util::uninitialized<Value>& before_tile)
  {
    using first_input         = ::cuda::std::tuple_element_t<0, ::cuda::std::tuple<Inputs...>>;
    const int first           = number * chunk_items;
    const bool behind_another = Whole || reads_anywhere<first_input> || (inside.first < first && first < inside.last);
    if (number == 0 || !behind_another)
    {
      return before_tile;
    }
    in_chunks left;
    load_inputs<0, 1>(left, number - 1); // others may be kept by another thread just now
    return util::uninitialized<Value>(input<0>(left, chunk_items - 1));
  }

  // A bit for each of a chunk's items that begins a run: of those `inside` (counted from the chunk's first), for tests see no others.
  // `before`: the item before the chunk's first (before_chunk), and afterwards its last one, for the chunk that follows.
  template <bool Whole, class Test, class Value>
  __device__ unsigned
  run_heads(const in_chunks& in, int number, tile::span inside, util::uninitialized<Value>& before, Test& test)
  {
    const int first          = number * chunk_items; // in the tile
    const int first_of_range = begin_ > 0 ? -1 : static_cast<int>(-begin_);
    unsigned bits            = 0;
#  pragma unroll
    for (int i = 0; i < chunk_items; ++i)
    {
      if (Whole || (inside.first <= i && i < inside.last))
      {
        const Value here  = input<0>(in, i);
        const bool starts = (!Whole || i == 0) && first + i == first_of_range; // of a whole tile, item 0
        const bool begins = starts || test.part_of(before.value, here) == 0;
        before            = util::uninitialized<Value>(here);
        bits |= begins ? 1u << i : 0u;
      }
    }
    return bits;
  }

  // Begins to fill a stage with what lies in memory, by all threads of the loaders; returns how many bytes will still arrive.
  template <class Mover, class Barrier>
  static __device__ unsigned fill(
    const items_type& items, const Mover& mover, unsigned char* stage, tile::index t, tile::span inside, Barrier& full)
  {
    unsigned pending_bytes = 0;
    each_leaf(items.from, [&](const auto& leaf, auto) {
      using leaf_type = ::cuda::std::remove_cvref_t<decltype(leaf)>;
      if constexpr (leaf_type::in_memory)
      {
        pending_bytes += leaf.template fill<on_grid>(mover, stage, t, inside, tile_items, full);
      }
      stage += tile_items * leaf_type::item_bytes;
    });
    return pending_bytes;
  }

  // Asks for a whole tile that will fill a stage before long; but for memory that lies on another grid than the tiles.
  template <class Mover>
  static __device__ void prefetch(const items_type& items, const Mover& mover, tile::index t)
  {
    each_leaf(items.from, [&](const auto& leaf, auto) {
      using leaf_type = ::cuda::std::remove_cvref_t<decltype(leaf)>;
      if constexpr (leaf_type::in_memory)
      {
        constexpr int bytes = tile_items * leaf_type::item_bytes;
        if (leaf.on_grid())
        {
          mover.prefetch(leaf.tile(t, bytes), bytes);
        }
      }
    });
  }

  // What is evaluated of a tile is evaluated in so many parts, each by a warp: as many items as a lane has under way at once. Where
  // items are only marked, a search begins each part, so there are few of them (perf/DECISIONS.md, marked-sections).
  static constexpr int evaluated_items =
    leaves::only_marked
      ? Chunks * chunk_items
      : items_at_once(Chunks * chunk_items,
                      leaves::widest_evaluated(),
                      evaluated_bytes_for(leaves::widest_evaluated(), bulk::columns_of(leaves{}).count));
  static constexpr int evaluated_parts = tile_items / (evaluated_items * warp::lanes);

  // Evaluates a part, by all lanes of a warp.
  static __device__ void evaluate(const items_type& items,
                                  unsigned char* stage,
                                  tile::index begin,
                                  tile::span inside,
                                  bool whole,
                                  int part,
                                  [[maybe_unused]] section_guess& guess)
  {
    // Where evaluators are alone a part is in one piece (perf/DECISIONS.md, part-in-one-piece).
    constexpr int step  = items_type::emits ? warp::lanes : Threads;
    constexpr int warps = step / warp::lanes;
    const int first     = part / warps * (evaluated_items * step) + part % warps * warp::lanes + warp::lane_id();
    each_leaf(items.from, [&](const auto& leaf, auto) {
      using leaf_type = ::cuda::std::remove_cvref_t<decltype(leaf)>;
      if constexpr (is_marked<leaf_type>)
      {
        constexpr int section = evaluated_items * warp::lanes;
        leaf.mark(stage + part * section, begin + part * section, section, begin + inside.last, guess);
      }
      else if constexpr (leaf_type::evaluated)
      {
        leaf.template evaluate<evaluated_items, step>(stage, begin, inside, whole, first);
      }
      stage += tile_items * leaf_type::item_bytes;
    });
  }

  // Puts columns of memory right that lie on another 16-byte grid than the tiles, by all threads of a group: those of whole tiles
  // stand rotated in the stage (edges.h), those at the range's ends do not stand there yet.
  template <class Synchronize>
  __device__ void
  straighten(const items_type& items, tile::index t, tile::span inside, int thread, Synchronize synchronize) const
  {
    if constexpr (!on_grid)
    {
      bool any = false;
#  pragma unroll 1 // one copy of the code for all columns
      for (int column = 0; column < leaves::count; ++column)
      {
        unsigned char* area       = stage_;
        const unsigned char* from = nullptr;
        tile::byte_span range{};
        int bytes = 0;
        each_leaf(items.from, [&](const auto& leaf, auto number) {
          using leaf_type = ::cuda::std::remove_cvref_t<decltype(leaf)>;
          if constexpr (leaf_type::in_memory)
          {
            if (number == column && !leaf.on_grid())
            {
              bytes = tile_items * leaf_type::item_bytes;
              from  = leaf.tile(t, bytes);
              range = leaf.bytes_of(inside, tile_items);
            }
          }
          area += number < column ? tile_items * leaf_type::item_bytes : 0;
        });
        if (from != nullptr)
        {
          any = true;
          if (range.last - range.first == bytes)
          {
            turn_back(area, from, bytes, thread, Threads, synchronize);
          }
          else
          {
            load_tile(area, from, range, thread, Threads);
          }
        }
      }
      if (any)
      {
        synchronize();
      }
    }
  }

private:
  template <class F>
  static __device__ void each_leaf(const ::cuda::std::tuple<Inputs...>& from, F f)
  {
    each_leaf(from, f, ::cuda::std::index_sequence_for<Inputs...>{});
  }
  template <class F, ::cuda::std::size_t... I>
  static __device__ void each_leaf(const ::cuda::std::tuple<Inputs...>& from, F& f, ::cuda::std::index_sequence<I...>)
  {
    (::cuda::std::get<I>(from).template each_leaf<bulk::leaves_before<Inputs...>(I)>(f), ...);
  }

  template <bool Whole, ::cuda::std::size_t... K>
  __device__ void keep_values(in_chunks& in, int number, tile::span inside, ::cuda::std::index_sequence<K...>)
  {
    const auto keep = [&](auto& input, auto at) {
      if constexpr (is_kept<::cuda::std::remove_cvref_t<decltype(input)>>)
      {
        constexpr int first       = bulk::leaves_before<Inputs...>(decltype(at)::value);
        constexpr int before      = first + ::cuda::std::remove_cvref_t<decltype(input)>::under::count;
        unsigned char* const area = stage_ + tile_items * bulk::bytes_of_leaves(leaves{}, before);
        input.template keep<Whole, chunk_items, first>(in, area, number, tile_chunks, inside);
      }
    };
    (keep(::cuda::std::get<K>(from_), ::cuda::std::integral_constant<int, static_cast<int>(K)>{}), ...);
  }

  template <int First, int Last, class... Leaves, ::cuda::std::size_t... I>
  __device__ void load_leaves(in_chunks& in, int number, leaf_list<Leaves...>, ::cuda::std::index_sequence<I...>) const
  {
    unsigned char* area     = stage_;
    const tile::index first = begin_ + number * chunk_items;
    const auto load         = [&](auto leaf, auto& part) {
      using leaf_type = typename decltype(leaf)::type;
      if constexpr (First <= decltype(leaf)::number && decltype(leaf)::number < Last)
      {
        leaf_type::template load<chunk_items>(part, area, number, tile_chunks, first);
      }
      area += tile_items * leaf_type::item_bytes;
    };
    (load(numbered<Leaves, static_cast<int>(I)>{}, ::cuda::std::get<I>(in)), ...);
  }

  template <class Leaf, int Number>
  struct numbered
  {
    using type                  = Leaf;
    static constexpr int number = Number;
  };

  ::cuda::std::tuple<Inputs...> from_; // a thread's own copies of the functions, which may have state
  unsigned char* stage_ = nullptr;
  tile::index begin_    = 0;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
