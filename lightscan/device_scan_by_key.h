// The by-key half of lightscan::DeviceScan: <lightscan/device_scan.h> describes both.
//
// A segment is a longest run of elements of which same(key[i - 1], key[i]) holds throughout; each is scanned for itself.
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
class DeviceScanByKey
{
  using plus  = ::cuda::std::plus<>;
  using equal = ::cuda::std::equal_to<>;

  template <class It>
  using value_t = entry::value_t<It>;

  template <class Op, class InputIt>
  using sum_t = entry::accumulator_t<Op, value_t<InputIt>, value_t<InputIt>>;

  template <class Op, class Init, class InputIt>
  using start_t = entry::accumulator_t<Op, entry::init_value_t<Init>, value_t<InputIt>>;

  template <class T, class KeyIt, class ValueIt, class OutputIt, class Same, class Op, class Init, class NumItems>
  static auto
  keyed_problem_of(KeyIt keys, ValueIt values, OutputIt out, Same same, Op op, Init init, NumItems num_items)
  {
    using key = value_t<KeyIt>;
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
  // Inclusive sums of segments: longest runs in which same(key, next key) holds.
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

  // Exclusive sums of segments, each beginning with 0.
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
    return ExclusiveScanByKey(storage, bytes, keys, values, out, plus{}, value_t<ValueIt>{}, num_items, same, stream);
  }

  // Inclusive scans of segments.
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
      keyed_problem_of<sum_t<Op, ValueIt>>(keys, values, out, same, op, carry::no_init{}, num_items),
      stream);
  }

  // Exclusive scans of segments, each beginning with init.
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
    return entry::in_storage(storage,
                             bytes,
                             keyed_problem_of<start_t<Op, Init, ValueIt>>(keys, values, out, same, op, init, num_items),
                             stream);
  }

  // The four by key in a single call, with the same arguments.
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
    return ExclusiveScanByKey(keys, values, out, plus{}, value_t<ValueIt>{}, num_items, same, stream, resource...);
  }
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
      keyed_problem_of<sum_t<Op, ValueIt>>(keys, values, out, same, op, carry::no_init{}, num_items),
      stream,
      resource...);
  }
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
      keyed_problem_of<start_t<Op, Init, ValueIt>>(keys, values, out, same, op, init, num_items), stream, resource...);
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
