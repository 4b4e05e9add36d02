// Targets: where the results of the kinds that emit (tile/select_kind.h) go in the bulk pipeline (bulk/emission.h), from output
// iterators; and the items of a stage for such a problem.
#pragma once

#include <lightscan/bulk/emission.h>
#include <lightscan/bulk/reduction.h>
#include <lightscan/bulk/run_lengths.h>
#include <lightscan/bulk/selection.h>
#include <lightscan/dispatch/key_leaf.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/dispatch/outputs.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/discard_iterator.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
template <class It>
inline constexpr bool is_discard = false;
template <class System>
inline constexpr bool is_discard<thr::discard_iterator<System>> = true;

template <bool FromEnd, class O, class Function, bool Reversed>
bulk::memory_target<O, Reversed, FromEnd> memory_target_of(const memory_leaf<O, Function, Reversed>& leaf)
{
  return {leaf.edge};
}

// `Value`: what is put out.
template <bool FromEnd, class Value, class It>
auto target_of(const It& it)
{
  if constexpr (is_discard<It>)
  {
    return bulk::no_target{};
  }
  else if constexpr (is_writable_memory<It>()
                     && util::assigns_bytes<util::value_t<It>, Value> && !(FromEnd && util::is_reverse<It>) )
  {
    return dispatch::memory_target_of<FromEnd>(dispatch::leaf(it));
  }
  else
  {
    return bulk::iterator_target<It, Value, FromEnd>{it};
  }
}

template <class>
struct no_target_for
{
  using type = bulk::no_target;
};

// A part's targets, for what is moved of an item: the values of the iterators `Moved`.
template <class... Moved>
struct targets_for
{
  template <class... Its>
  static auto of(const part<Its...>& given)
  {
    return list<false>(given.to, ::cuda::std::index_sequence_for<Moved...>{});
  }
  template <class... Its>
  static auto of(const part_from_end<Its...>& given)
  {
    return list<true>(given.to, ::cuda::std::index_sequence_for<Moved...>{});
  }
  static bulk::part_targets<typename no_target_for<Moved>::type...> of(const no_part&)
  {
    return {};
  }

private:
  template <bool FromEnd, class... Its, ::cuda::std::size_t... I>
  static auto list(const ::cuda::std::tuple<Its...>& to, ::cuda::std::index_sequence<I...>)
  {
    return bulk::part_targets<decltype(dispatch::target_of<FromEnd, util::value_t<Moved>>(::cuda::std::get<I>(to)))...>{
      {dispatch::target_of<FromEnd, util::value_t<Moved>>(::cuda::std::get<I>(to))...}};
  }
};

// `tested`: item 0 of what the test is asked of, which is the first of the inputs.
template <class Kind, class Output, class TestedIt, class... Inputs>
bulk::selection_items<Kind, TestedIt, Output, Inputs...>
selection_items_of(const Kind& kind, const Output& output, const TestedIt& tested, const Inputs&... inputs)
{
  return {kind, output, {inputs...}, tested};
}

// The items of a stage for a problem whose kind emits, whose tiles begin `lead` items before the range.
template <class Test, bool MovesTested, class TotalIt, class... Parts, class TestedIt, class... Its>
auto emitting_items(const tile::select_kind<Test, MovesTested>& kind,
                    const selected<TotalIt, Parts...>& to,
                    const ::cuda::std::tuple<TestedIt, Its...>& inputs,
                    int lead)
{
  using targets     = ::cuda::std::conditional_t<MovesTested, targets_for<TestedIt, Its...>, targets_for<Its...>>;
  const auto output = ::cuda::std::apply(
    [&](const Parts&... part) {
      return bulk::selected_output<TotalIt, decltype(targets::of(part))...>{to.total, {targets::of(part)...}};
    },
    to.parts);
  return ::cuda::std::apply(
    [&](const auto& first, const auto&... others) {
      return dispatch::selection_items_of(
        kind, output, first, dispatch::leaf(first).starting(lead), dispatch::leaf(others).starting(lead)...);
    },
    inputs);
}

