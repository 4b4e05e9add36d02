// Problems of selections and of runs, from iterators as they were passed, which are unwrapped here. Where there are several
// inputs, or several places for what is moved, they come as a tuple.
//
//   entry::select_problem_of<true>(test, these(first), these(out), total, n)                          copy_if
//   entry::select_problem_of<false>(test, these(stencil, first), these(out), total, n)                with a stencil
//   entry::partition_problem_of<true>(test, these(first), total, n, part_to(first), part_to(rest))    partition_copy
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/types.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/constant_iterator.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
// Whether our kernels take what these iterators yield.
template <class... InputIts>
inline constexpr bool selected_in_kernels = (is_accelerated_v<value_t<InputIts>> && ...);

// Whether they take runs of such keys, whose values are reduced in a Value.
template <class Key, class Value>
inline constexpr bool reduced_in_kernels =
  is_accelerated_v<Key>&& is_accelerated_v<Value>&& is_accelerated_v<tile::reduced<Value>>;

// Any number of iterators, unwrapped; none is a place for nothing.
template <class... Its>
::cuda::std::tuple<util::unwrapped_t<Its>...> these(Its... iterators)
{
  return ::cuda::std::tuple<util::unwrapped_t<Its>...>{util::unwrapped(iterators)...};
}

template <class... OutputIts>
dispatch::part<util::unwrapped_t<OutputIts>...> part_to(OutputIts... outputs)
{
  return {entry::these(outputs...)};
}

// From the place of the range's last item backwards.
template <class... OutputIts>
dispatch::part_from_end<util::unwrapped_t<OutputIts>...> part_from_end_to(OutputIts... outputs)
{
  return {entry::these(outputs...)};
}

// Part 0 goes to the outputs, and nobody wants the other one. `inputs`: the first is what the test is asked of; the others are
// moved, and where `MovesTested` the first one, too.
template <bool MovesTested, class Test, class... InputIts, class... OutputIts, class TotalIt, class Count>
auto select_problem_of(Test test,
                       ::cuda::std::tuple<InputIts...> inputs,
                       ::cuda::std::tuple<OutputIts...> outputs,
                       TotalIt total,
                       Count num_items)
{
  static_assert(sizeof...(OutputIts) + (MovesTested ? 0 : 1) == sizeof...(InputIts) || sizeof...(OutputIts) == 0,
                "each output is for an input that is moved");
  using output  = dispatch::selected<util::unwrapped_t<TotalIt>, dispatch::part<OutputIts...>, dispatch::no_part>;
  using problem = dispatch::select_problem<Test, MovesTested, ::cuda::std::tuple<InputIts...>, output, Count>;
  return problem{inputs, output{util::unwrapped(total), {{outputs}, {}}}, num_items, {}, {}, {test}};
}

// Each part goes where it says: part_to, part_from_end_to or dispatch::no_part.
template <bool MovesTested, class Test, class... InputIts, class TotalIt, class Count, class... Parts>
auto partition_problem_of(
  Test test, ::cuda::std::tuple<InputIts...> inputs, TotalIt total, Count num_items, Parts... parts)
{
  static_assert(sizeof...(Parts) == Test::parts, "each part of the test needs to be told where it goes");
  using output  = dispatch::selected<util::unwrapped_t<TotalIt>, Parts...>;
  using problem = dispatch::select_problem<Test, MovesTested, ::cuda::std::tuple<InputIts...>, output, Count>;
  return problem{
    inputs, output{util::unwrapped(total), ::cuda::std::tuple<Parts...>{parts...}}, num_items, {}, {}, {test}};
}

// Value: what values are reduced in.
template <class Value,
          class KeyIt,
          class ValueIt,
          class KeyOutputIt,
          class ValueOutputIt,
          class TotalIt,
          class Count,
          class EqualityOp,
          class ReductionOp>
auto reduce_by_key_problem_of(KeyIt keys,
                              ValueIt values,
                              KeyOutputIt keys_out,
                              ValueOutputIt values_out,
                              TotalIt total,
                              Count num_items,
                              EqualityOp equality_op,
                              ReductionOp reduction_op)
{
  using output = dispatch::
    reduced_runs<util::unwrapped_t<TotalIt>, util::unwrapped_t<KeyOutputIt>, util::unwrapped_t<ValueOutputIt>>;
  using problem = dispatch::reduce_by_key_problem<Value,
                                                  util::unwrapped_t<KeyIt>,
                                                  util::unwrapped_t<ValueIt>,
                                                  output,
                                                  EqualityOp,
                                                  ReductionOp,
                                                  Count>;
  return problem{entry::these(keys, values),
                 output{util::unwrapped(total), util::unwrapped(keys_out), util::unwrapped(values_out)},
                 num_items,
                 {reduction_op},
                 {},
                 {{equality_op}}};
}

// What run lengths are counted in: the integers that they go to. Behind an iterator that names none they are assigned as any
// other number is.
template <class LengthIt>
using length_t = ::cuda::std::conditional_t<
  ::cuda::std::is_integral_v<value_t<LengthIt>> && !::cuda::std::is_same_v<value_t<LengthIt>, bool>,
  value_t<LengthIt>,
  dispatch::index>;

// What the lengths of runs of two or more are counted in: where they go to integers in memory, in as many bits, modulo which they come to
// the same; elsewhere whoever is assigned to sees all of a length.
template <class LengthIt>
using measured_in = ::cuda::std::conditional_t<::cuda::std::is_pointer_v<util::unwrapped_t<LengthIt>>,
                                               ::cuda::std::make_unsigned_t<length_t<LengthIt>>,
                                               dispatch::index>;

// Runs of two or more items that are equal to their neighbours.
template <class InputIt, class OffsetIt, class LengthIt, class TotalIt, class Count, class EqualityOp>
auto runs_problem_of(
  InputIt items, OffsetIt offsets, LengthIt lengths, TotalIt total, Count num_items, EqualityOp equality_op)
{
  using output =
    dispatch::measured_runs<util::unwrapped_t<TotalIt>, util::unwrapped_t<OffsetIt>, util::unwrapped_t<LengthIt>>;
  using problem = dispatch::runs_problem<measured_in<LengthIt>, util::unwrapped_t<InputIt>, output, EqualityOp, Count>;
  return problem{entry::these(items),
                 output{util::unwrapped(total), util::unwrapped(offsets), util::unwrapped(lengths)},
                 num_items,
                 {},
                 {},
                 {{equality_op}}};
}

// The same for every item. Its iterator is deprecated in newer versions of CCCL (dispatch/leaves.h).
// clang-format off
_CCCL_SUPPRESS_DEPRECATED_PUSH
template <class T>
auto constantly(T value)
{
  return THRUST_NS_QUALIFIER::constant_iterator<T>(value);
}
_CCCL_SUPPRESS_DEPRECATED_POP
// clang-format on

// The predicate of calls whose flags say for themselves which items are wanted.
struct is_set
{
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Flag>
  LIGHTSCAN_HOST_DEVICE bool operator()(const Flag& flag) const
  {
    return static_cast<bool>(flag);
  }
};
} // namespace entry
LIGHTSCAN_NAMESPACE_END
