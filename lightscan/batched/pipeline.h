// The pipeline of long lines: scans along an axis where lines go on from tile to tile. Tiles are one range of memory each, where layers are
// narrow, or boxes of a band, where they are wide.
//
// One resident block per SM. As in the bulk pipeline (bulk/kernel.h), warps have roles, and a block's tiles (block_tiles.h) flow through a
// ring of stages in shared memory from one to the next:
//
//   loader      bulk or tensor copies of coming tiles into empty stages; it keeps pace with the carries
//   groups      tiles in turn: fold, publish what the tile comes to in each line, wait for the carries, scan in place
//   bringers    warps, each of which brings a part of the carries (stretches.h), ahead of the groups: three, of all lines; or in bands
//               one for each 32 lines
//   publisher   publishes what a stretch comes to, where the tile is its last one; in bands the groups do
//   storer      bulk or tensor copies of scanned tiles to the output; it and the publisher empty the stage
//
// Each element is read once, each result written once. All blocks must be resident where one has several tiles (runtime/launch_grid.h).
// Who waits for whom: testing/model/long_lines.pml.
#pragma once

#include <lightscan/batched/block_tiles.h>
#include <lightscan/batched/bulk_copies.h>
#include <lightscan/batched/geometry.h>
#include <lightscan/batched/line_fold.h>
#include <lightscan/batched/pipeline_record.h>
#include <lightscan/batched/stage.h>
#include <lightscan/batched/staged_items.h>
#include <lightscan/batched/stretches.h>
#include <lightscan/batched/tensor_copies.h>
#include <lightscan/batched/tile.h>
#include <lightscan/bulk/barrier.h>
#include <lightscan/bulk/movers.h>
#include <lightscan/bulk/ring.h>
#include <lightscan/util/maybe.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
#if defined(__CUDACC__)
template <class T, bool Inclusive, class Arguments, class Op, class Policy, class Transport>
class line_pipeline
{
  static constexpr bool in_bands = Policy::row.how == access::bands;

  using fold   = line_fold<T>;
  using team   = group_team<Policy::threads>;
  using folds  = ::cuda::std::conditional_t<in_bands, shared_folds<T, Policy, team>, shuffled_folds<T, Policy, team>>;
  using copies = ::cuda::std::conditional_t<in_bands, tensor_copies<T, Policy>, bulk_copies<T, Policy>>;
  using tile_type = tile_of_lines<Policy>;
  using tile_at   = block_tile<in_bands>;
  using item      = util::uninitialized<T>;
  using state     = bulk::pipeline_state;

  // How many lines a bringer has at most, and how many bringers there are.
  static constexpr int brought_lines = in_bands ? warp::lanes : most_pipelined_lines(sizeof(T));
  static constexpr int bringers      = in_bands ? most_band_lines(sizeof(T)) / warp::lanes : 3;

  using record    = pipeline_record<T, bringers>;
  using asked     = asked_slots<T, brought_lines, Transport>;
  using stretches = fold_of_stretches<T, Op, asked, in_bands ? 1 : stretch_of_pipeline>;

  static constexpr pipeline_row row    = pipeline_row_for(Policy::row.how, Policy::bytes);
  static constexpr int stages          = row.stages;
  static constexpr int grouped_threads = row.groups * Policy::threads;

  struct shared_state
  {
    bulk::ring<record, stages> ring;
    bulk::barrier folded[stages]; // not in bands
    alignas(8) unsigned char asked_values[bringers][asked::bytes];
  };
  static constexpr int state_bytes = (static_cast<int>(sizeof(shared_state)) + 15) / 16 * 16;
  static constexpr int folds_bytes = (folds::bytes + 15) / 16 * 16;

  // Roles, by number; the first ones are the bringers'. Where stretches have several tiles:
  template <int Part>
  using part_constant = ::cuda::std::integral_constant<int, Part>;
  using of_stretches  = part_constant<0>;
  using of_first      = part_constant<1>; // tiles of a stretch
  using of_others     = part_constant<2>;

  static constexpr int publishers = in_bands ? 0 : 1;
  static constexpr int publisher  = bringers;
  static constexpr int loader     = bringers + publishers;
  static constexpr int storer     = loader + 1;
  static constexpr int roles      = storer + 1;

