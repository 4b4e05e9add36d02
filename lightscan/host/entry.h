// From a call with a host policy to the engine: iterators unwrapped, elements and results; or to the loop that selections have.
// The engine is no concern of the pass in which nvcc compiles device code, where Thrust's sequential algorithms serve (entry/call.h):
// there it is not read.
#pragma once

#include <lightscan/entry/call.h>
#include <lightscan/host/policy.h>
#if !defined(__CUDA_ARCH__)
#  include <lightscan/host/elements.h>
#  include <lightscan/host/engine.h>
#  include <lightscan/host/places.h>
#  include <lightscan/host/reduce_runs.h>
#  include <lightscan/host/results_apart.h>
#  include <lightscan/host/select.h>
#endif
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/system/cpp/pointer.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
#if !defined(__CUDA_ARCH__)
namespace host_engine
{
template <class T, class It>
elements<T, util::unwrapped_t<It>> elements_of(const It& first)
{
  return {util::unwrapped(first)};
}

// What a transform_iterator that says what it yields makes of its function's result.
template <class V, class Function>
struct converted_result
{
  Function function;

  template <class Element>
  V operator()(Element&& element)
  {
    return static_cast<V>(function(static_cast<Element&&>(element)));
  }
};

// As transform scans make them, and anybody may.
template <class T, class Function, class It, class V>
auto elements_of(const thr::transform_iterator<Function, It, V, V>& first)
{
  using input = util::unwrapped_t<It>;
  if constexpr (::cuda::std::is_same_v<V, thr::use_default>)
  {
    return elements<T, input, Function>{util::unwrapped(first.base()), first.functor()};
  }
  else
  {
    return elements<T, input, converted_result<V, Function>>{util::unwrapped(first.base()), {first.functor()}};
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
  if (over_input(call.first, call.result))
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

template <class Call, class = void>
inline constexpr bool sets_aside = false;
template <class Call>
inline constexpr bool sets_aside<Call, ::cuda::std::void_t<typename Call::rest>> = true;

template <class Call, class = void>
inline constexpr bool is_in_place = false;
template <class Call>
inline constexpr bool is_in_place<Call, ::cuda::std::enable_if_t<Call::in_place>> = true;

// A call whose result depends on the data.
template <class Call>
typename Call::result_type run_and_count(int threads, index num_items, Call& call)
{
  index total = 0;
  if constexpr (sets_aside<Call>)
  {
    total = host_engine::partition<default_tuning>(threads, call, num_items);
  }
  else if constexpr (is_in_place<Call>)
  {
    host_engine::run<default_tuning>(threads, call.problem(num_items, &total), true);
  }
  else
  {
    host_engine::run<default_tuning>(threads, call.problem(num_items, &total));
  }
  return call.end(num_items, total);
}

template <class Outputs>
inline constexpr bool all_apart = false;
template <class... Its>
inline constexpr bool all_apart<entry::written_through<Its...>> = (results_apart<util::unwrapped_t<Its>> && ...);
} // namespace host_engine
#endif

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

#if !defined(__CUDA_ARCH__)
  template <class Derived, class Call>
  static typename Call::result_type run(const Derived& policy, Call& call)
  {
    const auto num_items = static_cast<dispatch::index>(call.last - call.first);
    if (num_items <= 0)
    {
      return call.nothing();
    }
    const int threads = host_engine::threads_for(policy.threads(), host_engine::all_apart<typename Call::outputs>);
    if constexpr (Call::needs_total)
    {
      return host_engine::run_and_count(threads, num_items, call);
    }
    else
    {
      host_engine::run(threads, num_items, call);
      return call.end(num_items);
    }
  }
#endif
};
} // namespace entry
LIGHTSCAN_NAMESPACE_END
