// Scan kinds: what a scan accumulates for an element and what it puts out, the one place where inclusive, exclusive and by-key
// scans differ in the kernels. A kind turns what the input iterators yield into an accumulator (lift), and moves the fold of
// everything before an element past it, giving the element's result (step).
#pragma once

#include <lightscan/util/call.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
// The kind of inclusive_scan and exclusive_scan. An exclusive scan always has an initial value, which is part of the first carry.
template <class T, bool Inclusive>
struct scan_kind
{
  using accumulator = T;
  using result      = T;

  static constexpr const char* call = Inclusive ? "inclusive_scan" : "exclusive_scan";
  static constexpr bool inclusive   = Inclusive;
  static constexpr bool emits       = false; // results in another number than items (select_kind.h)
  static constexpr bool in_segments = false;
  static constexpr bool looks_up    = false; // whether a test reads memory of its own for each item (select_kind.h)

  LIGHTSCAN_HOST_DEVICE scan_kind resolved() const
  {
    return *this;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class X>
  static LIGHTSCAN_HOST_DEVICE T lift(const X& element)
  {
    return static_cast<T>(element);
  }

  // `starts`: nothing comes before the element, and `running` holds nothing.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Op>
  LIGHTSCAN_HOST_DEVICE util::uninitialized<T>
  step(util::uninitialized<T>& running, bool starts, const T& element, Op& op) const
  {
    if constexpr (Inclusive)
    {
      running = starts ? util::uninitialized<T>(element) : util::combine(op, running.value, element);
      return running;
    }
    else
    {
      const util::uninitialized<T> before = running;
      running                             = util::combine(op, running.value, element);
      return before;
    }
  }
};

// A run of elements in a scan by key: its first and last key, and the fold of the values since its last segment began.
// Two runs join by comparing the keys that meet, so each key is read once, by the thread that owns it, and no tile
// looks into its neighbour's memory, which an in-place scan may have overwritten (where none can have: compared_keys.h).
template <class Key, class Value>
struct keyed
{
  Key first;
  Key last;
  Value value;
  bool broken; // a segment begins inside the run

  static constexpr ::cuda::std::size_t bytes_before_broken =
    (2 * sizeof(Key) + alignof(Value) - 1) / alignof(Value) * alignof(Value) + sizeof(Value);
};

} // namespace tile

namespace util
{
// Bytes after the flag are padding, with 8-byte keys or values seven of them.
template <class Key, class Value>
inline constexpr ::cuda::std::size_t used_bytes<tile::keyed<Key, Value>> = tile::keyed<Key, Value>::bytes_before_broken
                                                                         + sizeof(bool);
template <class Key, class Value>
inline constexpr bool ends_in_flag<tile::keyed<Key, Value>> = tile::keyed<Key, Value>::bytes_before_broken % 4 == 0;
} // namespace util

namespace tile
{
template <class Key, class Value, class EqualityOp, class ScanOp>
struct keyed_op
{
  using run = keyed<Key, Value>;

  EqualityOp equality_op;
  ScanOp scan_op;

  // Whether values from a key on continue the last segment of the run before, or that of the key before.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE bool continues(const run& left, const Key& key)
  {
    return continues(left.last, key);
  }
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE bool continues(const Key& before, const Key& key)
  {
    return static_cast<bool>(util::call(equality_op, before, key));
  }

