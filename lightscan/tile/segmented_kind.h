// The kind of scans of segments whose heads are told (segment_heads.h) and not, as by key, found by comparing. An accumulator stands
// for a run of items: the fold of the values since its last segment began, and whether one began.
#pragma once

#include <lightscan/tile/scan_kind.h>
#include <lightscan/util/call.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
template <class Value>
struct segmented
{
  Value value;
  bool broken; // a segment begins inside the run, or with it
};
} // namespace tile

namespace util
{
template <class Value>
inline constexpr ::cuda::std::size_t used_bytes<tile::segmented<Value>> = sizeof(Value) + sizeof(bool);
template <class Value>
inline constexpr bool ends_in_flag<tile::segmented<Value>> = sizeof(Value) % 4 == 0;
} // namespace util

namespace tile
{
template <class Value, class ScanOp>
struct segmented_op
{
  using run = segmented<Value>;

  ScanOp scan_op;

  LIGHTSCAN_HOST_DEVICE static bool continues(const run&, bool head)
  {
    return !head;
  }
  LIGHTSCAN_HOST_DEVICE static bool meet(const run&, const run&)
  {
    return true;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE run operator()(const run& left, const run& right)
  {
    return joined(left, right, !right.broken, left.broken || right.broken);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE run joined(const run& left, const run& right, bool joins, bool broken)
  {
    return run{joins ? static_cast<Value>(util::call(scan_op, left.value, right.value)) : right.value, broken};
  }
};

// Its inputs are heads and values. An initial value begins every segment anew, so it is no part of a carry; without one `Init` is
// util::no_init, and the scan inclusive.
template <class Value, class Init, bool Inclusive>
struct segmented_kind
{
  using head_type   = bool;
  using accumulator = segmented<Value>;
  using result      = Value;

  static constexpr const char* call = Inclusive ? "inclusive_segmented_scan" : "exclusive_segmented_scan";

  static constexpr bool emits       = false;
  static constexpr bool in_segments = true;
  static constexpr bool looks_up    = false;
  static constexpr bool heads_tell  = true;

  Init init;

  // The kind with the initial value itself, where `init` only says where to find it.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE auto resolved() const
  {
    if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
    {
      return *this;
    }
    else
    {
      return segmented_kind<Value, Value, Inclusive>{static_cast<Value>(init)};
    }
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class V>
  static LIGHTSCAN_HOST_DEVICE accumulator lift(bool head, const V& value)
  {
    return accumulator{static_cast<Value>(value), head};
  }

  static LIGHTSCAN_HOST_DEVICE bool head_of(const accumulator& element)
  {
    return element.broken;
  }
  static LIGHTSCAN_HOST_DEVICE bool breaks(bool head)
  {
    return head;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  static LIGHTSCAN_HOST_DEVICE accumulator run(bool, const accumulator&, const Value& value, bool broken)
  {
    return accumulator{value, broken};
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Op>
  LIGHTSCAN_HOST_DEVICE util::uninitialized<Value>
  step_in_segment(util::uninitialized<Value>& running, bool begins, const Value& element, Op& op) const
  {
    return tile::step_in_segment<Inclusive>(init, running, begins, element, op.scan_op);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Op>
  LIGHTSCAN_HOST_DEVICE util::uninitialized<Value>
  step(util::uninitialized<accumulator>& running, bool starts, const accumulator& element, Op& op) const
  {
    util::uninitialized<Value> of_segment;
    if (!starts)
    {
      of_segment = running.value.value;
    }
    const util::uninitialized<Value> result = step_in_segment(of_segment, starts || element.broken, element.value, op);
    running                                 = util::uninitialized<accumulator>(accumulator{of_segment.value, true});
    return result;
  }
};
} // namespace tile
LIGHTSCAN_NAMESPACE_END
