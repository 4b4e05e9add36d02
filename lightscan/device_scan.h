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
/// - **num_items**: an integer; or a pointer to one in device memory (or in_device_memory(pointer)), which the kernel
///   reads when it runs: a captured graph can be replayed on data whose size the GPU computed. The grid then fills the
///   GPU, whatever the number turns out to be. None, or a negative number, does nothing.
/// - **init**: a value; in_device_memory(pointer) or cub::FutureValue for one that the kernel reads when it runs.
/// - **Operator**: associative; need not be commutative.
/// - **Accumulator**: the decayed result of op(init, value), op(value, value) without an initial value (as CUB's).
/// - **Work**: each input element is read once, each output element written once: (sizeof input + sizeof output) x n
///   bytes, by key those of the keys too.
/// - **Storage**: two phases, as CUB's: with a null storage only its size is computed. The size is the same for every n
///   (320 KiB and a little); storage may have any alignment, is cleared by the call, and must not be used by two calls
///   that may run at once. Without storage: the library's own, as <lightscan/scan.h> describes; where only the GPU
///   knows n, allocated and freed in stream order.
/// - **Resource**: anything with allocate(stream, bytes, alignment), allocate_async(bytes, alignment, stream) or
///   allocate(bytes, alignment), and its deallocation. The last kind knows no stream order, so the call waits for the
///   stream before it deallocates. A captured call does not ask the resource.
/// - **Streams**: nothing else waits for the stream. Calls may be captured: two-phase ones use their storage, the others
///   allocate and free in the graph, as <lightscan/scan.h> describes.
/// - **Errors**: returned; nothing is thrown. cudaErrorInvalidValue for storage that is too small, with nothing
///   launched; cudaErrorMemoryAllocation where a resource throws or gives nothing.
/// - **Determinism**: as <lightscan/scan.h>: the same bits in every run.
/// - **Types**: accumulators for which lightscan::is_accelerated_v holds; others do not compile here.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/device_scan_by_key.h>
#include <lightscan/device_value.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/memory.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
/// cub::DeviceScan's entry points; those by key are the base's. All of them are static, and any number of host threads
/// may call them at once.
class DeviceScan : public DeviceScanByKey
{
  using plus = ::cuda::std::plus<>;

  template <class T, bool Inclusive, class InputIt, class OutputIt, class Op, class Init, class NumItems>
  static auto problem_of(InputIt in, OutputIt out, Op op, Init init, NumItems num_items)
  {
    static_assert(is_accelerated_v<T>, "the accumulator must be bitwise copyable and have at most 1,024 bytes");
    const auto input  = dispatch::unwrapped(in);
    const auto output = dispatch::unwrapped(out);
    const auto count  = entry::count_of(num_items);
    return dispatch::problem<T,
                             ::cuda::std::remove_const_t<decltype(input)>,
                             ::cuda::std::remove_const_t<decltype(output)>,
                             Op,
                             Init,
                             Inclusive,
                             ::cuda::std::remove_const_t<decltype(count)>>{input, output, count, op, init};
  }

public:
  /// out[i] = in[0] + ... + in[i]. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param num_items a number, or a pointer to one in device memory
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

  /// out[i] = in[0] + ... + in[i]. In place: data is both. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It, class NumItems>
  static cudaError_t
  InclusiveSum(void* storage, std::size_t& bytes, It data, NumItems num_items, cudaStream_t stream = nullptr) noexcept
  {
    return InclusiveScan(storage, bytes, data, data, plus{}, num_items, stream);
  }

  /// out[i] = in[0] + ... + in[i]. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class NumItems,
            class... Resource,
            entry::if_iterators<InputIt, OutputIt> = 0>
  static cudaError_t InclusiveSum(
    InputIt in, OutputIt out, NumItems num_items, cudaStream_t stream = nullptr, Resource&&... resource) noexcept
  {
    return InclusiveScan(in, out, plus{}, num_items, stream, resource...);
  }

  /// out[0] = 0, out[i] = in[0] + ... + in[i - 1]. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
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

