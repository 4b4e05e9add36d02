/// @file
/// lightscan::DeviceScan: cub::DeviceScan's entry points on LightScan's kernels.
///
/// A program that uses CUB's replaces the namespace:
///
///     std::size_t bytes = 0;
///     lightscan::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n);
///     cudaMalloc(&storage, bytes);
///     lightscan::DeviceScan::InclusiveSum(storage, bytes, in, out, n, stream);
///
/// or leaves the storage to the library, or to a memory resource:
///
///     lightscan::DeviceScan::InclusiveSum(in, out, n, stream);
///     lightscan::DeviceScan::InclusiveSum(in, out, n, stream, resource);
///
/// For all of them:
///
/// - **Ranges**: [in, in + n) and [out, out + n) (and [keys, keys + n)), on the device; any random-access iterators.
///   Output may take the place of input, values or keys; ranges do not overlap otherwise.
/// - **num_items**: an integer; or one in device memory, named by a pointer, in_device_memory(pointer), cub::FutureValue
///   or cuda::args::deferred (CCCL 3.5), which the kernel reads when it runs: a captured graph can be replayed on data
///   whose size the GPU computed. The grid then fills the GPU, whatever the number turns out to be. None, or a negative
///   number, does nothing.
/// - **init**: a value; in_device_memory(pointer), cub::FutureValue or cuda::args::deferred (CCCL 3.5) for one that the
///   kernel reads when it runs.
/// - **Operator**: associative; need not be commutative.
/// - **By key**: a segment is a longest run of elements of which same(key[i - 1], key[i]) holds throughout; each is
///   scanned for itself. `same` is called in device code on neighbouring keys only, in their order, an unspecified
///   number of times. Where none is given, equal keys make a segment.
/// - **Accumulator**: the decayed result of op(init, value), op(value, value) without an initial value (as CUB's).
/// - **Types**: all that CUB takes. Accumulators for which lightscan::is_accelerated_v does not hold (by key: two keys,
///   an accumulator and a flag in one struct) are left to CUB's own scan, with CUB's guarantees and CUB's size of storage;
///   lightscan::last_launch() then says path::cub. For these the number of items cannot lie in device memory, and the
///   initial value in ExclusiveScan only.
/// - **Work**: each input element is read once, each output element written once: (sizeof input + sizeof output) x n
///   bytes, by key those of the keys too.
/// - **Storage**: two phases, as CUB's: with a null storage only its size is computed, 1 byte at least. It does not
///   shrink as n grows: 1 byte where one tile holds all (4,000 int32, say), 1.5 KB up to 2^16 items and 60 KiB up
///   to 2^22 of accumulators of up to 8 bytes, 320 KiB and 7 bytes at most, and where only the GPU knows n. (Wider ones,
///   and by key with 8-byte keys or values, may take more than twice what CUB asks.) Storage may have any alignment, is
///   cleared by the call as far as that needs it, and must not be used by two calls that may run at once. Without
///   storage: the library's own, as <lightscan/scan.h> describes; where CUB scans, allocated and freed in stream order.
/// - **Environment**: the last argument of a single call, as of CUB's: nothing (the default stream, and the library's own
///   memory), a stream (cudaStream_t, or what cuda::get_stream takes: a cuda::stream_ref, say), a stream and a resource,
///   or a cuda::std::execution::env of a stream, a resource (what cuda::mr::get_memory_resource takes) and requirements.
///   What else it says is ignored. Environments need CCCL 3.1. DeviceScan also takes a policy across GPUs there
///   (<lightscan/multi_gpu.h>), and then no resource.
/// - **Resource**: anything with allocate(stream, bytes, alignment), allocate_async(bytes, alignment, stream) or
///   allocate(bytes, alignment), and its deallocation. The last kind knows no stream order, so the call waits for the
///   stream before it deallocates. It is asked for the size of the storage; not by a captured call, nor by one that
///   needs none.
/// - **Host only**: unlike CUB's, none of these, nor of lightscan's other Device... classes, can be called in device code.
/// - **Streams**: nothing else waits for the stream. Calls may be captured: two-phase ones use their storage, the
///   others allocate and free in the graph, as <lightscan/scan.h> describes.
/// - **Errors**: returned; nothing is thrown. cudaErrorInvalidValue for storage that is too small and
///   cudaErrorInvalidResourceHandle for a stream that is given as a number other than 0, with nothing launched;
///   cudaErrorMemoryAllocation where a resource gives nothing or throws as it is asked, with nothing launched. One that
///   throws as it takes its memory back does not make an error of a scan that is queued by then.
/// - **Determinism**: as <lightscan/scan.h>: the same bits in every run, so cuda::execution::determinism::run_to_run is
///   granted for every operator. gpu_to_gpu is for integers under an operator of CCCL's that is associative in truth
///   (plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor): which kernel runs, and with it the order of
///   combination, depends on the GPU. CUB's own scan is granted neither, but for these operators. A requirement that
///   is not granted, and whatever else is not offered, does not compile.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/entry/arguments.h>
#include <lightscan/entry/call.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/offered.h>
#include <lightscan/entry/scan_by_cub.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
/// cub::DeviceScan's entry points. All of them are static, and any number of host threads may call them at once.
class DeviceScan
{
  using plus  = ::cuda::std::plus<>;
  using equal = ::cuda::std::equal_to<>;

