/// @file
/// thrust::reduce_by_key for LightScan's policies.
///
///     auto ends = thrust::reduce_by_key(
///       lightscan::par, rows.begin(), rows.end(), values.begin(), distinct_rows.begin(), sums.begin());
///
/// A run is a longest sequence of neighbours of which same(key[i - 1], key[i]) holds throughout; each run's first key
/// and the reduction of its values are put out, in order. (Thrust's documentation says the same. Its CUDA policy puts out
/// a run's last key, with CCCL 3.0, which shows where keys that an equality of yours takes for equal differ.) All that
/// stands in <lightscan/select.h> about predicates, iterators, streams, errors and memory holds here too, with this
/// instead:
///
/// - **Ranges**: keys [first, last) and values of the same length; outputs, of which as much is written as there are
///   runs: nothing beyond. Inputs and outputs do not overlap.
/// - **Equality**: asked of the same neighbours as there, once for each two.
/// - **Operator**: associative; commutativity is not needed, values keep their order. Called only on values of one run
///   and what it returned for them, an unspecified number of times.
/// - **Accumulator**: the values' type, which the operator's results are converted to; where no operator is named,
///   addition in the output's value type.
/// - **Work**: each key is read up to twice, each value once, and each is written once for each run.
/// - **Memory**: as a scan's whose accumulator is a value and a 64-bit number.
/// - **Accelerated**: where keys are bitwise copyable with up to 1,024 bytes, and a value with a 64-bit number makes an
///   accumulator for which lightscan::is_accelerated_v holds.
#pragma once

#include <lightscan/entry/reduce_by_key_call.h>
#if defined(__CUDACC__)
#  include <lightscan/entry/run.h>
#  include <lightscan/execution_policy.h>
#endif
#include <lightscan/util/scan_policy.h>
#include <lightscan/version.h>

#include <thrust/pair.h>
#include <thrust/reduce.h>

#include <cuda/std/functional>

LIGHTSCAN_NAMESPACE_BEGIN

/// Sums the values of each run of equal keys.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param keys_result where the runs' first keys go
/// @param values_result where the reductions of their values go
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<KeyOutputIt, ValueOutputIt>
reduce_by_key(policy_parts::scan_policy<Derived, Backend>& policy,
              KeyIt first,
              KeyIt last,
              ValueIt values,
              KeyOutputIt keys_result,
              ValueOutputIt values_result)
{
  return entry::run<entry::reduction_by_key>(policy,
                                             first,
                                             last,
                                             values,
                                             keys_result,
                                             values_result,
                                             ::cuda::std::equal_to<>{},
                                             entry::plus_of<ValueIt, ValueOutputIt>{});
}

/// Sums the values of each run of neighbours of which same(key, next key) holds.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param keys_result where the runs' first keys go
/// @param values_result where the reductions of their values go
/// @param same whether two neighbouring keys, the earlier one first, are of one run; called in device code, or on any of
///   the host's threads
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Same>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<KeyOutputIt, ValueOutputIt>
reduce_by_key(policy_parts::scan_policy<Derived, Backend>& policy,
              KeyIt first,
              KeyIt last,
              ValueIt values,
              KeyOutputIt keys_result,
              ValueOutputIt values_result,
              Same same)
{
  return entry::run<entry::reduction_by_key>(
    policy, first, last, values, keys_result, values_result, same, entry::plus_of<ValueIt, ValueOutputIt>{});
}

/// Reduces the values of each run of neighbours of which same(key, next key) holds with op.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param keys_result where the runs' first keys go
/// @param values_result where the reductions of their values go
/// @param same whether two neighbouring keys, the earlier one first, are of one run; called in device code, or on any of
///   the host's threads
/// @param op associative; called in device code, or on any of the host's threads
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived,
          class Backend,
          class KeyIt,
          class ValueIt,
          class KeyOutputIt,
          class ValueOutputIt,
          class Same,
          class Op>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<KeyOutputIt, ValueOutputIt>
reduce_by_key(policy_parts::scan_policy<Derived, Backend>& policy,
              KeyIt first,
              KeyIt last,
              ValueIt values,
              KeyOutputIt keys_result,
              ValueOutputIt values_result,
              Same same,
              Op op)
{
  return entry::run<entry::reduction_by_key>(policy, first, last, values, keys_result, values_result, same, op);
}

LIGHTSCAN_NAMESPACE_END
