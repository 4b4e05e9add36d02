// Calls before it is known who runs them: what each asks of the kernels, of host threads and of Thrust; and the one place where a
// call with a policy comes to the policy's backend. Here are the scans; select_call.h, partition_call.h and reduce_by_key_call.h
// have the others. A call refers to the arguments: an object that holds them would have a destructor for host and device, which
// nvcc warns of where theirs is for the host only. Each has
//
//   kind, result_type               what it is to the kernels, and what it returns
//   outputs                         the iterators that are written through
//   is_told, is_offered()           whether its types can be told; says why it is not offered, in one sentence
//   in_kernels                      whether our kernels take its types
//   first, last                     the range, or the keys'
//   in_place                        of some: whether the results go where the items lie
//   needs_total                     whether what it returns depends on the data
//   problem(num_items)              what is asked of kernels and host threads; of a call that needs its total
//   problem(num_items, total)         (total[0] is written),
//   problem(num_items, total, rest)   and of one that has a `rest`: a place for as many of those as there are items
//   nothing(), end(...)             what it returns for an empty range; for others, from the number of items and from the total
//   by_thrust(policy)               Thrust's own algorithm under one of Thrust's own policies
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/offered.h>
#include <lightscan/entry/types.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/scan_policy.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/scan.h>
#include <thrust/system/cpp/pointer.h>

#include <cuda/std/type_traits>

#include <nv/target>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
namespace thr = THRUST_NS_QUALIFIER;

template <bool Inclusive, class T, class InputIt, class OutputIt, class Count, class Op, class Init>
auto scan_problem_of(InputIt in, OutputIt out, Count num_items, Op op, Init init)
{
  using input   = util::unwrapped_t<InputIt>;
  using output  = util::unwrapped_t<OutputIt>;
  using problem = dispatch::scan_problem<T, input, output, Op, Init, Inclusive, Count>;
  return problem{{util::unwrapped(in)}, util::unwrapped(out), num_items, op, init, {}};
}

template <class Key, class T, class KeyIt, class ValueIt, class OutputIt, class Count, class Same, class Op, class Init>
auto by_key_problem_of(KeyIt keys, ValueIt values, OutputIt out, Count num_items, Same same, Op op, Init init)
{
  using keys_in   = util::unwrapped_t<KeyIt>;
  using values_in = util::unwrapped_t<ValueIt>;
  using output    = util::unwrapped_t<OutputIt>;
  using problem   = dispatch::by_key_problem<Key, T, keys_in, values_in, output, Same, Op, Init, Count>;
  return problem{
    {util::unwrapped(keys), util::unwrapped(values)}, util::unwrapped(out), num_items, {same, op}, {}, {init}};
}

// Whether a scan by key runs in our kernels, which accumulate two keys, a value and a flag.
template <class Key, class Value>
inline constexpr bool keyed_in_kernels =
  util::is_bitwise_copyable<Key>&& util::is_bitwise_copyable<Value>&& is_accelerated_v<tile::keyed<Key, Value>>;

// The iterators that a call writes through.
template <class... Its>
struct written_through
{};

// inclusive_scan and exclusive_scan. T is the type that is accumulated in; `untold` where a sentence has been said of it.
template <bool Inclusive, class T, class InputIt, class OutputIt, class Init, class Op>
struct scan_call
{
  using kind        = tile::scan_kind<T, Inclusive>;
  using result_type = OutputIt;
  using outputs     = written_through<OutputIt>;
  // The initial value as it is accumulated.
  using start = ::cuda::std::conditional_t<::cuda::std::is_same_v<Init, util::no_init>, Init, T>;

  static constexpr bool is_told     = !::cuda::std::is_same_v<T, untold>;
  static constexpr bool in_kernels  = is_accelerated_v<T>;
  static constexpr bool needs_total = false;

  InputIt& first;
  InputIt& last;
  OutputIt& result;
  Init& init;
  Op& op;

  static constexpr bool is_offered()
  {
    return offered_scan<in_kernels, T, InputIt, OutputIt, Init, Op>::value;
  }

