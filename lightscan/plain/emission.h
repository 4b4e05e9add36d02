// Sources and sinks of the plain kernel for kinds that emit (tile/select_kind.h). A thread puts out what it has of its items once its
// carry is there; where the kind says that the output may lie where the input lies, before each item, it has read all of that before
// anything is published.
#pragma once

#include <lightscan/plain/sources_and_sinks.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace plain
{
// Values side by side in registers. (A tuple's own assignment keeps them in memory.)
template <class... Values>
struct kept_values
{};
template <class Value, class... Others>
struct kept_values<Value, Others...>
{
  util::uninitialized<Value> first;
  kept_values<Others...> others;

#if defined(__CUDACC__)
  template <int Which>
  __device__ const auto& get() const
  {
    if constexpr (Which == 0)
    {
      return first.value;
    }
    else
    {
      return others.template get<Which - 1>();
    }
  }
#endif
};

#if defined(__CUDACC__)
__device__ inline kept_values<> read_values(tile::index)
{
  return {};
}
template <class It, class... Its>
__device__ kept_values<util::value_t<It>, util::value_t<Its>...> read_values(tile::index number,
                                                                             const It& first,
                                                                             const Its&... others)
{
  using value = util::value_t<It>;
  return {util::uninitialized<value>(static_cast<value>(*(first + number))), plain::read_values(number, others...)};
}
#endif

// What a thread keeps of an item: what it is to the scan, and what is moved.
template <class Kind, class... Its>
struct kept_item;

template <class Test, bool MovesTested, class TestedIt, class... Its>
struct kept_item<tile::select_kind<Test, MovesTested>, TestedIt, Its...>
{
  using kind  = tile::select_kind<Test, MovesTested>;
  using moved = ::cuda::std::conditional_t<MovesTested,
                                           kept_values<util::value_t<TestedIt>, util::value_t<Its>...>,
                                           kept_values<util::value_t<Its>...>>;

  static constexpr int count = static_cast<int>(sizeof...(Its)) + (MovesTested ? 1 : 0);

  moved values;
  int part;

#if defined(__CUDACC__)
  __device__ util::uninitialized<typename kind::accumulator> folded() const
  {
    typename kind::accumulator counts{};
#  pragma unroll
    for (int p = 0; p < Test::parts - 1; ++p)
    {
      counts.of[p] = part == p ? 1 : 0;
    }
    return counts;
  }
#endif
};

template <class Value, class EqualityOp, bool Counts, class KeyIt, class ValueIt>
struct kept_item<tile::reduce_kind<Value, EqualityOp, Counts>, KeyIt, ValueIt>
{
  util::uninitialized<util::value_t<KeyIt>> key;
  util::uninitialized<Value> value;
  bool begins;

#if defined(__CUDACC__)
  __device__ util::uninitialized<tile::reduced<Value>> folded() const
  {
    return tile::reduced<Value>{value.value, begins ? 1 : 0};
  }
#endif
};

template <class EqualityOp, class Value, class InputIt>
struct kept_item<tile::runs_kind<EqualityOp, Value>, InputIt>
{
  bool bound;

#if defined(__CUDACC__)
  __device__ util::uninitialized<tile::reduced<Value>> folded() const
  {
    return tile::reduced<Value>{Value{1}, bound ? 1 : 0};
  }
#endif
};

template <class Kind, class... Its>
struct emitting_source
{
  ::cuda::std::tuple<Its...> first;

  using kept = kept_item<Kind, Its...>;

  // Neighbouring threads' items lie a chunk apart (iterator_chunk_items).
  template <class T>
  static constexpr int chunk_items = iterator_chunk_items(sizeof(kept) / 2);
  template <class T>
  static constexpr int item_bytes = static_cast<int>(sizeof(kept) + sizeof(T));
};

template <class Output>
struct emitting_sink
{
  Output to;

  static constexpr bool on_grid = true;
};

#if defined(__CUDACC__)
template <class Kept, int Items>
struct kept_chunk
{
  Kept at[Items];

  __device__ auto item(int i) const
  {
    return at[i].folded();
  }
};

template <class Kind, class... Its>
__device__ auto chunk_of(const emitting_source<Kind, Its...>&)
{
  using source = emitting_source<Kind, Its...>;
  return kept_chunk<typename source::kept, source::template chunk_items<typename Kind::accumulator>>{};
}

// The part that item `number` is of, given its value.
template <class Test, class It, class Value>
__device__ int part_of(Test& test, const It& first, tile::index number, Value& item)
{
  if constexpr (Test::of_neighbours)
  {
    return number == 0 ? 0 : test.part_of(static_cast<Value>(*(first + (number - 1))), item);
  }
  else
  {
    return test.part_of(item);
  }
}

template <class Kept, class Test, bool MovesTested, class TestedIt, class... Its>
__device__ Kept keep(tile::select_kind<Test, MovesTested>& kind,
                     const ::cuda::std::tuple<TestedIt, Its...>& first,
                     tile::index number)
{
  return ::cuda::std::apply(
    [&](const TestedIt& tested, const Its&... moved) {
      auto item = static_cast<util::value_t<TestedIt>>(*(tested + number));
      Kept kept;
      if constexpr (MovesTested)
      {
        kept.values = {util::uninitialized<util::value_t<TestedIt>>(item), plain::read_values(number, moved...)};
      }
      else
      {
        kept.values = plain::read_values(number, moved...);
      }
      kept.part = plain::part_of(kind.test, tested, number, item);
      return kept;
    },
    first);
}

template <class Kept, class Value, class EqualityOp, bool Counts, class KeyIt, class ValueIt>
__device__ Kept keep(tile::reduce_kind<Value, EqualityOp, Counts>& kind,
                     const ::cuda::std::tuple<KeyIt, ValueIt>& first,
                     tile::index number)
{
  auto key = static_cast<util::value_t<KeyIt>>(*(::cuda::std::get<0>(first) + number));
  Kept kept;
  kept.key    = util::uninitialized<util::value_t<KeyIt>>(key);
  kept.value  = util::uninitialized<Value>(static_cast<Value>(*(::cuda::std::get<1>(first) + number)));
  kept.begins = plain::part_of(kind.test, ::cuda::std::get<0>(first), number, key) == 0;
  return kept;
}

template <class Kept, class EqualityOp, class Value, class It>
__device__ Kept keep(tile::runs_kind<EqualityOp, Value>& kind, const ::cuda::std::tuple<It>& first, tile::index number)
{
  const It& items = ::cuda::std::get<0>(first);
  auto before     = static_cast<util::value_t<It>>(*(items + (number > 0 ? number - 1 : 0)));
  return {number > 0
          && kind.test.part_of(before, static_cast<util::value_t<It>>(*(items + number)))
               != plain::part_of(kind.test, items, number - 1, before)};
}

// Whether who has tested an item has all of it: one word of memory, or one that an iterator makes.
template <class It>
inline constexpr bool is_read_once_tested =
  ::cuda::std::is_scalar_v<util::value_t<It>>&& ::cuda::std::is_same_v<util::reference_t<It>, util::value_t<It>>;
template <class V>
inline constexpr bool
  is_read_once_tested<V*> = ::cuda::std::is_scalar_v<V> || (sizeof(V) <= 2 && alignof(V) == sizeof(V));

// As load_striped in sources_and_sinks.h.
template <bool Whole, class Kind, class... Its, class Kept, int Items, int Stripes>
__device__ void load_kept(const Kind& kind,
                          const emitting_source<Kind, Its...>& source,
                          kept_chunk<Kept, Items> (&chunks)[Stripes],
                          tile::index at,
                          tile::span inside,
                          int step)
{
  Kind mine = kind; // the tests may have state
#  pragma unroll
  for (int r = 0; r < Stripes; ++r)
  {
#  pragma unroll
    for (int i = 0; i < Items; ++i)
    {
      if (Whole || holds(inside, step, r, i))
      {
        chunks[r].at[i] = plain::keep<Kept>(mine, source.first, at + (r * step + i));
      }
    }
  }
  constexpr bool all_read = sizeof...(Its) == 1 && Kind::test_type::looks_at_item && (is_read_once_tested<Its> && ...);
  if constexpr (Kind::may_overlap && !all_read)
  {
    __threadfence(); // what the test does not wait for must have been read, too, before anything is published
  }
}

// Puts item number `place` of a part where it goes.
template <class... Its, class Values, ::cuda::std::size_t... I>
__device__ void put_part(
  const tile::part<Its...>& to, const Values& values, tile::index place, tile::index, ::cuda::std::index_sequence<I...>)
{
  ((*(::cuda::std::get<I>(to.to) + place) = values.template get<static_cast<int>(I)>()), ...);
}
template <class... Its, class Values, ::cuda::std::size_t... I>
__device__ void put_part(const tile::part_from_end<Its...>& to,
                         const Values& values,
                         tile::index place,
                         tile::index num_items,
                         ::cuda::std::index_sequence<I...>)
{
  ((*(::cuda::std::get<I>(to.to) + (num_items - 1 - place)) = values.template get<static_cast<int>(I)>()), ...);
}
template <class Values, ::cuda::std::size_t... I>
__device__ void
put_part(const tile::no_part&, const Values&, tile::index, tile::index, ::cuda::std::index_sequence<I...>)
{}

template <class Kept, class Counts, class Parts, int... P>
__device__ void put_in_part(const Parts& parts,
                            const Kept& kept,
                            const Counts& before,
                            tile::index number,
                            tile::index num_items,
                            ::cuda::std::integer_sequence<int, P...>)
{
  constexpr int last = static_cast<int>(sizeof...(P)) - 1;
  tile::index rest   = number;
#  pragma unroll
  for (int p = 0; p < last; ++p)
  {
    rest -= before.of[p];
  }
  const auto put = [&](auto which) {
    constexpr int p = decltype(which)::value;
    if (kept.part == p)
    {
      plain::put_part(::cuda::std::get<p>(parts),
                      kept.values,
                      p == last ? rest : before.of[p < last ? p : 0],
                      num_items,
                      ::cuda::std::make_index_sequence<Kept::count>{});
    }
  };
  (put(::cuda::std::integral_constant<int, P>{}), ...);
}

// Puts out what an item brings about, given the fold of what lies before it.
template <class Test, bool MovesTested, class TotalIt, class... Parts, class Kept, class Op>
__device__ void emit(const tile::select_kind<Test, MovesTested>&,
                     const tile::selected<TotalIt, Parts...>& to,
                     const Kept& kept,
                     const tile::part_counts<Test::parts>& before,
                     tile::index number,
                     tile::index num_items,
                     Op&)
{
  plain::put_in_part(to.parts, kept, before, number, num_items, ::cuda::std::make_integer_sequence<int, Test::parts>{});
}

template <class Value, class EqualityOp, bool Counts, class TotalIt, class KeyOut, class ValueOut, class Kept, class Op>
__device__ void emit(const tile::reduce_kind<Value, EqualityOp, Counts>&,
                     const tile::reduced_runs<TotalIt, KeyOut, ValueOut>& to,
                     const Kept& kept,
                     const tile::reduced<Value>& before,
                     tile::index number,
                     tile::index num_items,
                     Op& op)
{
  if (kept.begins)
  {
    *(to.keys + before.begun) = kept.key.value;
    if (before.begun > 0)
    {
      *(to.values + (before.begun - 1)) = before.value;
    }
  }
  if (number == num_items - 1)
  {
    const tile::reduced<Value> all = number > 0 ? op(before, kept.folded().value) : kept.folded().value;
    *(to.values + (all.begun - 1)) = all.value;
  }
}

template <class EqualityOp, class Value, class TotalIt, class OffsetIt, class LengthIt, class Kept, class Op>
__device__ void emit(const tile::runs_kind<EqualityOp, Value>& kind,
                     const tile::measured_runs<TotalIt, OffsetIt, LengthIt>& to,
                     const Kept& kept,
                     const tile::reduced<Value>& before,
                     tile::index number,
                     tile::index num_items,
                     Op& op)
{
  if (kept.bound && kind.opens(before.begun))
  {
    *(to.offsets + before.begun / 2) = number - 1;
  }
  else if (kept.bound)
  {
    *(to.lengths + before.begun / 2) = kind.length(before.value);
  }
  if (number == num_items - 1 && number > 0)
  {
    const tile::reduced<Value> all = op(before, kept.folded().value);
    if (!kind.opens(all.begun))
    {
      *(to.lengths + all.begun / 2) = kind.length(all.value);
    }
  }
}

template <bool Whole, class Kind, class Output, class Kept, class T, int Items, int Stripes, class Op>
__device__ void emit_striped(const Kind& kind,
                             const emitting_sink<Output>& sink,
                             const kept_chunk<Kept, Items> (&chunks)[Stripes],
                             const item_chunk<T, Items> (&before)[Stripes],
                             tile::index at,
                             tile::span inside,
                             int step,
                             tile::index num_items,
                             Op& op)
{
#  pragma unroll
  for (int r = 0; r < Stripes; ++r)
  {
#  pragma unroll
    for (int i = 0; i < Items; ++i)
    {
      if (Whole || holds(inside, step, r, i))
      {
        plain::emit(kind, sink.to, chunks[r].at[i], before[r].at[i].value, at + (r * step + i), num_items, op);
      }
    }
  }
}
#endif
} // namespace plain
LIGHTSCAN_NAMESPACE_END
