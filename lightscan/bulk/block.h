// What each warp of a block of the bulk pipeline does (kernel.h, which tells how their parts fit together).
#pragma once

#include <lightscan/bulk/groups.h>
#include <lightscan/bulk/ring.h>
#include <lightscan/bulk/section_guess.h>
#include <lightscan/bulk/state_bytes.h>
#include <lightscan/carry/aggregate.h>
#include <lightscan/carry/lookahead.h>
#include <lightscan/carry/slot.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/maybe.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
template <class Items, class Op, class Init, class Tiles>
struct bulk_arguments
{
  using accumulator = typename Items::kind_type::accumulator;

  Items items;
  Tiles tiles;
  carry::slot_ring<carry::aggregate_t<accumulator>> slots;
  Op op;
  Init init; // converts to the accumulator in device code; or util::no_init, or util::init_if_there
};

#if defined(__CUDACC__)
template <class Items, class Op, class Init, class Tiles, class Policy, class Transport>
struct bulk_block
{
  using index       = tile::index;
  using arguments   = bulk_arguments<Items, Op, Init, Tiles>;
  using T           = typename arguments::accumulator;
  using aggregate_t = carry::aggregate_t<T>;
  using view_type   = typename group_of<Items, Op, Policy>::view;

  // Kernels that reduce values of more than a word have no registers to spare (perf/DECISIONS.md, run-from-its-start).
  static constexpr bool rereads = Policy::rereads
                               && (!Items::emits || carry::slot_ring<aggregate_t>::words_per_slot <= 2);

  using lookahead     = carry::lookahead<T, Op, Transport, warp::device_warp, rereads>;
  using group_worker  = typename group_of<Items, Op, Policy>::worker;
  using group_storage = typename group_worker::storage;
  using mover         = typename Policy::mover;

  struct shared_state
  {
    bulk::ring<T, Policy::stages> ring;
    group_storage group[Policy::groups];
    unsigned parts_taken; // by those that evaluate
  };

  static_assert(sizeof(shared_state) <= state_bytes(Policy::stages,
                                                    Policy::groups,
                                                    Policy::group_threads,
                                                    static_cast<int>(sizeof(T)),
                                                    static_cast<int>(alignof(T)),
                                                    Items::emits),
                "or a launch may want more shared memory than there is");
  static_assert(Policy::chunks % 2 == 1, "an even number would let neighbouring threads meet in a bank");
  static_assert(Policy::groups < 16, "a named barrier each, and one for the block");
  static_assert(Policy::stages > Policy::groups, "a group steps through the ring by the number of groups");
  // A parity says whether the last phase is over, and cannot say whether the one before it was. A group that has had the carry of its
  // tile k knows that stages were full up to that tile; the next one that it waits for is tile k + 2 * groups, and the stage of that
  // was last filled for tile k + 2 * groups - stages. (testing/model/pipeline.pml)
  static_assert(!Items::emits || Policy::stages >= 2 * Policy::groups,
                "a group that comes back to store is two steps ahead");
  static_assert(Policy::loads_ahead >= Policy::groups,
                "each group needs a tile to fold before the first carry arrives");
  static_assert(Policy::loads_ahead < Policy::stages, "the carry waited for is one of the last round of the ring");
  static_assert(Policy::loads_at_once <= Policy::loads_ahead, "nor is the tile waited for any older");

  const arguments& args;
  const tile::geometry& tiles;
  bulk::ring<T, Policy::stages>& ring;
  unsigned& parts_taken;
  unsigned char* stages;

  static constexpr bool evaluates      = Items::has_evaluators;
  static constexpr bool groups_help    = evaluates && Items::in_place && Items::leaves::may_be_slow();
  static constexpr unsigned tile_parts = view_type::evaluated_parts;
  // Arrivals of those that have filled a stage: all lanes of the loaders, and those of the warp that evaluated each part.
  static constexpr unsigned filling_threads = warp::lanes
                                            * (Policy::loaders * mover::arrivals + (evaluates ? tile_parts : 0));
  static constexpr unsigned storing_threads = warp::lanes * Policy::storers;
  static_assert(!evaluates || groups_help || Policy::evaluators > 0, "or nobody would evaluate");
  static_assert(!evaluates || Policy::evaluators * Policy::group_threads <= Policy::stages * tile_parts * warp::lanes,
                "or evaluators that wait for one round of the ring might leave none for the round before");

