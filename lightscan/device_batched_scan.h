/// @file
/// lightscan::DeviceBatchedScan: scans along an axis of an array, all lines in one launch.
///
/// An array of outer x length x inner elements is scanned along the middle axis: cumulative sums down the columns of a matrix, say,
///
///     lightscan::DeviceBatchedScan::InclusiveSum(in, out, lightscan::axis(1, rows, columns), stream);
///
/// or along the time of a batch of series, lightscan::axis(batch, time, channels). A line is what is scanned for itself: `length` elements,
/// one for each outer and inner index. Lines of any length and any number are one scan: short ones share a block, a long one is
/// every block's work.
///
/// For all of them:
///
/// - **Axis** (lightscan/axis.h): the three dimensions, from 0 up, and, where arrays have gaps, strides for input and output; `reverse`
///   scans each line from its last element to its first. The product of the dimensions may exceed 2^32.
/// - **Ranges**: any random-access iterators on the device. Element (o, i, k) of the input is in[o * input.outer + i * input.along + k].
///   Output may take the place of the input, with the same strides; ranges do not overlap otherwise. What lies in the gaps of the
///   output is left as it is. No two results may have one place.
/// - **init**: a value, which stands before each line; in_device_memory(pointer), cub::FutureValue or cuda::args::deferred for one that
///   the kernel reads when it runs.
/// - **Operator**: associative; need not be commutative. It is called on neighbours of one line only, in the order of the scan.
/// - **Accumulator**: the decayed result of op(init, value), op(value, value) without an initial value. It must be bitwise copyable and
///   have at most 512 bytes; others are not offered.
/// - **Work**: one launch; each element is read once, each result written once: (sizeof input + sizeof output) bytes an element. Lines that
///   go on from block to block, long ones of which there are few, pass 8 bytes for each 32 bits of an accumulator, once in every few
///   hundred elements (fewer for wide ones).
/// - **Determinism**: the same bits in every run, for any number of resident blocks. They depend on the input, the axis, the types, how
///   input and output lie on the 16-byte grid, and the GPU: its number of multiprocessors, and which code runs there.
/// - **Storage**: where a line goes on from one block to the next, 8 bytes for each 32 bits of an accumulator, for each line of each tile.
///   Of large arrays that is about a hundredth (of bytes a thirtieth); up to an eighth for accumulators of more than 128 bytes, or where
///   a step along the axis is no multiple of 32 bytes (of bytes a sixth). Small arrays are cut finer: it may be more than they have,
///   up to 2 MB for elements of up to 64 bytes. It is cleared first, by one more operation on the stream. In two phases the size is that
///   for the current GPU, wherever the arrays lie; of some that lie well nothing is used. Without storage it comes from a pool of the
///   library's, which keeps up to 64 MiB. Lines that follow one another without gaps (inner = 1) and are scanned forward are segments of
///   one length: DeviceSegmentedScan's call, with its storage.
/// - **Environment**, **Resource**, **Streams**: as <lightscan/device_scan.h> says.
/// - **Errors**: cudaErrorInvalidValue for a negative dimension or too little storage, and nothing is written; CUDA's, where a call to it
///   fails.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/device_value.h>
#include <lightscan/entry/axis_call.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/functional>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
/// Scans along an axis. All entry points are static, and any number of host threads may call them at once.
class DeviceBatchedScan
{
  using plus = ::cuda::std::plus<>;

public:
  /// @{
  /// InclusiveSum: a result is the sum of its line up to its element. ExclusiveSum: up to the element before; 0 for
  /// the first. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt, class OutputIt, entry::if_batched<InputIt, OutputIt> = 0>
  static cudaError_t InclusiveSum(void* storage,
                                  std::size_t& bytes,
                                  InputIt in,
                                  OutputIt out,
                                  const axis& along,
                                  cudaStream_t stream = nullptr) noexcept
  {
    return InclusiveScan(storage, bytes, in, out, along, plus{}, stream);
  }

  template <class InputIt, class OutputIt, entry::if_batched<InputIt, OutputIt> = 0>
  static cudaError_t ExclusiveSum(void* storage,
                                  std::size_t& bytes,
                                  InputIt in,
                                  OutputIt out,
                                  const axis& along,
                                  cudaStream_t stream = nullptr) noexcept
  {
    return ExclusiveScan(storage, bytes, in, out, along, plus{}, entry::value_t<InputIt>{}, stream);
  }
  /// @}

