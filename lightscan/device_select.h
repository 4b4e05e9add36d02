/// @file
/// lightscan::DeviceSelect: cub::DeviceSelect's entry points on LightScan's kernels.
///
/// A program that uses CUB's replaces the namespace:
///
///     std::size_t bytes = 0;
///     lightscan::DeviceSelect::If(nullptr, bytes, in, out, num_selected, n, is_wanted);
///     cudaMalloc(&storage, bytes);
///     lightscan::DeviceSelect::If(storage, bytes, in, out, num_selected, n, is_wanted, stream);
///
/// or leaves the storage to the library, or to a memory resource:
///
///     lightscan::DeviceSelect::If(in, out, num_selected, n, is_wanted, stream);
///     lightscan::DeviceSelect::If(in, out, num_selected, n, is_wanted, stream, resource);
///
/// For all of them, of which <lightscan/device_partition.h>, <lightscan/device_reduce.h> and
/// <lightscan/device_run_length_encode.h> only say what differs:
///
/// - **Result**: the items selected, in their order, from out on, and nothing behind them; their number goes to *num_selected,
///   which lies in device memory (or mapped memory) as the output does: any random-access iterator that the GPU can write through. Where
///   there are no items it is 0.
/// - **Ranges**: [in, in + n), and [flags, flags + n), [keys, keys + n), on the device; any random-access iterators. There is
///   room from out on for as many items as are selected. Output may take the place of input (of values and keys, each of its
///   own), and flags may be the input itself; ranges do not overlap otherwise, and none overlaps *num_selected.
/// - **num_items**: an integer, or what converts to one on the host; or one in device memory, named by a pointer,
///   in_device_memory(pointer), cub::FutureValue or cuda::args::deferred (CCCL 3.5), which the kernel reads when it runs: a
///   captured graph can be replayed on data whose size the GPU computed. The grid then fills the GPU, whatever the number
///   turns out to be. A negative number is as 0.
/// - **Predicate**: called in device code exactly once for each item (or flag), in no particular order, with a copy of it.
/// - **Runs**: a run is a longest stretch of items of which same(item[i - 1], item[i]) holds throughout; `same` need not be
///   transitive. It is called in device code on neighbouring items only, in their order. Where none is given, equal items make
///   a run.
/// - **Types**: all that CUB takes. Where lightscan::is_accelerated_v does not hold for all that is read (items, flags, keys and
///   values), the call is left to CUB's own algorithm, with CUB's guarantees (UniqueByKey: not in place) and CUB's size of
///   storage; lightscan::last_launch() then says path::cub. For these the number of items cannot lie in device memory, and
///   Unique in place needs a CUB that has it.
/// - **Work**: one launch, in which each item and each flag is read once (items up to twice where neighbours are
///   compared), and each item that is selected is written once:
///   sizeof item x (n + number selected) bytes, and those of the flags.
/// - **Storage**: two phases, as CUB's: with a null storage only its size is computed, 1 byte at least. It does not shrink as
///   n grows, and is 320 KiB and 7 bytes at most, and where only the GPU knows n. Storage may have any alignment, is cleared by
///   the call as far as that needs it, and must not be used by two calls that may run at once. Without storage: the library's
///   own, as <lightscan/scan.h> describes; where CUB selects, allocated and freed in stream order.
/// - **Environment**, **Resource**: the last arguments of a single call, as <lightscan/device_scan.h> describes them. In two phases
///   the last argument is a stream; an environment there, which CUB 3.5 takes, does not compile.
/// - **Streams**: nothing waits for the stream, but for a resource that knows no stream order. Calls may be captured:
///   two-phase ones use their storage, the others allocate and free in the graph, as <lightscan/scan.h> describes.
/// - **Errors**: returned; nothing is thrown. cudaErrorInvalidValue for storage that is too small,
///   cudaErrorInvalidResourceHandle for a stream that is given as a number other than 0, and cudaErrorMemoryAllocation where a
///   resource gives nothing or throws as it is asked: with nothing launched, so that the output is as it was.
/// - **Determinism**: the same bits in every run and on every GPU: where an item goes depends on how many are selected before
///   it, and on nothing else. So gpu_to_gpu is granted. What is not offered does not compile.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/entry/arguments.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/select_by_cub.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/version.h>

