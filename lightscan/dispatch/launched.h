// The problem that is launched on one GPU: of a scan by key that of segments (tile/compared_keys.h), where keys are sure to be there yet
// when a neighbour looks at them, because results lie elsewhere (perf/DECISIONS.md, compared-keys); of rows of one length each row, where
// blocks hold them as a whole (rows_launch.h).
#pragma once

#include <lightscan/bulk/source.h>
#include <lightscan/dispatch/compared_leaf.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/dispatch/outputs.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/rows_launch.h>
#include <lightscan/tile/compared_keys.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// What is known of the memory that keys are read from. Results lie over keys item over item or not at all, as Thrust has it: not over
// items of another size, and in memory that begins where theirs does. Of a user's own iterators nothing is known, and they are read once
// for each item.
//
//   apart<Bytes>()   results of so many bytes cannot lie over keys
//   told<Bytes>()    the host can tell whether they do: meet()
template <class Leaf>
struct memory_of_keys
{
  template <int Bytes>
  static constexpr bool apart()
  {
    return false;
  }
  template <int Bytes>
  static constexpr bool told()
  {
    return false;
  }
};

template <class Element, class Function, bool Reversed>
struct memory_of_keys<memory_leaf<Element, Function, Reversed>>
{
  template <int Bytes>
  static constexpr bool apart()
  {
    return sizeof(Element) != Bytes;
  }
  template <int Bytes>
  static constexpr bool told()
  {
    return true;
  }
  static bool meet(const memory_leaf<Element, Function, Reversed>& keys, const void* results)
  {
    return keys.edge == results;
  }
};

template <class Function, class... Leaves>
struct memory_of_keys<composed_leaf<Function, Leaves...>>
{
  template <int Bytes>
  static constexpr bool apart()
  {
    return (memory_of_keys<Leaves>::template apart<Bytes>() && ...);
  }
  template <int Bytes>
  static constexpr bool told()
  {
    return (memory_of_keys<Leaves>::template told<Bytes>() && ...);
  }
  static bool meet(const composed_leaf<Function, Leaves...>& keys, const void* results)
  {
    return ::cuda::std::apply(
      [&](const auto&... leaf) {
        return (memory_of_keys<::cuda::std::remove_cvref_t<decltype(leaf)>>::meet(leaf, results) || ...);
      },
      keys.leaves);
  }
};

// Elements in memory, by indices in memory; where the elements lie, it does not say.
template <class ElementIt, class IndexIt, class Stored>
struct memory_of_keys<evaluated_leaf<thr::permutation_iterator<ElementIt, IndexIt>, Stored, bulk::source::gathered>>
{
  static constexpr bool in_memory = is_contiguous<ElementIt> && is_contiguous<IndexIt>;

  template <int Bytes>
  static constexpr bool apart()
  {
    return told<Bytes>() && sizeof(util::value_t<IndexIt>) != Bytes;
  }
  template <int Bytes>
  static constexpr bool told()
  {
    return in_memory && sizeof(util::value_t<ElementIt>) != Bytes;
  }
  static bool
  meet(const evaluated_leaf<thr::permutation_iterator<ElementIt, IndexIt>, Stored, bulk::source::gathered>& keys,
       const void* results)
  {
    return dispatch::leaf(keys.first.base()).edge == results;
  }
};

// Whether what is written through an output iterator cannot lie over keys.
template <class Leaf, class OutputIt>
struct written_apart
{
  static constexpr bool of_keys()
  {
    if constexpr (is_contiguous<OutputIt>)
    {
      return memory_of_keys<Leaf>::template apart<static_cast<int>(sizeof(util::value_t<OutputIt>))>();
    }
    else
    {
      return false;
    }
  }
};
template <class Leaf, class... Its>
struct written_apart<Leaf, thr::zip_iterator<::cuda::std::tuple<Its...>>>
{
  static constexpr bool of_keys()
  {
    return (written_apart<Leaf, Its>::of_keys() && ...);
  }
};
template <class Leaf, class Function, class It>
struct written_apart<Leaf, thr::transform_output_iterator<Function, It>> : written_apart<Leaf, It>
{};
template <class Leaf, class System>
struct written_apart<Leaf, thr::discard_iterator<System>>
{
  static constexpr bool of_keys()
  {
    return memory_of_keys<Leaf>::template apart<0>();
  }
};

