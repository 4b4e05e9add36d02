// How the items of a tile lie in its stage, and what they are to the scan: one column for each leaf of the inputs (inputs.h) that
// has room there, and results over the last of them. A thread goes through its items (thread_items.h) in chunks: a few of them in
// registers.
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/bulk/outputs.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Placement of results in a stage: over the last leaves' items. In place, a result lies on its own element, or on none where
// there is room of its own, and a thread can put it there at once. Moved, it may lie on another thread's element, which must
// have been read before, so each thread takes all its elements first; where results are wider, these are less than what it will
// write.
enum class placement
{
  in_place,
  moved,
  moved_wider
};

// Columns of a stage, in their order.
template <int Most>
struct stage_columns
{
  int count  = 0;
  int bytes  = 0; // of an item, in all
  int widest = 1;
  int width[Most + 1]{}; // bytes of an item
  int leaf[Most + 1]{};  // whose column it is
  bool reversed[Most + 1]{};

  constexpr void add(int item_bytes, int of_leaf, bool against)
  {
    if (item_bytes > 0)
    {
      width[count]    = item_bytes;
      leaf[count]     = of_leaf;
      reversed[count] = against;
      widest          = item_bytes > widest ? item_bytes : widest;
      bytes += item_bytes;
      ++count;
    }
  }

  // Bytes of an item in the first `columns` of them.
  LIGHTSCAN_HOST_DEVICE constexpr int before(int columns) const
  {
    int sum = 0;
    for (int k = 0; k < columns; ++k)
    {
      sum += width[k];
    }
    return sum;
  }
};

template <class... Leaves>
constexpr auto columns_of(leaf_list<Leaves...>)
{
  stage_columns<sizeof...(Leaves)> columns;
  int leaf = 0;
  (columns.add(Leaves::item_bytes, leaf++, Leaves::reversed), ...);
  return columns;
}

// The fewest items of which the widest type fills whole 16-byte words. Narrower ones then move in narrower words: with
// whole 16-byte words of each, a thread's bytes of the widest would be an even number of them, and neighbours' accesses
// meet in banks (perf/DECISIONS.md, chunk-items). One, where so many would not find room in registers.
constexpr int chunk_items_for(int widest)
{
  constexpr int most_bytes = 256;
  const int bytes          = tile::chunk_bytes_for(static_cast<unsigned>(widest));
  return bytes <= most_bytes ? bytes / widest : 1;
}

// Where the results' columns come to lie, given the leaves' ones.
struct stage_layout
{
  placement placed;
  int covered;   // so many of the last leaves lie under the results
  int output_at; // bytes of an item before the results
  int bytes;     // of an item, in all

  template <int Leaves, int Results>
  constexpr stage_layout(const stage_columns<Leaves>& leaves, const stage_columns<Results>& results)
      : placed(placement::in_place)
      , covered(leaves.count < results.count ? leaves.count : results.count)
      , output_at(leaves.bytes)
      , bytes(0)
  {
    bool alike = leaves.count == 0 || covered == results.count;
    for (int k = 0; k < covered; ++k)
    {
      const int under = leaves.count - covered + k;
      output_at -= leaves.width[under];
      alike = alike && leaves.width[under] == results.width[k] && leaves.reversed[under] == results.reversed[k];
    }
    const int under_bytes = leaves.bytes - output_at;
    const bool wider      = results.bytes > under_bytes;
    placed                = alike ? placement::in_place : wider ? placement::moved_wider : placement::moved;
    bytes                 = output_at + (wider ? results.bytes : under_bytes);
    bytes                 = bytes > 0 ? bytes : 1; // computed from an index, and nobody wants it
  }
};

// Inputs, the output, and what happens between them.
template <class Kind, class Output, class... Inputs>
struct column_items
{
  using kind_type   = Kind;
  using output_type = typename output_of<Output>::type;
  using leaves      = typename joined<typename input_of_t<Inputs>::leaves...>::type;