  __device__ unsigned char* stage(int s) const
  {
    return stages + s * Policy::tile_bytes;
  }

  // Calls f(tile, state) for every `step`th of the block's tiles, from its `first`th on; `state` says which stage is the tile's.
  template <class F>
  __device__ void each_tile(int first, int step, F f) const
  {
    const tile::index num_tiles = tiles.num_tiles;
    pipeline_state state(Policy::stages, first);
    for (tile::index t = blockIdx.x + static_cast<tile::index>(first) * gridDim.x; t < num_tiles;
         t += static_cast<tile::index>(step) * gridDim.x, state.advance(step))
    {
      f(t, state);
    }
  }

  // The loader keeps pace with the carries: it starts a tile only once the carry of the block's tile `loads_ahead`
  // earlier has arrived. Left alone, SMs drift apart (on an H200 the fastest finish a plain copy ring in two thirds of
  // the slowest's time) and the slowest decides. A carry means that every block has come that far, so this holds the
  // blocks together at no cost; the lines read are kept in L2 in preference to those written, which then leave for
  // memory early and in order. Together they took int32 from 0.94 of cudaMemcpyAsync to 0.99 (perf/DECISIONS.md,
  // loads-ahead and evict-last).
  //
  // Only `loads_at_once` of the tiles that it may load are under way, just enough to keep the memory busy. Polls queue
  // behind loads: with six tiles under way the first carries took 9.7 microseconds, with two 7, though in both cases all
  // first aggregates were published after 3.5 (perf/DECISIONS.md, loads-at-once).
  // Where a block's stages wait for carries, most of them, the next load has to wait for one; its memory comes to L2 meanwhile, a tile
  // before (perf/DECISIONS.md, prefetched).
  // `thread` is counted from the first of the loaders'.
  __device__ void load(int thread) const
  {
    const mover stage_mover(thread, Policy::loaders * warp::lanes);
    pipeline_state paced(Policy::stages, 0);   // the tile whose carry is waited for
    pipeline_state arrived(Policy::stages, 0); // the tile whose load is waited for
    int begun = 0;                             // tiles that were started, counted up to `loads_ahead`
    each_tile(0, 1, [&](tile::index t, pipeline_state state) {
      if (begun >= Policy::loads_at_once)
      {
        wait(ring.full[arrived.index()], arrived.phase());
        arrived.advance(1);
      }
      if (begun == Policy::loads_ahead)
      {
        wait(ring.carried[paced.index()], paced.phase());
        paced.advance(1);
      }
      else
      {
        ++begun;
      }
      if constexpr (Policy::prefetched > 0)
      {
        const tile::index later = t + static_cast<tile::index>(Policy::prefetched) * gridDim.x;
        if (later < tiles.num_tiles && tiles.whole(later))
        {
          view_type::prefetch(args.items, stage_mover, later);
        }
      }
      wait(ring.empty[state.index()], state.phase() ^ 1);
      const unsigned pending_bytes = view_type::fill(
        args.items, stage_mover, stage(state.index()), t, tiles.inside(t), ring.full[state.index()]);
      mover::arrive(ring.full[state.index()], pending_bytes);
      __syncwarp();
    });
  }

  // Whoever evaluates takes the next part that nobody has, of the block's tiles in their order, and reads iterators into its stage.
  __device__ void evaluate_part(unsigned part, section_guess& guess) const
  {
    const unsigned number = part / tile_parts;
    const int at          = static_cast<int>(number % Policy::stages);
    const tile::index t   = blockIdx.x + static_cast<tile::index>(number) * gridDim.x;
    wait(ring.empty[at], number / Policy::stages % 2 ^ 1);
    view_type::evaluate(args.items,
                        stage(at),
                        tiles.begin(t),
                        tiles.inside(t),
                        tiles.whole(t),
                        static_cast<int>(part % tile_parts),
                        guess);
    arrive(ring.full[at]);
    __syncwarp();
  }

