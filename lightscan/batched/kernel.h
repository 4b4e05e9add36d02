// The batched kernel: scans along an axis of an array whose lines lie side by side. Tiles are layers of a band of lines (geometry.h).
//
// Neighbouring threads have neighbouring lines. Each folds its few elements of one line, from top to bottom, and keeps them in shared
// memory; the folds of a line's groups are scanned; what the tile publishes and what it waits for is in carry_chain.h; then each thread
// scans its elements, and writes the results. Where a layer is so narrow that threads would leave most of each sector of memory to
// others, the tile goes through shared memory as a whole (stage.h); by bulk copies (bulk_copies.h) where pieces are lines as a whole. Loads
// of one block overlap the scans of others on the multiprocessor. (Narrow layers of lines that are long and few: pipeline.h.)
//
// Blocks take pieces b, b + B, b + 2B, ... A piece of one tile waits for those above it only, which have lower numbers: all blocks must be
// resident where one has several (runtime/launch_grid.h). Where pieces are lines as a whole, nobody waits.
#pragma once

#include <lightscan/batched/arguments.h>
#include <lightscan/batched/bulk_copies.h>
#include <lightscan/batched/carry_chain.h>
#include <lightscan/batched/geometry.h>
#include <lightscan/batched/line_fold.h>
#include <lightscan/batched/stage.h>
#include <lightscan/batched/staged_items.h>
#include <lightscan/batched/tile.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/util/maybe.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
#if defined(__CUDACC__)
template <class T, bool Inclusive, class Arguments, class Op, class Policy, class Transport>
class batched_block
{
public:
  static constexpr bool by_bulk = Policy::row.how == access::bulk;

private:
  using fold      = line_fold<T>;
  using folds     = group_folds<T, Policy>;
  using tile_type = tile_of_lines<Policy>;
  using item      = util::uninitialized<T>;
  using copies    = bulk_copies<T, Policy>;

  static constexpr bool staged     = Policy::row.how != access::direct;
  static constexpr int at_once     = Policy::items_at_once;
  static constexpr int items_bytes = (Policy::most_items * static_cast<int>(sizeof(T)) + 15) / 16 * 16;

  // With bulk copies, and a barrier for each.
  static constexpr int buffers      = 2;
  static constexpr int stages_bytes = by_bulk
                                      ? buffers * (copies::buffer_bytes + static_cast<int>(sizeof(bulk::barrier)))
                                      : items_bytes;

  // Slots whose loads are under way at once (perf/DECISIONS.md, slots-ahead).
  static constexpr int read_ahead = sizeof(T) <= 8 ? 4 : sizeof(T) <= 32 ? 2 : 1;

public:
  using arguments = Arguments;

  static constexpr int threads      = Policy::threads;
  static constexpr int shared_bytes = stages_bytes + folds::bytes;

  // Blocks that the compiler is to leave registers for; it warns of more than there can be.
  static constexpr int blocks_asked_for = Policy::min_blocks * threads <= warp::multiprocessor_threads
                                          ? Policy::min_blocks
                                          : warp::multiprocessor_threads / threads;

  __device__ batched_block(const arguments& args, unsigned char* memory)
      : args_(args)
      , memory_(memory)
      , op_(args.op)
      , group_(static_cast<int>(threadIdx.x) / args.lines.lines)
      , line_(static_cast<int>(threadIdx.x) % args.lines.lines)
      , folds_(memory + stages_bytes, args.lines, group_, line_)
  {}

  __device__ void scan()
  {
    const auto init = util::resolved_init<T>(args_.init);
    if constexpr (by_bulk)
    {
      scan_by_copies(init);
    }
    else
    {
      for (place_of_tile at = first(); at.piece < args_.lines.pieces; at = after(at))
      {
        const tile_type tile(args_.lines, at.piece, staged ? at.tile : 0, group_, line_);
        item* const items = reinterpret_cast<item*>(memory_);
        if constexpr (staged)
        {
          stage<T, Policy>(items, tile).fill(args_.input, args_.from);
          __syncthreads();
        }
        scan_tile(tile, items, init, [] {});
        if constexpr (staged)
        {
          __syncthreads();
          stage<T, Policy>(items, tile).empty(args_.output, args_.to);
          __syncthreads(); // before the next tile comes into the stage
        }
      }
    }
  }

private:
  // Of a block's tiles, one after the other. Where they are not staged a piece has one, and nothing is counted: with registers other
  // than that leaves, another number of blocks is resident, and has more or less of the L1 cache (perf/NOTES.md, "Lines as a whole").
  struct place_of_tile
  {
    index piece;
    int tile; // of the piece
  };
  static __device__ place_of_tile first()
  {
    return {blockIdx.x, 0};
  }
  __device__ place_of_tile after(const place_of_tile& at) const
  {
    return staged && at.tile + 1 < args_.lines.piece_tiles ? place_of_tile{at.piece, at.tile + 1}
                                                           : place_of_tile{at.piece + gridDim.x, 0};
  }