  static constexpr auto inputs  = bulk::columns_of(leaves{});
  static constexpr auto results = bulk::columns_of(typename output_type::columns{});
  static constexpr stage_layout layout{inputs, results};
  static constexpr placement placed = layout.placed;
  static constexpr bool in_place    = placed == placement::in_place;

  // A chunk has so many items, and so many bytes of a stage.
  static constexpr int items        = chunk_items_for(inputs.widest > results.widest ? inputs.widest : results.widest);
  static constexpr int input_bytes  = items * inputs.bytes;
  static constexpr int output_bytes = items * results.bytes;
  static constexpr int bytes        = items * layout.bytes;

  Kind kind;
  output_type to;
  ::cuda::std::tuple<input_of_t<Inputs>...> from;
};

#if defined(__CUDACC__)
// A thread has `Chunks` chunks, a tile the items of `Threads` threads.
template <class Items, int Threads, int Chunks>
class column_view;

template <class Kind, class Output, class... Inputs, int Threads, int Chunks>
class column_view<column_items<Kind, Output, Inputs...>, Threads, Chunks>
{
public:
  using items_type  = column_items<Kind, Output, Inputs...>;
  using kind_type   = Kind;
  using accumulator = typename Kind::accumulator;
  using result      = typename Kind::result;

  static constexpr int chunk_items       = items_type::items;
  static constexpr int chunks_per_thread = Chunks;
  static constexpr int threads           = Threads;
  static constexpr int tile_items        = Threads * Chunks * chunk_items;
  static constexpr bool in_place         = items_type::in_place;

private:
  static constexpr int tile_chunks = Threads * Chunks;

  using resolved    = decltype(::cuda::std::declval<const Kind&>().resolved());
  using output_type = typename items_type::output_type;
  using leaves      = typename items_type::leaves;
  using columns     = typename output_type::columns;

  static constexpr bool on_grid = leaves::on_grid(Chunks * chunk_items);

public:
  struct chunk
  {
    typename leaves::template chunks<chunk_items> in;
    typename columns::template chunks<chunk_items> out;
  };

  __device__ explicit column_view(const items_type& items)
      : kind_(items.kind.resolved())
      , from_(items.from)
  {}

  // The tile in `stage`, whose grid item 0 is item `begin` of the range.
  __device__ void look_at(unsigned char* stage, tile::index begin)
  {
    stage_ = stage;
    begin_ = begin;
  }

  __device__ chunk load(int number) const
  {
    chunk loaded;
    load_leaves(loaded.in, number, leaves{}, ::cuda::std::make_index_sequence<leaves::count>{});
    if constexpr (in_place)
    {
      covered_words(loaded, ::cuda::std::make_index_sequence<items_type::layout.covered>{});
    }
    return loaded;
  }

  __device__ void store(int number, const chunk& done) const
  {
    store_results(number, done, ::cuda::std::make_index_sequence<columns::count>{});
  }

  __device__ accumulator item(const chunk& loaded, int i)
  {
    return lift(loaded, i, ::cuda::std::index_sequence_for<Inputs...>{});
  }

  __device__ static void set(chunk& loaded, int i, const result& value)
  {
    output_type::set(loaded.out, i, value);
  }

  __device__ const resolved& kind() const
  {
    return kind_;
  }

  // Where column `Number` of a tile's results lies.
  template <int Number>
  static __device__ unsigned char* output_area(unsigned char* stage)
  {
    constexpr int at = items_type::layout.output_at + items_type::results.before(Number);
    return stage + tile_items * at;
  }

  // Begins to fill a stage with what lies in memory, by all lanes of the loader; returns how many bytes will still arrive.
  template <class Mover, class Barrier>
  static __device__ unsigned fill(
    const items_type& items, const Mover& mover, unsigned char* stage, tile::index t, tile::span inside, Barrier& full)
  {
    unsigned pending_bytes = 0;
    each_leaf(items, [&](const auto& leaf) {
      using leaf_type = ::cuda::std::remove_cvref_t<decltype(leaf)>;
      if constexpr (leaf_type::in_memory)
      {
        pending_bytes += leaf.template fill<on_grid>(mover, stage, t, inside, tile_items, full);
      }
      stage += tile_items * leaf_type::item_bytes;
    });
    return pending_bytes;
  }

