/// @file
/// lightscan::DeviceReduce: cub::DeviceReduce's ReduceByKey on LightScan's kernels.
///
///     lightscan::DeviceReduce::ReduceByKey(storage, bytes, keys, keys_out, values, reduced_out, num_runs, op, n, stream);
///     lightscan::DeviceReduce::ReduceByKey(keys, keys_out, values, reduced_out, num_runs, op, n, stream);
///
/// What <lightscan/device_select.h> says of all calls there holds here, too: of **num_items**, **Storage**, **Environment**,
/// **Resource**, **Streams** and **Errors**. Else:
///
/// - **Result**: for each longest run of neighbouring keys that are equal (==, called in device code on neighbouring keys
///   only), in their order, its first key and its values, reduced from left to right with operands in their order. The number
///   of runs goes to *num_runs: any random-access iterator that the GPU can write through; 0 where there are no items.
/// - **Ranges**: [keys, keys + n), [values, values + n) and as many results as there are runs, on the device; any random-access
///   iterators. Output does not overlap input in any way, nor *num_runs.
/// - **Operator**: associative; need not be commutative.
/// - **Accumulator**: the decayed result of op(value, value), as CUB's.
/// - **Types**: all that CUB takes. Keys and accumulators (with a number beside them in one struct) for which
///   lightscan::is_accelerated_v does not hold are left to CUB's own algorithm, with CUB's guarantees and CUB's size of storage;
///   lightscan::last_launch() then says path::cub. For these the number of items cannot lie in device memory.
/// - **Work**: one launch, in which each key is read up to twice, each value once, and each result written once.
/// - **Determinism**: the same bits in every run, as <lightscan/scan.h> describes, so
///   cuda::execution::determinism::run_to_run is granted for every operator. gpu_to_gpu is for integers under an operator of
///   CCCL's that is associative in truth, as in <lightscan/device_scan.h>; where CUB serves, both are
///   granted for these only.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/entry/arguments.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/offered.h>
#include <lightscan/entry/select_by_cub.h>
#include <lightscan/entry/select_problem.h>
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
/// Of cub::DeviceReduce's entry points the one that is a scan. All of them are static, and any number of host threads may call
/// them at once.
class DeviceReduce
{
  // What a call asks for, by whom it is served.
  template <class KeyIt,
            class KeyOutputIt,
            class ValueIt,
            class ReducedOutputIt,
            class NumRunsIt,
            class ReductionOp,
            class NumItems>
  static auto reduce_by_key_of(KeyIt keys,
                               KeyOutputIt keys_out,
                               ValueIt values,
                               ReducedOutputIt reduced_out,
                               NumRunsIt num_runs,
                               ReductionOp reduction_op,
                               NumItems num_items)
  {
    using T              = typename entry::accumulator<ReductionOp, util::no_init, ValueIt>::type;
    constexpr bool exact = entry::is_exact<ReductionOp, T, entry::value_t<ValueIt>>;
    auto count           = entry::count_of(num_items);
    if constexpr (::cuda::std::is_same_v<T, entry::untold>)
    {
      return entry::by_nobody{};
    }
    else if constexpr (entry::reduced_in_kernels<entry::value_t<KeyIt>, T>)
    {
      auto problem = entry::reduce_by_key_problem_of<T>(
        keys, values, keys_out, reduced_out, num_runs, count, ::cuda::std::equal_to<>{}, reduction_op);
      return entry::by_kernels<decltype(problem), exact>{problem};
    }
    else
    {
      return entry::by_cubs<exact>(
        "reduce_by_key", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
          return entry::cubs::DeviceReduce::ReduceByKey(
            storage, bytes, keys, keys_out, values, reduced_out, num_runs, reduction_op, n, stream);
        });
    }
  }

public:
  /// Of each run of equal keys the first key, and the reduction of its values. In the storage of the caller, in two
  /// phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param keys_out where the first key of each run goes
  /// @param values the values: as many as keys
  /// @param reduced_out where each run's reduction goes
  /// @param num_runs where the number of runs goes
  /// @param reduction_op associative; called in device code
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class KeyOutputIt,
            class ValueIt,
            class ReducedOutputIt,
            class NumRunsIt,
            class ReductionOp,
            class NumItems,
            entry::if_called<entry::iterators<KeyIt, KeyOutputIt, ValueIt, ReducedOutputIt, NumRunsIt>,
                             entry::called<ReductionOp>,
                             NumItems> = 0>
  static cudaError_t ReduceByKey(void* storage,
                                 std::size_t& bytes,
                                 KeyIt keys,
                                 KeyOutputIt keys_out,
                                 ValueIt values,
                                 ReducedOutputIt reduced_out,
                                 NumRunsIt num_runs,
                                 ReductionOp reduction_op,
                                 NumItems num_items,
                                 cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage, bytes, reduce_by_key_of(keys, keys_out, values, reduced_out, num_runs, reduction_op, num_items), stream);
  }

  /// Of each run of equal keys the first key, and the reduction of its values. In a single call.
  /// @param keys the keys
  /// @param keys_out where the first key of each run goes
  /// @param values the values: as many as keys
  /// @param reduced_out where each run's reduction goes
  /// @param num_runs where the number of runs goes
  /// @param reduction_op associative; called in device code
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class KeyOutputIt,
            class ValueIt,
            class ReducedOutputIt,
            class NumRunsIt,
            class ReductionOp,
            class NumItems,
            class... Environment,
            entry::if_called<entry::iterators<KeyIt, KeyOutputIt, ValueIt, ReducedOutputIt, NumRunsIt>,
                             entry::called<ReductionOp>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t ReduceByKey(KeyIt keys,
                                 KeyOutputIt keys_out,
                                 ValueIt values,
                                 ReducedOutputIt reduced_out,
                                 NumRunsIt num_runs,
                                 ReductionOp reduction_op,
                                 NumItems num_items,
                                 Environment&&... environment) noexcept
  {
    return entry::at_once(
      reduce_by_key_of(keys, keys_out, values, reduced_out, num_runs, reduction_op, num_items), environment...);
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
