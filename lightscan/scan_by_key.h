/// @file
/// thrust::inclusive_scan_by_key and thrust::exclusive_scan_by_key for LightScan's policies.
///
///     thrust::inclusive_scan_by_key(lightscan::par, rows.begin(), rows.end(), values.begin(), sums.begin());
///
/// A segment is a longest run of elements of which same(key[i - 1], key[i]) holds throughout; each segment is scanned
/// for itself. All that stands in <lightscan/scan.h> about memory, determinism, streams, errors and device code holds
/// here too, with this instead (of lightscan::host, <lightscan/host.h> says all):
///
/// - **Ranges**: keys [first, last), values and results of the same length, on the device. Results may take the place
///   of the values or of the keys; ranges do not overlap otherwise.
/// - **Predicate**: called in device code on neighbouring keys only, in their order, an unspecified number of times.
/// - **Accumulator**: the values' type; exclusive_scan_by_key with an initial value: the initial value's type.
/// - **Work**: each key and each value is read once, each result written once: (sizeof key + sizeof value + sizeof
///   result) x n bytes. Keys in memory that results cannot overwrite are compared where they lie: small inputs read each
///   twice (and call a function that they go through), large ones a tile's last.
/// - **Determinism**: the bits of floating-point results depend, for keys of more than 4 bytes, also on whether results
///   lie over the keys.
/// - **Accelerated**: where two keys, a value and a flag make an accumulator for which lightscan::is_accelerated_v
///   holds; elsewhere Thrust's own scan serves.
#pragma once

#include <lightscan/scan.h>

LIGHTSCAN_NAMESPACE_BEGIN

/// Each segment of equal keys, summed; each result includes its own value.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt inclusive_scan_by_key(
  policy_parts::scan_policy<Derived, Backend>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result)
{
  return entry::run<entry::scan_by_key<entry::value_t<ValueIt>>>(
    policy, first, last, values, result, util::no_init{}, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});
}

/// Each segment of neighbours of which same(key, next key) holds, summed; each result includes its own value.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in
///   device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class OutputIt, class Same>
LIGHTSCAN_HOST_DEVICE OutputIt inclusive_scan_by_key(policy_parts::scan_policy<Derived, Backend>& policy,
                                                     KeyIt first,
                                                     KeyIt last,
                                                     ValueIt values,
                                                     OutputIt result,
                                                     Same same)
{
  return entry::run<entry::scan_by_key<entry::value_t<ValueIt>>>(
    policy, first, last, values, result, util::no_init{}, same, ::cuda::std::plus<>{});
}

/// Each segment of neighbours of which same(key, next key) holds, scanned with op; each result includes its own value.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param same whether two neighbouring keys, the earlier one first, are of one segment; called as op is
/// @param op associative; called in device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class OutputIt, class Same, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt inclusive_scan_by_key(policy_parts::scan_policy<Derived, Backend>& policy,
                                                     KeyIt first,
                                                     KeyIt last,
                                                     ValueIt values,
                                                     OutputIt result,
                                                     Same same,
                                                     Op op)
{
  return entry::run<entry::scan_by_key<entry::value_t<ValueIt>>>(
    policy, first, last, values, result, util::no_init{}, same, op);
}

/// Each segment of equal keys, summed; each result is of the values before it in the segment, the first is 0.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(
  policy_parts::scan_policy<Derived, Backend>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result)
{
  using T = entry::value_t<ValueIt>;
  return entry::run<entry::scan_by_key<T>>(
    policy, first, last, values, result, T{}, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});
}

/// Each segment of equal keys, summed; the first result is init, each other one of init and the values before it in the
/// segment.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class OutputIt, class T>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(
  policy_parts::scan_policy<Derived, Backend>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, T init)
{
  return entry::run<entry::scan_by_key<T>>(
    policy, first, last, values, result, init, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});
}

/// Each segment of neighbours of which same(key, next key) holds, summed; the first result is init, each other one of
/// init and the values before it in the segment.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in
///   device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class OutputIt, class T, class Same>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(policy_parts::scan_policy<Derived, Backend>& policy,
                                                     KeyIt first,
                                                     KeyIt last,
                                                     ValueIt values,
                                                     OutputIt result,
                                                     T init,
                                                     Same same)
{
  return entry::run<entry::scan_by_key<T>>(policy, first, last, values, result, init, same, ::cuda::std::plus<>{});
}

/// Each segment of neighbours of which same(key, next key) holds, scanned with op; the first result is init, each other
/// one of init and the values before it in the segment.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @param same whether two neighbouring keys, the earlier one first, are of one segment; called as op is
/// @param op associative; called in device code, or on any of the host's threads
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class OutputIt, class T, class Same, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(policy_parts::scan_policy<Derived, Backend>& policy,
                                                     KeyIt first,
                                                     KeyIt last,
                                                     ValueIt values,
                                                     OutputIt result,
                                                     T init,
                                                     Same same,
                                                     Op op)
{
  return entry::run<entry::scan_by_key<T>>(policy, first, last, values, result, init, same, op);
}

LIGHTSCAN_NAMESPACE_END
