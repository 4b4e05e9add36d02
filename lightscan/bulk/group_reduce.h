// A tile's reduction by a group of warps (reduction.h): the scan of a tile without its carry, whose results are only those of items that
// begin a run; then one thread completes what the carry tells, and all store.
#pragma once

#include <lightscan/bulk/group_scan.h>
#include <lightscan/bulk/reduction.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
template <class View, class Op, int Threads, int Unroll>
class group_reduce
{
  using items_type = typename View::items_type;
  using runs       = runs_of<typename View::kind_type>;
  using T          = typename View::accumulator; // of a tile
  using carry_type = typename View::kind_type::accumulator;
  using tested     = typename View::tested;
  using scanner    = group_scan<View, Op, Threads, Unroll>;

public:
  struct storage
  {
    typename scanner::storage scan;
    typename View::open_run open[2]; // used alternately: a tile's is wanted until its results are stored
  };

  __device__ group_reduce(storage& shared, int thread, int barrier, const items_type& items, const Op& op)
      : shared_(shared)
      , scan_(shared.scan, thread, barrier, op)
      , items_(items)
      , op_(op)
      , thread_(thread)
  {}

  __device__ bool leader() const
  {
    return scan_.leader();
  }
  __device__ void synchronize() const
  {
    scan_.synchronize();
  }

  // Asks for the item before a tile (group_select.h).
  __device__ void ask_before(View&, tile::index begin)
  {
    if (leader() && begin > 0)
    {
      asked_ = util::uninitialized<tested>(static_cast<tested>(*(items_.tested + (begin - 1))));
    }
  }
  __device__ void begin(View& view, tile::span inside)
  {
    buffer_ ^= 1;
    view.begin_tile(asked_, inside);
    view.use_open(&shared_.open[buffer_]);
  }

  __device__ util::uninitialized<T> fold(View& view, tile::span inside, bool whole)
  {
    aggregate_ = scan_.fold(view, inside, whole);
    return aggregate_;
  }

  // What is known of a tile whose results are in the stage.
  struct put_aside
  {
    util::uninitialized<T> aggregate;
    int buffer;
  };

  __device__ put_aside put(View& view, tile::span inside, bool whole)
  {
    view.set_counts(runs::first_count(aggregate_.value), runs::second_count(aggregate_.value));
    scan_.scan(view, inside, whole, aggregate_, false);
    synchronize();
    return {aggregate_, buffer_};
  }

  __device__ void emit(View& view,
                       const put_aside& put,
                       const tile::geometry& tiles,
                       tile::index t,
                       const util::uninitialized<carry_type>& carry)
  {
    view.use_open(&shared_.open[put.buffer]);
    view.set_counts(runs::first_count(put.aggregate.value), runs::second_count(put.aggregate.value));
    const run_slots slots = runs::complete(
      view, leader(), carry.value, put.aggregate.value, t > 0, t == tiles.num_tiles - 1, op_);
    synchronize();
    view.store_slots(slots, tiles.num_items, thread_);
  }

private:
  storage& shared_;
  scanner scan_;
  const items_type& items_;
  Op op_;
  int thread_;
  int buffer_ = 0;
  util::uninitialized<T> aggregate_;
  util::uninitialized<tested> asked_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
