/// @file
/// thrust::inclusive_scan_by_key and thrust::exclusive_scan_by_key for LightScan's policies.
///
///     thrust::inclusive_scan_by_key(lightscan::par, rows.begin(), rows.end(), values.begin(), sums.begin());
///
/// A segment is a longest run of elements of which same(key[i - 1], key[i]) holds throughout; each segment is scanned
/// for itself. All that stands in <lightscan/scan.h> about memory, determinism, streams, errors and device code holds
/// here too, with this instead:
///
/// - **Ranges**: keys [first, last), values and results of the same length, on the device. Results may take the place
///   of the values or of the keys; ranges do not overlap otherwise.
/// - **Predicate**: called in device code on neighbouring keys only, in their order, an unspecified number of times.
/// - **Accumulator**: the values' type; exclusive_scan_by_key with an initial value: the initial value's type.
/// - **Work**: each key and each value is read once, each result written once: (sizeof key + sizeof value + sizeof
///   result) x n bytes.
/// - **Accelerated**: where two keys, a value and a flag make an accumulator for which lightscan::is_accelerated_v
///   holds; elsewhere Thrust's own scan serves.
#pragma once

#include <lightscan/entry/offered.h>
#include <lightscan/scan.h>
#include <lightscan/tile/form.h>

#include <thrust/scan.h>
#include <thrust/system/cpp/pointer.h>

#include <cuda/std/functional>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
namespace entry
{
template <class Key, class Value>
inline constexpr bool keyed_in_kernels =
  carry::is_bitwise_copyable<Key>&& carry::is_bitwise_copyable<Value>&& is_accelerated_v<tile::keyed<Key, Value>>;

LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Policy, class KeyIt, class ValueIt, class OutputIt, class Init, class Same, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt scan_by_key_by_thrust(
  Policy policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, Init init, Same same, Op op)
{
  if constexpr (::cuda::std::is_same_v<Init, carry::no_init>)
  {
    return thr::inclusive_scan_by_key(policy, first, last, values, result, same, op);
  }
  else
  {
    return thr::exclusive_scan_by_key(policy, first, last, values, result, init, same, op);
  }
}

template <class Value, class Derived, class KeyIt, class ValueIt, class OutputIt, class Init, class Same, class Op>
OutputIt scan_by_key_on_gpu(execution_policy<Derived>& policy,
                            KeyIt first,
                            KeyIt last,
                            ValueIt values,
                            OutputIt result,
                            Init init,
                            Same same,
                            Op op)
{
  const std::int64_t num_items = static_cast<std::int64_t>(last - first);
  if (num_items <= 0)
  {
    dispatch::last_report() = launch_report{};
    return result;
  }
  using key     = value_t<KeyIt>;
  using problem = dispatch::keyed_problem<key,
                                          Value,
                                          decltype(dispatch::unwrapped(first)),
                                          decltype(dispatch::unwrapped(values)),
                                          decltype(dispatch::unwrapped(result)),
                                          Same,
                                          Op,
                                          Init>;
  if constexpr (keyed_in_kernels<key, Value>)
  {
    entry::run(policy,
               problem{dispatch::unwrapped(first),
                       dispatch::unwrapped(values),
                       dispatch::unwrapped(result),
                       num_items,
                       same,
                       op,
                       init});
  }
  else
  {
    entry::with_thrusts_policy(policy, problem::call, num_items, [&](auto thrusts) {
      entry::scan_by_key_by_thrust(thrusts, first, last, values, result, init, same, op);
    });
  }
  return result + (last - first);
}

// As entry::scan.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Value, class Derived, class KeyIt, class ValueIt, class OutputIt, class Init, class Same, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt scan_by_key([[maybe_unused]] execution_policy<Derived>& policy,
                                           KeyIt first,
                                           KeyIt last,
                                           ValueIt values,
                                           OutputIt result,
                                           Init init,
                                           Same same,
                                           Op op)
{
  constexpr bool in_kernels = keyed_in_kernels<value_t<KeyIt>, Value>;
  if constexpr (!offered_scan_by_key<in_kernels, Value, KeyIt, ValueIt, OutputIt, Init, Same, Op>::value)
  {
    return result;
  }
  else
  {
#  if defined(__CUDA_ARCH__)
    if (false)
    {
      NV_IF_TARGET(
        NV_ANY_TARGET, (return entry::scan_by_key_on_gpu<Value>(policy, first, last, values, result, init, same, op);))
    }
#  endif
    NV_IF_TARGET(NV_IS_HOST,
                 (return entry::scan_by_key_on_gpu<Value>(policy, first, last, values, result, init, same, op);),
                 (return entry::scan_by_key_by_thrust(thr::cpp::tag{}, first, last, values, result, init, same, op);))
  }
}
} // namespace entry

/// Each segment of equal keys, summed; each result includes its own value.
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
inclusive_scan_by_key(execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result)
{
  return entry::scan_by_key<entry::value_t<ValueIt>>(
    policy, first, last, values, result, carry::no_init{}, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});
}

/// Each segment of neighbours of which same(key, next key) holds, summed; each result includes its own value.
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Same>
LIGHTSCAN_HOST_DEVICE OutputIt inclusive_scan_by_key(
  execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, Same same)
{
  return entry::scan_by_key<entry::value_t<ValueIt>>(
    policy, first, last, values, result, carry::no_init{}, same, ::cuda::std::plus<>{});
}

/// Each segment of neighbours of which same(key, next key) holds, scanned with op; each result includes its own value.
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
/// @param op associative; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Same, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt inclusive_scan_by_key(
  execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, Same same, Op op)
{
  return entry::scan_by_key<entry::value_t<ValueIt>>(policy, first, last, values, result, carry::no_init{}, same, op);
}

/// Each segment of equal keys, summed; each result is of the values before it in the segment, the first is 0.
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt>
LIGHTSCAN_HOST_DEVICE OutputIt
exclusive_scan_by_key(execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result)
{
  using T = entry::value_t<ValueIt>;
  return entry::scan_by_key<T>(
    policy, first, last, values, result, T{}, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});
}

/// Each segment of equal keys, summed; the first result is init, each other one of init and the values before it in the
/// segment.
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(
  execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, T init)
{
  return entry::scan_by_key<T>(
    policy, first, last, values, result, init, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});
}

/// Each segment of neighbours of which same(key, next key) holds, summed; the first result is init, each other one of
/// init and the values before it in the segment.
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Same>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(
  execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, T init, Same same)
{
  return entry::scan_by_key<T>(policy, first, last, values, result, init, same, ::cuda::std::plus<>{});
}

/// Each segment of neighbours of which same(key, next key) holds, scanned with op; the first result is init, each other
/// one of init and the values before it in the segment.
/// @param policy lightscan::par or lightscan::par_nosync, on a stream or not, with an allocator or not
/// @param first,last the keys
/// @param values where the values begin: as many as keys
/// @param result where the output begins
/// @param init the value before the first of each segment
/// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
/// @param op associative; called in device code
/// @return result + (last - first)
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Same, class Op>
LIGHTSCAN_HOST_DEVICE OutputIt exclusive_scan_by_key(
  execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values, OutputIt result, T init, Same same, Op op)
{
  return entry::scan_by_key<T>(policy, first, last, values, result, init, same, op);
}
#endif

LIGHTSCAN_NAMESPACE_END