  static_assert(row.loads_ahead >= row.groups, "each group needs a tile to fold before the first carry arrives");
  static_assert(row.loads_ahead < stages, "the carry waited for is one of the last round of the ring");
  static_assert(row.loads_at_once <= row.loads_ahead, "nor is the tile waited for any older");
  static_assert(stages > row.groups, "a group steps through the ring by the number of groups");

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
      constexpr unsigned emptying = (1 + publishers) * warp::lanes; // the storer's, and the publisher's
      for (int s = 0; s < stages && !in_bands; ++s)
      {
        bulk::initialize(shared_.folded[s], Policy::threads + (bringers - 1) * warp::lanes);
      }
      bulk::initialize(shared_.ring, warp::lanes, Policy::threads, emptying, bringers * warp::lanes);
    }
    __syncthreads();
    const int group = static_cast<int>(threadIdx.x) / Policy::threads;
    if (group < row.groups)
    {
      return scan_tiles(group);
    }
    const int role = (static_cast<int>(threadIdx.x) - grouped_threads) / warp::lanes;
    if (role == loader)
    {
      return load();
    }
    if (role == storer)
    {
      return store();
    }
    if constexpr (in_bands)
    {
      bring(role, stretches(0, tile_at::blocks_below(args_.lines), args_.op));
    }
    else
    {
      switch (role)
      {
        case publisher:
          return publish_stretches();
        case of_stretches::value:
          return bring(of_stretches{}, stretches(tiles_below(), tile_at::blocks_below(args_.lines), args_.op));
        case of_first::value:
          return bring(of_first{}, fold_of_tiles<T, Op, asked, 0>(args_.op));
        default:
          return bring(of_others{}, fold_of_tiles<T, Op, asked, slots_asked>(args_.op));
      }
    }
  }

