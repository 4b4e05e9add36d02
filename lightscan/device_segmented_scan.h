/// @file
/// lightscan::DeviceSegmentedScan: scans of many segments in one launch, whatever their lengths.
///
/// Segments lie side by side in one array. Where each begins is told by offsets in device memory, those of the rows of a sparse
/// matrix, say,
///
///     std::size_t bytes = 0;
///     lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(nullptr, bytes, in, out, offsets, num_segments);
///     cudaMalloc(&storage, bytes);
///     lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(storage, bytes, in, out, offsets, num_segments, stream);
///
/// or they are rows of one length, those of a matrix or of a batch:
///
///     lightscan::DeviceSegmentedScan::ExclusiveSegmentedSum(in, out, num_rows, length, stream);
///
/// cub::DeviceSegmentedScan (CCCL 3.3) gives each segment a block: a long one leaves the GPU idle, short ones leave blocks idle. Here
/// where a segment begins is a flag beside each element, and any mixture of lengths is one scan.
///
/// For all of them:
///
/// - **Offsets**: segment j has the elements from offsets[j] to offsets[j + 1] - 1. So there are num_segments + 1 offsets, of any
///   integer type, behind any random-access iterator; offsets[0] is 0, they ascend, and equal ones are an empty segment. How many
///   elements there are only the last one tells, on the GPU: nothing is read before the kernel runs, so a captured graph can be
///   replayed on other offsets. Offsets that do not ascend put segments in wrong places; nothing is written behind offsets[num_segments].
///   Compiled with CCCL's assertions (CCCL_ENABLE_ASSERTIONS), the kernel stops at one it reads that is negative or above the next.
///   Were offsets[0] not 0, elements before it would be a segment, too: move `in`, `out` and the offsets of a slice. Of a run
///   of empty segments some thousand offsets are read, were it of millions.
/// - **Rows**: num_segments of them, each of `size` elements; nothing is read to know it. Blocks may hold rows as a whole: then there is no
///   flag, and no temporary memory is used.
/// - **num_segments**: an integer; or one in device memory, named by in_device_memory(pointer), cub::FutureValue or
///   cuda::args::deferred (a pointer alone would be taken for offsets). None, or a negative number, does nothing.
/// - **Ranges**: [in, in + n) and [out, out + n), where n is the number of elements in all segments, beyond 2^32 too; any
///   random-access iterators on the device. Output may take the place of the input; ranges do not overlap otherwise, nor the offsets.
/// - **init**: a value, which stands before each segment; in_device_memory(pointer), cub::FutureValue or cuda::args::deferred for
///   one that the kernel reads when it runs.
/// - **Operator**: associative; need not be commutative. It is called on neighbours of one segment only, in their order.
/// - **Accumulator**: the decayed result of op(init, value), op(value, value) without an initial value (as CUB's); one for which
///   lightscan::is_accelerated_v does not hold, with a flag beside it in one struct, is not offered.
/// - **Work**: one launch; each element is read once, each result written once: (sizeof input + sizeof output) x n bytes, and the
///   offsets'. (Of offsets more is read, mostly from caches: each of a tile's sections searches for its first one, and reads past its
///   last one.)
/// - **Determinism**: the same bits in every run, for any number of resident blocks. They depend on what <lightscan/scan.h> says, and on
///   the segments.
/// - **Storage**, **Environment**, **Resource**, **Streams**, **Errors**: as <lightscan/device_scan.h> says. Where offsets tell the
///   number of elements, storage has 320 KiB and 7 bytes, and the grid fills the GPU.
/// - **CUB's begin and end offsets**, which may leave gaps, are left to cub::DeviceSegmentedScan, and last_launch() says so (path::cub);
///   a CCCL before 3.3 has none, and the compiler says so. Where they are one array and the same one element on, give the array alone:
///   that is one scan.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/entry/arguments.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/segments.h>
#include <lightscan/entry/segments_by_cub.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/functional>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
/// Scans of segments. All entry points are static, and any number of host threads may call them at once. Wherever they take two
/// arguments `first` and `second` that tell of segments, these are offsets and the number of segments, or the number of segments and the
/// size of each.
class DeviceSegmentedScan
{
  using plus = ::cuda::std::plus<>;

public:
  /// @{
  /// InclusiveSegmentedSum: out[i] is the sum of its segment up to in[i]. ExclusiveSegmentedSum: up to the element
  /// before; 0 for the first. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            entry::if_segmented<InputIt, OutputIt, First, Second> = 0>
  static cudaError_t InclusiveSegmentedSum(void* storage,
                                           std::size_t& bytes,
                                           InputIt in,
                                           OutputIt out,
                                           First first,
                                           Second second,
                                           cudaStream_t stream = nullptr) noexcept
  {
    return InclusiveSegmentedScan(storage, bytes, in, out, first, second, plus{}, stream);
  }

  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            entry::if_segmented<InputIt, OutputIt, First, Second> = 0>
  static cudaError_t ExclusiveSegmentedSum(void* storage,
                                           std::size_t& bytes,
                                           InputIt in,
                                           OutputIt out,
                                           First first,
                                           Second second,
                                           cudaStream_t stream = nullptr) noexcept
  {
    return ExclusiveSegmentedScan(storage, bytes, in, out, first, second, plus{}, entry::value_t<InputIt>{}, stream);
  }
  /// @}

