// Calls of selections (call.h says what a call is): copy_if, remove and unique with all that is made of them.
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/call.h>
#include <lightscan/entry/offered_select.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/call.h>
#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

#include <thrust/copy.h>
#include <thrust/device_reference.h>
#include <thrust/pair.h>
#include <thrust/remove.h>
#include <thrust/unique.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
// item == value, each of its own type.
template <class T>
struct equals
{
  T value;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class X>
  LIGHTSCAN_HOST_DEVICE bool operator()(const X& item) const
  {
    return static_cast<bool>(item == value);
  }
};
} // namespace entry
namespace util
{
// A number that is compared with is no address.
template <class T>
inline constexpr bool can_hold_address<entry::equals<T>> = sizeof(T) >= sizeof(void*)
                                                        && !::cuda::std::is_arithmetic_v<T>;
} // namespace util
namespace entry
{
// The value that a reference of Thrust's stands for.
template <class T>
struct value_of_reference
{
  using type = T;
};
template <class V>
struct value_of_reference<thr::device_reference<V>>
{
  using type = ::cuda::std::remove_cv_t<V>;
};
template <class V, class System>
struct value_of_reference<thr::tagged_reference<V, System>>
{
  using type = ::cuda::std::remove_cv_t<V>;
};

// Whether an item equals `value`. If that is what a range's iterator yields, it is read before the call, which may put something else
// where it stands.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class InputIt, class T>
LIGHTSCAN_HOST_DEVICE auto equals_value(const T& value)
{
  using reference = ::cuda::std::remove_cvref_t<util::reference_t<InputIt>>;
  using held      = ::cuda::std::
    conditional_t<::cuda::std::is_same_v<T, reference>, util::value_t<InputIt>, typename value_of_reference<T>::type>;
  return equals<held>{static_cast<held>(value)};
}

// Items and what decides on them, as the kernels' inputs; and whether that is the items themselves.
template <class StencilIt>
inline constexpr bool tests_items = ::cuda::std::is_same_v<StencilIt, no_stencil>;

template <class InputIt, class StencilIt>
auto tested_inputs(InputIt first, [[maybe_unused]] StencilIt stencil)
{
  if constexpr (tests_items<StencilIt>)
  {
    return entry::these(first);
  }
  else
  {
    return entry::these(stencil, first);
  }
}

// copy_if (`Wanted`) and remove_copy_if; remove_if (`InPlace`), whose result is where the input begins.
template <bool Wanted, bool InPlace, class InputIt, class StencilIt, class OutputIt, class Predicate>
struct select_call
{
  using test        = tile::if_test<Predicate, Wanted>;
  using kind        = tile::select_kind<test, tests_items<StencilIt>>;
  using result_type = OutputIt;
  using outputs     = written_through<OutputIt>;

  static constexpr bool is_told     = true;
  static constexpr bool in_kernels  = selected_in_kernels<InputIt, tested_it<InputIt, StencilIt>>;
  static constexpr bool needs_total = true;
  static constexpr bool in_place    = InPlace;

  InputIt& first;
  InputIt& last;
  StencilIt& stencil;
  OutputIt& result;
  Predicate& pred;

  static constexpr bool is_offered()
  {
    return offered_select<InputIt, StencilIt, Predicate, OutputIt>::value;
  }