template <class Kind, class TotalIt, class First, class Second, class KeyIt, class ValueIt>
auto reduction_items_of(const Kind& kind,
                        const bulk::run_output<TotalIt, First, Second>& output,
                        const ::cuda::std::tuple<KeyIt, ValueIt>& inputs,
                        int lead)
{
  const auto keys   = dispatch::key_leaf<false>(dispatch::leaf(::cuda::std::get<0>(inputs))).starting(lead);
  const auto values = dispatch::leaf(::cuda::std::get<1>(inputs)).starting(lead);
  using kept_values = bulk::kept_t<::cuda::std::remove_const_t<decltype(values)>, bulk::leaf_list<>>;
  return bulk::reduction_items<Kind,
                               KeyIt,
                               bulk::run_output<TotalIt, First, Second>,
                               ::cuda::std::remove_const_t<decltype(keys)>,
                               kept_values>{kind, output, {keys, values}, ::cuda::std::get<0>(inputs)};
}

template <class TotalIt, class First, class Second>
bulk::run_output<TotalIt, First, Second> run_output_of(const TotalIt& total, const First& first, const Second& second)
{
  return {total, first, second};
}

template <class Value, class EqualityOp, class TotalIt, class KeyOut, class ValueOut, class KeyIt, class ValueIt>
auto emitting_items(const tile::reduce_kind<Value, EqualityOp, false>& kind,
                    const reduced_runs<TotalIt, KeyOut, ValueOut>& to,
                    const ::cuda::std::tuple<KeyIt, ValueIt>& inputs,
                    int lead)
{
  return dispatch::reduction_items_of(kind,
                                      dispatch::run_output_of(to.total,
                                                              dispatch::target_of<false, util::value_t<KeyIt>>(to.keys),
                                                              dispatch::target_of<false, Value>(to.values)),
                                      inputs,
                                      lead);
}

// Where values are counted, a selection of the runs' first items, each with its index. (Keys that are searched for have the row of others
// there: theirs was measured with values.)
template <class Value, class EqualityOp, class TotalIt, class KeyOut, class ValueOut, class KeyIt, class ValueIt>
auto emitting_items(const tile::reduce_kind<Value, EqualityOp, true>& kind,
                    const reduced_runs<TotalIt, KeyOut, ValueOut>& to,
                    const ::cuda::std::tuple<KeyIt, ValueIt>& inputs,
                    int lead)
{
  const auto key     = dispatch::target_of<false, util::value_t<KeyIt>>(to.keys);
  using key_target   = ::cuda::std::remove_const_t<decltype(key)>;
  using first_items  = bulk::part_targets<key_target, bulk::length_target<ValueOut, Value>>;
  using others       = bulk::part_targets<bulk::no_target, bulk::no_target>;
  using output       = bulk::selected_output<TotalIt, first_items, others>;
  const auto each    = static_cast<Value>(*::cuda::std::get<1>(inputs));
  const auto lengths = bulk::length_target<ValueOut, Value>{to.values, each};
  const KeyIt& keys  = ::cuda::std::get<0>(inputs);
  return dispatch::selection_items_of(kind,
                                      output{to.total, {first_items{{key, lengths}}, others{}}},
                                      keys,
                                      dispatch::leaf(keys).starting(lead),
                                      bulk::index_input{});
}

// Where runs are only measured, a selection of bounds' indices.
template <class EqualityOp, class Value, class TotalIt, class OffsetIt, class LengthIt, class InputIt>
auto emitting_items(const tile::runs_kind<EqualityOp, Value>& kind,
                    const measured_runs<TotalIt, OffsetIt, LengthIt>& to,
                    const ::cuda::std::tuple<InputIt>& inputs,
                    int lead)
{
  using kind_type      = tile::runs_kind<EqualityOp, Value>;
  using bounds         = bulk::part_targets<bulk::bound_target<kind_type, OffsetIt, LengthIt, Value>>;
  using others         = bulk::part_targets<bulk::no_target>;
  using output         = bulk::selected_output<TotalIt, bounds, others>;
  const InputIt& items = ::cuda::std::get<0>(inputs);
  return dispatch::selection_items_of(kind,
                                      output{to.total, {bounds{{{to.offsets, to.lengths}}}, others{}}},
                                      items,
                                      dispatch::leaf(items).starting(lead),
                                      bulk::index_input{});
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
