/// @file
/// lightscan::DevicePartition: cub::DevicePartition's entry points on LightScan's kernels.
///
///     lightscan::DevicePartition::If(storage, bytes, in, out, num_selected, n, is_first, stream);
///     lightscan::DevicePartition::If(in, out, num_selected, n, is_first, stream);
///
/// What <lightscan/device_select.h> says of all calls there holds here, too: of **num_items**, **Predicate**, **Storage**,
/// **Environment**, **Resource**, **Streams**, **Errors** and **Determinism**. Else:
///
/// - **Result** in two parts: the items of the first part in their order from out on; the others from out + n - 1 backwards, so
///   that they stand behind the first part in the reverse of their order, as CUB puts them. The number of items of the first
///   part goes to *num_selected.
/// - **Result** in three parts: each at an output of its own, and in its order. num_selected[0] is the number of items of the
///   first part, num_selected[1] that of the second.
/// - **Ranges**: as there; there is room from out on for n items, and output does not overlap input in any way.
/// - **Types**: as there. CUB's own algorithm serves items (or flags) for which lightscan::is_accelerated_v does not hold.
/// - **Work**: one launch, in which each item and each flag is read once and each item is written once: 2 x n x sizeof item
///   bytes, and those of the flags.
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

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(__CUDACC__)
/// cub::DevicePartition's entry points. All of them are static, and any number of host threads may call them at once.
class DevicePartition
{
  // What a call asks for, by whom it is served.
  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt, class NumItems>
  static auto flagged_of(InputIt in, FlagIt flags, OutputIt out, NumSelectedIt num_selected, NumItems num_items)
  {
    auto count = entry::count_of(num_items);
    if constexpr (entry::selected_in_kernels<InputIt, FlagIt>)
    {
      auto problem = entry::partition_problem_of<false>(tile::if_test<entry::is_set>{},
                                                        entry::these(flags, in),
                                                        num_selected,
                                                        count,
                                                        entry::part_to(out),
                                                        entry::part_from_end_to(out));
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      return entry::by_cubs("partition", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
        return entry::cubs::DevicePartition::Flagged(storage, bytes, in, flags, out, num_selected, n, stream);
      });
    }
  }

  template <class InputIt, class OutputIt, class NumSelectedIt, class NumItems, class SelectOp>
  static auto if_of(InputIt in, OutputIt out, NumSelectedIt num_selected, NumItems num_items, SelectOp select_op)
  {
    auto count = entry::count_of(num_items);
    if constexpr (entry::selected_in_kernels<InputIt>)
    {
      auto problem = entry::partition_problem_of<true>(tile::if_test<SelectOp>{select_op},
                                                       entry::these(in),
                                                       num_selected,
                                                       count,
                                                       entry::part_to(out),
                                                       entry::part_from_end_to(out));
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      return entry::by_cubs("partition", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
        return entry::cubs::DevicePartition::If(storage, bytes, in, out, num_selected, n, select_op, stream);
      });
    }
  }

  template <class InputIt,
            class FirstOutputIt,
            class SecondOutputIt,
            class UnselectedOutputIt,
            class NumSelectedIt,
            class NumItems,
            class FirstOp,
            class SecondOp>
  static auto three_ways_of(InputIt in,
                            FirstOutputIt first_out,
                            SecondOutputIt second_out,
                            UnselectedOutputIt unselected_out,
                            NumSelectedIt num_selected,
                            NumItems num_items,
                            FirstOp first_op,
                            SecondOp second_op)
  {
    auto count = entry::count_of(num_items);
    if constexpr (entry::selected_in_kernels<InputIt>)
    {
      auto problem = entry::partition_problem_of<true>(tile::three_way_test<FirstOp, SecondOp>{first_op, second_op},
                                                       entry::these(in),
                                                       num_selected,
                                                       count,
                                                       entry::part_to(first_out),
                                                       entry::part_to(second_out),
                                                       entry::part_to(unselected_out));
      return entry::by_kernels<decltype(problem), true>{problem};
    }
    else
    {
      return entry::by_cubs("partition", count, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
        return entry::cubs::DevicePartition::If(
          storage, bytes, in, first_out, second_out, unselected_out, num_selected, n, first_op, second_op, stream);
      });
    }
  }