  // A tile is scanned while the one before goes and the next one comes; this is asked for once the buffer of that has been read.
  template <class Before>
  __device__ void scan_by_copies(const Before& init)
  {
    if (threadIdx.x == 0)
    {
      for (int b = 0; b < buffers; ++b)
      {
        bulk::initialize(*full(b), warp::lanes);
      }
      bulk::finish_initializing();
    }
    __syncthreads();
    const copies by_copies;
    fetch(by_copies, first(), 0);
    int now        = 0;
    unsigned phase = 0;
    for (place_of_tile at = first(); at.piece < args_.lines.pieces; at = after(at))
    {
      const tile_type tile(args_.lines, at.piece, at.tile, group_, line_);
      item* const items = copies::place_in(buffer(now), args_.input, tile, args_.from);
      bulk::wait(*full(now), phase);
      scan_tile(tile, items, init, [&] {
        if (makes_copies())
        {
          copies::wait_until_read();
        }
        fetch(by_copies, after(at), now ^ 1);
      });
      bulk::bulk_mover::order_stores();
      __syncthreads();
      if (makes_copies())
      {
        copies::empty(tile, buffer(now), args_.output, args_.to);
      }
      phase ^= now;
      now ^= 1;
    }
    if (makes_copies())
    {
      bulk::bulk_mover::finish();
    }
  }

  static __device__ bool makes_copies()
  {
    return threadIdx.x < warp::lanes;
  }
  __device__ bulk::barrier* full(int number) const
  {
    return reinterpret_cast<bulk::barrier*>(memory_ + buffers * copies::buffer_bytes) + number;
  }
  __device__ unsigned char* buffer(int number) const
  {
    return memory_ + number * copies::buffer_bytes;
  }
  __device__ void fetch(const copies& by_copies, const place_of_tile& at, int number) const
  {
    if (makes_copies() && at.piece < args_.lines.pieces)
    {
      const tile_type tile(args_.lines, at.piece, at.tile, group_, line_);
      by_copies.fill(tile, buffer(number), args_.input, args_.from, *full(number));
    }
  }

  // `folded` is called once the tile's items are folded.
  template <class Before, class F>
  __device__ void scan_tile(const tile_type& tile, item* items, const Before& init, F folded)
  {
    if constexpr (staged)
    {
      const stage<T, Policy> whole(items, tile);
      const staged_items<T, Policy> own(tile, whole.own(), whole.next());
      const fold of_own = own.folded(op_);
      folded();
      own.template scan<Inclusive>(init, before_own(tile, of_own).value, op_);
    }
    else
    {
      item* const own = items + threadIdx.x;
      fold of_own{{}, tile.count > 0, tile.count > tile.head};
      index at = tile.place_in(args_.from);
      tile.each_chunk([&](auto known, int chunk, int head) {
        fold_chunk<decltype(known)::value>(tile, chunk, head, own + chunk * threads, at, of_own);
      });
      fold before = before_own(tile, of_own);
      at          = tile.place_in(args_.to);
      tile.each_chunk([&](auto known, int chunk, int head) {
        scan_chunk<decltype(known)::value>(tile, chunk, head, own + chunk * threads, at, init, before.value);
      });
    }
  }

  // The fold of what lies before the thread's items in their line. All threads call it.
  __device__ fold before_own(const tile_type& tile, const fold& of_own)
  {
    folds_.scan(of_own, op_);
    const fold before = group_ > 0 ? folds_.of(group_ - 1) : fold{{}, false, false};
    const fold total  = folds_.of(args_.lines.groups - 1);
    const fold carry  = carry_of(tile, total);
    return joined(carry, before, op_);
  }

  // Reads a chunk of items, puts them aside, and folds them.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <chunk_case Case>
  __device__ void fold_chunk(const tile_type& tile, int chunk, int head, item* own, index& at, fold& folded)
  {
    item read[at_once];
    tile.template each_place<Case>(args_.from, chunk, head, at, [&](int i, index place) {
      read[i] = item(static_cast<T>(*(args_.input + place)));
    });
    tile.template each_of_chunk<Case>(chunk, head, [&](int i, bool begins) {
      own[i * threads] = read[i];
      folded.value = begins || (i == 0 && chunk == 0) ? read[i] : util::combine(op_, folded.value.value, read[i].value);
    });
  }

