// Which kernel serves a problem: what the bulk pipeline gets, its columns and policy (the plain kernel's source and sink: plain_view.h);
// and which of the two is the faster one.
#pragma once

#include <lightscan/bulk/source.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/dispatch/heads_leaf.h>
#include <lightscan/dispatch/key_leaf.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/dispatch/outputs.h>
#include <lightscan/dispatch/plain_shape.h>
#include <lightscan/dispatch/plain_view.h>
#include <lightscan/dispatch/shape.h>
#include <lightscan/dispatch/targets.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Which kernels a launch may use. Tests and perf/ narrow it; everybody else leaves it alone.
enum class kernels
{
  best,
  bulk_only,
  plain_only
};

// In place of the most blocks of a launch: none, its kernel is only loaded.
inline constexpr int loads_only = -1;

// A leaf as a kind wants it: what is evaluated for a plain scan stands in the stage as the accumulator, so that results fit over
// it; keys and values are converted later.
template <class Kind, class Leaf>
struct leaf_for_kind
{
  static Leaf get(const Leaf& leaf)
  {
    return leaf;
  }
};
template <class T, bool Inclusive, class It, class Stored, bulk::source From>
struct leaf_for_kind<tile::scan_kind<T, Inclusive>, evaluated_leaf<It, Stored, From>>
{
  static evaluated_leaf<It, T, From> get(const evaluated_leaf<It, Stored, From>& leaf)
  {
    return {leaf.first};
  }
};

template <class Kind, ::cuda::std::size_t Number, class It>
auto input_leaf(const It& it)
{
  if constexpr (Kind::in_segments && Number == 0)
  {
    return dispatch::key_leaf<true>(dispatch::leaf(it));
  }
  else
  {
    return leaf_for_kind<Kind, leaf_t<It>>::get(dispatch::leaf(it));
  }
}

// f(the leaf of each input).
template <class Kind, class Inputs, class F, ::cuda::std::size_t... I>
auto with_leaves(const Inputs& inputs, F f, ::cuda::std::index_sequence<I...>)
{
  return f(dispatch::input_leaf<Kind, I>(::cuda::std::get<I>(inputs))...);
}
template <class Kind, class... InputIts, class F>
auto with_leaves(const ::cuda::std::tuple<InputIts...>& inputs, F f)
{
  return dispatch::with_leaves<Kind>(inputs, f, ::cuda::std::index_sequence_for<InputIts...>{});
}

// The items of a stage for a problem whose tiles begin `lead` items before the range.
template <class Kind, class Output, class... InputIts>
auto items_of(const Kind& kind, const Output& to, const ::cuda::std::tuple<InputIts...>& inputs, int lead)
{
  if constexpr (Kind::emits)
  {
    return dispatch::emitting_items(kind, to, inputs, lead);
  }
  else
  {
    const auto output = dispatch::output<typename Kind::result>(to).starting(lead);
    return dispatch::with_leaves<Kind>(inputs, [&](const auto&... leaf) {
      using outputs = ::cuda::std::remove_const_t<decltype(output)>;
      return bulk::scanned_items<Kind, outputs, keeps_beside, decltype(leaf.starting(lead))...>{
        kind, output, {leaf.starting(lead)...}};
    });
  }
}

// The bulk pipeline's view of a problem; `serves` says whether it has one.
template <class Policies, class Kind, class OutputIt, class... InputIts>
struct bulk_view
{
  template <bool OfLeaves, class = void>
  struct parts
  {
    static constexpr bool serves = false;
  };
  template <class None>
  struct parts<true, None>
  {
    using items    = decltype(dispatch::items_of(::cuda::std::declval<const Kind&>(),
                                              ::cuda::std::declval<const OutputIt&>(),
                                              ::cuda::std::declval<const ::cuda::std::tuple<InputIts...>&>(),
                                              0));
    using policies = bulk_policies<items, Policies>;

    static constexpr bool serves = policies::best.serves;
  };
  using type = parts<(is_leaf<InputIts> && ...)>;
};

// Items that tiles begin before the range, fewer than `limit`: as many as bring the most bytes of an item onto the 16-byte grid,
// of the inputs, or of the output where no input lies in memory.
template <class Output, class... Leaves>
int lead_for(int limit, const Output& output, const Leaves&... leaves)
{
  constexpr bool in_memory = (Leaves::in_memory || ...);
  int best                 = 0;
  int most                 = -1;
  for (int lead = 0; lead < limit && lead < tile::grid_bytes; ++lead)
  {
    const int bytes = in_memory ? (leaves.bytes_on_grid(lead) + ...) : output.bytes_on_grid(lead);
    if (bytes > most)
    {
      best = lead;
      most = bytes;
    }
  }
  return best;
}

// The plain kernel is made for one wave: every block has a tile in its registers, and they look ahead once. The bulk
// pipeline takes longer to get going, and then a fraction of the time for a tile. So what decides is how many tiles a block
// of the plain kernel would have; on an H200 the two meet between one and two for most types, whatever that is in bytes
// (perf/DECISIONS.md, plain-tiles); at one, where results are no memory. The most items with which the
// plain kernel is faster:
template <class Policies, class Kind, class OutputIt, class... InputIts>
constexpr ::cuda::std::int64_t most_for_plain(int multiprocessors)
{
  using T      = typename Kind::accumulator;
  using bulk   = typename bulk_view<Policies, Kind, OutputIt, InputIts...>::type;
  using policy = plain_policy<T, plain_source<Kind, InputIts...>>;
  if constexpr (Kind::emits)
  {
    return policy::items_in(bulk::policies::best.plain_tiles, multiprocessors);
  }
  else
  {
    return policy::items_in(is_writable_memory<OutputIt>() ? bulk::policies::best.plain_tiles : 1, multiprocessors);
  }
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
