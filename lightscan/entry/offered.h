// Whether a call of a scan is one that is offered. One that is not is told so in one sentence, here, and nothing of it is
// compiled any further. Each condition is an expression that the kernels or Thrust's scan would compile, so nothing that they
// take is refused.
#pragma once

#include <lightscan/entry/types.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
namespace thr = THRUST_NS_QUALIFIER;

// The host's compiler sees no more of a lambda that is __device__ only than a stand-in: it is taken on trust.
#if defined(__CUDACC_EXTENDED_LAMBDA__)
template <class F>
inline constexpr bool on_trust = __nv_is_extended_device_lambda_closure_type(F);
#else
template <class F>
inline constexpr bool on_trust = false;
#endif

template <class F, class... Args>
using returned_t = decltype(::cuda::std::declval<F&>()(::cuda::std::declval<Args>()...));

template <class To, class From>
using cast_t = decltype(static_cast<To>(::cuda::std::declval<From>()));

template <class Void, class F, class... Args>
inline constexpr bool calls_with = on_trust<F>;
template <class F, class... Args>
inline constexpr bool calls_with<::cuda::std::void_t<returned_t<F, Args...>>, F, Args...> = true;

// Whether F can be called so.
template <class F, class... Args>
inline constexpr bool calls = calls_with<void, F, Args...>;

// Whether F joins two values of a Value to one of T.
template <class T, class Value, class F, class = void>
inline constexpr bool joins = on_trust<F>;
template <class T, class Value, class F>
inline constexpr bool joins<T, Value, F, ::cuda::std::void_t<cast_t<T, returned_t<F, Value&, Value&>>>> = true;

template <class To, class From, class = void>
inline constexpr bool converts = false;
template <class To, class From>
inline constexpr bool converts<To, From, ::cuda::std::void_t<cast_t<To, From>>> = true;

// Whether what is read through It converts to a T, as the kernels hand it on.
template <class It, class T, class = void>
inline constexpr bool reads = false;
template <class It, class T>
inline constexpr bool reads<
  It,
  T,
  ::cuda::std::void_t<cast_t<T, const ::cuda::std::remove_reference_t<decltype(*::cuda::std::declval<It&>())>&>>> =
  true;

// Whether It moves by any distance. Thrust's adaptors say so of any iterator until they are used.
template <class It, class = void>
inline constexpr bool moves_itself = false;
template <class It>
inline constexpr bool
  moves_itself<It, ::cuda::std::void_t<decltype(*(::cuda::std::declval<It&>() + ::cuda::std::int64_t{}))>> = true;

template <class It>
inline constexpr bool moves = moves_itself<It>;
template <class It>
inline constexpr bool moves<thr::reverse_iterator<It>> = moves<It>;
template <class Function, class It, class Reference, class Value>
inline constexpr bool moves<thr::transform_iterator<Function, It, Reference, Value>> = moves<It>;

// Whether the function of a transform_iterator takes what it is applied to.
template <class It>
inline constexpr bool applies = true;
template <class It>
inline constexpr bool applies<thr::reverse_iterator<It>> = applies<It>;
template <class Function, class It, class Reference, class Value>
inline constexpr bool applies<thr::transform_iterator<Function, It, Reference, Value>> =
  applies<It> && (calls<Function, decltype(*::cuda::std::declval<It&>())> || calls<Function, const value_t<It>&>);

template <class It, class Value, class = void>
inline constexpr bool stores = false;
template <class It, class Value>
inline constexpr bool
  stores<It,
         Value,
         ::cuda::std::void_t<decltype(*::cuda::std::declval<It&>() = ::cuda::std::declval<const Value&>())>> = true;

// Thrust's scan in device code, which every call has in it, assigns.
template <class T>
inline constexpr bool copies = ::cuda::std::is_copy_constructible_v<T>&& ::cuda::std::is_assignable_v<T&, T>;

// Stands for a type that cannot be told, of which a sentence has been said.
struct untold
{};

