// From the arguments of an overload to the engine: iterators unwrapped, accumulator types, elements and results.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/host/elements.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/policy.h>
#include <lightscan/host/results_apart.h>
#include <lightscan/version.h>

#include <thrust/memory.h>
#include <thrust/scan.h>
#include <thrust/system/cpp/pointer.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_entry
{
namespace thr = THRUST_NS_QUALIFIER;

using carry::no_init;
using host_engine::index;

template <class It>
using value_t = typename ::cuda::std::iterator_traits<It>::value_type;

template <class It>
using reference_t = typename ::cuda::std::iterator_traits<It>::reference;

template <class Function, class It>
using result_t = ::cuda::std::remove_cvref_t<::cuda::std::invoke_result_t<Function&, reference_t<It>>>;

template <class Op, class T, class V>
using accumulator_t = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op&, T, V>>;

// Contiguous iterators as raw pointers, others as they are. Not for empty ranges.
template <class It>
auto unwrapped(It it)
{
  if constexpr (host_engine::is_reverse<
                  It>) // of one over a vector<bool>, CCCL 3.5 cannot say that it is not contiguous
  {
    return it;
  }
  else if constexpr (thr::is_contiguous_iterator<It>::value)
  {
    return thr::raw_pointer_cast(&*it);
  }
  else
  {
    return it;
  }
}

template <class A, class B>
bool same_place(const A&, const B&)
{
  return false;
}
template <class A, class B>
bool same_place(A* a, B* b)
{
  return static_cast<const volatile void*>(a) == static_cast<const volatile void*>(b);
}

template <bool Inclusive, class T, class Derived, class Source, class OutputIt, class Projection, class Op, class Init>
void run(const host_execution_policy<Derived>& policy,
         bool in_place,
         const Source& source,
         OutputIt result,
         const Projection& projection,
         index num_items,
         const Op& op,
         const Init& init)
{
  const int asked   = static_cast<const Derived&>(policy).threads();
  const int threads = !host_engine::results_apart<OutputIt> ? 1 : asked > 0 ? asked : host_engine::default_threads();
  host_engine::scan<host_engine::default_tuning, Inclusive, T>(
    threads, in_place, source, result, projection, num_items, op, init);
}

// Init: no_init, or what converts to T.
template <bool Inclusive, class T, class Derived, class InputIt, class OutputIt, class Init, class Op>
OutputIt scan(host_execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result, Init init, Op op)
{
  if (last - first <= 0)
  {
    return result;
  }
  using start       = ::cuda::std::conditional_t<::cuda::std::is_same_v<Init, no_init>, no_init, T>;
  const auto input  = unwrapped(first);
  const auto output = unwrapped(result);
  using source      = host_engine::elements<T, ::cuda::std::remove_const_t<decltype(input)>>;
  run<Inclusive, T>(policy,
                    same_place(input, output),
                    source{input},
                    output,
                    host_engine::all_of_it{},
                    static_cast<index>(last - first),
                    op,
                    static_cast<start>(init));
  return result + (last - first);
}

template <bool Inclusive, class T, class Derived, class InputIt, class OutputIt, class Function, class Init, class Op>
OutputIt transform_scan(host_execution_policy<Derived>& policy,
                        InputIt first,
                        InputIt last,
                        OutputIt result,
                        Function function,
                        Init init,
                        Op op)
{
  if (last - first <= 0)
  {
    return result;
  }
  using start       = ::cuda::std::conditional_t<::cuda::std::is_same_v<Init, no_init>, no_init, T>;
  const auto input  = unwrapped(first);
  const auto output = unwrapped(result);
  using source      = host_engine::transformed_elements<T, ::cuda::std::remove_const_t<decltype(input)>, Function>;
  run<Inclusive, T>(policy,
                    same_place(input, output),
                    source{input, function},
                    output,
                    host_engine::all_of_it{},
                    static_cast<index>(last - first),
                    op,
                    static_cast<start>(init));
  return result + (last - first);
}

// Whether results take the place of the keys that are still to be compared.
template <class KeyIt, class OutputIt>
bool over_keys(const KeyIt& keys, const OutputIt& result)
{
  if constexpr (::cuda::std::is_same_v<KeyIt, OutputIt>)
  {
    return keys == result;
  }
  else
  {
    return same_place(unwrapped(keys), unwrapped(result));
  }
}

template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
OutputIt inclusive_by_key(
  host_execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, Equal equal, Op op)
{
  if (last - first <= 0)
  {
    return result;
  }
  if (over_keys(first, result))
  {
    return thr::inclusive_scan_by_key(thr::cpp::tag{}, first, last, values, result, equal, op);
  }
  using V           = value_t<ValueIt>;
  using T           = host_engine::keyed<V>;
  const auto keys   = unwrapped(first);
  const auto input  = unwrapped(values);
  const auto output = unwrapped(result);
  using heads       = host_engine::heads<::cuda::std::remove_const_t<decltype(keys)>, Equal>;
  using source      = host_engine::keyed_elements<V, ::cuda::std::remove_const_t<decltype(input)>, heads>;
  run<true, T>(policy,
               same_place(input, output),
               source{input, heads{keys, equal}},
               output,
               host_engine::its_value{},
               static_cast<index>(last - first),
               host_engine::keyed_op<V, Op>{op},
               no_init{});
  return result + (last - first);
}

template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
OutputIt exclusive_by_key(host_execution_policy<Derived>& policy,
                          KeyIt first,
                          KeyIt last,
                          ValueIt values,
                          OutputIt result,
                          T init,
                          Equal equal,
                          Op op)
{
  if (last - first <= 0)
  {
    return result;
  }
  if (over_keys(first, result))
  {
    return thr::exclusive_scan_by_key(thr::cpp::tag{}, first, last, values, result, init, equal, op);
  }
  using keyed       = host_engine::keyed<T>;
  const auto keys   = unwrapped(first);
  const auto input  = unwrapped(values);
  const auto output = unwrapped(result);
  using heads       = host_engine::heads<::cuda::std::remove_const_t<decltype(keys)>, Equal>;
  using source      = host_engine::keyed_elements_after<T, ::cuda::std::remove_const_t<decltype(input)>, heads, Op>;
  run<false, keyed>(policy,
                    same_place(input, output),
                    source{input, heads{keys, equal}, init, op},
                    output,
                    host_engine::init_or_its_value<T, heads>{heads{keys, equal}, init},
                    static_cast<index>(last - first),
                    host_engine::keyed_op<T, Op>{op},
                    keyed{init, true}); // the first element begins a segment: it is not used
  return result + (last - first);
}
} // namespace host_entry
LIGHTSCAN_NAMESPACE_END
