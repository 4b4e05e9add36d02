// What a scan call asks for, after the entry points have settled the types.
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/tile/segmented_kind.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/call.h>
#include <lightscan/util/integer_sums.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/constant_iterator.h>

#include <cuda/std/cstddef>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
using tile::index;

// `Inputs` is a tuple of iterators, one for each argument of Kind::lift. `Count` is an integer, or converts to one in device
// code, for a number of items that only the GPU knows; so does `Init` to the accumulator, unless it is util::no_init, or
// util::init_if_there, which may turn out to be none.
template <class Kind, class Inputs, class OutputIt, class ScanOp, class Init, class Count>
struct problem
{
  using kind_type   = Kind;
  using inputs_type = Inputs;
  using output_type = OutputIt;
  using count_type  = Count;
  using op_type     = ScanOp;
  using init_type   = Init;

  Inputs inputs;
  OutputIt output;
  Count num_items;
  ScanOp scan_op;
  Init init;
  Kind kind{};
};

// The most items of which a `Count` can tell that only the GPU knows: what its type allows, where that is narrow, so that the tags of a
// launch are a number.
inline constexpr index any_number = index{1} << 62;

template <class Count, class = void>
inline constexpr index most_items = any_number;
template <class Count>
inline constexpr index
  most_items<Count,
             ::cuda::std::enable_if_t<
               ::cuda::std::is_integral_v<
                 decltype(+::cuda::std::declval<
                          const Count&>())> && sizeof(+::cuda::std::declval<const Count&>()) <= sizeof(int)>> =
    static_cast<index>(::cuda::std::numeric_limits<decltype(+::cuda::std::declval<const Count&>())>::max());

// inclusive_scan and exclusive_scan. T is the type that is accumulated in.
template <class T, class InputIt, class OutputIt, class ScanOp, class Init, bool Inclusive, class Count = index>
using scan_problem = problem<tile::scan_kind<T, Inclusive>, ::cuda::std::tuple<InputIt>, OutputIt, ScanOp, Init, Count>;

// inclusive_scan_by_key (with Init = util::no_init) and exclusive_scan_by_key. The initial value begins every segment, so it is
// the kind's and no part of a carry.
template <class Key,
          class Value,
          class KeyIt,
          class ValueIt,
          class OutputIt,
          class EqualityOp,
          class ScanOp,
          class Init,
          class Count = index>
using by_key_problem = problem<tile::by_key_kind<Key, Value, Init, util::can_hold_address<EqualityOp>>,
                               ::cuda::std::tuple<KeyIt, ValueIt>,
                               OutputIt,
                               tile::keyed_op<Key, Value, EqualityOp, ScanOp>,
                               util::no_init,
                               Count>;

// Scans of segments: `HeadIt` says with which items one begins (tile/segment_heads.h).
template <class Value,
          class HeadIt,
          class ValueIt,
          class OutputIt,
          class ScanOp,
          class Init,
          bool Inclusive,
          class Count = index>
using segmented_problem = problem<tile::segmented_kind<Value, Init, Inclusive>,
                                  ::cuda::std::tuple<HeadIt, ValueIt>,
                                  OutputIt,
                                  tile::segmented_op<Value, ScanOp>,
                                  util::no_init,
                                  Count>;

// Outputs of the kinds that emit.
using tile::measured_runs;
using tile::no_part;
using tile::part;
using tile::part_from_end;
using tile::reduced_runs;
using tile::selected;

// Selections: `Inputs` is a tuple of iterators, `Output` a `selected`.
template <class Test, bool MovesTested, class Inputs, class Output, class Count = index>
using select_problem =
  problem<tile::select_kind<Test, MovesTested>, Inputs, Output, tile::count_op, util::no_init, Count>;

// Whether an iterator yields the same integer for every item. Deprecated in newer versions of CCCL (leaves.h).
// clang-format off
_CCCL_SUPPRESS_DEPRECATED_PUSH
template <class It>
inline constexpr bool is_constant = false;
template <class Value, class... Parameters>
inline constexpr bool is_constant<THRUST_NS_QUALIFIER::constant_iterator<Value, Parameters...>> =
  ::cuda::std::is_integral_v<Value>;
_CCCL_SUPPRESS_DEPRECATED_POP
// clang-format on

template <class Value,
          class KeyIt,
          class ValueIt,
          class Output,
          class EqualityOp,
          class ReductionOp,
          class Count = index>
using reduce_by_key_problem =
  problem<tile::reduce_kind<Value, EqualityOp, is_constant<ValueIt> && util::adds_modulo<Value, ReductionOp>>,
          ::cuda::std::tuple<KeyIt, ValueIt>,
          Output,
          tile::reduced_op<ReductionOp>,
          util::no_init,
          Count>;

// Value: what lengths are counted in.
template <class Value, class InputIt, class Output, class EqualityOp, class Count = index>
using runs_problem = problem<tile::runs_kind<EqualityOp, Value>,
                             ::cuda::std::tuple<InputIt>,
                             Output,
                             tile::reduced_op<::cuda::std::plus<>>,
                             util::no_init,
                             Count>;

// The widest accumulator whose slots a stream's workspace can hold. A scan by key accumulates two keys and a value.
inline constexpr ::cuda::std::size_t max_accumulator_bytes = 1024;

template <class T>
inline constexpr bool accumulates_in_kernels = util::is_bitwise_copyable<T> && sizeof(T) <= max_accumulator_bytes;
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