  __device__ void evaluate() const
  {
    const auto parts = static_cast<unsigned>(tile::owned_tiles(tiles.num_tiles, blockIdx.x, gridDim.x)) * tile_parts;
    section_guess guess;
    while (true)
    {
      const unsigned part = warp::from_lane(warp::lane_id() == 0 ? atomicAdd_block(&parts_taken, 1u) : 0u, 0).value;
      if (part >= parts)
      {
        return;
      }
      evaluate_part(part, guess);
    }
  }

  // A group that would wait for the block's tile `number` evaluates, as far as that tile, where it has registers for both: what takes
  // long is done by all threads, what is cheap by the evaluators alone (perf/DECISIONS.md, groups-evaluate). Never beyond: a later
  // tile's stage may be empty only after this one.
  __device__ void help_evaluate(unsigned number, pipeline_state state, section_guess& guess) const
  {
    while (__any_sync(0xffffffffu, !is_over(ring.full[state.index()], state.phase())))
    {
      const unsigned end = (number + 1) * tile_parts;
      unsigned part      = 0;
      if (warp::lane_id() == 0)
      {
        part = *static_cast<volatile unsigned*>(&parts_taken);
        while (part < end)
        {
          const unsigned there = atomicCAS_block(&parts_taken, part, part + 1);
          if (there == part)
          {
            break;
          }
          part = there;
        }
      }
      part = warp::from_lane(part, 0).value;
      if (part >= end)
      {
        return;
      }
      evaluate_part(part, guess);
    }
  }

  __device__ void look_ahead() const
  {
    lookahead preceding(args.slots.copy_for(blockIdx.x), args.op, util::resolved_init<T>(args.init));
    each_tile(0, 1, [&](tile::index t, pipeline_state state) {
      const util::uninitialized<T> before = preceding.carry_before(t);
      wait(ring.full[state.index()], state.phase()); // the stage's last carry has been read
      if (warp::lane_id() == 0)
      {
        ring.carry_of[state.index()] = before;
      }
      arrive(ring.carried[state.index()]);
    });
  }

  __device__ void scan(group_storage& shared, int group, int thread) const
  {
    group_worker worker(shared, thread, 1 + group, args.op);
    view_type view(args.items);
    if (worker.leader())
    {
      view.ask_before(first_item_of(blockIdx.x + static_cast<tile::index>(group) * gridDim.x));
    }
    [[maybe_unused]] unsigned number = group; // of the block's tiles
    [[maybe_unused]] section_guess guess;
    each_tile(group, Policy::groups, [&](tile::index t, pipeline_state state) {
      if constexpr (groups_help)
      {
        help_evaluate(number, state, guess);
        number += Policy::groups;
      }
      wait(ring.full[state.index()], state.phase());
      view.look_at(stage(state.index()), tiles.begin(t));
      view.begin_tile(tiles.inside(t));
      view.straighten(args.items, t, tiles.inside(t), thread, [&] {
        worker.synchronize();
      });
      scan_one(worker, view, t, state);
      mover::order_stores();
      if (args.items.to.by_group())
      {
        worker.synchronize();
        args.items.to.template store_by_group<view_type>(
          stage(state.index()), t, tiles.begin(t), tiles.inside(t), thread);
      }
      arrive(ring.scanned[state.index()]);
    });
  }

