/// @file
/// thrust::unique_by_key and thrust::unique_by_key_copy for LightScan's policies.
///
///     auto ends = thrust::unique_by_key(lightscan::par, keys.begin(), keys.end(), values.begin());
///
/// Of each run of equal neighbouring keys the first key and its value are kept. All that stands in <lightscan/select.h>
/// holds here too, of keys as of elements there, with values beside them: of the same length, each of them read once, and moved
/// with their keys. Keys and values, input and output, do not overlap each other, but where the call works in place.
#pragma once

#include <lightscan/entry/select_call.h>
#if defined(__CUDACC__)
#  include <lightscan/entry/run.h>
#  include <lightscan/execution_policy.h>
#endif
#include <lightscan/util/scan_policy.h>
#include <lightscan/version.h>

#include <thrust/pair.h>
#include <thrust/unique.h>

#include <cuda/std/functional>

LIGHTSCAN_NAMESPACE_BEGIN

/// Keeps the first key of each run of equal neighbours, and its value: these move up, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @return the ends of what is left of both
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<KeyIt, ValueIt>
unique_by_key(policy_parts::scan_policy<Derived, Backend>& policy, KeyIt first, KeyIt last, ValueIt values)
{
  return entry::run<entry::unique_selection_by_key<true>>(
    policy, first, last, values, first, values, ::cuda::std::equal_to<>{});
}

/// Keeps the first key, each one that is not equal to the one before it, and their values: these move up, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param same whether two neighbouring keys, the earlier one first, are equal; called in device code, or on any
///   of the host's threads
/// @return the ends of what is left of both
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class Same>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<KeyIt, ValueIt>
unique_by_key(policy_parts::scan_policy<Derived, Backend>& policy, KeyIt first, KeyIt last, ValueIt values, Same same)
{
  return entry::run<entry::unique_selection_by_key<true>>(policy, first, last, values, first, values, same);
}

/// Copies the first key of each run of equal neighbours, and its value.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param keys_result where the keys that are kept go
/// @param values_result where their values go
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<KeyOutputIt, ValueOutputIt>
unique_by_key_copy(policy_parts::scan_policy<Derived, Backend>& policy,
                   KeyIt first,
                   KeyIt last,
                   ValueIt values,
                   KeyOutputIt keys_result,
                   ValueOutputIt values_result)
{
  return entry::run<entry::unique_selection_by_key<false>>(
    policy, first, last, values, keys_result, values_result, ::cuda::std::equal_to<>{});
}

/// Copies the first key, each one that is not equal to the one before it, and their values.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param keys_result where the keys that are kept go
/// @param values_result where their values go
/// @param same whether two neighbouring keys, the earlier one first, are equal; called in device code, or on any
///   of the host's threads
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Same>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<KeyOutputIt, ValueOutputIt>
unique_by_key_copy(policy_parts::scan_policy<Derived, Backend>& policy,
                   KeyIt first,
                   KeyIt last,
                   ValueIt values,
                   KeyOutputIt keys_result,
                   ValueOutputIt values_result,
                   Same same)
{
  return entry::run<entry::unique_selection_by_key<false>>(
    policy, first, last, values, keys_result, values_result, same);
}

LIGHTSCAN_NAMESPACE_END
