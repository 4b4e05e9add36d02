// A tile's selection by a group of warps (selection.h): items are tested and counted, the counts published; then each thread knows
// where its items stand among the others of their parts, and puts them into the stage; once the carry is there, all store them.
//
// A warp has rows of 32 chunks, a chunk to a lane. The counts of the lanes of several rows are scanned in one word.
#pragma once

#include <lightscan/bulk/row_counts.h>
#include <lightscan/bulk/run_bounds.h>
#include <lightscan/bulk/selection.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
template <class View, class Op, int Threads>
class group_select
{
  using items_type = typename View::items_type;
  using kind       = typename View::kind_type;
  using output     = typename View::output_type;
  using carry_type = typename kind::accumulator;
  using tested     = typename View::tested_type;

  static constexpr int parts = output::parts;
  using T                    = tile::part_counts<parts, tile::tile_count>; // what a tile comes to

protected:
  static constexpr int warps       = Threads / warp::lanes;
  static constexpr int rows        = View::chunks_per_thread;
  static constexpr int chunk_items = View::chunk_items;
  static_assert(chunk_items <= 32, "a bit for each item of a chunk");

public:
  // Two sets, used alternately (group_scan.h).
  struct storage
  {
    int count[2][parts - 1][warps];
  };

  __device__ group_select(storage& shared, int thread, int barrier, const items_type& items, const Op&)
      : shared_(shared)
      , items_(items)
      , thread_(thread)
      , barrier_(barrier)
  {}

  __device__ bool leader() const
  {
    return thread_ == 0;
  }

  // Asks for the item before a tile, from the iterator, long before the tile is there: no tile's results are stored where that item
  // stands before this tile's counts are published.
  __device__ void ask_before(View&, tile::index begin)
  {
    if constexpr (kind::test_type::of_neighbours)
    {
      if (leader() && begin > 0)
      {
        asked_ = util::uninitialized<tested>(static_cast<tested>(*(items_.tested + (begin - 1))));
        if constexpr (kind::of_bounds)
        {
          asked_two_before_ =
            util::uninitialized<tested>(static_cast<tested>(*(items_.tested + (begin > 1 ? begin - 2 : 0))));
        }
      }
    }
  }
  // The tile that was asked for is the next to be folded.
  __device__ void begin(View&, tile::span)
  {
    if constexpr (kind::test_type::of_neighbours)
    {
      before_tile_ = asked_;
      if constexpr (kind::of_bounds)
      {
        two_before_tile_ = asked_two_before_;
      }
    }
  }

  // Tests and counts. The counts of the tile, in every thread.
  __device__ util::uninitialized<T> fold(View& view, tile::span inside, bool whole)
  {
    count_items(view, inside, whole);
    synchronize();
    return counts();
  }

protected:
  // The first half of a fold: each warp's counts go to shared memory. Who has more to tell of a tile puts it there, too, before the group
  // meets.
  __device__ void count_items(View& view, tile::span inside, bool whole)
  {
    buffer_ ^= 1;
    if (whole && !(kind::test_type::of_neighbours && view.begin() == 0))
    {
      take<true>(view, inside);
    }
    else
    {
      take<false>(view, inside);
    }
    if constexpr (kind::of_bounds)
    {
      bulk::make_bounds<chunk_items>(mask_[0], view, inside, chunk_number(0), two_before_tile_, before_tile_);
    }
#  pragma unroll
    for (int p = 0; p < parts - 1; ++p)
    {
      int count = 0;
#  pragma unroll
      for (int r = 0; r < rows; ++r)
      {
        count += __popc(mask_[p][r]);
      }
      const int of_warp = warp::sum(count);
      if (warp::lane_id() == 0)
      {
        shared_.count[buffer_][p][thread_ / warp::lanes] = of_warp;
      }
    }
  }

