/// @file
/// thrust::inclusive_scan_by_key and thrust::exclusive_scan_by_key for lightscan::host: every run of equal consecutive
/// keys is scanned by itself.
///
///     std::vector<int> keys{1, 1, 2, 2, 2}, values{1, 1, 1, 1, 1}, sums(5);
///     thrust::inclusive_scan_by_key(lightscan::host, keys.begin(), keys.end(), values.begin(), sums.begin());
///     // sums: 1 2 1 2 3
///
/// All that <lightscan/host.h> says holds here, and:
///
/// - **Ranges**: results may take the place of the values, or of the keys; over the keys, the scan runs from left to
///   right on the calling thread. That is seen where both are contiguous memory or of one iterator type; elsewhere
///   results must not overlap the keys.
/// - **Keys**: neighbours are compared, the earlier one first: equal(keys[i - 1], keys[i]). An unspecified number of
///   times.
/// - **Accumulator**: the values' type, or the initial value's. With it a flag goes through the slots, which leaves 256
///   bytes for both.
#pragma once

#include <lightscan/host/entry.h>
#include <lightscan/host/policy.h>
#include <lightscan/version.h>

#include <thrust/scan.h>
#include <thrust/system/cpp/pointer.h>

#include <cuda/std/functional>

#include <nv/target>

LIGHTSCAN_NAMESPACE_BEGIN

/// Each segment of equal keys, summed; each result includes its own value.
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan_by_key(host_execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result)
{
  NV_IF_TARGET(NV_IS_HOST,
               (return host_entry::inclusive_by_key(
                         policy, first, last, values, result, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});),
               ((void) policy; return THRUST_NS_QUALIFIER::inclusive_scan_by_key(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, values, result);))
}

/// Each segment of neighbours of which equal(key, next key) holds, summed; each result includes its own value.
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param equal whether two neighbouring keys, the earlier one first, are of one segment
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal>
LIGHTSCAN_HOST_DEVICE OutputIt inclusive_scan_by_key(
  host_execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, Equal equal)
{
  NV_IF_TARGET(
    NV_IS_HOST,
    (return host_entry::inclusive_by_key(policy, first, last, values, result, equal, ::cuda::std::plus<>{});),
    ((void) policy; return THRUST_NS_QUALIFIER::inclusive_scan_by_key(
       THRUST_NS_QUALIFIER::cpp::tag{}, first, last, values, result, equal);))
}

/// Each segment of neighbours of which equal(key, next key) holds, scanned with op; each result includes its own value.
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param equal whether two neighbouring keys, the earlier one first, are of one segment
/// @param op associative; called on any of the threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt inclusive_scan_by_key(
  host_execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, Equal equal, Op op)
{
  NV_IF_TARGET(NV_IS_HOST,
               (return host_entry::inclusive_by_key(policy, first, last, values, result, equal, op);),
               ((void) policy; return THRUST_NS_QUALIFIER::inclusive_scan_by_key(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, values, result, equal, op);))
}

/// Each segment of equal keys, summed; each result is of the values before it in the segment, the first is 0.
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan_by_key(host_execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result)
{
  NV_IF_TARGET(
    NV_IS_HOST,
    (if (last - first > 0 && host_entry::over_keys(first, result)) {
      return THRUST_NS_QUALIFIER::exclusive_scan_by_key(THRUST_NS_QUALIFIER::cpp::tag{}, first, last, values, result);
    } using T = host_entry::value_t<ValueIt>;
     return host_entry::exclusive_by_key(
       policy, first, last, values, result, T{}, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});),
    ((void) policy;
     return THRUST_NS_QUALIFIER::exclusive_scan_by_key(THRUST_NS_QUALIFIER::cpp::tag{}, first, last, values, result);))
}

/// Each segment of equal keys, summed; the first result is init, each other one of init and the values before it in the
/// segment.
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(
  host_execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, T init)
{
  NV_IF_TARGET(NV_IS_HOST,
               (return host_entry::exclusive_by_key(
                         policy, first, last, values, result, init, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});),
               ((void) policy; return THRUST_NS_QUALIFIER::exclusive_scan_by_key(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, values, result, init);))
}

/// Each segment of neighbours of which equal(key, next key) holds, summed; the first result is init, each other one of
/// init and the values before it in the segment.
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @param equal whether two neighbouring keys, the earlier one first, are of one segment
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(
  host_execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, T init, Equal equal)
{
  NV_IF_TARGET(
    NV_IS_HOST,
    (return host_entry::exclusive_by_key(policy, first, last, values, result, init, equal, ::cuda::std::plus<>{});),
    ((void) policy; return THRUST_NS_QUALIFIER::exclusive_scan_by_key(
       THRUST_NS_QUALIFIER::cpp::tag{}, first, last, values, result, init, equal);))
}

/// Each segment of neighbours of which equal(key, next key) holds, scanned with op; the first result is init, each
/// other one of init and the values before it in the segment.
/// @param policy lightscan::host, with a number of threads or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @param equal whether two neighbouring keys, the earlier one first, are of one segment
/// @param op associative; called on any of the threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(host_execution_policy<Derived>& policy,
                                                     KeyIt first,
                                                     KeyIt last,
                                                     ValueIt values,
                                                     OutputIt result,
                                                     T init,
                                                     Equal equal,
                                                     Op op)
{
  NV_IF_TARGET(NV_IS_HOST,
               (return host_entry::exclusive_by_key(policy, first, last, values, result, init, equal, op);),
               ((void) policy; return THRUST_NS_QUALIFIER::exclusive_scan_by_key(
                  THRUST_NS_QUALIFIER::cpp::tag{}, first, last, values, result, init, equal, op);))
}

LIGHTSCAN_NAMESPACE_END
