/// @file
/// lightscan::DeviceRunLengthEncode: cub::DeviceRunLengthEncode's entry points on LightScan's kernels.
///
///     lightscan::DeviceRunLengthEncode::Encode(storage, bytes, in, out, lengths_out, num_runs, n, stream);
///     lightscan::DeviceRunLengthEncode::Encode(in, out, lengths_out, num_runs, n, stream);
///
/// What <lightscan/device_select.h> says of all calls there holds here, too: of **num_items**, **Storage**, **Environment**,
/// **Resource**, **Streams**, **Errors** and **Determinism**. Else:
///
/// - **Result**: for each longest run of neighbouring items that are equal (==, called in device code on neighbouring items
///   only), in their order: Encode puts out the first item and the length, NonTrivialRuns, of runs of two or more items, the
///   index of the first item and the length. The number of these runs goes to *num_runs: any random-access iterator that the GPU can write
///   through; 0 where there are no items.
/// - **Ranges**: [in, in + n) and as many results as there are runs, on the device; any random-access iterators. Output does
///   not overlap input in any way, nor *num_runs.
/// - **Lengths**, indices: any number of items, beyond 2^32 too. They are assigned to the outputs as numbers; where the
///   lengths' type is an integer, Encode counts in what adding two of it gives.
/// - **Types**: all that CUB takes. Items for which lightscan::is_accelerated_v does not hold are left to CUB's own algorithm,
///   with CUB's guarantees and CUB's size of storage; lightscan::last_launch() then says path::cub. For these the number of
///   items cannot lie in device memory, and before CCCL 3.1 NonTrivialRuns of more than 2^31 - 1 is cudaErrorNotSupported.
/// - **Work**: one launch, in which each item is read up to twice, by NonTrivialRuns up to three times, and each result written once.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/entry/arguments.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/select_by_cub.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/version.h>

#include <cuda/std/functional>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
/// cub::DeviceRunLengthEncode's entry points. All of them are static, and any number of host threads may call them at once.
class DeviceRunLengthEncode
{
  using equal = ::cuda::std::equal_to<>;
  using plus  = ::cuda::std::plus<>;

  // What a call asks for, by whom it is served. Lengths are sums of ones.
  template <class InputIt, class OutputIt, class LengthIt, class NumRunsIt, class NumItems>
  static auto encode_of(InputIt in, OutputIt out, LengthIt lengths_out, NumRunsIt num_runs, NumItems num_items)
  {
    using length    = entry::length_t<LengthIt>;
    using T         = entry::accumulator_t<plus, length, length>;
    auto count      = entry::count_of(num_items);
    const auto ones = entry::constantly(static_cast<length>(1));
    if constexpr (entry::reduced_in_kernels<entry::value_t<InputIt>, T>)
    {
      auto problem = entry::reduce_by_key_problem_of<T>(in, ones, out, lengths_out, num_runs, count, equal{}, plus{});
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      return entry::by_cubs(
        "run_length_encode", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
          return entry::cubs::DeviceReduce::ReduceByKey(
            storage, bytes, in, out, ones, lengths_out, num_runs, plus{}, n, stream);
        });
    }
  }

  template <class InputIt, class OffsetIt, class LengthIt, class NumRunsIt, class NumItems>
  static auto runs_of(InputIt in, OffsetIt offsets_out, LengthIt lengths_out, NumRunsIt num_runs, NumItems num_items)
  {
    auto count = entry::count_of(num_items);
    if constexpr (entry::selected_in_kernels<InputIt>)
    {
      auto problem = entry::runs_problem_of(in, offsets_out, lengths_out, num_runs, count, equal{});
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      return entry::by_cubs(
        "non_trivial_runs", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
          return entry::cubs_runs(storage, bytes, in, offsets_out, lengths_out, num_runs, n, stream);
        });
    }
  }

public:
  /// Of each run of equal items the first one, and how many there are. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the first item of each run goes
  /// @param lengths_out where the length of each run goes
  /// @param num_runs where the number of runs goes
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <
    class InputIt,
    class OutputIt,
    class LengthIt,
    class NumRunsIt,
    class NumItems,
    entry::if_called<entry::iterators<InputIt, OutputIt, LengthIt, NumRunsIt>, entry::operators<>, NumItems> = 0>
  static cudaError_t Encode(void* storage,
                            std::size_t& bytes,
                            InputIt in,
                            OutputIt out,
                            LengthIt lengths_out,
                            NumRunsIt num_runs,
                            NumItems num_items,
                            cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, encode_of(in, out, lengths_out, num_runs, num_items), stream);
  }

  /// Of each run of equal items the first one, and how many there are. In a single call.
  /// @param in the input
  /// @param out where the first item of each run goes
  /// @param lengths_out where the length of each run goes
  /// @param num_runs where the number of runs goes
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class LengthIt,
            class NumRunsIt,
            class NumItems,
            class... Environment,
            entry::if_called<entry::iterators<InputIt, OutputIt, LengthIt, NumRunsIt>,
                             entry::operators<>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t Encode(InputIt in,
                            OutputIt out,
                            LengthIt lengths_out,
                            NumRunsIt num_runs,
                            NumItems num_items,
                            Environment&&... environment) noexcept
  {
    return entry::at_once(encode_of(in, out, lengths_out, num_runs, num_items), environment...);
  }

  /// Of each run of two or more equal items where it begins, and how many there are. In the storage of the caller, in
  /// two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param offsets_out where the index of each run's first item goes
  /// @param lengths_out where the length of each run goes
  /// @param num_runs where the number of runs goes
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <
    class InputIt,
    class OffsetIt,
    class LengthIt,
    class NumRunsIt,
    class NumItems,
    entry::if_called<entry::iterators<InputIt, OffsetIt, LengthIt, NumRunsIt>, entry::operators<>, NumItems> = 0>
  static cudaError_t NonTrivialRuns(void* storage,
                                    std::size_t& bytes,
                                    InputIt in,
                                    OffsetIt offsets_out,
                                    LengthIt lengths_out,
                                    NumRunsIt num_runs,
                                    NumItems num_items,
                                    cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, runs_of(in, offsets_out, lengths_out, num_runs, num_items), stream);
  }

  /// Of each run of two or more equal items where it begins, and how many there are. In a single call.
  /// @param in the input
  /// @param offsets_out where the index of each run's first item goes
  /// @param lengths_out where the length of each run goes
  /// @param num_runs where the number of runs goes
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OffsetIt,
            class LengthIt,
            class NumRunsIt,
            class NumItems,
            class... Environment,
            entry::if_called<entry::iterators<InputIt, OffsetIt, LengthIt, NumRunsIt>,
                             entry::operators<>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t NonTrivialRuns(InputIt in,
                                    OffsetIt offsets_out,
                                    LengthIt lengths_out,
                                    NumRunsIt num_runs,
                                    NumItems num_items,
                                    Environment&&... environment) noexcept
  {
    return entry::at_once(runs_of(in, offsets_out, lengths_out, num_runs, num_items), environment...);
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
