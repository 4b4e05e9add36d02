// Which kernel serves a problem, and what it gets: the bulk pipeline its columns and policy, the plain kernel its source and
// sink (plain/sources_and_sinks.h); and which of the two is the faster one.
#pragma once

#include <lightscan/bulk/stage_view.h>
#include <lightscan/dispatch/heads_leaf.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/dispatch/outputs.h>
#include <lightscan/dispatch/plain_shape.h>
#include <lightscan/dispatch/shape.h>
#include <lightscan/dispatch/targets.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/plain/emission.h>
#include <lightscan/plain/sources_and_sinks.h>
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
template <class T, bool Inclusive, class It, class Stored, bool Gathers>
struct leaf_for_kind<tile::scan_kind<T, Inclusive>, evaluated_leaf<It, Stored, Gathers>>
{
  static evaluated_leaf<It, T, Gathers> get(const evaluated_leaf<It, Stored, Gathers>& leaf)
  {
    return {leaf.first};
  }
};

// A leaf of keys: they are wanted once, by the thread that folds them, so what is calculated needs no room in the stage.
template <class Leaf>
auto key_leaf(const Leaf& leaf)
{
  return leaf;
}
template <class It, class Stored>
auto key_leaf(const evaluated_leaf<It, Stored, false>& leaf)
{
  return computed_leaf<It, true>{leaf.first};
}
template <class Function, class... Leaves>
auto key_leaf(const composed_leaf<Function, Leaves...>& tree)
{
  return ::cuda::std::apply(
    [&](const auto&... leaf) {
      return composed_leaf<Function, decltype(dispatch::key_leaf(leaf))...>{
        tree.function, {dispatch::key_leaf(leaf)...}};
    },
    tree.leaves);
}

template <class Kind, ::cuda::std::size_t Number, class It>
auto input_leaf(const It& it)
{
  if constexpr (Kind::in_segments && Number == 0)
  {
    return dispatch::key_leaf(dispatch::leaf(it));
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

// Plain memory of T, with neither function nor reversal: it may move in whole words.
template <class It, class T>
inline constexpr bool is_memory_of =
  ::cuda::std::disjunction_v<::cuda::std::is_same<It, T*>, ::cuda::std::is_same<It, const T*>>;

// Whether the plain kernel reads, or writes, the T's (accumulators, or the values of runs) as the words of memory that they are.
template <class T, class It>
inline constexpr bool moves_words = is_memory_of<It, T>&& plain::moves_in_words<T>;

// What the plain kernel reads of a scan's inputs as words of memory, and the source that does: values of the accumulator's own
// type, or values beside a list of where segments begin.
template <class Kind, class Inputs, class = void>
struct words_read;
template <class Kind, class... InputIts, class Otherwise>
struct words_read<Kind, ::cuda::std::tuple<InputIts...>, Otherwise>
{
  static constexpr bool any = false;

  using value  = typename Kind::accumulator;
  using source = plain::iterator_source<InputIts...>;
};
template <class Kind, class It>
struct words_read<Kind, ::cuda::std::tuple<It>, ::cuda::std::enable_if_t<moves_words<typename Kind::accumulator, It>>>
{
  static constexpr bool any = true;

  using value  = typename Kind::accumulator;
  using source = plain::memory_source;

  static It values(const ::cuda::std::tuple<It>& inputs)
  {
    return ::cuda::std::get<0>(inputs);
  }
  static source of(const ::cuda::std::tuple<It>& inputs)
  {
    return {reinterpret_cast<const unsigned char*>(values(inputs))};
  }
};
template <class Kind, class List, class It>
struct words_read<Kind,
                  ::cuda::std::tuple<tile::heads_iterator<List>, It>,
                  ::cuda::std::enable_if_t<moves_words<typename Kind::result, It>>>
{
  static constexpr bool any = true;

  using value  = typename Kind::result;
  using inputs = ::cuda::std::tuple<tile::heads_iterator<List>, It>;
  using source = plain::marked_source<List>;

  static It values(const inputs& of_problem)
  {
    return ::cuda::std::get<1>(of_problem);
  }
  static source of(const inputs& of_problem)
  {
    return {reinterpret_cast<const unsigned char*>(values(of_problem)), ::cuda::std::get<0>(of_problem).list};
  }
};

template <class Kind, class... InputIts>
using plain_source = ::cuda::std::conditional_t<Kind::emits,
                                                plain::emitting_source<Kind, InputIts...>,
                                                typename words_read<Kind, ::cuda::std::tuple<InputIts...>>::source>;

template <class Problem>
class plain_view
{
  using Kind     = typename Problem::kind_type;
  using OutputIt = typename Problem::output_type;
  using words    = words_read<Kind, typename Problem::inputs_type>;

  using value = typename words::value;

  static constexpr bool memory_in  = !Kind::emits && words::any;
  static constexpr bool memory_out = moves_words<value, OutputIt> && util::assigns_bytes<value, typename Kind::result>;

public:
  explicit plain_view(const Problem& problem)
      : problem_(problem)
  {}

  // Whether input and output both are memory that moves in words, but lie differently on the 16-byte grid: then results go
  // item by item.
  bool shifts() const
  {
    if constexpr (memory_in && memory_out)
    {
      return tile::common_lead(
               leaf(words::values(problem_.inputs)).misalignment(), leaf(problem_.output).misalignment())
           < 0;
    }
    else
    {
      return false;
    }
  }

  // Calls f(source, sink, lead) with those that suit. `lead`: how many items before the range's first its tiles begin.
  template <class F>
  auto with_source_and_sink(F f) const
  {
    if constexpr (Kind::emits)
    {
      return ::cuda::std::apply(
        [&](const auto&... first) {
          return f(plain::emitting_source<Kind, ::cuda::std::remove_cvref_t<decltype(first)>...>{{first...}},
                   plain::emitting_sink<OutputIt>{problem_.output},
                   0);
        },
        problem_.inputs);
    }
    else
    {
      return with_scans_source(f);
    }
  }

private:
  template <class F>
  auto with_scans_source(F& f) const
  {
    if constexpr (memory_in)
    {
      const int lead = tile::common_lead(leaf(words::values(problem_.inputs)).misalignment());
      if (tile::always_meets_grid<value> || lead >= 0)
      {
        return with_sink(words::of(problem_.inputs), lead, f);
      }
    }
    if constexpr (!memory_in || !tile::always_meets_grid<value>)
    {
      return ::cuda::std::apply(
        [&](const auto&... first) {
          return with_sink(plain::iterator_source<::cuda::std::remove_cvref_t<decltype(first)>...>{{first...}}, 0, f);
        },
        problem_.inputs);
    }
  }

  template <class Source, class F>
  auto with_sink(const Source& source, int lead, F& f) const
  {
    if constexpr (memory_out)
    {
      const auto address = reinterpret_cast<::cuda::std::uintptr_t>(problem_.output);
      const bool on_grid = (address - static_cast<unsigned>(lead) * sizeof(*problem_.output)) % tile::grid_bytes == 0;
      return f(source, plain::memory_sink{reinterpret_cast<unsigned char*>(problem_.output), on_grid}, lead);
    }
    else
    {
      return f(source, plain::iterator_sink<OutputIt>{problem_.output}, lead);
    }
  }

  const Problem& problem_;
};

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