  /// out[0] = 0, out[i] = in[0] + ... + in[i - 1]. In place: data is both. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It, class NumItems>
  static cudaError_t
  ExclusiveSum(void* storage, std::size_t& bytes, It data, NumItems num_items, cudaStream_t stream = nullptr) noexcept
  {
    return ExclusiveScan(storage, bytes, data, data, plus{}, entry::value_t<It>{}, num_items, stream);
  }

  /// out[0] = 0, out[i] = in[0] + ... + in[i - 1]. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class NumItems,
            class... Resource,
            entry::if_iterators<InputIt, OutputIt> = 0>
  static cudaError_t ExclusiveSum(
    InputIt in, OutputIt out, NumItems num_items, cudaStream_t stream = nullptr, Resource&&... resource) noexcept
  {
    return ExclusiveScan(in, out, plus{}, entry::value_t<InputIt>{}, num_items, stream, resource...);
  }

  /// out[i] = in[0] op ... op in[i]. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param num_items a number, or a pointer to one in device memory
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
    return entry::in_storage(
      storage, bytes, problem_of<entry::sum_t<Op, InputIt>, true>(in, out, op, carry::no_init{}, num_items), stream);
  }

  /// out[i] = in[0] op ... op in[i]. In place: data is both. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param op associative; called in device code
  /// @param num_items a number, or a pointer to one in device memory
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
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class Op,
            class NumItems,
            class... Resource,
            entry::if_iterators<InputIt, OutputIt> = 0>
  static cudaError_t InclusiveScan(
    InputIt in, OutputIt out, Op op, NumItems num_items, cudaStream_t stream = nullptr, Resource&&... resource) noexcept
  {
    return entry::at_once(
      problem_of<entry::sum_t<Op, InputIt>, true>(in, out, op, carry::no_init{}, num_items), stream, resource...);
  }

  /// out[0] = init, out[i] = init op in[0] op ... op in[i - 1]. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or a pointer to one in device memory
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
    return entry::in_storage(
      storage, bytes, problem_of<entry::start_t<Op, Init, InputIt>, false>(in, out, op, init, num_items), stream);
  }

  /// out[0] = init, out[i] = init op in[0] op ... op in[i - 1]. In place: data is both. In the storage of the caller,
  /// in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or a pointer to one in device memory
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

  /// out[0] = init, out[i] = init op in[0] op ... op in[i - 1]. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class Op,
            class Init,
            class NumItems,
            class... Resource,
            entry::if_iterators<InputIt, OutputIt> = 0>
  static cudaError_t ExclusiveScan(InputIt in,
                                   OutputIt out,
                                   Op op,
                                   Init init,
                                   NumItems num_items,
                                   cudaStream_t stream = nullptr,
                                   Resource&&... resource) noexcept
  {
    return entry::at_once(
      problem_of<entry::start_t<Op, Init, InputIt>, false>(in, out, op, init, num_items), stream, resource...);
  }

  /// out[i] = init op in[0] op ... op in[i]. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
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
    return entry::in_storage(
      storage, bytes, problem_of<entry::start_t<Op, Init, InputIt>, true>(in, out, op, init, num_items), stream);
  }

  /// out[i] = init op in[0] op ... op in[i]. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param op associative; called in device code
  /// @param init the value before the first, or one in device memory
  /// @param num_items a number, or a pointer to one in device memory
  /// @param stream where the work is queued
  /// @param resource at most one: where temporary memory comes from, instead of the library's own
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class Op,
            class Init,
            class NumItems,
            class... Resource,
            entry::if_iterators<InputIt, OutputIt> = 0>
  static cudaError_t InclusiveScanInit(InputIt in,
                                       OutputIt out,
                                       Op op,
                                       Init init,
                                       NumItems num_items,
                                       cudaStream_t stream = nullptr,
                                       Resource&&... resource) noexcept
  {
    return entry::at_once(
      problem_of<entry::start_t<Op, Init, InputIt>, true>(in, out, op, init, num_items), stream, resource...);
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
