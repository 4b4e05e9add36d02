// Selections in the bulk pipeline (tile::select_kind, tile::runs_kind, and tile::reduce_kind where it counts): what a tile's stage holds,
// and what a group does with it.
//
// A thread holds its chunks of the tile in registers, from the test to when the results stand in the stage: these may lie on anything.
// Its chunks are one of each row of 32, so that what a warp's lanes put at a time lies side by side in the stage, and does not meet in
// banks: with consecutive chunks of a thread instead, a prototype was at 0.75 to 0.81 of a memory copy, with rows at 1.0. A lane's
// place in a row is found by a scan over the warp of counts of several rows in one word.
//
// In place: the results of a tile go before its own items, and are stored only once its carry is there, which says that every earlier
// tile has been read.
#pragma once

#include <lightscan/bulk/emission.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Where the items of one part go: a target for each input that is moved.
template <class... Targets>
struct part_targets
{
  ::cuda::std::tuple<Targets...> to;
};

// The parts' targets; all have as many. A moved input's column of results is as wide as its widest target.
template <class TotalIt, class... Parts>
struct selected_output;

template <class TotalIt, class... First, class... Parts>
struct selected_output<TotalIt, part_targets<First...>, Parts...>
{
  static constexpr int moved = static_cast<int>(sizeof...(First));
  static constexpr int parts = 1 + static_cast<int>(sizeof...(Parts));

  TotalIt total;
  ::cuda::std::tuple<part_targets<First...>, Parts...> parts_to;

  template <int Part, int Column>
  using target = ::cuda::std::tuple_element_t<
    Column,
    decltype(::cuda::std::tuple_element_t<Part, ::cuda::std::tuple<part_targets<First...>, Parts...>>::to)>;

  static constexpr auto columns()
  {
    stage_columns<moved> all;
    add(all, ::cuda::std::make_integer_sequence<int, moved>{});
    return all;
  }

  // Bytes of an item in the results of the inputs before.
  template <int Column>
  LIGHTSCAN_HOST_DEVICE static constexpr int bytes_before()
  {
    return before(::cuda::std::make_integer_sequence<int, Column>{});
  }

private:
  template <int... Column>
  LIGHTSCAN_HOST_DEVICE static constexpr int before(::cuda::std::integer_sequence<int, Column...>)
  {
    return (widest<Column>(::cuda::std::make_integer_sequence<int, parts>{}) + ... + 0);
  }

  template <int Column, int... Part>
  LIGHTSCAN_HOST_DEVICE static constexpr int widest(::cuda::std::integer_sequence<int, Part...>)
  {
    int bytes = 0;
    ((bytes = target<Part, Column>::item_bytes > bytes ? target<Part, Column>::item_bytes : bytes), ...);
    return bytes;
  }

  template <int... Column>
  static constexpr void add([[maybe_unused]] stage_columns<moved>& all, ::cuda::std::integer_sequence<int, Column...>)
  {
    (all.add(widest<Column>(::cuda::std::make_integer_sequence<int, parts>{}), Column, false), ...);
  }
};

// The tests of neighbours read the item before a tile through an iterator.
template <class Kind, class TestedIt, class Output, class... Inputs>
struct selection_items
{
  using kind_type   = Kind;
  using output_type = Output;
  using leaves      = typename joined<typename Inputs::leaves...>::type;

  static constexpr bool emits          = true;
  static constexpr bool has_evaluators = leaves::has_evaluators;
  static constexpr auto inputs         = bulk::columns_of(leaves{});
  static constexpr auto results        = Output::columns();
  static constexpr placement placed    = placement::emitted;
  static constexpr bool in_place       = false;

  static constexpr int items        = chunk_items_for(inputs.widest > results.widest ? inputs.widest : results.widest);
  static constexpr int input_bytes  = items * inputs.bytes;
  static constexpr int output_bytes = items * results.bytes;
  static constexpr int bytes        = items * emitted_bytes(inputs, results);
  static constexpr int slack        = emission_slack(0) * Output::parts * Output::moved;

  // Registers decide how many items a thread has: those of a chunk.
  static constexpr int held_bytes = input_bytes > 0 ? input_bytes : items;

  Kind kind;
  Output to;
  ::cuda::std::tuple<Inputs...> from;
  TestedIt tested; // item 0 of the range
};

#if defined(__CUDACC__)
template <class Items, int Threads, int Chunks>
class selection_view;

template <class Kind, class TestedIt, class Output, class... Inputs, int Threads, int Chunks>
class selection_view<selection_items<Kind, TestedIt, Output, Inputs...>, Threads, Chunks>
    : public stage_inputs<selection_items<Kind, TestedIt, Output, Inputs...>,
                          selection_items<Kind, TestedIt, Output, Inputs...>::items,
                          Threads,
                          Chunks,
                          Inputs...>
{
  using base = stage_inputs<selection_items<Kind, TestedIt, Output, Inputs...>,
                            selection_items<Kind, TestedIt, Output, Inputs...>::items,
                            Threads,
                            Chunks,
                            Inputs...>;
  using test = typename Kind::test_type;

public:
  using items_type  = typename base::items_type;
  using kind_type   = Kind;
  using output_type = Output;
  using accumulator = carry::aggregate_t<typename Kind::accumulator>;
  using tested_type = ::cuda::std::remove_cvref_t<decltype(::cuda::std::declval<base&>().template input<0>(
    ::cuda::std::declval<const typename base::in_chunks&>(), 0))>;

  static constexpr int first_moved = Kind::moves_tested ? 0 : 1;

  __device__ explicit selection_view(const items_type& items)
      : base(items)
      , test_(items.kind.test)
  {}

  __device__ test& tests()
  {
    return test_;
  }

  __device__ tested_type tested(const typename base::in_chunks& in, int i)
  {
    return this->template input<0>(in, i);
  }

  // The item so many before a chunk's first.
  template <int Back>
  __device__ tested_type tested_before(int number)
  {
    typename base::in_chunks in;
    this->template load_inputs<0, 1>(in, number - 1 - (Back - 1) / base::chunk_items);
    return tested(in, base::chunk_items - 1 - (Back - 1) % base::chunk_items);
  }

  // Calls f(part, column, target, area) for each target, given how many items of the tile are in each part.
  template <class F>
  static __device__ void each_target(const Output& to, unsigned char* stage, const int (&count)[Output::parts], F f)
  {
    bulk::each_constant(::cuda::std::make_integer_sequence<int, Output::moved>{}, [&](auto column) {
      constexpr int c     = decltype(column)::value;
      unsigned char* area = output_area<c>(stage);
      bulk::each_constant(::cuda::std::make_integer_sequence<int, Output::parts>{}, [&](auto part) {
        constexpr int p     = decltype(part)::value;
        constexpr int bytes = Output::template target<p, c>::item_bytes;
        if constexpr (bytes > 0)
        {
          f(part, column, ::cuda::std::get<c>(::cuda::std::get<p>(to.parts_to).to), area);
          area = word_after(area, count[p] * bytes);
        }
      });
    });
  }

private:
  template <int Column>
  static __device__ unsigned char* output_area(unsigned char* stage)
  {
    return stage + base::tile_items * Output::template bytes_before<Column>()
         + emission_slack(0) * Output::parts * Column;
  }

  test test_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
