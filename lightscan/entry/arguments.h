// The arguments of CUB's entry points (lightscan::DeviceScan, DeviceSelect and their like): what each may be, which of CUB's
// overloads a call means, and what a number of items or an initial value becomes that only the GPU knows.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/offered.h>
#include <lightscan/entry/types.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cub/util_type.cuh> // cub::FutureValue

#include <cuda/std/iterator>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>

#include <cuda_runtime_api.h>

#if __has_include(<cuda/argument>)
#  include <cuda/argument>
#  define LIGHTSCAN_DETAIL_DEFERRED // cuda::args::deferred: CCCL 3.5
#endif

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
// An argument as the kernels take it: one that lies in device memory as a type that converts to its value there.
template <class T>
T settled(T argument)
{
  return argument;
}

#if defined(LIGHTSCAN_DETAIL_DEFERRED)
template <class It, class Bounds>
auto settled(const ::cuda::args::deferred<It, Bounds>& argument)
{
  return CUB_NS_QUALIFIER::FutureValue<value_t<It>, It>(::cuda::args::__unwrap(argument));
}
#endif

template <class T>
using settled_t = decltype(entry::settled(::cuda::std::declval<const T&>()));

// The type of the value that an argument is or stands for.
template <class T>
struct stands_for
{
  using type = T;
};
template <class T>
struct stands_for<device_value<T>>
{
  using type = T;
};
template <class T, class It>
struct stands_for<CUB_NS_QUALIFIER::FutureValue<T, It>>
{
  using type = T;
};
template <class Init>
using init_value_t = typename stands_for<settled_t<Init>>::type;

template <class T>
inline constexpr bool lies_in_device_memory = !::cuda::std::is_same_v<init_value_t<T>, T>;

// What a call accumulates in; untold where the operator does not take that, of which a sentence has been said.
template <class Op, class Init, class InputIt>
struct accumulator
{
  using type = checked_accumulator_t<Op, init_value_t<Init>, value_t<InputIt>>;
};
template <class Op, class InputIt>
struct accumulator<Op, util::no_init, InputIt>
{
  using type = checked_accumulator_t<Op, value_t<InputIt>, value_t<InputIt>>;
};

// A number of items as the launcher takes it: a pointer is to one in device memory. What is none, and can be made one, is made one
// here: its conversion may be for the host only.
template <class NumItems>
auto count_of(NumItems num_items)
{
  constexpr bool converts = ::cuda::std::is_convertible_v<NumItems, dispatch::index>;
  if constexpr (converts && !lies_in_device_memory<NumItems>)
  {
    return static_cast<dispatch::index>(num_items);
  }
  else if constexpr (::cuda::std::is_pointer_v<NumItems>)
  {
    return device_value<::cuda::std::remove_const_t<::cuda::std::remove_pointer_t<NumItems>>>{num_items};
  }
  else
  {
    return entry::settled(num_items);
  }
}

// Which overload is meant. CUB's differ in what their arguments are, not in how many there are: (in, out, n) or (data,
// n, stream), (in, out, op, n) or (data, op, n, stream), storage with its size or a range with a number of items.
template <class T, class = void>
inline constexpr bool is_counted_by = ::cuda::std::is_convertible_v<T, dispatch::index>;
template <class T>
inline constexpr bool is_counted_by<T*, void> = ::cuda::std::is_integral_v<T>;
template <class T>
inline constexpr bool is_counted_by<T, ::cuda::std::enable_if_t<lies_in_device_memory<T>>> =
  ::cuda::std::is_integral_v<init_value_t<T>>;

template <class T>
inline constexpr bool is_count = !::cuda::std::is_floating_point_v<T> && is_counted_by<T>;

template <class T, class = void>
inline constexpr bool has_elements = false;
template <class T>
inline constexpr bool
  has_elements<T, ::cuda::std::void_t<decltype(::cuda::std::declval<T&>()[::cuda::std::ptrdiff_t{}])>> = true;

template <class T>
inline constexpr bool is_iterator = ::cuda::std::is_class_v<T>&& has_elements<T>;
template <class T>
inline constexpr bool is_iterator<T*> = ::cuda::std::is_object_v<T> && !::cuda::std::is_same_v<T*, cudaStream_t>;

// A class or a function: what can be called, as far as the host can tell.
template <class T>
inline constexpr bool is_operator =
  (::cuda::std::is_class_v<T> && !is_iterator<T>) || ::cuda::std::is_function_v<::cuda::std::remove_pointer_t<T>>;

// What the last arguments of a single call are.
template <class NumItems, class... Environment>
inline constexpr bool are_last = is_count<NumItems>&& says_where<Environment...>;

template <class InputIt, class OutputIt, class NumItems, class... Environment>
using if_from_to =
  ::cuda::std::enable_if_t<is_iterator<InputIt> && is_iterator<OutputIt> && are_last<NumItems, Environment...>, int>;

template <class It, class Op, class NumItems, class... Environment>
using if_in_place =
  ::cuda::std::enable_if_t<is_iterator<It> && is_operator<Op> && are_last<NumItems, Environment...>, int>;

// Without an operator: in (in, out, 5), `in` is no range of *out items on the stream 5.
template <class NumItems, class... Environment>
inline constexpr bool are_last_alone =
  are_last<NumItems, Environment...> && !(is_iterator<NumItems> && begins_with_number<Environment...>);

template <class It, class NumItems, class... Environment>
using if_sum_in_place = ::cuda::std::enable_if_t<is_iterator<It> && are_last_alone<NumItems, Environment...>, int>;

template <class Same>
inline constexpr bool is_equality = is_operator<Same> && !is_environment<Same> && !is_stream<Same>;

template <class KeyIt, class ValueIt, class NumItems, class Same, class... Environment>
using if_by_key = ::cuda::std::enable_if_t<
  is_iterator<KeyIt> && is_iterator<ValueIt> && is_equality<Same> && are_last<NumItems, Environment...>,
  int>;

// Calls of selections and their like, by the iterators that come first and the predicates among or behind them. In two phases
// there is no Environment: the stream that may follow has a type of its own.
template <class... Its>
struct iterators
{
  static constexpr bool value = (is_iterator<Its> && ...);
};

// Where nothing else can be meant: whatever members such a class has besides.
template <class Op>
inline constexpr bool is_called =
  (::cuda::std::is_class_v<Op> || ::cuda::std::is_function_v<::cuda::std::remove_pointer_t<Op>>) &&!is_environment<
    Op> && !is_stream<Op>;

template <class... Ops>
struct called
{
  static constexpr bool value = (is_called<Ops> && ...);
};

// Where a number of items or an iterator could stand, too.
template <class... Ops>
struct operators
{
  static constexpr bool value = ((is_equality<Ops> && !is_count<Ops>) &&...);
};

template <class Iterators, class Operators, class NumItems, class... Environment>
using if_called =
  ::cuda::std::enable_if_t<Iterators::value && Operators::value && are_last<NumItems, Environment...>, int>;

// In place and without an operator, where one more iterator would make it a call from here to there.
template <class Iterators, class NumItems, class... Environment>
using if_called_alone = ::cuda::std::enable_if_t<Iterators::value && are_last_alone<NumItems, Environment...>, int>;
} // namespace entry
LIGHTSCAN_NAMESPACE_END
