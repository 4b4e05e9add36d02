// Scans by key as scans of segments: one begins with an item whose key differs from the one before. What is accumulated then has no keys,
// but each tile looks at the last one of its neighbour's, which lies where no result may have been put (dispatch/compared_leaf.h).
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/tile/segmented_kind.h>
#include <lightscan/util/call.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
// Where segments begin, as an iterator (as those of segment_heads.h), which reads each key twice.
template <class KeyIt, class EqualityOp>
struct key_heads
{
  using value_type        = bool;
  using reference         = bool;
  using pointer           = void;
  using difference_type   = index;
  using iterator_category = ::cuda::std::random_access_iterator_tag;

  using key = util::value_t<KeyIt>;

  KeyIt keys; // item 0 of the range
  EqualityOp equality_op;
  index at = 0;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE bool operator*() const
  {
    if (at == 0)
    {
      return true;
    }
    EqualityOp equal = equality_op;
    const key before = static_cast<key>(*(keys + (at - 1))); // not what the iterator refers by
    const key here   = static_cast<key>(*(keys + at));
    return !static_cast<bool>(util::call(equal, before, here));
  }
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE key_heads operator+(index distance) const
  {
    return {keys, equality_op, at + distance};
  }
};

// The kind of such scans, with the name of a by_key_kind.
template <class Key, class Value, class Init, bool LooksUp>
struct compared_kind : segmented_kind<Value, Init, ::cuda::std::is_same_v<Init, util::no_init>>
{
  static constexpr const char* call = by_key_kind<Key, Value, Init>::call;
  static constexpr bool looks_up    = LooksUp;
};
} // namespace tile
LIGHTSCAN_NAMESPACE_END
