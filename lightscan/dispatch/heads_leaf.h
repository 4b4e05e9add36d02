// The leaf of iterators that say where segments begin (tile/segment_heads.h), beside those of leaves.h.
#pragma once

#include <lightscan/bulk/heads_input.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/tile/segment_heads.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Where segments begin (bulk/heads_input.h).
template <class List>
struct heads_leaf
{
  static constexpr bool in_memory = false;
  static constexpr bool gathers   = true;

  List list;

  bulk::heads_input<List> starting(int) const
  {
    return {list};
  }
  int bytes_on_grid(int) const
  {
    return 0;
  }
};

template <class List>
struct leaf_of<tile::heads_iterator<List>>
{
  static auto get(const tile::heads_iterator<List>& it)
  {
    return heads_leaf<List>{it.list};
  }
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