  // The second half, once the group has met: the counts of the tile, in every thread.
  __device__ T counts()
  {
    T aggregate{};
#  pragma unroll
    for (int p = 0; p < parts - 1; ++p)
    {
      int all = 0;
#  pragma unroll
      for (int w = 0; w < warps; ++w)
      {
        before_warp_[p] = w == thread_ / warp::lanes ? all : before_warp_[p];
        all += shared_.count[buffer_][p][w];
      }
      aggregate.of[p] = all;
      count_[p]       = all;
    }
    return aggregate;
  }

public:
  // What is known of a tile whose items are in the stage.
  struct put_aside
  {
    util::uninitialized<T> aggregate;
  };

  // Puts the items into the stage.
  __device__ put_aside put(View& view, tile::span inside, bool whole)
  {
#  pragma unroll
    for (int p = 0; p < parts - 1; ++p)
    {
      ranks_[p].set(mask_[p]);
    }
    count_[parts - 1] = inside.last - inside.first;
#  pragma unroll
    for (int p = 0; p < parts - 1; ++p)
    {
      count_[parts - 1] -= count_[p];
    }
    unsigned char* to[parts][output::moved > 0 ? output::moved : 1];
    View::each_target(items_.to, view.stage(), count_, [&](auto part, auto column, const auto&, unsigned char* area) {
      to[decltype(part)::value][decltype(column)::value] = area;
    });
    if (whole)
    {
      put_rows<true>(view, inside, to);
    }
    else
    {
      put_rows<false>(view, inside, to);
    }
    synchronize();
    T counts{};
#  pragma unroll
    for (int p = 0; p < parts - 1; ++p)
    {
      counts.of[p] = count_[p];
    }
    return {counts};
  }

  // Stores them, once the carry is there.
  __device__ void emit(View& view,
                       const put_aside& put,
                       const tile::geometry& tiles,
                       tile::index t,
                       const util::uninitialized<carry_type>& carry)
  {
    const tile::span inside = tiles.inside(t);
    tile::index begin[parts];
    int count[parts];
    begin[parts - 1] = view.begin() + inside.first;
    count[parts - 1] = inside.last - inside.first;
#  pragma unroll
    for (int p = 0; p < parts - 1; ++p)
    {
      begin[p] = carry.value.of[p];
      count[p] = put.aggregate.value.of[p];
      begin[parts - 1] -= begin[p];
      count[parts - 1] -= count[p];
    }
    View::each_target(
      items_.to, view.stage(), count, [&](auto part, auto, const auto& target, const unsigned char* area) {
        constexpr int p = decltype(part)::value;
        target.store(area, begin[p], 0, count[p], count[p], tiles.num_items, thread_, Threads);
      });
  }

  __device__ void synchronize() const
  {
    __barrier_sync_count(barrier_, Threads);
  }

protected:
  // The lane's chunk of a row.
  __device__ int chunk_number(int row) const
  {
    return (thread_ / warp::lanes * rows + row) * warp::lanes + warp::lane_id();
  }

  __device__ const items_type& items() const
  {
    return items_;
  }
  __device__ int thread() const
  {
    return thread_;
  }
  // Of the two sets in shared memory, the one of the tile that is counted.
  __device__ int buffer() const
  {
    return buffer_;
  }
  // A bit for each item of the lane's chunk of a row that is of part 0.
  __device__ unsigned first_part(int row) const
  {
    return mask_[0][row];
  }

private:
  template <bool Whole>
  __device__ void take(View& view, tile::span inside)
  {
#  pragma unroll
    for (int r = 0; r < rows; ++r)
    {
      view.load_inputs(taken_[r], chunk_number(r));
#  pragma unroll
      for (int p = 0; p < parts - 1; ++p)
      {
        mask_[p][r] = 0;
      }
      [[maybe_unused]] util::uninitialized<tested> before;
      if constexpr (kind::test_type::of_neighbours)
      {
        before = view.template before_chunk<Whole>(chunk_number(r), inside, before_tile_);
      }
#  pragma unroll
      for (int i = 0; i < chunk_items; ++i)
      {
        const int at = chunk_number(r) * chunk_items + i;
        if (Whole || (inside.first <= at && at < inside.last))
        {
          const int part = part_of<Whole>(view, r, i, before, view.begin() + at);
#  pragma unroll
          for (int p = 0; p < parts - 1; ++p)
          {
            mask_[p][r] |= part == p ? 1u << i : 0u;
          }
        }
      }
    }
  }