private:
  __device__ tile_number tiles_below() const
  {
    return tile_at::below(args_.lines);
  }
  __device__ tile_type whole_tile(const tile_at& t) const
  {
    return tile_type(args_.lines, t.number(args_.lines), 0, 0, 0);
  }
  __device__ unsigned char* buffer_of(const state& at) const
  {
    return memory_ + at.index() * copies::buffer_bytes;
  }
  __device__ record& record_of(const state& at) const
  {
    return shared_.ring.carry_of[at.index()].value;
  }
  __device__ const auto& source() const
  {
    if constexpr (in_bands)
    {
      return args_.maps.input;
    }
    else
    {
      return args_.input;
    }
  }
  __device__ auto target() const
  {
    if constexpr (in_bands)
    {
      return tensor_output<T>{args_.maps.output, args_.output};
    }
    else
    {
      return args_.output;
    }
  }
  // Of the line with which a tile goes on.
  __device__ index layers_above(tile_number down) const
  {
    const index layer = down * args_.lines.piece_layers;
    return layer - args_.lines.by_length.quotient(layer) * args_.lines.length;
  }
  static __device__ bool ends_stretch(tile_number t)
  {
    return t % stretch_of_pipeline == stretch_of_pipeline - 1;
  }
  // Of the lines that bringer `part` has of a tile.
  __device__ slots_in_order<T> slots_of(const tile_at& t, int part) const
  {
    if constexpr (in_bands)
    {
      const index first = static_cast<index>(t.band) * args_.lines.lines + part * warp::lanes;
      const index rest  = args_.lines.inner - first;
      const int of_band = args_.lines.lines - part * warp::lanes;
      const int least   = of_band < warp::lanes ? of_band : warp::lanes;
      return {args_.slots, first, rest < least ? static_cast<int>(rest) : least, tiles_below()};
    }
    else
    {
      return slots_in_order<T>(args_.slots);
    }
  }

  // Calls f(tile, state) for every `step`th of the block's tiles, from its `first`th on; `state` says which stage is the tile's.
  template <class F>
  __device__ void each_tile(int first, int step, F f) const
  {
    state at(stages, first);
    for (tile_at t(args_.lines, first); t.there(args_.lines); t.advance(args_.lines, step), at.advance(step))
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
    each_tile(number, row.groups, [&](const tile_at& t, const state& at) {
      const tile_type tile(args_.lines, t.number(args_.lines), 0, group, line);
      bulk::wait(shared_.ring.full[at.index()], at.phase());
      item* const items = copies::place_in(buffer_of(at), source(), tile, args_.from);
      const stage<T, Policy> whole(items, tile, args_.lines.lines);
      const staged_items<T, Policy> own(tile, whole.own(), whole.next());
      fold total;
      const fold above = of_groups.above(own.folded(op), tile.is_plain(), total, op);
      record& known    = record_of(at);
      if (all.thread() < tile.width)
      {
        if constexpr (in_bands)
        {
          const int part = line / warp::lanes;
          slots_of(t, part).template publish<Transport>(t.down, line - part * warp::lanes, total.value.value);
        }
        else
        {
          known.total[line] = total.value;
          if (line == 0)
          {
            known.begun = total.begun; // of all lines alike
          }
          if (!ends_stretch(t.down))
          {
            slots_of(t, 0).template publish<Transport>(t.down, line, total.value.value);
          }
        }
      }
      if constexpr (!in_bands)
      {
        bulk::arrive(shared_.folded[at.index()]);
      }
      bulk::wait(shared_.ring.carried[at.index()], at.phase());
      own.template scan<Inclusive>(init, joined(carry_of(known, line, op), above, op).value, op);
      bulk::bulk_mover::order_stores();
      bulk::arrive(shared_.ring.scanned[at.index()]);
    });
  }

  __device__ fold carry_of(const record& known, int line, Op& op) const
  {
    if constexpr (in_bands)
    {
      return part_of(known, line / warp::lanes, line % warp::lanes);
    }
    else
    {
      fold before{{}, false, false};
      for (int part = 0; part < bringers; ++part)
      {
        before = joined(before, part_of(known, part, line), op);
      }
      return before;
    }
  }

  // What all but the last of a stretch's tiles come to is known to those that bring it to the last one.
  __device__ void publish_stretches() const
  {
    Op op          = args_.op;
    const int line = warp::lane_id();
    each_tile(0, 1, [&](const tile_at& t, const state& at) {
      bulk::wait(shared_.folded[at.index()], at.phase());
      if (ends_stretch(t.down) && line < args_.lines.lines)
      {
        const record& known = record_of(at);
        fold folded         = joined(part_of(known, of_first::value, line), part_of(known, of_others::value, line), op);
        folded              = joined(folded, fold{known.total[line], true, known.begun}, op);
        slots_of(t, 0).template publish<Transport>(
          tiles_below() + t.down / stretch_of_pipeline, line, folded.value.value);
      }
      bulk::arrive(shared_.ring.empty[at.index()]); // the record has been read
      __syncwarp();
    });
  }

  // What the next tile needs is asked for before a tile is done; what the one after it needs is not (perf/DECISIONS.md, asked-once).
  template <class Part, class Folds>
  __device__ void bring(Part part, Folds folds_of_part) const
  {
    const tile_at first(args_.lines, 0);
    asked slots(slots_of(first, part), shared_.asked_values[part]);
    slots.ask(folds_of_part.wanted(first.down));
    each_tile(0, 1, [&](const tile_at& t, const state& at) {
      const fold folded = folds_of_part.fold(
        slots, t.down, line_reach(layers_above(t.down), args_.lines.tile_layers()));
      tile_at next = t;
      next.advance(args_.lines, 1);
      if (next.there(args_.lines))
      {
        if (in_bands && next.band != t.band)
        {
          slots.turn_to(slots_of(next, part));
        }
        slots.ask(folds_of_part.wanted(next.down));
      }
      bulk::wait(shared_.ring.full[at.index()], at.phase()); // the stage's last carries have been read
      put(record_of(at), part, folded);
      if (!in_bands && part != of_stretches::value)
      {
        bulk::arrive(shared_.folded[at.index()]); // the publisher has use for it
      }
      bulk::arrive(shared_.ring.carried[at.index()]);
      __syncwarp();
    });
  }

  // Why a loader keeps pace, and how many tiles are under way at once: bulk/block.h.
  __device__ void load() const
  {
    const copies by_copies;
    state paced(stages, 0);   // the tile whose carries are waited for
    state arrived(stages, 0); // the tile whose load is waited for
    int begun = 0;            // tiles that were started, counted up to `loads_ahead`
    each_tile(0, 1, [&](const tile_at& t, const state& at) {
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
      by_copies.fill(whole_tile(t), buffer_of(at), source(), args_.from, shared_.ring.full[at.index()]);
      __syncwarp();
    });
  }

  __device__ void store() const
  {
    each_tile(0, 1, [&](const tile_at& t, const state& at) {
      bulk::wait(shared_.ring.scanned[at.index()], at.phase());
      copies::empty(whole_tile(t), buffer_of(at), target(), args_.to);
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
