// What the plain kernel gets of a problem: a source and a sink (plain/sources_and_sinks.h), and how its tiles lie on their grid.
#pragma once

#include <lightscan/dispatch/leaves.h>
#include <lightscan/plain/emission.h>
#include <lightscan/plain/sources_and_sinks.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/segment_heads.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Plain memory of T, with neither function nor reversal: it may move in whole words.
template <class It, class T>
inline constexpr bool is_memory_of =
  ::cuda::std::disjunction_v<::cuda::std::is_same<It, T*>, ::cuda::std::is_same<It, const T*>>;

// Whether the plain kernel reads, or writes, the T's (accumulators, or the values of runs) as the words of memory that they are.
template <class T, class It>
inline constexpr bool moves_words = is_memory_of<It, T>&& plain::moves_in_words<T>;

// Whether it converts between memory of Vs and the numbers that a scan accumulates, a chunk at once (perf/DECISIONS.md, converted-chunks).
template <class Kind, class V>
constexpr bool converts_numbers()
{
  using T               = typename Kind::accumulator;
  constexpr bool others = !::cuda::std::is_same_v<::cuda::std::remove_const_t<V>, T>;
  return !Kind::emits && others && ::cuda::std::is_arithmetic_v<T> && ::cuda::std::is_arithmetic_v<V> && sizeof(V) <= 8;
}

// What the plain kernel reads of a scan's inputs as words of memory, and the source that does: values of the accumulator's own
// type, or values beside a list of where segments begin. `any`: as they are.
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
// Numbers of another type.
template <class Kind, class V>
struct words_read<Kind, ::cuda::std::tuple<V*>, ::cuda::std::enable_if_t<converts_numbers<Kind, V>()>>
{
  static constexpr bool any = false;

  using value  = typename Kind::accumulator;
  using source = plain::converted_source<::cuda::std::remove_const_t<V>>;
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
  static constexpr bool converts_out =
    ::cuda::std::is_pointer_v<OutputIt> && converts_numbers<Kind, ::cuda::std::remove_pointer_t<OutputIt>>();

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
    if constexpr (plain::is_converted_source<typename words::source>)
    {
      // Both in words, if that can be; else what is written, or else what is read.
      const auto* const first = ::cuda::std::get<0>(problem_.inputs);
      constexpr int items     = words::source::template chunk_items<value>;
      int lead                = 0;
      int best                = -1;
      for (int candidate = 0; candidate < items; ++candidate)
      {
        const int moved = (writes_words<items>(candidate) ? 2 : 0) + (in_words<items>(first, candidate) ? 1 : 0);
        if (moved > best)
        {
          lead = candidate;
          best = moved;
        }
      }
      return with_sink(typename words::source{first, in_words<items>(first, lead)}, lead, f);
    }
    else if constexpr (!memory_in || !tile::always_meets_grid<value>)
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
    constexpr int items = Source::template chunk_items<typename Kind::accumulator>;
    if constexpr (memory_out)
    {
      const bool on_grid = writes_words<items>(lead);
      return f(source, plain::memory_sink{reinterpret_cast<unsigned char*>(problem_.output), on_grid}, lead);
    }
    else if constexpr (converts_out)
    {
      using R = ::cuda::std::remove_pointer_t<OutputIt>;
      return f(source, plain::converted_sink<R>{problem_.output, writes_words<items>(lead)}, lead);
    }
    else
    {
      return f(source, plain::iterator_sink<OutputIt>{problem_.output}, lead);
    }
  }

  // Whether chunks of so many Vs, the first of which begins `lead` before `first`, lie as words of up to 16 bytes do.
  template <int Items, class V>
  static bool in_words(const V* first, int lead)
  {
    constexpr unsigned bytes = Items * sizeof(V);
    constexpr unsigned word  = bytes < tile::grid_bytes ? bytes : tile::grid_bytes;
    return (reinterpret_cast<::cuda::std::uintptr_t>(first) - static_cast<unsigned>(lead) * sizeof(V)) % word == 0;
  }

  // Whether results do. An iterator knows no words.
  template <int Items>
  bool writes_words([[maybe_unused]] int lead) const
  {
    if constexpr (memory_out)
    {
      return in_words<tile::grid_bytes>(problem_.output, lead); // of 16 bytes, however many a chunk has
    }
    else if constexpr (converts_out)
    {
      return in_words<Items>(problem_.output, lead);
    }
    else
    {
      return true;
    }
  }

  const Problem& problem_;
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
