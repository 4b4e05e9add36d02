// What a thread does with its items where they are staged: folds them, and scans them in place.
#pragma once

#include <lightscan/batched/line_fold.h>
#include <lightscan/batched/tile.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/util/maybe.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
#if defined(__CUDACC__)
template <class T, class Policy>
class staged_items
{
  using tile_type = tile_of_lines<Policy>;
  using item      = util::uninitialized<T>;

  static constexpr int at_once = Policy::items_at_once;

public:
  // `own`: the thread's first item; the one of the next layer is `next` items on.
  __device__ staged_items(const tile_type& tile, item* own, int next)
      : tile_(tile)
      , own_(own)
      , next_(next)
  {}

  template <class Op>
  __device__ line_fold<T> folded(Op& op) const
  {
    line_fold<T> all{{}, tile_.count > 0, tile_.count > tile_.head};
    tile_.each_chunk([&](auto known, int chunk, int head) {
      fold_chunk<decltype(known)::value>(chunk, head, all.value, op);
    });
    return all;
  }

  // `before`: the fold of what lies before the items in their line.
  template <bool Inclusive, class Before, class Op>
  __device__ void scan(const Before& init, item before, Op& op) const
  {
    tile_.each_chunk([&](auto known, int chunk, int head) {
      scan_chunk<decltype(known)::value, Inclusive>(chunk, head, init, before, op);
    });
  }

private:
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <chunk_case Case, class Op>
  __device__ void fold_chunk(int chunk, int head, item& folded, Op& op) const
  {
    item read[at_once];
    item* const own = own_ + chunk * next_;
    tile_.template each_of_chunk<Case>(chunk, head, [&](int i, bool begins) {
      read[i] = own[i * next_];
      folded  = begins || (i == 0 && chunk == 0) ? read[i] : util::combine(op, folded.value, read[i].value);
    });
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <chunk_case Case, bool Inclusive, class Before, class Op>
  __device__ void scan_chunk(int chunk, int head, const Before& init, item& before, Op& op) const
  {
    item read[at_once]; // all first: behind a store, the compiler would have a load wait for it
    item* const own = own_ + chunk * next_;
    tile_.template each_of_chunk<Case>(chunk, head, [&](int i, bool) {
      read[i] = own[i * next_];
    });
    tile_.template each_of_chunk<Case>(chunk, head, [&](int i, bool begins) {
      own[i * next_] = tile::step_in_segment<Inclusive>(init, before, begins, read[i].value, op);
    });
  }

  const tile_type& tile_;
  item* own_;
  int next_;
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
