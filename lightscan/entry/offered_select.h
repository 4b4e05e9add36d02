// Whether a call of a selection or of a reduction by key is one that is offered: offered.h's rules, for these.
#pragma once

#include <lightscan/entry/offered.h>
#include <lightscan/entry/types.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
// The type of a call's stencil that has none: its items are tested themselves.
struct no_stencil
{};

// What the predicate of a selection is called with.
template <class InputIt, class StencilIt>
using tested_it = ::cuda::std::conditional_t<::cuda::std::is_same_v<StencilIt, no_stencil>, InputIt, StencilIt>;

// Whether F says of an Item where it goes.
template <class Item, class F, class = void>
inline constexpr bool says_of = on_trust<F>;
template <class Item, class F>
inline constexpr bool says_of<Item, F, ::cuda::std::void_t<cast_t<bool, returned_t<F, Item&>>>> = true;

// Whether items are read through It and can be kept until they have been moved.
template <class It>
inline constexpr bool reads_items = reads<It, value_t<It>>&& ::cuda::std::is_copy_constructible_v<value_t<It>>;

// Where items of It go. `output`, `value`: the first that is not there is told.
template <bool Asked, class InputIt, class OutputIt>
struct offered_output
{
  static constexpr bool output = Asked && moves<OutputIt>;
  static constexpr bool value  = output && stores<OutputIt, value_t<InputIt>>;

  static_assert(output || !Asked, "lightscan: the output needs a random-access iterator");
  static_assert(value || !output, "lightscan: the elements cannot be assigned to the output");
};

template <bool Asked, class InputIt>
struct offered_input
{
  static constexpr bool input    = Asked && moves<InputIt>;
  static constexpr bool function = input && applies<InputIt>;
  static constexpr bool value    = function && reads_items<InputIt>;

  static_assert(input || !Asked, "lightscan: the input needs random-access iterators");
  static_assert(function || !input, "lightscan: the function cannot be called with an element");
  static_assert(value || !function, "lightscan: the elements must be copyable");
};

// Selections by a predicate.
template <class InputIt, class StencilIt, class Predicate, class... OutputIts>
struct offered_select
{
  static constexpr bool has_stencil = !::cuda::std::is_same_v<StencilIt, no_stencil>;

  using tested = tested_it<InputIt, StencilIt>;

  static constexpr bool input   = offered_input<true, InputIt>::value;
  static constexpr bool stencil = input && moves<tested> && applies<tested> && reads_items<tested>;
  static constexpr bool test =
    ::cuda::std::conjunction_v<::cuda::std::bool_constant<stencil>,
                               ::cuda::std::bool_constant<says_of<value_t<tested>, Predicate>>>;
  static constexpr bool value = (offered_output<test, InputIt, OutputIts>::value && ...);

  static_assert(stencil || !input, "lightscan: the stencil needs a random-access iterator to copyable elements");
  static_assert(test || !stencil || has_stencil, "lightscan: the predicate cannot be called with an element");
  static_assert(test || !stencil || !has_stencil,
                "lightscan: the predicate cannot be called with an element of the stencil");
};

// The keys of what is done run by run.
template <bool InKernels, class KeyIt, class Same>
struct offered_runs
{
  using key = value_t<KeyIt>;

  static constexpr bool input = offered_input<true, KeyIt>::value;
  static constexpr bool type  = input && copies<key>;
  static constexpr bool value = type && joins<bool, operand_t<key, InKernels>, Same>;

  static_assert(type || !input, "lightscan: elements that are compared must be copyable and assignable");
  static_assert(value || !type, "lightscan: the predicate cannot be called with two elements");
};

// Whether values of a Value are reduced.
template <bool Asked, bool InKernels, class ValueIt, class Value, class Op>
struct offered_reduction
{
  static constexpr bool type  = Asked && copies<Value>;
  static constexpr bool value = type && joins<Value, operand_t<Value, InKernels>, Op>;

  static_assert(type || !Asked, "lightscan: values must be copyable and assignable");
  static_assert(value || !type, "lightscan: the operator does not join two values to one");
};
} // namespace entry
LIGHTSCAN_NAMESPACE_END
