// How the items of a tile lie in its stage, and what they are to the scan: one column for each leaf of the inputs (inputs.h) that
// has room there, and results over the last of them, but where they are emitted. A thread goes through its items (thread_items.h) in
// chunks: a few of them in registers.
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/bulk/outputs.h>
#include <lightscan/bulk/stage_inputs.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
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
  moved_wider,
  emitted // in another number, over any items (emission.h)
};

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
  static constexpr placement placed    = layout.placed;
  static constexpr bool in_place       = placed == placement::in_place;
  static constexpr bool emits          = false; // results in another number (emission.h)
  static constexpr bool has_evaluators = leaves::has_evaluators;

  // A chunk has so many items, and so many bytes of a stage.
  static constexpr int items        = chunk_items_for(inputs.widest > results.widest ? inputs.widest : results.widest);
  static constexpr int input_bytes  = items * inputs.bytes;
  static constexpr int output_bytes = items * results.bytes;
  static constexpr int bytes        = items * layout.bytes;
  static constexpr int held_bytes   = input_bytes; // that a thread holds of a chunk where results are moved
  static constexpr int slack        = 0;           // bytes of a stage beside the items'

  Kind kind;
  output_type to;
  ::cuda::std::tuple<input_of_t<Inputs>...> from;
};

template <class Output>
inline constexpr bool is_memory_output = false;
template <class Column>
inline constexpr bool is_memory_output<column_output<Column>> = true;

// Those of a scan: its values are the last input. `Beside`: where they are kept, a stage may have a column more for them, if results of
// accumulators that there is a row for go to memory as they are; where there are keys or heads, it has not.
template <class Kind, class Output, bool Beside, class... Inputs>
struct scanned;
template <class Kind, class Output, bool Beside, class Values>
struct scanned<Kind, Output, Beside, Values>
{
  static constexpr bool beside =
    Beside
    && is_memory_output<typename output_of<Output>::type> && sizeof(typename Kind::accumulator) <= most_kept_bytes;

  using results = typename output_of<Output>::type::columns;
  using type    = column_items<Kind, Output, kept_t<Values, ::cuda::std::conditional_t<beside, results, leaf_list<>>>>;
};
template <class Kind, class Output, bool Beside, class Heads, class Values>
struct scanned<Kind, Output, Beside, Heads, Values>
{
  using type = column_items<Kind, Output, Heads, kept_t<Values, leaf_list<>>>;
};
template <class Kind, class Output, bool Beside, class... Inputs>
using scanned_items = typename scanned<Kind, Output, Beside, Inputs...>::type;

#if defined(__CUDACC__)
// A thread has `Chunks` chunks, a tile the items of `Threads` threads.
template <class Items, int Threads, int Chunks>
class column_view;

template <class Kind, class Output, class... Inputs, int Threads, int Chunks>
class column_view<column_items<Kind, Output, Inputs...>, Threads, Chunks>
    : public stage_inputs<column_items<Kind, Output, Inputs...>,
                          column_items<Kind, Output, Inputs...>::items,
                          Threads,
                          Chunks,
                          input_of_t<Inputs>...>
{
  using base = stage_inputs<column_items<Kind, Output, Inputs...>,
                            column_items<Kind, Output, Inputs...>::items,
                            Threads,
                            Chunks,
                            input_of_t<Inputs>...>;

public:
  using items_type  = typename base::items_type;
  using kind_type   = Kind;
  using accumulator = typename Kind::accumulator;
  using result      = typename Kind::result;

  static constexpr bool in_place     = items_type::in_place;
  static constexpr bool before_carry = false; // whether tiles are scanned before their carry is there
  static constexpr bool in_segments  = Kind::in_segments;

private:
  using resolved    = decltype(::cuda::std::declval<const Kind&>().resolved());
  using output_type = typename items_type::output_type;
  using columns     = typename output_type::columns;

public:
  struct chunk
  {
    typename base::in_chunks in;
    typename columns::template chunks<base::chunk_items> out;
  };

  __device__ explicit column_view(const items_type& items)
      : base(items)
      , kind_(items.kind.resolved())
  {}

  // For views that look at the item before a tile (compared_view.h).
  __device__ void ask_before(tile::index) {}
  __device__ void begin_tile(tile::span) {}
  template <bool Whole>
  __device__ void begin_chunks(int)
  {}

  __device__ chunk load(int number) const
  {
    chunk loaded;
    this->load_inputs(loaded.in, number);
    if constexpr (in_place)
    {
      covered_words(loaded, ::cuda::std::make_index_sequence<items_type::layout.covered>{});
    }
    return loaded;
  }

  // The same for the first time; of the chunk's items, those `inside` are in the range.
  template <bool Whole>
  __device__ chunk first_load(int number, tile::span inside)
  {
    chunk loaded;
    if constexpr (items_type::leaves::only_calculated)
    {
      this->template calculate_inputs<Whole>(loaded.in, number, inside);
    }
    else
    {
      this->load_inputs(loaded.in, number);
    }
    this->template keep_values<Whole>(loaded.in, number, inside);
    if constexpr (in_place)
    {
      covered_words(loaded, ::cuda::std::make_index_sequence<items_type::layout.covered>{});
    }
    return loaded;
  }

  // The same for the second time: in segments, the first pass has noted what the heads say.
  __device__ chunk second_load(int number) const
  {
    if constexpr (in_segments)
    {
      chunk loaded{};
      this->template load_inputs<1>(loaded.in, number);
      return loaded;
    }
    else
    {
      return load(number);
    }
  }

  // The same, where all chunks of a thread are taken before the second pass begins.
  using taken_chunk = chunk;
  __device__ taken_chunk take(int number) const
  {
    return second_load(number);
  }
  __device__ static const chunk& chunk_of(const taken_chunk& taken, int)
  {
    return taken;
  }

  __device__ void store(int number, const chunk& done) const
  {
    store_results(number, done, ::cuda::std::make_index_sequence<columns::count>{});
  }

  __device__ accumulator item(const chunk& loaded, int i)
  {
    return lift(loaded, i, ::cuda::std::index_sequence_for<Inputs...>{});
  }

  // The value alone of an item of a segment, without its head.
  __device__ result value(const chunk& loaded, int i)
  {
    return static_cast<result>(this->template input<1>(loaded.in, i));
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
    return stage + base::tile_items * at;
  }

private:
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
    (::cuda::std::get<K>(done.out).store(output_area<static_cast<int>(K)>(this->stage()), number, base::tile_chunks),
     ...);
  }

  template <::cuda::std::size_t... I>
  __device__ accumulator lift(const chunk& loaded, int i, ::cuda::std::index_sequence<I...>)
  {
    return kind_.lift(this->template input<static_cast<int>(I)>(loaded.in, i)...);
  }

  resolved kind_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