  // `Whole`: the item is not the range's first.
  template <bool Whole>
  __device__ int part_of(
    View& view, int r, int i, [[maybe_unused]] util::uninitialized<tested>& before, [[maybe_unused]] tile::index number)
  {
    tested item = view.tested(taken_[r], i);
    if constexpr (kind::test_type::of_neighbours)
    {
      const int part = !Whole && number == 0 ? 0 : view.tests().part_of(before.value, item);
      before         = util::uninitialized<tested>(item);
      return part;
    }
    else
    {
      return view.tests().part_of(item);
    }
  }

  template <bool Whole, int Columns>
  __device__ void put_rows(View& view, tile::span inside, unsigned char* const (&to)[parts][Columns])
  {
    int before[parts];
#  pragma unroll
    for (int p = 0; p < parts - 1; ++p)
    {
      before[p] = before_warp_[p];
    }
#  pragma unroll
    for (int r = 0; r < rows; ++r)
    {
      const int first = chunk_number(r) * chunk_items;
      int rank[parts];
      rank[parts - 1] = first - inside.first; // of the first item that is inside
      if (!Whole && rank[parts - 1] < 0)
      {
        rank[parts - 1] = 0;
      }
#  pragma unroll
      for (int p = 0; p < parts - 1; ++p)
      {
        rank[p] = before[p] + ranks_[p].before(r);
        rank[parts - 1] -= rank[p];
        before[p] += ranks_[p].total(r);
      }
      // Of neighbours only the first of a run goes anywhere.
      if (kind::test_type::of_neighbours && ranks_[0].total(r) == 0)
      {
        continue;
      }
#  pragma unroll
      for (int i = 0; i < chunk_items; ++i)
      {
        if (Whole || (inside.first <= first + i && first + i < inside.last))
        {
          put_item(view, r, i, rank, to);
        }
      }
    }
  }

  template <int Columns>
  __device__ void put_item(View& view, int r, int i, int (&rank)[parts], unsigned char* const (&to)[parts][Columns])
  {
    bool rest = true;
    bulk::each_constant(::cuda::std::make_integer_sequence<int, parts>{}, [&](auto part) {
      constexpr int p = decltype(part)::value;
      bool here       = rest;
      if constexpr (p < parts - 1)
      {
        here = (mask_[p][r] >> i & 1) != 0;
        rest = rest && !here;
      }
      if (here)
      {
        bulk::each_constant(::cuda::std::make_integer_sequence<int, output::moved>{}, [&](auto column) {
          constexpr int c = decltype(column)::value;
          if constexpr (output::template target<p, c>::item_bytes > 0)
          {
            const auto& target = ::cuda::std::get<c>(::cuda::std::get<p>(items_.to.parts_to).to);
            bulk::put_result(
              target, to[p][c], rank[p], count_[p], view.template input<View::first_moved + c>(taken_[r], i));
          }
        });
        ++rank[p];
      }
    });
  }

  storage& shared_;
  const items_type& items_;
  int thread_;
  int barrier_;
  int buffer_ = 0;
  typename View::in_chunks taken_[rows];
  unsigned mask_[parts - 1][rows];
  row_counts<rows, chunk_items> ranks_[parts - 1];
  int before_warp_[parts - 1];
  int count_[parts]; // of the tile's items in each part
  util::uninitialized<tested> before_tile_;
  util::uninitialized<tested> asked_;
  util::uninitialized<tested> two_before_tile_; // where bounds are wanted
  util::uninitialized<tested> asked_two_before_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