// When a scan's keys are compared with their neighbours. Wide ones are long in the slots that lookahead reads, which tells where tiles are
// short: for them there is a kernel more, where only the host can tell.
enum class compared
{
  never,
  always,
  unless_overwritten
};
inline constexpr ::cuda::std::size_t most_key_bytes_in_slots = 4;

template <class KeyIt, class OutputIt>
constexpr compared compared_by()
{
  using keys = leaf_t<KeyIt>;
  if constexpr (written_apart<keys, OutputIt>::of_keys())
  {
    return compared::always;
  }
  else if constexpr (is_writable_memory<OutputIt>() && sizeof(util::value_t<KeyIt>) > most_key_bytes_in_slots)
  {
    constexpr int bytes = static_cast<int>(sizeof(util::value_t<OutputIt>));
    return memory_of_keys<keys>::template told<bytes>() ? compared::unless_overwritten : compared::never;
  }
  else
  {
    return compared::never;
  }
}

// Of any other problem: itself.
template <class Problem>
struct launched
{
  // Calls f with the problem that is launched.
  template <class F>
  static auto with(const Problem& asked, F f)
  {
    return f(asked);
  }

  // Of memory that is brought.
  static ::cuda::std::size_t bytes_for(const Problem& asked)
  {
    return launcher<Problem>::bytes_for(asked);
  }
};

template <class Key,
          class Value,
          class Init,
          bool LooksUp,
          class KeyIt,
          class ValueIt,
          class OutputIt,
          class EqualityOp,
          class ScanOp,
          class Count>
struct launched<problem<tile::by_key_kind<Key, Value, Init, LooksUp>,
                        ::cuda::std::tuple<KeyIt, ValueIt>,
                        OutputIt,
                        tile::keyed_op<Key, Value, EqualityOp, ScanOp>,
                        util::no_init,
                        Count>>
{
  using by_key      = by_key_problem<Key, Value, KeyIt, ValueIt, OutputIt, EqualityOp, ScanOp, Init, Count>;
  using heads       = tile::key_heads<KeyIt, EqualityOp>;
  using kind        = tile::compared_kind<Key, Value, Init, LooksUp>;
  using in_segments = problem<kind,
                              ::cuda::std::tuple<heads, ValueIt>,
                              OutputIt,
                              tile::segmented_op<Value, ScanOp>,
                              util::no_init,
                              Count>;

  static constexpr compared when = compared_by<KeyIt, OutputIt>();

  static in_segments segments_of(const by_key& asked)
  {
    return {{heads{::cuda::std::get<0>(asked.inputs), asked.scan_op.equality_op}, ::cuda::std::get<1>(asked.inputs)},
            asked.output,
            asked.num_items,
            {asked.scan_op.scan_op},
            {},
            kind{{asked.kind.init}}};
  }

  template <class F>
  static auto with(const by_key& asked, F f)
  {
    if constexpr (when == compared::always)
    {
      return f(segments_of(asked));
    }
    else if constexpr (when == compared::unless_overwritten)
    {
      const auto keys = dispatch::leaf(::cuda::std::get<0>(asked.inputs));
      return memory_of_keys<leaf_t<KeyIt>>::meet(keys, dispatch::leaf(asked.output).edge) ? f(asked)
                                                                                          : f(segments_of(asked));
    }
    else
    {
      return f(asked);
    }
  }

  static ::cuda::std::size_t bytes_for(const by_key& asked)
  {
    ::cuda::std::size_t bytes = 0;
    if constexpr (when != compared::always)
    {
      bytes = launcher<by_key>::bytes_for(asked);
    }
    if constexpr (when != compared::never)
    {
      const ::cuda::std::size_t other = launcher<in_segments>::bytes_for(segments_of(asked));
      bytes                           = other > bytes ? other : bytes;
    }
    return bytes;
  }
};

// Of rows of one length: those rows, where blocks are to hold them as a whole.
template <class Value, class ValueIt, class OutputIt, class ScanOp, class Init, bool Inclusive>
struct launched<rows_problem<Value, ValueIt, OutputIt, ScanOp, Init, Inclusive>>
{
  using in_tiles = rows_problem<Value, ValueIt, OutputIt, ScanOp, Init, Inclusive>;

  template <class F>
  static auto with(const in_tiles& asked, F f)
  {
    const whole_rows<in_tiles> rows(asked);
    return rows.suit() ? f(rows) : f(asked);
  }

  static ::cuda::std::size_t bytes_for(const in_tiles& asked)
  {
    return launcher<in_tiles>::bytes_for(asked);
  }
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