  // What a call asks for, by whom it is served.
  template <bool Inclusive, class InputIt, class OutputIt, class Op, class Init, class NumItems>
  static auto scan_of(InputIt in, OutputIt out, Op op, Init init, NumItems num_items)
  {
    using T              = typename entry::accumulator<Op, Init, InputIt>::type;
    constexpr bool exact = entry::is_exact<Op, T, entry::value_t<InputIt>>;
    auto count           = entry::count_of(num_items);
    auto before          = entry::settled(init);
    if constexpr (::cuda::std::is_same_v<T, entry::untold>)
    {
      return entry::by_nobody{};
    }
    else if constexpr (is_accelerated_v<T>)
    {
      auto problem = entry::scan_problem_of<Inclusive, T>(in, out, count, op, before);
      return entry::by_kernels<decltype(problem), exact>{problem};
    }
    else
    {
      using scan = entry::cubs_scan<InputIt, OutputIt, Op, decltype(before), Inclusive, decltype(count)>;
      return entry::by_cub<scan, exact>{scan{in, out, count, op, before}};
    }
  }

  template <class KeyIt, class ValueIt, class OutputIt, class Same, class Op, class Init, class NumItems>
  static auto scan_by_key_of(KeyIt keys, ValueIt values, OutputIt out, Same same, Op op, Init init, NumItems num_items)
  {
    using key            = entry::value_t<KeyIt>;
    using T              = typename entry::accumulator<Op, Init, ValueIt>::type;
    constexpr bool exact = entry::is_exact<Op, T, entry::value_t<ValueIt>>;
    auto count           = entry::count_of(num_items);
    auto before          = entry::settled(init);
    if constexpr (::cuda::std::is_same_v<T, entry::untold>)
    {
      return entry::by_nobody{};
    }
    else if constexpr (entry::keyed_in_kernels<key, T>)
    {
      auto problem = entry::by_key_problem_of<key, T>(keys, values, out, count, same, op, before);
      return entry::by_kernels<decltype(problem), exact>{problem};
    }
    else
    {
      using scan = entry::cubs_scan_by_key<KeyIt, ValueIt, OutputIt, Same, Op, decltype(before), decltype(count)>;
      return entry::by_cub<scan, exact>{scan{keys, values, out, count, same, op, before}};
    }
  }

public:
  /// @{
  /// InclusiveSum: out[i] = in[0] + ... + in[i]. ExclusiveSum: out[0] = 0, out[i] = in[0] + ... + in[i - 1]. In the
  /// storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt, class OutputIt, class NumItems>
  static cudaError_t InclusiveSum(void* storage,
                                  std::size_t& bytes,
                                  InputIt in,
                                  OutputIt out,
                                  NumItems num_items,
                                  cudaStream_t stream = nullptr) noexcept
  {
    return InclusiveScan(storage, bytes, in, out, plus{}, num_items, stream);
  }