  // The same where results are put elsewhere. A group has put one tile's results into the stage, and works on its next tile, when it
  // comes back for the first one's carry: carries take a while, and while results are put aside nothing keeps a group waiting
  // (perf/DECISIONS.md, emitted-late).
  __device__ void emit(group_storage& shared, int group, int thread) const
  {
    group_worker worker(shared, thread, 1 + group, args.items, args.op);
    view_type view(args.items);
    worker.ask_before(view, first_item_of(blockIdx.x + static_cast<tile::index>(group) * gridDim.x));
    typename group_worker::put_aside last;
    tile::index last_tile = -1;
    pipeline_state last_state(Policy::stages, group);
    const auto finish = [&] {
      if (last_tile >= 0)
      {
        view.look_at(stage(last_state.index()), tiles.begin(last_tile));
        emit_one(worker, view, last, last_tile, last_state);
        mover::order_stores();
        arrive(ring.scanned[last_state.index()]);
      }
    };
    each_tile(group, Policy::groups, [&](tile::index t, pipeline_state state) {
      wait(ring.full[state.index()], state.phase());
      view.look_at(stage(state.index()), tiles.begin(t));
      const tile::span inside = tiles.inside(t);
      view.straighten(args.items, t, inside, thread, [&] {
        worker.synchronize();
      });
      if constexpr (Items::leaves::only_calculated) // before the fold, in which threads look at neighbours, too
      {
        view.calculate_tile(inside, tiles.whole(t), thread);
        worker.synchronize();
      }
      worker.begin(view, inside);
      worker.ask_before(view, first_item_of(t + static_cast<tile::index>(Policy::groups) * gridDim.x));
      const util::uninitialized<aggregate_t> aggregate = worker.fold(view, inside, tiles.whole(t));
      if (worker.leader())
      {
        lookahead::publish_aggregate(args.slots, args.slots.address_of(t), aggregate.value);
      }
      const typename group_worker::put_aside put = worker.put(view, inside, tiles.whole(t));
      finish();
      last       = put;
      last_tile  = t;
      last_state = state;
    });
    finish();
  }

  // Stores what was put aside, once its carry is there.
  template <class PutAside>
  __device__ void
  emit_one(group_worker& worker, view_type& view, const PutAside& put, tile::index t, pipeline_state state) const
  {
    wait(ring.carried[state.index()], state.phase());
    const util::uninitialized<T> before = t > 0 ? ring.carry_of[state.index()] : Items::kind_type::nothing();
    if (worker.leader() && t == tiles.num_tiles - 1)
    {
      Op op       = args.op;
      const T all = carry::aggregate_of<T>::widened(put.aggregate.value);
      tile::put_totals<typename Items::kind_type>(
        args.items.to.total, t > 0 ? op(before.value, all) : all, tiles.num_items);
    }
    worker.emit(view, put, tiles, t, before);
  }

  __device__ void scan_one(group_worker& worker, view_type& view, tile::index t, pipeline_state state) const
  {
    const tile::span inside = tiles.inside(t);
    bool has_carry          = t > 0 || util::always_has_init<Init>;
    if constexpr (util::is_init_if_there<Init>)
    {
      has_carry = has_carry || util::finds_init(args.init);
    }
    const bool whole                       = tiles.whole(t);
    const util::uninitialized<T> aggregate = worker.fold(view, inside, whole);
    if (worker.leader())
    {
      lookahead::publish_aggregate(args.slots, args.slots.address_of(t), aggregate.value);
      view.ask_before(first_item_of(t + static_cast<tile::index>(Policy::groups) * gridDim.x));
    }
    wait(ring.carried[state.index()], state.phase());
    const util::uninitialized<T> before = ring.carry_of[state.index()];
    worker.scan(view, inside, whole, before, has_carry);
  }

  // The index of a tile's first item; past the last tile, that of none.
  __device__ tile::index first_item_of(tile::index t) const
  {
    return t < tiles.num_tiles ? tiles.begin(t) : 0;
  }

  // `thread` is counted from the first of the storers'.
  __device__ void store(int thread) const
  {
    const mover stage_mover(thread, Policy::storers * warp::lanes);
    each_tile(0, 1, [&](tile::index t, pipeline_state state) {
      wait(ring.scanned[state.index()], state.phase());
      if constexpr (!Items::emits) // else the groups have stored
      {
        if (args.items.to.by_storer())
        {
          args.items.to.template store<view_type>(stage_mover, stage(state.index()), t, tiles.inside(t));
        }
      }
      arrive(ring.empty[state.index()]);
      __syncwarp();
    });
    mover::finish();
  }
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