  // What is evaluated of a tile is evaluated in so many parts, each by a warp: as many items as a lane has under way at once; half
  // as many where there are other columns, of which more is under way.
  static constexpr int evaluated_items = items_at_once(
    Chunks* chunk_items, leaves::widest_evaluated(), evaluated_bytes_at_once / (items_type::inputs.count > 1 ? 2 : 1));
  static constexpr int evaluated_parts = tile_items / (evaluated_items * warp::lanes);

  // Evaluates a part, by all lanes of a warp.
  static __device__ void evaluate(
    const items_type& items, unsigned char* stage, tile::index begin, tile::span inside, bool whole, int part)
  {
    constexpr int warps = Threads / warp::lanes;
    const int first     = part / warps * (evaluated_items * Threads) + part % warps * warp::lanes + warp::lane_id();
    each_leaf(items, [&](const auto& leaf) {
      using leaf_type = ::cuda::std::remove_cvref_t<decltype(leaf)>;
      if constexpr (leaf_type::evaluated)
      {
        leaf.template evaluate<evaluated_items, Threads>(stage, begin, inside, whole, first);
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
        int bytes  = 0;
        int number = 0;
        each_leaf(items, [&](const auto& leaf) {
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
          ++number;
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
  static __device__ void each_leaf(const items_type& items, F f)
  {
    ::cuda::std::apply(
      [&](const auto&... input) {
        (input.each_leaf(f), ...);
      },
      items.from);
  }

  template <class... Leaves, ::cuda::std::size_t... I>
  __device__ void load_leaves(typename leaves::template chunks<chunk_items>& in,
                              int number,
                              leaf_list<Leaves...>,
                              ::cuda::std::index_sequence<I...>) const
  {
    unsigned char* area     = stage_;
    const tile::index first = begin_ + number * chunk_items;
    ((Leaves::template load<chunk_items>(::cuda::std::get<I>(in), area, number, tile_chunks, first),
      area += tile_items * Leaves::item_bytes),
     ...);
  }

  // Words of the columns that results come to lie on: what a thread leaves alone stays as it was.
  template <::cuda::std::size_t... K>
  static __device__ void covered_words(chunk& loaded, ::cuda::std::index_sequence<K...>)
  {
    constexpr int first = items_type::inputs.count - items_type::layout.covered;
    (copy_words(::cuda::std::get<K>(loaded.out), ::cuda::std::get<items_type::inputs.leaf[first + K]>(loaded.in)), ...);
  }

  template <class To, class From>
  static __device__ void copy_words(To& to, const From& from)
  {
#  pragma unroll
    for (int w = 0; w < To::words; ++w)
    {
      to.word[w] = from.word[w];
    }
  }

  template <::cuda::std::size_t... K>
  __device__ void store_results(int number, const chunk& done, ::cuda::std::index_sequence<K...>) const
  {
    (::cuda::std::get<K>(done.out).store(output_area<static_cast<int>(K)>(stage_), number, tile_chunks), ...);
  }

  template <::cuda::std::size_t... I>
  __device__ accumulator lift(const chunk& loaded, int i, ::cuda::std::index_sequence<I...>)
  {
    return kind_.lift(
      ::cuda::std::get<I>(from_).template value<bulk::leaves_before<input_of_t<Inputs>...>(I)>(loaded.in, i)...);
  }

  resolved kind_;
  ::cuda::std::tuple<input_of_t<Inputs>...> from_; // a thread's own copies of the functions, which may have state
  unsigned char* stage_ = nullptr;
  tile::index begin_    = 0;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