  template <class InputIt, class OutputIt, class NumItems>
  static cudaError_t ExclusiveSum(void* storage,
                                  std::size_t& bytes,
                                  InputIt in,
                                  OutputIt out,
                                  NumItems num_items,
                                  cudaStream_t stream = nullptr) noexcept
  {
    return ExclusiveScan(storage, bytes, in, out, plus{}, entry::value_t<InputIt>{}, num_items, stream);
  }
  /// @}

  /// @{
  /// InclusiveSum: out[i] = in[0] + ... + in[i]. ExclusiveSum: out[0] = 0, out[i] = in[0] + ... + in[i - 1]. In
  /// place: data is both. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It, class NumItems>
  static cudaError_t
  InclusiveSum(void* storage, std::size_t& bytes, It data, NumItems num_items, cudaStream_t stream = nullptr) noexcept
  {
    return InclusiveSum(storage, bytes, data, data, num_items, stream);
  }

  template <class It, class NumItems>
  static cudaError_t
  ExclusiveSum(void* storage, std::size_t& bytes, It data, NumItems num_items, cudaStream_t stream = nullptr) noexcept
  {
    return ExclusiveSum(storage, bytes, data, data, num_items, stream);
  }
  /// @}

  /// @{
  /// InclusiveSum: out[i] = in[0] + ... + in[i]. ExclusiveSum: out[0] = 0, out[i] = in[0] + ... + in[i - 1]. In a
  /// single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class NumItems,
            class... Environment,
            entry::if_from_to<InputIt, OutputIt, NumItems, Environment...> = 0>
  static cudaError_t InclusiveSum(InputIt in, OutputIt out, NumItems num_items, Environment&&... environment) noexcept
  {
    return InclusiveScan(in, out, plus{}, num_items, environment...);
  }

  template <class InputIt,
            class OutputIt,
            class NumItems,
            class... Environment,
            entry::if_from_to<InputIt, OutputIt, NumItems, Environment...> = 0>
  static cudaError_t ExclusiveSum(InputIt in, OutputIt out, NumItems num_items, Environment&&... environment) noexcept
  {
    return ExclusiveScan(in, out, plus{}, entry::value_t<InputIt>{}, num_items, environment...);
  }
  /// @}

  /// @{
  /// InclusiveSum: out[i] = in[0] + ... + in[i]. ExclusiveSum: out[0] = 0, out[i] = in[0] + ... + in[i - 1]. In
  /// place: data is both. In a single call.
  /// @param data the input, which the output replaces
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class It, class NumItems, class... Environment, entry::if_sum_in_place<It, NumItems, Environment...> = 0>
  static cudaError_t InclusiveSum(It data, NumItems num_items, Environment&&... environment) noexcept
  {
    return InclusiveSum(data, data, num_items, environment...);
  }

  template <class It, class NumItems, class... Environment, entry::if_sum_in_place<It, NumItems, Environment...> = 0>
  static cudaError_t ExclusiveSum(It data, NumItems num_items, Environment&&... environment) noexcept
  {
    return ExclusiveSum(data, data, num_items, environment...);
  }
  /// @}