#include <cuda/std/functional>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
/// cub::DeviceSelect's entry points. All of them are static, and any number of host threads may call them at once.
class DeviceSelect
{
  using equal  = ::cuda::std::equal_to<>;
  using is_set = entry::is_set;

  // What a call asks for, by whom it is served.
  template <bool InPlace, class InputIt, class OutputIt, class NumSelectedIt, class NumItems, class SelectOp>
  static auto if_of(InputIt in, OutputIt out, NumSelectedIt num_selected, NumItems num_items, SelectOp select_op)
  {
    auto count = entry::count_of(num_items);
    if constexpr (entry::selected_in_kernels<InputIt>)
    {
      auto problem = entry::select_problem_of<true>(
        tile::if_test<SelectOp>{select_op}, entry::these(in), entry::these(out), num_selected, count);
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      return entry::by_cubs("select", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
        if constexpr (InPlace)
        {
          return entry::cubs::DeviceSelect::If(storage, bytes, in, num_selected, n, select_op, stream);
        }
        else
        {
          return entry::cubs::DeviceSelect::If(storage, bytes, in, out, num_selected, n, select_op, stream);
        }
      });
    }
  }

  template <bool InPlace,
            class InputIt,
            class FlagIt,
            class OutputIt,
            class NumSelectedIt,
            class NumItems,
            class SelectOp>
  static auto
  flagged_of(InputIt in, FlagIt flags, OutputIt out, NumSelectedIt num_selected, NumItems num_items, SelectOp select_op)
  {
    auto count = entry::count_of(num_items);
    if constexpr (entry::selected_in_kernels<InputIt, FlagIt>)
    {
      auto problem = entry::select_problem_of<false>(
        tile::if_test<SelectOp>{select_op}, entry::these(flags, in), entry::these(out), num_selected, count);
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      return entry::by_cubs("select", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
        if constexpr (InPlace)
        {
          return entry::cubs::DeviceSelect::FlaggedIf(storage, bytes, in, flags, num_selected, n, select_op, stream);
        }
        else
        {
          return entry::cubs::DeviceSelect::FlaggedIf(
            storage, bytes, in, flags, out, num_selected, n, select_op, stream);
        }
      });
    }
  }

  template <bool InPlace, class InputIt, class OutputIt, class NumSelectedIt, class NumItems, class Same>
  static auto unique_of(InputIt in, OutputIt out, NumSelectedIt num_selected, NumItems num_items, Same same)
  {
    auto count = entry::count_of(num_items);
    if constexpr (entry::selected_in_kernels<InputIt>)
    {
      auto problem = entry::select_problem_of<true>(
        tile::run_test<Same>{same}, entry::these(in), entry::these(out), num_selected, count);
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      constexpr bool is_there = !InPlace || entry::cub_has_unique_in_place<InputIt, NumSelectedIt, Same>;
      return entry::by_cubs<true, is_there>(
        "unique", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
          if constexpr (!InPlace)
          {
            return entry::cubs_unique(storage, bytes, in, out, num_selected, n, same, stream);
          }
          else if constexpr (entry::cub_has_unique_in_place<InputIt, NumSelectedIt, Same>)
          {
            return entry::cubs::DeviceSelect::Unique(storage, bytes, in, num_selected, n, same, stream);
          }
          else
          {
            return cudaErrorNotSupported;
          }
        });
    }
  }

  template <class KeyIt,
            class ValueIt,
            class KeyOutputIt,
            class ValueOutputIt,
            class NumSelectedIt,
            class NumItems,
            class Same>
  static auto unique_by_key_of(KeyIt keys,
                               ValueIt values,
                               KeyOutputIt keys_out,
                               ValueOutputIt values_out,
                               NumSelectedIt num_selected,
                               NumItems num_items,
                               Same same)
  {
    auto count = entry::count_of(num_items);
    if constexpr (entry::selected_in_kernels<KeyIt, ValueIt>)
    {
      auto problem = entry::select_problem_of<true>(tile::run_test<Same>{same},
                                                    entry::these(keys, values),
                                                    entry::these(keys_out, values_out),
                                                    num_selected,
                                                    count);
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      return entry::by_cubs("unique", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
        return entry::cubs::DeviceSelect::UniqueByKey(
          storage, bytes, keys, values, keys_out, values_out, num_selected, n, same, stream);
      });
    }
  }