  // Whether a segment goes on where two runs meet, as far as the right one does not say itself that it is broken.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE bool meet(const run& left, const run& right)
  {
    return continues(left.last, right.first);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE run operator()(const run& left, const run& right)
  {
    const bool joins = !right.broken && meet(left, right);
    return joined(left, right, joins, left.broken || !joins);
  }

  // The two as one, given whether they join.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE run joined(const run& left, const run& right, bool joins, bool broken)
  {
    return run{left.first,
               right.last,
               joins ? static_cast<Value>(util::call(scan_op, left.value, right.value)) : right.value,
               broken};
  }
};

// Moves the fold of a segment's values, `running`, past an element, and gives the element's result; a segment that begins with the
// element forgets what was there. The initial value, if there is one, stands before each segment.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <bool Inclusive, class Value, class Init, class ScanOp>
LIGHTSCAN_HOST_DEVICE util::uninitialized<Value> step_in_segment(
  const Init& init, util::uninitialized<Value>& running, bool begins, const Value& element, ScanOp& scan_op)
{
  util::uninitialized<Value> result;
  if constexpr (!Inclusive)
  {
    result = begins ? util::uninitialized<Value>(init) : util::combine(scan_op, init, running.value);
  }
  running = begins ? util::uninitialized<Value>(element) : util::combine(scan_op, running.value, element);
  if constexpr (Inclusive)
  {
    if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
    {
      result = running;
    }
    else
    {
      result = util::combine(scan_op, init, running.value);
    }
  }
  return result;
}

// The kind of inclusive_scan_by_key with Init = util::no_init, of exclusive_scan_by_key otherwise. The initial value begins
// every segment anew, so it is no part of a carry. `LooksUp`: whether the equality may read memory of its own.
template <class Key, class Value, class Init, bool LooksUp = false>
struct by_key_kind
{
  using head_type   = Key;
  using accumulator = keyed<Key, Value>;
  using result      = Value;

  static constexpr const char* call = ::cuda::std::is_same_v<Init, util::no_init> ? "inclusive_scan_by_key"
                                                                                  : "exclusive_scan_by_key";

  static constexpr bool emits       = false;
  static constexpr bool in_segments = true;
  static constexpr bool looks_up    = LooksUp;
  static constexpr bool heads_tell  = false; // by themselves where segments begin

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
      return by_key_kind<Key, Value, Value, LooksUp>{static_cast<Value>(init)};
    }
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class K, class V>
  static LIGHTSCAN_HOST_DEVICE accumulator lift(const K& key, const V& value)
  {
    const Key k = static_cast<Key>(key);
    return accumulator{k, k, static_cast<Value>(value), false};
  }

  // The head of a lifted element: a key, which continues the segment of the run before or not. Whether a head begins a segment whatever
  // comes before it: a key never does, a flag may (segmented_kind.h).
  LIGHTSCAN_EXEC_CHECK_DISABLE
  static LIGHTSCAN_HOST_DEVICE Key head_of(const accumulator& element)
  {
    return element.first;
  }
  static LIGHTSCAN_HOST_DEVICE bool breaks(const Key&)
  {
    return false;
  }

  // The run from an item with the head `first` to the end of the run `last`.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  static LIGHTSCAN_HOST_DEVICE accumulator run(const Key& first,
                                               const accumulator& last,
                                               const Value& value,
                                               bool broken)
  {
    return accumulator{first, last.last, value, broken};
  }

  // The same as step, without keys, where it is known whether a segment begins with the element.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Op>
  LIGHTSCAN_HOST_DEVICE util::uninitialized<Value>
  step_in_segment(util::uninitialized<Value>& running, bool begins, const Value& element, Op& op) const
  {
    return tile::step_in_segment<::cuda::std::is_same_v<Init, util::no_init>>(
      init, running, begins, element, op.scan_op);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Op>
  LIGHTSCAN_HOST_DEVICE util::uninitialized<Value>
  step(util::uninitialized<accumulator>& running, bool starts, const accumulator& element, Op& op) const
  {
    if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
    {
      running = starts ? util::uninitialized<accumulator>(element) : util::combine(op, running.value, element);
      return running.value.value;
    }
    else
    {
      util::uninitialized<Value> before(init);
      if (!starts && op.continues(running.value, element.first))
      {
        before = static_cast<Value>(util::call(op.scan_op, init, running.value.value));
      }
      running = starts ? util::uninitialized<accumulator>(element) : util::combine(op, running.value, element);
      return before;
    }
  }
};
} // namespace tile
LIGHTSCAN_NAMESPACE_END