  auto problem(dispatch::index num_items, dispatch::index* total)
  {
    return entry::select_problem_of<tests_items<StencilIt>>(
      test{pred}, entry::tested_inputs(first, stencil), entry::these(result), total, num_items);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE OutputIt nothing()
  {
    return result;
  }

  OutputIt end(dispatch::index, dispatch::index selected)
  {
    return result + selected;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE OutputIt by_thrust(Policy policy)
  {
    if constexpr (tests_items<StencilIt>)
    {
      if constexpr (InPlace)
      {
        return thr::remove_if(policy, first, last, pred);
      }
      else if constexpr (Wanted)
      {
        return thr::copy_if(policy, first, last, result, pred);
      }
      else
      {
        return thr::remove_copy_if(policy, first, last, result, pred);
      }
    }
    else if constexpr (InPlace)
    {
      return thr::remove_if(policy, first, last, stencil, pred);
    }
    else if constexpr (Wanted)
    {
      return thr::copy_if(policy, first, last, stencil, result, pred);
    }
    else
    {
      return thr::remove_copy_if(policy, first, last, stencil, result, pred);
    }
  }
};

// unique_copy; unique (`InPlace`), whose result is where the input begins.
template <bool InPlace, class InputIt, class OutputIt, class Same>
struct unique_call
{
  using test        = tile::run_test<Same>;
  using kind        = tile::select_kind<test, true>;
  using result_type = OutputIt;
  using outputs     = written_through<OutputIt>;

  static constexpr bool is_told     = true;
  static constexpr bool in_kernels  = selected_in_kernels<InputIt>;
  static constexpr bool needs_total = true;
  static constexpr bool in_place    = InPlace;

  InputIt& first;
  InputIt& last;
  OutputIt& result;
  Same& same;

  static constexpr bool is_offered()
  {
    return offered_output<offered_runs<in_kernels, InputIt, Same>::value, InputIt, OutputIt>::value;
  }

  auto problem(dispatch::index num_items, dispatch::index* total)
  {
    return entry::select_problem_of<true>(test{same}, entry::these(first), entry::these(result), total, num_items);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE OutputIt nothing()
  {
    return result;
  }

  OutputIt end(dispatch::index, dispatch::index selected)
  {
    return result + selected;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE OutputIt by_thrust(Policy policy)
  {
    if constexpr (InPlace)
    {
      return thr::unique(policy, first, last, same);
    }
    else
    {
      return thr::unique_copy(policy, first, last, result, same);
    }
  }
};

// unique_by_key_copy; unique_by_key (`InPlace`), whose results are where keys and values begin.
template <bool InPlace, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Same>
struct unique_by_key_call
{
  using test        = tile::run_test<Same>;
  using kind        = tile::select_kind<test, true>;
  using result_type = thr::pair<KeyOutputIt, ValueOutputIt>;
  using outputs     = written_through<KeyOutputIt, ValueOutputIt>;

  static constexpr bool is_told     = true;
  static constexpr bool in_kernels  = selected_in_kernels<KeyIt, ValueIt>;
  static constexpr bool needs_total = true;
  static constexpr bool in_place    = InPlace;

  KeyIt& first;
  KeyIt& last;
  ValueIt& values;
  KeyOutputIt& keys_result;
  ValueOutputIt& values_result;
  Same& same;

  static constexpr bool is_offered()
  {
    constexpr bool keys   = offered_runs<in_kernels, KeyIt, Same>::value;
    constexpr bool stored = offered_output<keys, KeyIt, KeyOutputIt>::value;
    return offered_output<offered_input<stored, ValueIt>::value, ValueIt, ValueOutputIt>::value;
  }

  auto problem(dispatch::index num_items, dispatch::index* total)
  {
    return entry::select_problem_of<true>(
      test{same}, entry::these(first, values), entry::these(keys_result, values_result), total, num_items);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE result_type nothing()
  {
    return result_type(keys_result, values_result);
  }

  result_type end(dispatch::index, dispatch::index selected)
  {
    return result_type(keys_result + selected, values_result + selected);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE result_type by_thrust(Policy policy)
  {
    if constexpr (InPlace)
    {
      return thr::unique_by_key(policy, first, last, values, same);
    }
    else
    {
      return thr::unique_by_key_copy(policy, first, last, values, keys_result, values_result, same);
    }
  }
};

template <class InputIt, class Same>
struct unique_count_call
{
  using test        = tile::run_test<Same>;
  using kind        = tile::select_kind<test, false>;
  using result_type = typename ::cuda::std::iterator_traits<InputIt>::difference_type;
  using outputs     = written_through<>;

  static constexpr bool is_told     = true;
  static constexpr bool in_kernels  = selected_in_kernels<InputIt>;
  static constexpr bool needs_total = true;

  InputIt& first;
  InputIt& last;
  Same& same;

  static constexpr bool is_offered()
  {
    return offered_runs<in_kernels, InputIt, Same>::value;
  }

  auto problem(dispatch::index num_items, dispatch::index* total)
  {
    return entry::select_problem_of<false>(test{same}, entry::these(first), entry::these(), total, num_items);
  }

  LIGHTSCAN_HOST_DEVICE result_type nothing()
  {
    return 0;
  }

  result_type end(dispatch::index, dispatch::index selected)
  {
    return static_cast<result_type>(selected);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE result_type by_thrust(Policy policy)
  {
    return static_cast<result_type>(thr::unique_count(policy, first, last, same));
  }
};

template <bool Wanted, bool InPlace = false>
struct selection
{
  template <class... Arguments>
  using call = select_call<Wanted, InPlace, Arguments...>;
};
template <bool InPlace>
struct unique_selection
{
  template <class... Arguments>
  using call = unique_call<InPlace, Arguments...>;
};
template <bool InPlace>
struct unique_selection_by_key
{
  template <class... Arguments>
  using call = unique_by_key_call<InPlace, Arguments...>;
};
struct unique_counting
{
  template <class... Arguments>
  using call = unique_count_call<Arguments...>;
};
} // namespace entry
LIGHTSCAN_NAMESPACE_END