public:
  /// The items whose flag is set. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param flags a flag for each item; what converts to true says that the item is wanted
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <
    class InputIt,
    class FlagIt,
    class OutputIt,
    class NumSelectedIt,
    class NumItems,
    entry::if_called<entry::iterators<InputIt, FlagIt, OutputIt, NumSelectedIt>, entry::operators<>, NumItems> = 0>
  static cudaError_t Flagged(void* storage,
                             std::size_t& bytes,
                             InputIt in,
                             FlagIt flags,
                             OutputIt out,
                             NumSelectedIt num_selected,
                             NumItems num_items,
                             cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage, bytes, flagged_of<false>(in, flags, out, num_selected, num_items, is_set{}), stream);
  }

  /// The items whose flag is set. In a single call.
  /// @param in the input
  /// @param flags a flag for each item; what converts to true says that the item is wanted
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class FlagIt,
            class OutputIt,
            class NumSelectedIt,
            class NumItems,
            class... Environment,
            entry::if_called<entry::iterators<InputIt, FlagIt, OutputIt, NumSelectedIt>,
                             entry::operators<>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t Flagged(InputIt in,
                             FlagIt flags,
                             OutputIt out,
                             NumSelectedIt num_selected,
                             NumItems num_items,
                             Environment&&... environment) noexcept
  {
    return entry::at_once(flagged_of<false>(in, flags, out, num_selected, num_items, is_set{}), environment...);
  }

  /// The items whose flag is set. In place: data is both. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param flags a flag for each item; what converts to true says that the item is wanted
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It,
            class FlagIt,
            class NumSelectedIt,
            class NumItems,
            entry::if_called_alone<entry::iterators<It, FlagIt, NumSelectedIt>, NumItems> = 0>
  static cudaError_t Flagged(void* storage,
                             std::size_t& bytes,
                             It data,
                             FlagIt flags,
                             NumSelectedIt num_selected,
                             NumItems num_items,
                             cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage, bytes, flagged_of<true>(data, flags, data, num_selected, num_items, is_set{}), stream);
  }

  /// The items whose flag is set. In place: data is both. In a single call.
  /// @param data the input, which the output replaces
  /// @param flags a flag for each item; what converts to true says that the item is wanted
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class It,
            class FlagIt,
            class NumSelectedIt,
            class NumItems,
            class... Environment,
            entry::if_called_alone<entry::iterators<It, FlagIt, NumSelectedIt>, NumItems, Environment...> = 0>
  static cudaError_t
  Flagged(It data, FlagIt flags, NumSelectedIt num_selected, NumItems num_items, Environment&&... environment) noexcept
  {
    return entry::at_once(flagged_of<true>(data, flags, data, num_selected, num_items, is_set{}), environment...);
  }

  /// The items for which the predicate holds. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code; whether an item is wanted
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class NumSelectedIt,
            class NumItems,
            class SelectOp,
            entry::if_called<entry::iterators<InputIt, OutputIt, NumSelectedIt>, entry::called<SelectOp>, NumItems> = 0>
  static cudaError_t If(void* storage,
                        std::size_t& bytes,
                        InputIt in,
                        OutputIt out,
                        NumSelectedIt num_selected,
                        NumItems num_items,
                        SelectOp select_op,
                        cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, if_of<false>(in, out, num_selected, num_items, select_op), stream);
  }

  /// The items for which the predicate holds. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code; whether an item is wanted
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class NumSelectedIt,
            class NumItems,
            class SelectOp,
            class... Environment,
            entry::if_called<entry::iterators<InputIt, OutputIt, NumSelectedIt>,
                             entry::called<SelectOp>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t If(InputIt in,
                        OutputIt out,
                        NumSelectedIt num_selected,
                        NumItems num_items,
                        SelectOp select_op,
                        Environment&&... environment) noexcept
  {
    return entry::at_once(if_of<false>(in, out, num_selected, num_items, select_op), environment...);
  }

  /// The items for which the predicate holds. In place: data is both. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code; whether an item is wanted
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It,
            class NumSelectedIt,
            class NumItems,
            class SelectOp,
            entry::if_called<entry::iterators<It, NumSelectedIt>, entry::called<SelectOp>, NumItems> = 0>
  static cudaError_t If(void* storage,
                        std::size_t& bytes,
                        It data,
                        NumSelectedIt num_selected,
                        NumItems num_items,
                        SelectOp select_op,
                        cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, if_of<true>(data, data, num_selected, num_items, select_op), stream);
  }

  /// The items for which the predicate holds. In place: data is both. In a single call.
  /// @param data the input, which the output replaces
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code; whether an item is wanted
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <
    class It,
    class NumSelectedIt,
    class NumItems,
    class SelectOp,
    class... Environment,
    entry::if_called<entry::iterators<It, NumSelectedIt>, entry::called<SelectOp>, NumItems, Environment...> = 0>
  static cudaError_t
  If(It data, NumSelectedIt num_selected, NumItems num_items, SelectOp select_op, Environment&&... environment) noexcept
  {
    return entry::at_once(if_of<true>(data, data, num_selected, num_items, select_op), environment...);
  }

  /// The items for whose flag the predicate holds. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param flags a flag for each item
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code with flags; whether an item is wanted
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <
    class InputIt,
    class FlagIt,
    class OutputIt,
    class NumSelectedIt,
    class NumItems,
    class SelectOp,
    entry::if_called<entry::iterators<InputIt, FlagIt, OutputIt, NumSelectedIt>, entry::called<SelectOp>, NumItems> = 0>
  static cudaError_t FlaggedIf(void* storage,
                               std::size_t& bytes,
                               InputIt in,
                               FlagIt flags,
                               OutputIt out,
                               NumSelectedIt num_selected,
                               NumItems num_items,
                               SelectOp select_op,
                               cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage, bytes, flagged_of<false>(in, flags, out, num_selected, num_items, select_op), stream);
  }

  /// The items for whose flag the predicate holds. In a single call.
  /// @param in the input
  /// @param flags a flag for each item
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code with flags; whether an item is wanted
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class FlagIt,
            class OutputIt,
            class NumSelectedIt,
            class NumItems,
            class SelectOp,
            class... Environment,
            entry::if_called<entry::iterators<InputIt, FlagIt, OutputIt, NumSelectedIt>,
                             entry::called<SelectOp>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t FlaggedIf(InputIt in,
                               FlagIt flags,
                               OutputIt out,
                               NumSelectedIt num_selected,
                               NumItems num_items,
                               SelectOp select_op,
                               Environment&&... environment) noexcept
  {
    return entry::at_once(flagged_of<false>(in, flags, out, num_selected, num_items, select_op), environment...);
  }

  /// The items for whose flag the predicate holds. In place: data is both. In the storage of the caller, in two
  /// phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param flags a flag for each item
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code with flags; whether an item is wanted
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It,
            class FlagIt,
            class NumSelectedIt,
            class NumItems,
            class SelectOp,
            entry::if_called<entry::iterators<It, FlagIt, NumSelectedIt>, entry::called<SelectOp>, NumItems> = 0>
  static cudaError_t FlaggedIf(void* storage,
                               std::size_t& bytes,
                               It data,
                               FlagIt flags,
                               NumSelectedIt num_selected,
                               NumItems num_items,
                               SelectOp select_op,
                               cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage, bytes, flagged_of<true>(data, flags, data, num_selected, num_items, select_op), stream);
  }

  /// The items for whose flag the predicate holds. In place: data is both. In a single call.
  /// @param data the input, which the output replaces
  /// @param flags a flag for each item
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code with flags; whether an item is wanted
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <
    class It,
    class FlagIt,
    class NumSelectedIt,
    class NumItems,
    class SelectOp,
    class... Environment,
    entry::if_called<entry::iterators<It, FlagIt, NumSelectedIt>, entry::called<SelectOp>, NumItems, Environment...> =
      0>
  static cudaError_t FlaggedIf(It data,
                               FlagIt flags,
                               NumSelectedIt num_selected,
                               NumItems num_items,
                               SelectOp select_op,
                               Environment&&... environment) noexcept
  {
    return entry::at_once(flagged_of<true>(data, flags, data, num_selected, num_items, select_op), environment...);
  }

  /// The first item of each run of equal ones. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class NumSelectedIt,
            class NumItems,
            entry::if_called<entry::iterators<InputIt, OutputIt, NumSelectedIt>, entry::operators<>, NumItems> = 0>
  static cudaError_t Unique(void* storage,
                            std::size_t& bytes,
                            InputIt in,
                            OutputIt out,
                            NumSelectedIt num_selected,
                            NumItems num_items,
                            cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, unique_of<false>(in, out, num_selected, num_items, equal{}), stream);
  }

  /// The first item of each run of equal ones. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <
    class InputIt,
    class OutputIt,
    class NumSelectedIt,
    class NumItems,
    class... Environment,
    entry::if_called<entry::iterators<InputIt, OutputIt, NumSelectedIt>, entry::operators<>, NumItems, Environment...> =
      0>
  static cudaError_t Unique(
    InputIt in, OutputIt out, NumSelectedIt num_selected, NumItems num_items, Environment&&... environment) noexcept
  {
    return entry::at_once(unique_of<false>(in, out, num_selected, num_items, equal{}), environment...);
  }

  /// The first item of each run of items that are the same. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring items, the earlier one first, are equal; called in device code
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class NumSelectedIt,
            class NumItems,
            class Same,
            entry::if_called<entry::iterators<InputIt, OutputIt, NumSelectedIt>, entry::operators<Same>, NumItems> = 0>
  static cudaError_t Unique(void* storage,
                            std::size_t& bytes,
                            InputIt in,
                            OutputIt out,
                            NumSelectedIt num_selected,
                            NumItems num_items,
                            Same same,
                            cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, unique_of<false>(in, out, num_selected, num_items, same), stream);
  }

  /// The first item of each run of items that are the same. In a single call.
  /// @param in the input
  /// @param out where the output begins
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring items, the earlier one first, are equal; called in device code
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class InputIt,
            class OutputIt,
            class NumSelectedIt,
            class NumItems,
            class Same,
            class... Environment,
            entry::if_called<entry::iterators<InputIt, OutputIt, NumSelectedIt>,
                             entry::operators<Same>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t Unique(InputIt in,
                            OutputIt out,
                            NumSelectedIt num_selected,
                            NumItems num_items,
                            Same same,
                            Environment&&... environment) noexcept
  {
    return entry::at_once(unique_of<false>(in, out, num_selected, num_items, same), environment...);
  }

  /// The first item of each run of equal ones. In place: data is both. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It,
            class NumSelectedIt,
            class NumItems,
            entry::if_called_alone<entry::iterators<It, NumSelectedIt>, NumItems> = 0>
  static cudaError_t Unique(void* storage,
                            std::size_t& bytes,
                            It data,
                            NumSelectedIt num_selected,
                            NumItems num_items,
                            cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, unique_of<true>(data, data, num_selected, num_items, equal{}), stream);
  }

  /// The first item of each run of equal ones. In place: data is both. In a single call.
  /// @param data the input, which the output replaces
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class It,
            class NumSelectedIt,
            class NumItems,
            class... Environment,
            entry::if_called_alone<entry::iterators<It, NumSelectedIt>, NumItems, Environment...> = 0>
  static cudaError_t
  Unique(It data, NumSelectedIt num_selected, NumItems num_items, Environment&&... environment) noexcept
  {
    return entry::at_once(unique_of<true>(data, data, num_selected, num_items, equal{}), environment...);
  }

  /// The first item of each run of items that are the same. In place: data is both. In the storage of the caller, in
  /// two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param data the input, which the output replaces
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring items, the earlier one first, are equal; called in device code
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class It,
            class NumSelectedIt,
            class NumItems,
            class Same,
            entry::if_called<entry::iterators<It, NumSelectedIt>, entry::operators<Same>, NumItems> = 0>
  static cudaError_t Unique(void* storage,
                            std::size_t& bytes,
                            It data,
                            NumSelectedIt num_selected,
                            NumItems num_items,
                            Same same,
                            cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(storage, bytes, unique_of<true>(data, data, num_selected, num_items, same), stream);
  }

  /// The first item of each run of items that are the same. In place: data is both. In a single call.
  /// @param data the input, which the output replaces
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring items, the earlier one first, are equal; called in device code
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class It,
            class NumSelectedIt,
            class NumItems,
            class Same,
            class... Environment,
            entry::if_called<entry::iterators<It, NumSelectedIt>, entry::operators<Same>, NumItems, Environment...> = 0>
  static cudaError_t
  Unique(It data, NumSelectedIt num_selected, NumItems num_items, Same same, Environment&&... environment) noexcept
  {
    return entry::at_once(unique_of<true>(data, data, num_selected, num_items, same), environment...);
  }

  /// The first key of each run of equal ones, and its value. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param keys_out where the first key of each run goes
  /// @param values_out where the value of each such key goes
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class KeyOutputIt,
            class ValueOutputIt,
            class NumSelectedIt,
            class NumItems,
            entry::if_called<entry::iterators<KeyIt, ValueIt, KeyOutputIt, ValueOutputIt, NumSelectedIt>,
                             entry::operators<>,
                             NumItems> = 0>
  static cudaError_t UniqueByKey(void* storage,
                                 std::size_t& bytes,
                                 KeyIt keys,
                                 ValueIt values,
                                 KeyOutputIt keys_out,
                                 ValueOutputIt values_out,
                                 NumSelectedIt num_selected,
                                 NumItems num_items,
                                 cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage, bytes, unique_by_key_of(keys, values, keys_out, values_out, num_selected, num_items, equal{}), stream);
  }

  /// The first key of each run of equal ones, and its value. In a single call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param keys_out where the first key of each run goes
  /// @param values_out where the value of each such key goes
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class KeyOutputIt,
            class ValueOutputIt,
            class NumSelectedIt,
            class NumItems,
            class... Environment,
            entry::if_called<entry::iterators<KeyIt, ValueIt, KeyOutputIt, ValueOutputIt, NumSelectedIt>,
                             entry::operators<>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t UniqueByKey(KeyIt keys,
                                 ValueIt values,
                                 KeyOutputIt keys_out,
                                 ValueOutputIt values_out,
                                 NumSelectedIt num_selected,
                                 NumItems num_items,
                                 Environment&&... environment) noexcept
  {
    return entry::at_once(
      unique_by_key_of(keys, values, keys_out, values_out, num_selected, num_items, equal{}), environment...);
  }

  /// The first key of each run of keys that are the same, and its value. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param keys_out where the first key of each run goes
  /// @param values_out where the value of each such key goes
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are equal; called in device code
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class KeyOutputIt,
            class ValueOutputIt,
            class NumSelectedIt,
            class NumItems,
            class Same,
            entry::if_called<entry::iterators<KeyIt, ValueIt, KeyOutputIt, ValueOutputIt, NumSelectedIt>,
                             entry::operators<Same>,
                             NumItems> = 0>
  static cudaError_t UniqueByKey(void* storage,
                                 std::size_t& bytes,
                                 KeyIt keys,
                                 ValueIt values,
                                 KeyOutputIt keys_out,
                                 ValueOutputIt values_out,
                                 NumSelectedIt num_selected,
                                 NumItems num_items,
                                 Same same,
                                 cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage, bytes, unique_by_key_of(keys, values, keys_out, values_out, num_selected, num_items, same), stream);
  }

  /// The first key of each run of keys that are the same, and its value. In a single call.
  /// @param keys the keys
  /// @param values the values: as many as keys
  /// @param keys_out where the first key of each run goes
  /// @param values_out where the value of each such key goes
  /// @param num_selected where the number of items selected goes
  /// @param num_items a number, or one in device memory
  /// @param same whether two neighbouring keys, the earlier one first, are equal; called in device code
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <class KeyIt,
            class ValueIt,
            class KeyOutputIt,
            class ValueOutputIt,
            class NumSelectedIt,
            class NumItems,
            class Same,
            class... Environment,
            entry::if_called<entry::iterators<KeyIt, ValueIt, KeyOutputIt, ValueOutputIt, NumSelectedIt>,
                             entry::operators<Same>,
                             NumItems,
                             Environment...> = 0>
  static cudaError_t UniqueByKey(KeyIt keys,
                                 ValueIt values,
                                 KeyOutputIt keys_out,
                                 ValueOutputIt values_out,
                                 NumSelectedIt num_selected,
                                 NumItems num_items,
                                 Same same,
                                 Environment&&... environment) noexcept
  {
    return entry::at_once(
      unique_by_key_of(keys, values, keys_out, values_out, num_selected, num_items, same), environment...);
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
