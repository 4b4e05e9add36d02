// The pipeline of long lines: scans along an axis where tiles are one range of memory each, and lines go on from tile to tile.
//
// One resident block per SM; block b takes tiles b, b + B, b + 2B, ... As in the bulk pipeline (bulk/kernel.h), warps have roles, and tiles
// flow through a ring of stages in shared memory from one to the next:
//
//   loader      bulk copies of coming tiles into empty stages; it keeps pace with the carries
//   groups      tiles in turn: fold, publish what the tile comes to in each line, wait for the carries, scan in place
//   bringers    three warps, each of which brings a part of the carries (stretches.h), ahead of the groups
//   publisher   publishes what a stretch comes to, where the tile is its last one
//   storer      bulk copies of scanned tiles to the output; it and the publisher empty the stage
//
// Each element is read once, each result written once. All blocks must be resident where one has several tiles (runtime/launch_grid.h).
// Who waits for whom: testing/model/long_lines.pml.
#pragma once

#include <lightscan/batched/bulk_copies.h>
#include <lightscan/batched/geometry.h>
#include <lightscan/batched/line_fold.h>
#include <lightscan/batched/stage.h>
#include <lightscan/batched/staged_items.h>
#include <lightscan/batched/stretches.h>
#include <lightscan/batched/tile.h>
#include <lightscan/bulk/barrier.h>
#include <lightscan/bulk/movers.h>
#include <lightscan/bulk/ring.h>
#include <lightscan/util/maybe.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
#if defined(__CUDACC__)
// The threads of a group, which meet at a barrier of their own.
template <int Threads>
struct group_team
{
  int number;

  __device__ int thread() const
  {
    return static_cast<int>(threadIdx.x) - number * Threads;
  }
  __device__ void meet() const
  {
    __barrier_sync_count(1 + number, Threads);
  }
};

// What is known of a tile besides its items: parts of the carries, and the fold of each line. A stage has one: it is written once the stage
// is full, and has been read when it is empty.
template <class T>
struct pipeline_record
{
  static constexpr int parts = 3;

  util::uninitialized<T> carry[parts][warp::lanes]; // of a line each
  bool carried[parts];
  util::uninitialized<T> total[warp::lanes];
  bool begun; // a line begins in the tile
};

template <class T, bool Inclusive, class Arguments, class Op, class Policy, class Transport>
class line_pipeline
{
  using fold      = line_fold<T>;
  using team      = group_team<Policy::threads>;
  using folds     = shuffled_folds<T, Policy, team>;
  using tile_type = tile_of_lines<Policy>;
  using item      = util::uninitialized<T>;
  using copies    = bulk_copies<T, Policy>;
  using state     = bulk::pipeline_state;
  using record    = pipeline_record<T>;

  static constexpr pipeline_row row    = pipeline_row_for(Policy::bytes);
  static constexpr int stages          = row.stages;
  static constexpr int grouped_threads = row.groups * Policy::threads;

  struct shared_state
  {
    bulk::ring<record, stages> ring;
    bulk::barrier folded[stages];
    alignas(8) unsigned char asked[record::parts][asked_slots<T, Transport>::bytes];
  };
  static constexpr int state_bytes = (static_cast<int>(sizeof(shared_state)) + 15) / 16 * 16;
  static constexpr int folds_bytes = (folds::bytes + 15) / 16 * 16;

  enum role
  {
    of_stretches, // the parts of carries
    of_first_tiles,
    of_other_tiles,
    publisher,
    loader,
    storer,
    roles
  };

  static_assert(row.loads_ahead >= row.groups, "each group needs a tile to fold before the first carry arrives");
  static_assert(row.loads_ahead < stages, "the carry waited for is one of the last round of the ring");
  static_assert(row.loads_at_once <= row.loads_ahead, "nor is the tile waited for any older");
  static_assert(stages > row.groups, "a group steps through the ring by the number of groups");
  static_assert(record::parts == publisher, "parts of carries are the first roles");

public:
  static constexpr bool by_bulk         = true;
  static constexpr int threads          = grouped_threads + roles * warp::lanes;
  static constexpr int blocks_asked_for = 1;
  static constexpr int shared_bytes     = stages * copies::buffer_bytes + row.groups * folds_bytes + state_bytes;
  static_assert(shared_bytes <= 227 * 1024, "what a block can have, where there are bulk copies (has_bulk_copies)");