  auto problem(dispatch::index num_items)
  {
    return entry::scan_problem_of<Inclusive, T>(first, result, num_items, op, static_cast<start>(init));
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE OutputIt nothing()
  {
    return result;
  }

  OutputIt end(dispatch::index num_items)
  {
    return result + num_items;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE OutputIt by_thrust(Policy policy)
  {
    if constexpr (!Inclusive)
    {
      return thr::exclusive_scan(policy, first, last, result, init, op);
    }
    else if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
    {
      return thr::inclusive_scan(policy, first, last, result, op);
    }
    else
    {
      return thr::inclusive_scan(policy, first, last, result, init, op);
    }
  }
};

// inclusive_scan_by_key (with Init = util::no_init) and exclusive_scan_by_key.
template <class Value, class KeyIt, class ValueIt, class OutputIt, class Init, class Same, class Op>
struct scan_by_key_call
{
  using key         = value_t<KeyIt>;
  using kind        = tile::by_key_kind<key, Value, Init, util::can_hold_address<Same>>;
  using result_type = OutputIt;
  using outputs     = written_through<OutputIt>;

  static constexpr bool is_told     = true;
  static constexpr bool in_kernels  = keyed_in_kernels<key, Value>;
  static constexpr bool needs_total = false;

  KeyIt& first;
  KeyIt& last;
  ValueIt& values;
  OutputIt& result;
  Init& init;
  Same& same;
  Op& op;

  static constexpr bool is_offered()
  {
    return offered_scan_by_key<in_kernels, Value, KeyIt, ValueIt, OutputIt, Init, Same, Op>::value;
  }

  auto problem(dispatch::index num_items)
  {
    return entry::by_key_problem_of<key, Value>(first, values, result, num_items, same, op, init);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE OutputIt nothing()
  {
    return result;
  }

  OutputIt end(dispatch::index num_items)
  {
    return result + num_items;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE OutputIt by_thrust(Policy policy)
  {
    if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
    {
      return thr::inclusive_scan_by_key(policy, first, last, values, result, same, op);
    }
    else
    {
      return thr::exclusive_scan_by_key(policy, first, last, values, result, init, same, op);
    }
  }
};

// Who runs the calls with a policy: policy_parts::gpu in run.h, policy_parts::host_threads in host/entry.h. Each has
//
//   element_t<It>        what a transformation is called with
//   has_kernels          whether its calls make kernels
//   offers<Call>()       says why a call is not offered, in one sentence
//   run(policy, call)    returns what the call returns, when the policy says so
template <class Backend>
struct backend
{
  template <class It>
  using element_t = value_t<It>;

  template <class Call>
  static constexpr bool offers()
  {
    static_assert(sizeof(Backend*) == 0,
                  "lightscan: scans on GPUs need a file that nvcc compiles, scans on host threads <lightscan/host.h>");
    return false;
  }
};

template <class Backend, class Function, class It>
using transformed_by_t = checked_transformed_t<Function, typename backend<Backend>::template element_t<It>>;

// Algorithms as the overloads name them: `call` is one with the types of a user's arguments.
template <bool Inclusive, class T>
struct scan
{
  template <class... Arguments>
  using call = scan_call<Inclusive, T, Arguments...>;
};
template <class Value>
struct scan_by_key
{
  template <class... Arguments>
  using call = scan_by_key_call<Value, Arguments...>;
};

// The body of every overload: on the host the policy's backend, in device code Thrust's sequential algorithm. In the device pass
// the dead branch is what makes nvcc emit the kernel when the only caller is a host-device function.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Algorithm, class Derived, class Backend, class It, class... Arguments>
LIGHTSCAN_HOST_DEVICE auto
run([[maybe_unused]] policy_parts::scan_policy<Derived, Backend>& policy, It first, It last, Arguments... arguments)
{
  using Call = typename Algorithm::template call<It, Arguments...>;
  Call call{first, last, arguments...};
  if constexpr (!backend<Backend>::template offers<Call>())
  {
    return call.nothing();
  }
  else
  {
#if defined(__CUDA_ARCH__)
    if constexpr (backend<Backend>::has_kernels)
    {
      if (false)
      {
        NV_IF_TARGET(NV_ANY_TARGET, (return backend<Backend>::run(static_cast<Derived&>(policy), call);))
      }
    }
#endif
    NV_IF_TARGET(NV_IS_HOST,
                 (return backend<Backend>::run(static_cast<Derived&>(policy), call);),
                 (return call.by_thrust(thr::cpp::tag{});))
  }
}
} // namespace entry
LIGHTSCAN_NAMESPACE_END
