// From a call with a host policy to the engine: iterators unwrapped, elements and results.
#pragma once

#include <lightscan/entry/call.h>
#include <lightscan/host/elements.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/policy.h>
#include <lightscan/host/results_apart.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/system/cpp/pointer.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class T, class It>
elements<T, util::unwrapped_t<It>> elements_of(const It& first)
{
  return {util::unwrapped(first)};
}

// As transform scans make them.
template <class T, class Function, class It, class V>
elements<T, util::unwrapped_t<It>, Function> elements_of(const thr::transform_iterator<Function, It, V, V>& first)
{
  return {util::unwrapped(first.base()), first.functor()};
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
    return same_place(util::unwrapped(keys), util::unwrapped(result));
  }
}

template <bool Inclusive, class T, class InputIt, class OutputIt, class Init, class Op>
void run(int threads, index num_items, entry::scan_call<Inclusive, T, InputIt, OutputIt, Init, Op>& call)
{
  using start       = typename entry::scan_call<Inclusive, T, InputIt, OutputIt, Init, Op>::start;
  const auto source = elements_of<T>(call.first);
  const auto output = util::unwrapped(call.result);
  host_engine::scan<default_tuning, Inclusive, T>(threads,
                                                  same_place(source.first, output),
                                                  source,
                                                  output,
                                                  all_of_it{},
                                                  num_items,
                                                  call.op,
                                                  static_cast<start>(call.init));
}

inline util::no_init keyed_start(util::no_init none)
{
  return none;
}
template <class V>
keyed<V> keyed_start(const V& init)
{
  return {init, true}; // the first element begins a segment: it is not used
}

template <class V, class KeyIt, class ValueIt, class OutputIt, class Init, class Same, class Op>
void run(int threads, index num_items, entry::scan_by_key_call<V, KeyIt, ValueIt, OutputIt, Init, Same, Op>& call)
{
  if (over_keys(call.first, call.result))
  {
    call.by_thrust(thr::cpp::tag{});
    return;
  }
  constexpr bool inclusive = ::cuda::std::is_same_v<Init, util::no_init>;
  using head_flags         = heads<util::unwrapped_t<KeyIt>, Same>;
  using source             = keyed_elements<V, util::unwrapped_t<ValueIt>, head_flags, Init, Op>;
  const head_flags head{util::unwrapped(call.first), call.same};
  const auto values = util::unwrapped(call.values);
  const auto output = util::unwrapped(call.result);
  host_engine::scan<default_tuning, inclusive, keyed<V>>(threads,
                                                         same_place(values, output),
                                                         source{values, head, call.init, call.op},
                                                         output,
                                                         keyed_result<head_flags, Init>{head, call.init},
                                                         num_items,
                                                         keyed_op<V, Op>{call.op},
                                                         keyed_start(call.init));
}
} // namespace host_engine

namespace entry
{
template <>
struct backend<policy_parts::host_threads>
{
  static constexpr bool has_kernels = false;

  template <class It>
  using element_t = util::reference_t<It>;

  template <class Call>
  static constexpr bool offers()
  {
    return Call::is_told;
  }

  template <class Derived, class Call>
  static typename Call::output_type run(const Derived& policy, Call& call)
  {
    const auto num_items = static_cast<dispatch::index>(call.last - call.first);
    if (num_items > 0)
    {
      const int asked     = policy.threads();
      constexpr bool many = host_engine::results_apart<util::unwrapped_t<typename Call::output_type>>;
      host_engine::run(many ? (asked > 0 ? asked : host_engine::default_threads()) : 1, num_items, call);
      return call.result + num_items;
    }
    return call.result;
  }
};
} // namespace entry
LIGHTSCAN_NAMESPACE_END