  using arguments = Arguments;

  __device__ line_pipeline(const arguments& args, unsigned char* memory)
      : args_(args)
      , memory_(memory)
      , shared_(*reinterpret_cast<shared_state*>(memory + stages * copies::buffer_bytes + row.groups * folds_bytes))
  {}

  __device__ void scan() const
  {
    if (threadIdx.x == 0)
    {
      for (int s = 0; s < stages; ++s)
      {
        bulk::initialize(shared_.folded[s], Policy::threads + (record::parts - 1) * warp::lanes);
      }
      constexpr unsigned emptying = 2 * warp::lanes; // the storer's, and the publisher's
      bulk::initialize(shared_.ring, warp::lanes, Policy::threads, emptying, record::parts * warp::lanes);
    }
    __syncthreads();
    const int group = static_cast<int>(threadIdx.x) / Policy::threads;
    if (group < row.groups)
    {
      scan_tiles(group);
      return;
    }
    switch ((static_cast<int>(threadIdx.x) - grouped_threads) / warp::lanes)
    {
      case publisher:
        return publish_stretches();
      case of_stretches:
        return bring<of_stretches>(fold_of_stretches<T, Op, Transport>(tiles(), args_.op));
      case of_first_tiles:
        return bring<of_first_tiles>(fold_of_tiles<T, Op, Transport, 0>(args_.op));
      case of_other_tiles:
        return bring<of_other_tiles>(fold_of_tiles<T, Op, Transport, slots_asked>(args_.op));
      case loader:
        return load();
      default:
        return store();
    }
  }

private:
  __device__ tile_number tiles() const
  {
    return static_cast<tile_number>(args_.lines.pieces);
  }
  __device__ tile_type whole_tile(tile_number t) const
  {
    return tile_type(args_.lines, t, 0, 0, 0);
  }
  __device__ item* items_of(const tile_type& tile, const state& at) const
  {
    return copies::place_in(memory_ + at.index() * copies::buffer_bytes, args_.input, tile, args_.from);
  }
  __device__ record& record_of(const state& at) const
  {
    return shared_.ring.carry_of[at.index()].value;
  }
  // Of the line with which a tile goes on.
  __device__ index layers_above(tile_number t) const
  {
    const index layer = t * args_.lines.piece_layers;
    return layer - args_.lines.by_length.quotient(layer) * args_.lines.length;
  }
  static __device__ bool ends_stretch(tile_number t)
  {
    return t % stretch_of_pipeline == stretch_of_pipeline - 1;
  }

  // Calls f(tile, state) for every `step`th of the block's tiles, from its `first`th on; `state` says which stage is the tile's.
  template <class F>
  __device__ void each_tile(int first, int step, F f) const
  {
    state at(stages, first);
    const int blocks = static_cast<int>(gridDim.x);
    for (tile_number t = static_cast<int>(blockIdx.x) + first * blocks; t < tiles();
         t += step * blocks, at.advance(step))
    {
      f(t, at);
    }
  }

  __device__ void scan_tiles(int number) const
  {
    const team all{number};
    const int group = all.thread() / args_.lines.lines;
    const int line  = all.thread() % args_.lines.lines;
    folds of_groups(memory_ + stages * copies::buffer_bytes + number * folds_bytes, args_.lines.lines, all);
    Op op           = args_.op;
    const auto init = util::resolved_init<T>(args_.init);
    each_tile(number, row.groups, [&](tile_number t, const state& at) {
      const tile_type tile(args_.lines, t, 0, group, line);
      bulk::wait(shared_.ring.full[at.index()], at.phase());
      const stage<T, Policy> whole(items_of(tile, at), tile);
      const staged_items<T, Policy> own(tile, whole.own(), whole.next());
      fold total;
      const fold above = of_groups.above(own.folded(op), tile.is_plain(), total, op);
      record& known    = record_of(at);
      if (all.thread() < args_.lines.lines)
      {
        known.total[line] = total.value;
        if (line == 0)
        {
          known.begun = total.begun; // of all lines alike
        }
        if (!ends_stretch(t))
        {
          slots_in_order<T>(args_.slots).template publish<Transport>(t, line, total.value.value);
        }
      }
      bulk::arrive(shared_.folded[at.index()]);
      bulk::wait(shared_.ring.carried[at.index()], at.phase());
      fold before{{}, false, false};
      for (int part = 0; part < record::parts; ++part)
      {
        before = joined(before, part_of(known, part, line), op);
      }
      own.template scan<Inclusive>(init, joined(before, above, op).value, op);
      bulk::bulk_mover::order_stores();
      bulk::arrive(shared_.ring.scanned[at.index()]);
    });
  }

