// Which ends (tile/ends.h) the plain kernel gets: memory of the accumulator's own type moves in words where it meets the
// 16-byte grid; anything else, item by item.
#pragma once

#include <lightscan/dispatch/memory.h>
#include <lightscan/tile/ends.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Whether the plain kernel reads, or writes, an accumulator T as the words of memory that it is.
template <class T, class... Its>
inline constexpr bool moves_words = sizeof...(Its) == 1 && (is_memory_of<Its, T> && ...) && tile::moves_in_words<T>;

template <class T, class... InputIts>
using plain_source =
  ::cuda::std::conditional_t<moves_words<T, InputIts...>, tile::memory_source, tile::iterator_source<InputIts...>>;

template <class Problem>
class plain_view
{
  using T        = typename Problem::form::accumulator;
  using OutputIt = typename Problem::output_type;

  using Inputs = typename Problem::inputs_type;

  static constexpr bool memory_in = ::cuda::std::tuple_size_v<Inputs> == 1
                                 && moves_words<T, ::cuda::std::tuple_element_t<0, Inputs>>;
  static constexpr bool memory_out = moves_words<T, OutputIt>;

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
      return tile::common_lead(as_memory(problem_.input).misalignment(), as_memory(problem_.output).misalignment()) < 0;
    }
    else
    {
      return false;
    }
  }

  // Calls f(source, sink, lead) with the ends that suit. `lead`: how many items before the range's first its tiles begin.
  template <class F>
  auto with_ends(F f) const
  {
    if constexpr (memory_in)
    {
      const int lead = tile::common_lead(as_memory(problem_.input).misalignment());
      if (tile::always_meets_grid<T> || lead >= 0)
      {
        return with_sink(tile::memory_source{reinterpret_cast<const unsigned char*>(problem_.input)}, lead, f);
      }
    }
    if constexpr (!memory_in || !tile::always_meets_grid<T>)
    {
      return ::cuda::std::apply(
        [&](const auto&... first) {
          return with_sink(tile::iterator_source<::cuda::std::remove_cvref_t<decltype(first)>...>{{first...}}, 0, f);
        },
        problem_.inputs());
    }
  }

private:
  template <class Source, class F>
  auto with_sink(const Source& source, int lead, F& f) const
  {
    if constexpr (memory_out)
    {
      const auto address = reinterpret_cast<::cuda::std::uintptr_t>(problem_.output);
      const bool on_grid = (address - static_cast<unsigned>(lead) * sizeof(*problem_.output)) % tile::grid_bytes == 0;
      return f(source, tile::memory_sink{reinterpret_cast<unsigned char*>(problem_.output), on_grid}, lead);
    }
    else
    {
      return f(source, tile::iterator_sink<OutputIt>{problem_.output}, lead);
    }
  }

  const Problem& problem_;
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
