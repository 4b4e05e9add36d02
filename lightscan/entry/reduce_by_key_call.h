// Calls of reduce_by_key (call.h says what a call is).
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/call.h>
#include <lightscan/entry/offered_select.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/version.h>

#include <thrust/iterator/discard_iterator.h>
#include <thrust/pair.h>
#include <thrust/reduce.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
template <class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Same, class Op>
struct reduce_by_key_call
{
  using value       = ::cuda::std::remove_cv_t<value_t<ValueIt>>;
  using kind        = tile::reduce_kind<value, Same>;
  using result_type = thr::pair<KeyOutputIt, ValueOutputIt>;
  using outputs     = written_through<KeyOutputIt, ValueOutputIt>;

  static constexpr bool is_told     = true;
  static constexpr bool in_kernels  = reduced_in_kernels<value_t<KeyIt>, value>;
  static constexpr bool needs_total = true;

  KeyIt& first;
  KeyIt& last;
  ValueIt& values;
  KeyOutputIt& keys_result;
  ValueOutputIt& values_result;
  Same& same;
  Op& op;

  static constexpr bool is_offered()
  {
    constexpr bool keys    = offered_runs<in_kernels, KeyIt, Same>::value;
    constexpr bool stored  = offered_output<keys, KeyIt, KeyOutputIt>::value;
    constexpr bool read    = offered_input<stored, ValueIt>::value;
    constexpr bool reduced = offered_reduction<read, in_kernels, ValueIt, value, Op>::value;
    return offered_output<reduced, ValueIt, ValueOutputIt>::value;
  }

  auto problem(dispatch::index num_items, dispatch::index* total)
  {
    return entry::reduce_by_key_problem_of<value>(
      first, values, keys_result, values_result, total, num_items, same, op);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE result_type nothing()
  {
    return result_type(keys_result, values_result);
  }

  result_type end(dispatch::index, dispatch::index runs)
  {
    return result_type(keys_result + runs, values_result + runs);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE result_type by_thrust(Policy policy)
  {
    return thr::reduce_by_key(policy, first, last, values, keys_result, values_result, same, op);
  }
};

struct reduction_by_key
{
  template <class... Arguments>
  using call = reduce_by_key_call<Arguments...>;
};

// Whether an output iterator says nothing of what it takes: void, or what a discard_iterator says.
template <class It>
inline constexpr bool takes_anything =
  ::cuda::std::is_void_v<value_t<It>> || ::cuda::std::is_same_v<value_t<It>, value_t<thr::discard_iterator<>>>;

// How values are summed where no operator is named: as in Thrust in the output's type, though the sum is a value's again.
template <class ValueIt, class OutputIt>
using plus_of =
  ::cuda::std::conditional_t<takes_anything<OutputIt> || ::cuda::std::is_same_v<value_t<ValueIt>, value_t<OutputIt>>,
                             ::cuda::std::plus<>,
                             ::cuda::std::plus<value_t<OutputIt>>>;
} // namespace entry
LIGHTSCAN_NAMESPACE_END