  // What all but the last of a stretch's tiles come to is known to those that bring it to the last one.
  __device__ void publish_stretches() const
  {
    Op op          = args_.op;
    const int line = warp::lane_id();
    each_tile(0, 1, [&](tile_number t, const state& at) {
      bulk::wait(shared_.folded[at.index()], at.phase());
      if (ends_stretch(t) && line < args_.lines.lines)
      {
        const record& known = record_of(at);
        fold folded         = joined(part_of(known, of_first_tiles, line), part_of(known, of_other_tiles, line), op);
        folded              = joined(folded, fold{known.total[line], true, known.begun}, op);
        slots_in_order<T>(args_.slots)
          .template publish<Transport>(tiles() + t / stretch_of_pipeline, line, folded.value.value);
      }
      bulk::arrive(shared_.ring.empty[at.index()]); // the record has been read
      __syncwarp();
    });
  }

  static __device__ fold part_of(const record& known, int part, int line)
  {
    return {known.carry[part][line], known.carried[part], false};
  }

  // What the next tile needs is asked for before a tile is done; what the one after it needs is not (perf/DECISIONS.md, asked-once).
  template <role Part, class Folds>
  __device__ void bring(Folds folds_of_part) const
  {
    typename Folds::asked slots(args_.slots, shared_.asked[Part]);
    slots.ask(folds_of_part.wanted(static_cast<int>(blockIdx.x)));
    each_tile(0, 1, [&](tile_number t, const state& at) {
      const fold folded = folds_of_part.fold(slots, t, line_reach(layers_above(t), args_.lines.tile_layers()));
      if (const tile_number next = t + static_cast<int>(gridDim.x); next < tiles())
      {
        slots.ask(folds_of_part.wanted(next));
      }
      bulk::wait(shared_.ring.full[at.index()], at.phase()); // the stage's last carries have been read
      put<Part>(record_of(at), folded);
      if constexpr (Part != of_stretches)
      {
        bulk::arrive(shared_.folded[at.index()]); // the publisher has use for it
      }
      bulk::arrive(shared_.ring.carried[at.index()]);
      __syncwarp();
    });
  }

  template <role Part>
  static __device__ void put(record& known, const fold& folded)
  {
    const int line          = warp::lane_id();
    known.carry[Part][line] = folded.value;
    if (line == 0)
    {
      known.carried[Part] = folded.there;
    }
  }

  // Why a loader keeps pace, and how many tiles are under way at once: bulk/block.h.
  __device__ void load() const
  {
    const copies by_copies;
    state paced(stages, 0);   // the tile whose carries are waited for
    state arrived(stages, 0); // the tile whose load is waited for
    int begun = 0;            // tiles that were started, counted up to `loads_ahead`
    each_tile(0, 1, [&](tile_number t, const state& at) {
      if (begun >= row.loads_at_once)
      {
        bulk::wait(shared_.ring.full[arrived.index()], arrived.phase());
        arrived.advance(1);
      }
      if (begun == row.loads_ahead)
      {
        bulk::wait(shared_.ring.carried[paced.index()], paced.phase());
        paced.advance(1);
      }
      else
      {
        ++begun;
      }
      bulk::wait(shared_.ring.empty[at.index()], at.phase() ^ 1);
      const tile_type tile = whole_tile(t);
      by_copies.fill(tile, items_of(tile, at), args_.input, args_.from, shared_.ring.full[at.index()]);
      __syncwarp();
    });
  }

  __device__ void store() const
  {
    each_tile(0, 1, [&](tile_number t, const state& at) {
      const tile_type tile = whole_tile(t);
      bulk::wait(shared_.ring.scanned[at.index()], at.phase());
      copies::empty(tile, items_of(tile, at), args_.output, args_.to);
      copies::wait_until_read();
      bulk::arrive(shared_.ring.empty[at.index()]);
      __syncwarp();
    });
    bulk::bulk_mover::finish();
  }

  const arguments& args_;
  unsigned char* memory_;
  shared_state& shared_;
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
