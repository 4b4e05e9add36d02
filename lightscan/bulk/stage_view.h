// How the items of a tile lie in its stage, and what they are to the scan: the input columns as they lie in memory, and
// results in the last column's place. A thread goes through its items (thread_items.h) in chunks: a
// few of them in registers.
#pragma once

#include <lightscan/bulk/outputs.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// The fewest items of which the widest type fills whole 16-byte words. Narrower ones then move in narrower words: with
// whole 16-byte words of each, a thread's bytes of the widest would be an even number of them, and neighbours' accesses
// meet in banks (perf/DECISIONS.md, chunk-items).
template <class... Stored>
constexpr int common_chunk_items()
{
  unsigned widest = 1;
  ((widest = sizeof(Stored) > widest ? static_cast<unsigned>(sizeof(Stored)) : widest), ...);
  return tile::chunk_bytes_for(widest) / static_cast<int>(widest);
}

// Placement of results in a stage: over the last input's elements. In place, an element's result lies on the element itself,
// and a thread can put it there at once. Moved, it may lie on another thread's element, which must have been read before,
// so each thread takes all its elements first; where results are wider, these are less than what it will write.
enum class placement
{
  in_place,
  moved,
  moved_wider
};

// Input columns, the output's column, and what happens between them.
template <class Kind, class Output, class... Inputs>
struct column_items
{
  using kind_type  = Kind;
  using output     = Output;
  using last_input = ::cuda::std::tuple_element_t<sizeof...(Inputs) - 1, ::cuda::std::tuple<Inputs...>>;

  static constexpr int widening = static_cast<int>(sizeof(typename Output::stored))
                                - static_cast<int>(sizeof(typename last_input::stored));
  static constexpr placement placed = widening > 0                                              ? placement::moved_wider
                                    : widening == 0 && Output::reversed == last_input::reversed ? placement::in_place
                                                                                                : placement::moved;
  static constexpr bool in_place    = placed == placement::in_place;

  // A chunk has so many items, and so many bytes of a stage.
  static constexpr int items        = common_chunk_items<typename Inputs::stored..., typename Output::stored>();
  static constexpr int input_bytes  = items * static_cast<int>((sizeof(typename Inputs::stored) + ...));
  static constexpr int last_bytes   = items * static_cast<int>(sizeof(typename last_input::stored));
  static constexpr int output_bytes = items * static_cast<int>(sizeof(typename Output::stored));
  static constexpr int output_at    = input_bytes - last_bytes;
  static constexpr int bytes        = output_at + (last_bytes < output_bytes ? output_bytes : last_bytes);

  Kind kind;
  typename output_of<Output>::type to;
  ::cuda::std::tuple<Inputs...> from;
};

#if defined(__CUDACC__)
// A thread has `Chunks` chunks, a tile the items of `Threads` threads.
template <class Items, int Threads, int Chunks>
class column_view;

template <class Kind, class Output, class... Inputs, int Threads, int Chunks>
class column_view<column_items<Kind, Output, Inputs...>, Threads, Chunks>
{
  static constexpr int tile_chunks = Threads * Chunks;

  using resolved = decltype(::cuda::std::declval<const Kind&>().resolved());

public:
  using items_type  = column_items<Kind, Output, Inputs...>;
  using kind_type   = Kind;
  using accumulator = typename Kind::accumulator;
  using result      = typename Kind::result;

  static constexpr int chunk_items       = items_type::items;
  static constexpr int chunks_per_thread = Chunks;
  static constexpr bool in_place         = items_type::in_place;

  struct chunk
  {
    ::cuda::std::tuple<tile::column_chunk<Inputs, chunk_items>...> in;
    tile::column_chunk<Output, chunk_items> out;
  };

  __device__ explicit column_view(const items_type& items)
      : kind_(items.kind.resolved())
      , from_(items.from)
  {}

  __device__ void look_at(unsigned char* stage)
  {
    stage_ = stage;
  }

  __device__ chunk load(int number) const
  {
    chunk loaded;
    unsigned char* area = stage_;
    ::cuda::std::apply(
      [&](auto&... part) {
        ((part.load(area, number, tile_chunks), area += tile_chunks * part.bytes), ...);
      },
      loaded.in);
    if constexpr (in_place)
    {
#  pragma unroll
      for (int w = 0; w < loaded.out.words; ++w)
      {
        loaded.out.word[w] = ::cuda::std::get<sizeof...(Inputs) - 1>(loaded.in).word[w];
      }
    }
    return loaded;
  }

  __device__ void store(int number, const chunk& done) const
  {
    done.out.store(output_area(stage_), number, tile_chunks);
  }

  __device__ accumulator item(const chunk& loaded, int i)
  {
    return lift(loaded, i, ::cuda::std::index_sequence_for<Inputs...>{});
  }

  __device__ static void set(chunk& loaded, int i, const result& value)
  {
    loaded.out.set(i, static_cast<typename Output::stored>(value));
  }

  __device__ const resolved& kind() const
  {
    return kind_;
  }

  static __device__ unsigned char* output_area(unsigned char* stage)
  {
    return stage + tile_chunks * items_type::output_at;
  }

  // Calls f(column, bytes of a tile, its part of the stage) for each input.
  template <class F>
  static __device__ void each_input(const items_type& items, unsigned char* stage, F f)
  {
    ::cuda::std::apply(
      [&](const auto&... column) {
        ((f(column, tile_bytes(column), stage), stage += tile_bytes(column)), ...);
      },
      items.from);
  }

  template <class Column>
  static __device__ constexpr int tile_bytes(const Column&)
  {
    return tile_chunks * chunk_items * static_cast<int>(sizeof(typename Column::stored));
  }

private:
  template <::cuda::std::size_t... I>
  __device__ accumulator lift(const chunk& loaded, int i, ::cuda::std::index_sequence<I...>)
  {
    return kind_.lift(::cuda::std::get<I>(from_).function(::cuda::std::get<I>(loaded.in).item(i).value)...);
  }

  resolved kind_;
  ::cuda::std::tuple<Inputs...> from_; // a thread's own copies of the functions, which may have state
  unsigned char* stage_ = nullptr;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
