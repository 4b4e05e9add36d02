// A tile's run lengths by a group of warps (tile::reduce_kind that counts, tile::runs_kind): a selection (group_select.h) of the items that
// begin a run, or of runs' bounds, with where they stand beside them. A run is as long as from there to where the next one stands; of
// the run that is open where a tile begins the carry says how long it is, and of the one that is open where it ends the tile's aggregate.
#pragma once

#include <lightscan/bulk/group_select.h>
#include <lightscan/bulk/run_lengths.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/tuple>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
template <class View, class Op, int Threads>
class group_lengths : group_select<View, Op, Threads>
{
  using base       = group_select<View, Op, Threads>;
  using items_type = typename View::items_type;
  using T          = typename View::accumulator; // of a tile
  using carry_type = typename View::kind_type::accumulator;

  static_assert(View::tile_items <= 1 << 16, "or a short_index is too short");

public:
  struct storage
  {
    typename base::storage select;
    int last_head[2][base::warps]; // of a warp's items; -1 where none begins a run
  };

  __device__ group_lengths(storage& shared, int thread, int barrier, const items_type& items, const Op& op)
      : base(shared.select, thread, barrier, items, op)
      , shared_(shared)
  {}

  using base::ask_before;
  using base::begin;
  using base::leader;
  using base::synchronize;

  __device__ util::uninitialized<T> fold(View& view, tile::span inside, bool whole)
  {
    this->count_items(view, inside, whole);
    const int last = warp::greatest(last_head());
    if (warp::lane_id() == 0)
    {
      shared_.last_head[this->buffer()][this->thread() / warp::lanes] = last;
    }
    synchronize();
    int last_head = -1;
#  pragma unroll
    for (int w = 0; w < base::warps; ++w)
    {
      const int of_warp = shared_.last_head[this->buffer()][w];
      last_head         = of_warp >= 0 ? of_warp : last_head;
    }
    const int begun  = this->counts().of[0];
    const int before = begun > 0 ? last_head : inside.first;
    aggregate_       = T{target().times(static_cast<unsigned>(inside.last - before)), begun};
    return aggregate_;
  }

  // What is known of a tile whose items are in the stage.
  struct put_aside
  {
    util::uninitialized<T> aggregate;
  };

  __device__ put_aside put(View& view, tile::span inside, bool whole)
  {
    base::put(view, inside, whole);
    return {aggregate_};
  }

  __device__ void emit(View& view,
                       const put_aside& put,
                       const tile::geometry& tiles,
                       tile::index t,
                       const util::uninitialized<carry_type>& carry)
  {
    const tile::span inside = tiles.inside(t);
    const int begun         = put.aggregate.value.begun;
    const int count[]       = {begun, inside.last - inside.first - begun};
    View::each_target(
      this->items().to, view.stage(), count, [&](auto, auto column, const auto& to, const unsigned char* area) {
        if constexpr (decltype(column)::value != measured)
        {
          to.store(area, carry.value.begun, 0, begun, begun, tiles.num_items, this->thread(), Threads);
        }
        else
        {
          const marked_tile<T, carry_type> of{reinterpret_cast<const short_index*>(area),
                                              view.begin() + inside.first,
                                              put.aggregate.value,
                                              carry.value,
                                              t == 0,
                                              t == tiles.num_tiles - 1};
          to.store_measured(of, this->thread(), Threads);
        }
      });
  }

private:
  // The column of what is measured: the last one.
  static constexpr int measured = View::output_type::moved - 1;

  __device__ const auto& target() const
  {
    return ::cuda::std::get<measured>(::cuda::std::get<0>(this->items().to.parts_to).to);
  }

  // Where in the tile the last of the lane's items stands that begins a run; -1 where none does.
  __device__ int last_head() const
  {
    int last = -1;
#  pragma unroll
    for (int r = 0; r < View::chunks_per_thread; ++r)
    {
      const unsigned heads = this->first_part(r);
      last = heads != 0 ? this->chunk_number(r) * View::chunk_items + 31 - __clz(static_cast<int>(heads)) : last;
    }
    return last;
  }

  storage& shared_;
  util::uninitialized<T> aggregate_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