// accumulator_t and transformed_t (types.h), of which a sentence is said where there is none.
template <class Op, class Init, class V, bool = calls<Op, Init, V>>
struct checked_accumulator
{
  static_assert(calls<Op, Init, V>, "lightscan: the operator cannot be called with the initial value and an element");
  using type = untold;
};
template <class Op, class Init, class V>
struct checked_accumulator<Op, Init, V, true>
{
  using type = accumulator_t<Op, Init, V>;
};
template <class Op, class Init>
struct checked_accumulator<Op, Init, untold, false>
{
  using type = untold;
};
template <class Op, class Init, class V>
using checked_accumulator_t = typename checked_accumulator<Op, Init, V>::type;

template <class Function, class Element, bool = calls<Function, Element>>
struct checked_transformed
{
  static_assert(calls<Function, Element>, "lightscan: the function cannot be called with an element");
  using type = untold;
};
template <class Function, class Element>
struct checked_transformed<Function, Element, true>
{
  using type = transformed_t<Function, Element>;
};
template <class Function, class Element>
using checked_transformed_t = typename checked_transformed<Function, Element>::type;

// What our kernels call operators with, and Thrust's.
template <class T, bool InKernels>
using operand_t = ::cuda::std::conditional_t<InKernels, const T, T>;

// What a scan needs: the first that is not there is told. `value`: all is there.
template <bool InKernels, class T, class InputIt, class OutputIt, class Init, class Op>
struct offered_scan
{
  static constexpr bool told     = !::cuda::std::is_same_v<T, untold>;
  static constexpr bool input    = told && moves<InputIt>;
  static constexpr bool function = input && applies<InputIt>;
  static constexpr bool type     = function && copies<T>;
  static constexpr bool items    = type && reads<InputIt, T>;
  static constexpr bool op       = items && joins<T, operand_t<T, InKernels>, Op>;
  static constexpr bool init     = op && (::cuda::std::is_same_v<Init, util::no_init> || converts<T, const Init&>);
  static constexpr bool output   = init && moves<OutputIt>;
  static constexpr bool value    = output && stores<OutputIt, T>;

  static_assert(input || !told, "lightscan: the input needs random-access iterators");
  static_assert(function || !input, "lightscan: the function cannot be called with an element");
  static_assert(type || !function, "lightscan: the type that is accumulated in must be copyable and assignable");
  static_assert(items || !type, "lightscan: the input's elements do not convert to the type that is accumulated in");
  static_assert(op || !items,
                "lightscan: the operator does not join two values of the type that is accumulated in to one of it");
  static_assert(init || !op, "lightscan: the initial value does not convert to the type that is accumulated in");
  static_assert(output || !init, "lightscan: the output needs a random-access iterator");
  static_assert(value || !output, "lightscan: the type that is accumulated in cannot be assigned to the output");
};

template <bool InKernels, class T, class KeyIt, class ValueIt, class OutputIt, class Init, class Same, class Op>
struct offered_scan_by_key
{
  using key = value_t<KeyIt>;

  static constexpr bool keys     = moves<KeyIt>;
  static constexpr bool function = keys && applies<KeyIt>;
  static constexpr bool type     = function && copies<key> && reads<KeyIt, key>;
  static constexpr bool same     = type && joins<bool, operand_t<key, InKernels>, Same>;
  static constexpr bool value    = ::cuda::std::conjunction_v<::cuda::std::bool_constant<same>,
                                                           offered_scan<InKernels, T, ValueIt, OutputIt, Init, Op>>;

  static_assert(keys, "lightscan: the keys need random-access iterators");
  static_assert(function || !keys, "lightscan: the function cannot be called with a key");
  static_assert(type || !function, "lightscan: keys must be copyable and assignable");
  static_assert(same || !type, "lightscan: the predicate cannot be called with two keys");
};
} // namespace entry
LIGHTSCAN_NAMESPACE_END
