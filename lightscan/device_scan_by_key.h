/// @file
/// The by-key half of lightscan::DeviceScan: <lightscan/device_scan.h> describes both.
///
/// A segment is a longest run of elements of which same(key[i - 1], key[i]) holds throughout; each is scanned for
/// itself. `same` is called in device code on neighbouring keys only, in their order, an unspecified number of times.
/// Where none is given, equal keys make a segment.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/dispatch/memory.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/tile/form.h>
#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
/// The calls of lightscan::DeviceScan that scan by key. Use them by that name.
class DeviceScanByKey
{
  using plus  = ::cuda::std::plus<>;
  using equal = ::cuda::std::equal_to<>;

  template <class T, class KeyIt, class ValueIt, class OutputIt, class Same, class Op, class Init, class NumItems>
  static auto
  keyed_problem_of(KeyIt keys, ValueIt values, OutputIt out, Same same, Op op, Init init, NumItems num_items)
  {
    using key = entry::value_t<KeyIt>;
    static_assert(is_accelerated_v<tile::keyed<key, T>>,
                  "two keys, a value and a flag must be bitwise copyable and have at most 1,024 bytes");
    const auto keys_in   = dispatch::unwrapped(keys);
    const auto values_in = dispatch::unwrapped(values);
    const auto output    = dispatch::unwrapped(out);
    const auto count     = entry::count_of(num_items);
    return dispatch::keyed_problem<key,
                                   T,
                                   ::cuda::std::remove_const_t<decltype(keys_in)>,
                                   ::cuda::std::remove_const_t<decltype(values_in)>,
                                   ::cuda::std::remove_const_t<decltype(output)>,
                                   Same,
                                   Op,
                                   Init,
                                   ::cuda::std::remove_const_t<decltype(count)>>{
      keys_in, values_in, output, count, same, op, init};
  }

public:
  /// Each segment, summed; each result includes its own value. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param num_items a number, or a pointer to one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class KeyIt, class ValueIt, class OutputIt, class NumItems, class Same = equal>
  static cudaError_t InclusiveSumByKey(void* storage,
                                       std::size_t& bytes,
                                       KeyIt keys,
                                       ValueIt values,
                                       OutputIt out,
                                       NumItems num_items,
                                       Same same           = {},
                                       cudaStream_t stream = nullptr) noexcept
  {
    return InclusiveScanByKey(storage, bytes, keys, values, out, plus{}, num_items, same, stream);
  }

  /// Each segment, summed; each result is the sum of the values before it in the segment, 0 for the first. In the
  /// storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param num_items a number, or a pointer to one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class KeyIt, class ValueIt, class OutputIt, class NumItems, class Same = equal>
  static cudaError_t ExclusiveSumByKey(void* storage,
                                       std::size_t& bytes,
                                       KeyIt keys,
                                       ValueIt values,
                                       OutputIt out,
                                       NumItems num_items,
                                       Same same           = {},
                                       cudaStream_t stream = nullptr) noexcept
  {
    return ExclusiveScanByKey(
      storage, bytes, keys, values, out, plus{}, entry::value_t<ValueIt>{}, num_items, same, stream);
  }

  /// Each segment, scanned with op; each result includes its own value. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param num_items a number, or a pointer to one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class KeyIt, class ValueIt, class OutputIt, class Op, class NumItems, class Same = equal>
  static cudaError_t InclusiveScanByKey(void* storage,
                                        std::size_t& bytes,
                                        KeyIt keys,
                                        ValueIt values,
                                        OutputIt out,
                                        Op op,
                                        NumItems num_items,
                                        Same same           = {},
                                        cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage,
      bytes,
      keyed_problem_of<entry::sum_t<Op, ValueIt>>(keys, values, out, same, op, carry::no_init{}, num_items),
      stream);
  }

  /// Each segment, scanned with op; its first result is init, each other one of init and the values before it. In the
  /// storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first of each segment, or one in device memory
  /// @param num_items a number, or a pointer to one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class KeyIt, class ValueIt, class OutputIt, class Op, class Init, class NumItems, class Same = equal>
  static cudaError_t ExclusiveScanByKey(void* storage,
                                        std::size_t& bytes,
                                        KeyIt keys,
                                        ValueIt values,
                                        OutputIt out,
                                        Op op,
                                        Init init,
                                        NumItems num_items,
                                        Same same           = {},
                                        cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage,
      bytes,
      keyed_problem_of<entry::start_t<Op, Init, ValueIt>>(keys, values, out, same, op, init, num_items),
      stream);
  }

  /// Each segment, summed; each result includes its own value. In a single call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param num_items a number, or a pointer to one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class OutputIt,
            class NumItems,
            class Same,
            class... Resource,
            entry::if_iterators<KeyIt, ValueIt> = 0>
  static cudaError_t InclusiveSumByKey(KeyIt keys,
                                       ValueIt values,
                                       OutputIt out,
                                       NumItems num_items,
                                       Same same,
                                       cudaStream_t stream,
                                       Resource&&... resource) noexcept
  {
    return InclusiveScanByKey(keys, values, out, plus{}, num_items, same, stream, resource...);
  }

  /// Each segment, summed; each result is the sum of the values before it in the segment, 0 for the first. In a single
  /// call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param num_items a number, or a pointer to one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class OutputIt,
            class NumItems,
            class Same,
            class... Resource,
            entry::if_iterators<KeyIt, ValueIt> = 0>
  static cudaError_t ExclusiveSumByKey(KeyIt keys,
                                       ValueIt values,
                                       OutputIt out,
                                       NumItems num_items,
                                       Same same,
                                       cudaStream_t stream,
                                       Resource&&... resource) noexcept
  {
    return ExclusiveScanByKey(
      keys, values, out, plus{}, entry::value_t<ValueIt>{}, num_items, same, stream, resource...);
  }

  /// Each segment, scanned with op; each result includes its own value. In a single call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param num_items a number, or a pointer to one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class OutputIt,
            class Op,
            class NumItems,
            class Same,
            class... Resource,
            entry::if_iterators<KeyIt, ValueIt> = 0>
  static cudaError_t InclusiveScanByKey(KeyIt keys,
                                        ValueIt values,
                                        OutputIt out,
                                        Op op,
                                        NumItems num_items,
                                        Same same,
                                        cudaStream_t stream,
                                        Resource&&... resource) noexcept
  {
    return entry::at_once(
      keyed_problem_of<entry::sum_t<Op, ValueIt>>(keys, values, out, same, op, carry::no_init{}, num_items),
      stream,
      resource...);
  }

  /// Each segment, scanned with op; its first result is init, each other one of init and the values before it. In a
  /// single call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first of each segment, or one in device memory
  /// @param num_items a number, or a pointer to one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class OutputIt,
            class Op,
            class Init,
            class NumItems,
            class Same,
            class... Resource,
            entry::if_iterators<KeyIt, ValueIt> = 0>
  static cudaError_t ExclusiveScanByKey(KeyIt keys,
                                        ValueIt values,
                                        OutputIt out,
                                        Op op,
                                        Init init,
                                        NumItems num_items,
                                        Same same,
                                        cudaStream_t stream,
                                        Resource&&... resource) noexcept
  {
    return entry::at_once(
      keyed_problem_of<entry::start_t<Op, Init, ValueIt>>(keys, values, out, same, op, init, num_items),
      stream,
      resource...);
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