public:
  /// First the items whose flag is set; from the end backwards the others. In the storage of the caller, in two
  /// phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param flags a flag for each item; what converts to true says that the item is of the first part
  /// @param out where the output begins: num_items items
  /// @param num_selected where the number of items of the first part goes
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
    return entry::in_storage(storage, bytes, flagged_of(in, flags, out, num_selected, num_items), stream);
  }

  /// First the items whose flag is set; from the end backwards the others. In a single call.
  /// @param in the input
  /// @param flags a flag for each item; what converts to true says that the item is of the first part
  /// @param out where the output begins: num_items items
  /// @param num_selected where the number of items of the first part goes
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
    return entry::at_once(flagged_of(in, flags, out, num_selected, num_items), environment...);
  }

  /// First the items for which the predicate holds; from the end backwards the others. In the storage of the caller,
  /// in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param out where the output begins: num_items items
  /// @param num_selected where the number of items of the first part goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code; whether an item is of the first part
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
    return entry::in_storage(storage, bytes, if_of(in, out, num_selected, num_items, select_op), stream);
  }

  /// First the items for which the predicate holds; from the end backwards the others. In a single call.
  /// @param in the input
  /// @param out where the output begins: num_items items
  /// @param num_selected where the number of items of the first part goes
  /// @param num_items a number, or one in device memory
  /// @param select_op called in device code; whether an item is of the first part
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
    return entry::at_once(if_of(in, out, num_selected, num_items, select_op), environment...);
  }

  /// Three parts: the items for which the first predicate holds, those of the others for which the second one does,
  /// and the rest. In the storage of the caller, in two phases.
  /// @param storage device memory for this call alone; null: only its size is computed
  /// @param bytes the size of storage; written where that is null
  /// @param in the input
  /// @param first_out where the first part goes
  /// @param second_out where the second part goes
  /// @param unselected_out where the rest goes
  /// @param num_selected where two numbers go: of the first part's items and of the second's
  /// @param num_items a number, or one in device memory
  /// @param first_op called in device code; whether an item is of the first part
  /// @param second_op called in device code, for items that are not of the first part; whether an item is of the
  ///   second
  /// @param stream where the work is queued
  /// @return cudaSuccess, or what failed
  template <
    class InputIt,
    class FirstOutputIt,
    class SecondOutputIt,
    class UnselectedOutputIt,
    class NumSelectedIt,
    class NumItems,
    class FirstOp,
    class SecondOp,
    entry::if_called<entry::iterators<InputIt, FirstOutputIt, SecondOutputIt, UnselectedOutputIt, NumSelectedIt>,
                     entry::called<FirstOp, SecondOp>,
                     NumItems> = 0>
  static cudaError_t If(void* storage,
                        std::size_t& bytes,
                        InputIt in,
                        FirstOutputIt first_out,
                        SecondOutputIt second_out,
                        UnselectedOutputIt unselected_out,
                        NumSelectedIt num_selected,
                        NumItems num_items,
                        FirstOp first_op,
                        SecondOp second_op,
                        cudaStream_t stream = nullptr) noexcept
  {
    return entry::in_storage(
      storage,
      bytes,
      three_ways_of(in, first_out, second_out, unselected_out, num_selected, num_items, first_op, second_op),
      stream);
  }

  /// Three parts: the items for which the first predicate holds, those of the others for which the second one does,
  /// and the rest. In a single call.
  /// @param in the input
  /// @param first_out where the first part goes
  /// @param second_out where the second part goes
  /// @param unselected_out where the rest goes
  /// @param num_selected where two numbers go: of the first part's items and of the second's
  /// @param num_items a number, or one in device memory
  /// @param first_op called in device code; whether an item is of the first part
  /// @param second_op called in device code, for items that are not of the first part; whether an item is of the
  ///   second
  /// @param environment nothing, a stream, a stream and a memory resource, or an environment
  /// @return cudaSuccess, or what failed
  template <
    class InputIt,
    class FirstOutputIt,
    class SecondOutputIt,
    class UnselectedOutputIt,
    class NumSelectedIt,
    class NumItems,
    class FirstOp,
    class SecondOp,
    class... Environment,
    entry::if_called<entry::iterators<InputIt, FirstOutputIt, SecondOutputIt, UnselectedOutputIt, NumSelectedIt>,
                     entry::called<FirstOp, SecondOp>,
                     NumItems,
                     Environment...> = 0>
  static cudaError_t If(InputIt in,
                        FirstOutputIt first_out,
                        SecondOutputIt second_out,
                        UnselectedOutputIt unselected_out,
                        NumSelectedIt num_selected,
                        NumItems num_items,
                        FirstOp first_op,
                        SecondOp second_op,
                        Environment&&... environment) noexcept
  {
    return entry::at_once(
      three_ways_of(in, first_out, second_out, unselected_out, num_selected, num_items, first_op, second_op),
      environment...);
  }
};
#endif

LIGHTSCAN_NAMESPACE_END