  /// A result is the fold of its line up to its element, in the order of the scan. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt, class OutputIt, class Op, entry::if_batched_scan<InputIt, OutputIt, Op> = 0>
  static cudaError_t InclusiveScan(void* storage,
                                   std::size_t& bytes,
                                   InputIt in,
                                   OutputIt out,
                                   const axis& along,
                                   Op op,
                                   cudaStream_t stream = nullptr) noexcept
  {
    return entry::with_batched_call<true>(in, out, along, op, util::no_init{}, [&](const auto& call) {
      return entry::in_storage(storage, bytes, call, stream);
    });
  }

  /// A result is op(init, the fold of its line up to its element). In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  /// @param init stands before each line
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt, class OutputIt, class Op, class Init, entry::if_batched_scan<InputIt, OutputIt, Op> = 0>
  static cudaError_t InclusiveScanInit(void* storage,
                                       std::size_t& bytes,
                                       InputIt in,
                                       OutputIt out,
                                       const axis& along,
                                       Op op,
                                       Init init,
                                       cudaStream_t stream = nullptr) noexcept
  {
    return entry::with_batched_call<true>(in, out, along, op, init, [&](const auto& call) {
      return entry::in_storage(storage, bytes, call, stream);
    });
  }

  /// A result is op(init, the fold of its line up to the element before); init for the first. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  /// @param init stands before each line
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt, class OutputIt, class Op, class Init, entry::if_batched_scan<InputIt, OutputIt, Op> = 0>
  static cudaError_t ExclusiveScan(void* storage,
                                   std::size_t& bytes,
                                   InputIt in,
                                   OutputIt out,
                                   const axis& along,
                                   Op op,
                                   Init init,
                                   cudaStream_t stream = nullptr) noexcept
  {
    return entry::with_batched_call<false>(in, out, along, op, init, [&](const auto& call) {
      return entry::in_storage(storage, bytes, call, stream);
    });
  }

  /// @{
  /// InclusiveSum: a result is the sum of its line up to its element. ExclusiveSum: up to the element before; 0 for
  /// the first. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class... Environment,
            entry::if_batched<InputIt, OutputIt, Environment...> = 0>
  static cudaError_t InclusiveSum(InputIt in, OutputIt out, const axis& along, Environment&&... environment) noexcept
  {
    return InclusiveScan(in, out, along, plus{}, environment...);
  }

  template <class InputIt,
            class OutputIt,
            class... Environment,
            entry::if_batched<InputIt, OutputIt, Environment...> = 0>
  static cudaError_t ExclusiveSum(InputIt in, OutputIt out, const axis& along, Environment&&... environment) noexcept
  {
    return ExclusiveScan(in, out, along, plus{}, entry::value_t<InputIt>{}, environment...);
  }
  /// @}

  /// A result is the fold of its line up to its element, in the order of the scan. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class Op,
            class... Environment,
            entry::if_batched_scan<InputIt, OutputIt, Op, Environment...> = 0>
  static cudaError_t
  InclusiveScan(InputIt in, OutputIt out, const axis& along, Op op, Environment&&... environment) noexcept
  {
    return entry::with_batched_call<true>(in, out, along, op, util::no_init{}, [&](const auto& call) {
      return entry::at_once(call, environment...);
    });
  }

  /// A result is op(init, the fold of its line up to its element). In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  /// @param init stands before each line
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class Op,
            class Init,
            class... Environment,
            entry::if_batched_scan<InputIt, OutputIt, Op, Environment...> = 0>
  static cudaError_t InclusiveScanInit(
    InputIt in, OutputIt out, const axis& along, Op op, Init init, Environment&&... environment) noexcept
  {
    return entry::with_batched_call<true>(in, out, along, op, init, [&](const auto& call) {
      return entry::at_once(call, environment...);
    });
  }

  /// A result is op(init, the fold of its line up to the element before); init for the first. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param along the axis
  /// @param op associative
  /// @param init stands before each line
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class Op,
            class Init,
            class... Environment,
            entry::if_batched_scan<InputIt, OutputIt, Op, Environment...> = 0>
  static cudaError_t
  ExclusiveScan(InputIt in, OutputIt out, const axis& along, Op op, Init init, Environment&&... environment) noexcept
  {
    return entry::with_batched_call<false>(in, out, along, op, init, [&](const auto& call) {
      return entry::at_once(call, environment...);
    });
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