  /// out[i] = in[0] op ... op in[i]. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt, class OutputIt, class Op, class NumItems>
  static cudaError_t InclusiveScan(void* storage,
                                   std::size_t& bytes,
                                   InputIt in,
                                   OutputIt out,
                                   Op op,
                                   NumItems num_items,
                                   cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, scan_of<true>(in, out, op, util::no_init{}, num_items), stream);
  }

  /// out[i] = in[0] op ... op in[i]. In place: data is both. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param op associative; called in device code
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It, class Op, class NumItems>
  static cudaError_t InclusiveScan(
    void* storage, std::size_t& bytes, It data, Op op, NumItems num_items, cudaStream_t stream = nullptr) noexcept
  {
    return InclusiveScan(storage, bytes, data, data, op, num_items, stream);
  }

  /// out[i] = in[0] op ... op in[i]. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class Op,
            class NumItems,
            class... Environment,
            entry::if_from_to<InputIt, OutputIt, NumItems, Environment...> = 0>
  static cudaError_t
  InclusiveScan(InputIt in, OutputIt out, Op op, NumItems num_items, Environment&&... environment) noexcept
  {
    return entry::at_once(scan_of<true>(in, out, op, util::no_init{}, num_items), environment...);
  }

  /// out[i] = in[0] op ... op in[i]. In place: data is both. In a single call.
  /// @param data the input, which the output replaces
  /// @param op associative; called in device code
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class It,
            class Op,
            class NumItems,
            class... Environment,
            entry::if_in_place<It, Op, NumItems, Environment...> = 0>
  static cudaError_t InclusiveScan(It data, Op op, NumItems num_items, Environment&&... environment) noexcept
  {
    return InclusiveScan(data, data, op, num_items, environment...);
  }

  /// @{
  /// ExclusiveScan: out[0] = init, out[i] = init op in[0] op ... op in[i - 1]. InclusiveScanInit: out[i] = init op
  /// in[0] op ... op in[i]. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt, class OutputIt, class Op, class Init, class NumItems>
  static cudaError_t ExclusiveScan(void* storage,
                                   std::size_t& bytes,
                                   InputIt in,
                                   OutputIt out,
                                   Op op,
                                   Init init,
                                   NumItems num_items,
                                   cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, scan_of<false>(in, out, op, init, num_items), stream);
  }

  template <class InputIt, class OutputIt, class Op, class Init, class NumItems>
  static cudaError_t InclusiveScanInit(void* storage,
                                       std::size_t& bytes,
                                       InputIt in,
                                       OutputIt out,
                                       Op op,
                                       Init init,
                                       NumItems num_items,
                                       cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, scan_of<true>(in, out, op, init, num_items), stream);
  }
  /// @}

  /// out[0] = init, out[i] = init op in[0] op ... op in[i - 1]. In place: data is both. In the storage of the
  /// caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It, class Op, class Init, class NumItems>
  static cudaError_t ExclusiveScan(void* storage,
                                   std::size_t& bytes,
                                   It data,
                                   Op op,
                                   Init init,
                                   NumItems num_items,
                                   cudaStream_t stream = nullptr) noexcept
  {
    return ExclusiveScan(storage, bytes, data, data, op, init, num_items, stream);
  }

  /// @{
  /// ExclusiveScan: out[0] = init, out[i] = init op in[0] op ... op in[i - 1]. InclusiveScanInit: out[i] = init op
  /// in[0] op ... op in[i]. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class Op,
            class Init,
            class NumItems,
            class... Environment,
            entry::if_from_to<InputIt, OutputIt, NumItems, Environment...> = 0>
  static cudaError_t
  ExclusiveScan(InputIt in, OutputIt out, Op op, Init init, NumItems num_items, Environment&&... environment) noexcept
  {
    return entry::at_once(scan_of<false>(in, out, op, init, num_items), environment...);
  }

  template <class InputIt,
            class OutputIt,
            class Op,
            class Init,
            class NumItems,
            class... Environment,
            entry::if_from_to<InputIt, OutputIt, NumItems, Environment...> = 0>
  static cudaError_t InclusiveScanInit(
    InputIt in, OutputIt out, Op op, Init init, NumItems num_items, Environment&&... environment) noexcept
  {
    return entry::at_once(scan_of<true>(in, out, op, init, num_items), environment...);
  }
  /// @}

  /// out[0] = init, out[i] = init op in[0] op ... op in[i - 1]. In place: data is both. In a single call.
  /// @param data the input, which the output replaces
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class It,
            class Op,
            class Init,
            class NumItems,
            class... Environment,
            entry::if_in_place<It, Op, NumItems, Environment...> = 0>
  static cudaError_t ExclusiveScan(It data, Op op, Init init, NumItems num_items, Environment&&... environment) noexcept
  {
    return ExclusiveScan(data, data, op, init, num_items, environment...);
  }

  /// @{
  /// Each segment, summed. InclusiveSumByKey: each result includes its own value. ExclusiveSumByKey: each is the
  /// sum of the values before it in the segment, 0 for the first. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param num_items a number, or one in device memory
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
  /// @}

  /// @{
  /// Each segment, summed. InclusiveSumByKey: each result includes its own value. ExclusiveSumByKey: each is the
  /// sum of the values before it in the segment, 0 for the first. In a single call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class OutputIt,
            class NumItems,
            class Same = equal,
            class... Environment,
            entry::if_by_key<KeyIt, ValueIt, NumItems, Same, Environment...> = 0>
  static cudaError_t InclusiveSumByKey(
    KeyIt keys, ValueIt values, OutputIt out, NumItems num_items, Same same = {}, Environment&&... environment) noexcept
  {
    return InclusiveScanByKey(keys, values, out, plus{}, num_items, same, environment...);
  }

  template <class KeyIt,
            class ValueIt,
            class OutputIt,
            class NumItems,
            class Same = equal,
            class... Environment,
            entry::if_by_key<KeyIt, ValueIt, NumItems, Same, Environment...> = 0>
  static cudaError_t ExclusiveSumByKey(
    KeyIt keys, ValueIt values, OutputIt out, NumItems num_items, Same same = {}, Environment&&... environment) noexcept
  {
    return ExclusiveScanByKey(keys, values, out, plus{}, entry::value_t<ValueIt>{}, num_items, same, environment...);
  }
  /// @}

  /// Each segment, scanned with op; each result includes its own value. In the storage of the caller, in two
  /// phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param num_items a number, or one in device memory
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
      storage, bytes, scan_by_key_of(keys, values, out, same, op, util::no_init{}, num_items), stream);
  }

  /// Each segment, scanned with op; each result includes its own value. In a single call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class OutputIt,
            class Op,
            class NumItems,
            class Same = equal,
            class... Environment,
            entry::if_by_key<KeyIt, ValueIt, NumItems, Same, Environment...> = 0>
  static cudaError_t InclusiveScanByKey(KeyIt keys,
                                        ValueIt values,
                                        OutputIt out,
                                        Op op,
                                        NumItems num_items,
                                        Same same = {},
                                        Environment&&... environment) noexcept
  {
    return entry::at_once(scan_by_key_of(keys, values, out, same, op, util::no_init{}, num_items), environment...);
  }

  /// Each segment, scanned with op; its first result is init, each other one of init and the values before it. In
  /// the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first of each segment, or one in device memory
  /// @param num_items a number, or one in device memory
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
    return entry::in_storage(storage, bytes, scan_by_key_of(keys, values, out, same, op, init, num_items), stream);
  }

  /// Each segment, scanned with op; its first result is init, each other one of init and the values before it. In a
  /// single call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first of each segment, or one in device memory
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are of one segment; called in device code
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class OutputIt,
            class Op,
            class Init,
            class NumItems,
            class Same = equal,
            class... Environment,
            entry::if_by_key<KeyIt, ValueIt, NumItems, Same, Environment...> = 0>
  static cudaError_t ExclusiveScanByKey(KeyIt keys,
                                        ValueIt values,
                                        OutputIt out,
                                        Op op,
                                        Init init,
                                        NumItems num_items,
                                        Same same = {},
                                        Environment&&... environment) noexcept
  {
    return entry::at_once(scan_by_key_of(keys, values, out, same, op, init, num_items), environment...);
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
