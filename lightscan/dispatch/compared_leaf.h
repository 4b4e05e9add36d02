// The leaf of keys that are compared with their neighbours (tile/compared_keys.h), beside those of leaves.h.
#pragma once

#include <lightscan/bulk/compared_view.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/tile/compared_keys.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
template <class Leaf, class KeyIt, class EqualityOp>
struct compared_leaf
{
  static constexpr bool in_memory = Leaf::in_memory;
  static constexpr bool gathers   = Leaf::gathers;

  Leaf keys;
  KeyIt first;
  EqualityOp equality_op;

  auto starting(int lead) const
  {
    auto input = keys.starting(lead);
    return bulk::compared_input<decltype(input), KeyIt, EqualityOp>{input, first, equality_op};
  }
  int bytes_on_grid(int lead) const
  {
    return keys.bytes_on_grid(lead);
  }
};

template <class KeyIt, class EqualityOp>
struct leaf_of<tile::key_heads<KeyIt, EqualityOp>>
{
  static auto get(const tile::key_heads<KeyIt, EqualityOp>& it)
  {
    return compared_leaf<leaf_t<KeyIt>, KeyIt, EqualityOp>{dispatch::leaf(it.keys), it.keys, it.equality_op};
  }
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