  // Scans a chunk of items, and writes the results.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <chunk_case Case, class Before>
  __device__ void
  scan_chunk(const tile_type& tile, int chunk, int head, item* own, index& at, const Before& init, item& before)
  {
    item result[at_once];
    tile.template each_of_chunk<Case>(chunk, head, [&](int i, bool begins) {
      const item element = own[i * threads];
      result[i]          = tile::step_in_segment<Inclusive>(init, before, begins, element.value, op_);
    });
    tile.template each_place<Case>(args_.to, chunk, head, at, [&](int i, index place) {
      *(args_.output + place) = result[i].value;
    });
  }

  // The carry of the thread's line, which a block that has the line as a whole keeps for itself. All threads call it.
  __device__ fold carry_of(const tile_type& tile, const fold& total)
  {
    if constexpr (staged)
    {
      if (args_.lines.piece_tiles > 1)
      {
        const fold carry = tile.above == 0 ? fold{{}, false, false} : kept_;
        kept_            = joined(carry, total, op_);
        return carry;
      }
    }
    if constexpr (by_bulk) // has lines as a whole
    {
      return {{}, false, false};
    }
    else
    {
      return carry_and_publish(tile, total);
    }
  }

  // The carry of the thread's line; publishes what the tile's slot is to hold as soon as it is known. All threads call it.
  __device__ fold carry_and_publish(const tile_type& tile, const fold& total)
  {
    const index line             = tile.line + line_;
    const int window             = args_.lines.window;
    const bool ends_a_window     = ends_window(tile.down, window);
    const bool ends_only_stretch = !ends_a_window && ends_stretch(tile.down, window);
    const bool publishes         = group_ == 0 && tile.takes_part() && tile.goes_on();
    const auto publish           = [&](const fold& value) {
      args_.slots.template publish<Transport>(tile.down, line, value.value.value);
    };
    if (publishes && (total.begun || !(ends_a_window || ends_only_stretch)))
    {
      publish(total);
    }
    if (tile.above == 0)
    {
      return {{}, false, false};
    }
    const int tile_layers       = args_.lines.groups * args_.lines.layers_each;
    const carry_sources sources = carry_sources::of(tile.down, tile.above, tile_layers, window);
    fold carry                  = folded_slots(sources.in_stretch(), line, tile.takes_part());
    if (publishes && ends_only_stretch && !total.begun)
    {
      publish(joined(carry, total, op_));
    }
    carry = joined(folded_slots(sources.of_stretches(), line, tile.takes_part()), carry, op_);
    if (sources.from_above)
    {
      carry = joined(from_window_above(sources.window_begin, line, tile.takes_part()), carry, op_);
    }
    if (publishes && ends_a_window && !total.begun)
    {
      publish(joined(carry, total, op_));
    }
    return carry;
  }

  // The fold of what tiles above published of the thread's line. All threads call it.
  __device__ fold folded_slots(const slots_above& slots, index line, bool takes_part)
  {
    fold folded{{}, false, false};
    if (slots.first >= slots.last)
    {
      return folded;
    }
    // A share of them for each group.
    const int share = (slots.capacity - 1) / args_.lines.groups + 1;
    const int begin = slots.first > group_ * share ? slots.first : group_ * share;
    const int end   = slots.last < (group_ + 1) * share ? slots.last : (group_ + 1) * share;
    for (int at = begin; takes_part && at < end; at += read_ahead)
    {
      item values[read_ahead];
      args_.slots.template read<Transport>(slots.begin + at * slots.step, slots.step, line, end - at, values);
      LIGHTSCAN_UNROLL
      for (int i = 0; i < read_ahead; ++i)
      {
        if (at + i < end)
        {
          folded = joined(folded, fold{values[i], true, false}, op_);
        }
      }
    }
    folds_.scan(folded, op_);
    return folds_.of(args_.lines.groups - 1);
  }

  // What the last tile of the window above published of the thread's line. All threads call it.
  __device__ fold from_window_above(index window_begin, index line, bool takes_part)
  {
    item above[1];
    if (group_ == 0 && takes_part)
    {
      args_.slots.template read<Transport>(window_begin - 1, 1, line, 1, above);
    }
    folds_.share(fold{above[0], takes_part, false}, group_ == 0);
    return folds_.of(0);
  }

  const arguments& args_;
  unsigned char* memory_;
  Op op_;
  int group_;
  int line_; // of the band
  folds folds_;
  fold kept_; // where a piece has several tiles: of those above
};

template <class Block>
__global__ void __launch_bounds__(Block::threads, Block::blocks_asked_for)
  batched_scan(const __grid_constant__ typename Block::arguments args)
{
#  if defined(__CUDA_ARCH__)
  // Where there is no room for bulk copies' tiles, there is an empty kernel, which no launch takes.
  if constexpr (!Block::by_bulk || has_bulk_copies(__CUDA_ARCH__ / 10))
  {
    extern __shared__ __align__(128) unsigned char tile_memory[]; // as tensor copies need it
    Block(args, tile_memory).scan();
  }
#  endif
}
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