  /// out[i] is the fold of its segment up to in[i], from left to right. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            class Op,
            entry::if_segmented_scan<InputIt, OutputIt, First, Second, Op> = 0>
  static cudaError_t InclusiveSegmentedScan(void* storage,
                                            std::size_t& bytes,
                                            InputIt in,
                                            OutputIt out,
                                            First first,
                                            Second second,
                                            Op op,
                                            cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage, bytes, entry::segmented_scan_of<true>(in, out, first, second, op, util::no_init{}), stream);
  }

  /// out[i] is op(init, the fold of its segment up to in[i]). In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  /// @param init stands before each segment
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            class Op,
            class Init,
            entry::if_segmented_scan<InputIt, OutputIt, First, Second, Op> = 0>
  static cudaError_t InclusiveSegmentedScanInit(void* storage,
                                                std::size_t& bytes,
                                                InputIt in,
                                                OutputIt out,
                                                First first,
                                                Second second,
                                                Op op,
                                                Init init,
                                                cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, entry::segmented_scan_of<true>(in, out, first, second, op, init), stream);
  }

  /// out[i] is op(init, the fold of its segment up to the element before); init for the first. In the storage of the
  /// caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  /// @param init stands before each segment
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            class Op,
            class Init,
            entry::if_segmented_scan<InputIt, OutputIt, First, Second, Op> = 0>
  static cudaError_t ExclusiveSegmentedScan(void* storage,
                                            std::size_t& bytes,
                                            InputIt in,
                                            OutputIt out,
                                            First first,
                                            Second second,
                                            Op op,
                                            Init init,
                                            cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, entry::segmented_scan_of<false>(in, out, first, second, op, init), stream);
  }

  /// @{
  /// InclusiveSegmentedSum: out[i] is the sum of its segment up to in[i]. ExclusiveSegmentedSum: up to the element
  /// before; 0 for the first. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            class... Environment,
            entry::if_segmented<InputIt, OutputIt, First, Second, Environment...> = 0>
  static cudaError_t
  InclusiveSegmentedSum(InputIt in, OutputIt out, First first, Second second, Environment&&... environment) noexcept
  {
    return InclusiveSegmentedScan(in, out, first, second, plus{}, environment...);
  }

  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            class... Environment,
            entry::if_segmented<InputIt, OutputIt, First, Second, Environment...> = 0>
  static cudaError_t
  ExclusiveSegmentedSum(InputIt in, OutputIt out, First first, Second second, Environment&&... environment) noexcept
  {
    return ExclusiveSegmentedScan(in, out, first, second, plus{}, entry::value_t<InputIt>{}, environment...);
  }
  /// @}

  /// out[i] is the fold of its segment up to in[i], from left to right. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            class Op,
            class... Environment,
            entry::if_segmented_scan<InputIt, OutputIt, First, Second, Op, Environment...> = 0>
  static cudaError_t InclusiveSegmentedScan(
    InputIt in, OutputIt out, First first, Second second, Op op, Environment&&... environment) noexcept
  {
    return entry::at_once(entry::segmented_scan_of<true>(in, out, first, second, op, util::no_init{}), environment...);
  }

  /// out[i] is op(init, the fold of its segment up to in[i]). In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  /// @param init stands before each segment
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            class Op,
            class Init,
            class... Environment,
            entry::if_segmented_scan<InputIt, OutputIt, First, Second, Op, Environment...> = 0>
  static cudaError_t InclusiveSegmentedScanInit(
    InputIt in, OutputIt out, First first, Second second, Op op, Init init, Environment&&... environment) noexcept
  {
    return entry::at_once(entry::segmented_scan_of<true>(in, out, first, second, op, init), environment...);
  }

  /// out[i] is op(init, the fold of its segment up to the element before); init for the first. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param first,second offsets and the number of segments; or the number of segments and the size of each
  /// @param op associative
  /// @param init stands before each segment
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class First,
            class Second,
            class Op,
            class Init,
            class... Environment,
            entry::if_segmented_scan<InputIt, OutputIt, First, Second, Op, Environment...> = 0>
  static cudaError_t ExclusiveSegmentedScan(
    InputIt in, OutputIt out, First first, Second second, Op op, Init init, Environment&&... environment) noexcept
  {
    return entry::at_once(entry::segmented_scan_of<false>(in, out, first, second, op, init), environment...);
  }

  /// @{
  /// CUB's calls with separate begin and end offsets, which cub::DeviceSegmentedScan serves.
  /// @param args as CUB's: storage and its size or neither, input, output, where segments begin, where they end, where results of each
  ///   begin if elsewhere, the number of segments, the operator and the initial value where the function has them; then a stream, or
  ///   in a single call an environment
  /// @return cudaSuccess, or what failed
  template <class... Args, entry::if_cubs_segments<entry::cubs_inclusive_sum, Args...> = 0>
  static cudaError_t InclusiveSegmentedSum(Args&&... args) noexcept
  {
    return entry::segments_by_cub<entry::cubs_inclusive_sum>(args...);
  }

  template <class... Args, entry::if_cubs_segments<entry::cubs_exclusive_sum, Args...> = 0>
  static cudaError_t ExclusiveSegmentedSum(Args&&... args) noexcept
  {
    return entry::segments_by_cub<entry::cubs_exclusive_sum>(args...);
  }

  template <class... Args, entry::if_cubs_segments<entry::cubs_inclusive_scan, Args...> = 0>
  static cudaError_t InclusiveSegmentedScan(Args&&... args) noexcept
  {
    return entry::segments_by_cub<entry::cubs_inclusive_scan>(args...);
  }

  template <class... Args, entry::if_cubs_segments<entry::cubs_inclusive_scan_init, Args...> = 0>
  static cudaError_t InclusiveSegmentedScanInit(Args&&... args) noexcept
  {
    return entry::segments_by_cub<entry::cubs_inclusive_scan_init>(args...);
  }

  template <class... Args, entry::if_cubs_segments<entry::cubs_exclusive_scan, Args...> = 0>
  static cudaError_t ExclusiveSegmentedScan(Args&&... args) noexcept
  {
    return entry::segments_by_cub<entry::cubs_exclusive_scan>(args...);
  }
  /// @}
};
#endif

LIGHTSCAN_NAMESPACE_END
