// The shape of the bulk pipeline's blocks: a row of the tuning table, fitted to the sizes of the items and to an architecture.
#pragma once

#include <lightscan/bulk/items_at_once.h>
#include <lightscan/bulk/source.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/bulk/state_bytes.h>
#include <lightscan/dispatch/architectures.h>
#include <lightscan/dispatch/item_sizes.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
struct bulk_shape
{
  bool serves; // else there is no row, or no room, and nothing below is meant
  int evaluators;
  int groups;
  int group_threads;
  int chunks; // of a thread
  int unroll;
  int items_per_thread;
  int tile_items;
  int tile_bytes; // of a stage
  int stages;
  int loads_ahead;
  int loads_at_once;
  int prefetched; // tiles between what is loaded and what is brought to L2
  int loaders;
  int storers;
  int plain_tiles;
  bool rereads;      // whether lanes that go on read their runs of slots from the beginning (carry/lookahead.h)
  int tiles_in_hand; // that the groups have published, and not finished
  int threads;       // in all, the lookahead warp too
  int shared_bytes;  // dynamic
};

inline constexpr int most_threads = 1024; // of a block

// Of a block with so many groups and teams of evaluators, loaders, the lookahead warp and storers.
constexpr int threads_of(const bulk_row& row, int groups, int evaluators, const architecture_row& on)
{
  return (groups + evaluators) * row.group_threads + 32 * (on.loaders + 1 + on.storers);
}

// Whether a kernel can be made of a row: an architecture of the table, threads (the edges of a tile take 64 of a group: bulk/edges.h),
// named barriers, and room for two tiles.
constexpr bool possible(const bulk_row& row)
{
  const architecture_row on = architecture_row_for(row.compute_capability);
  const int shared          = row.shared > 0 ? row.shared : on.shared;
  return row.compute_capability == on.compute_capability && row.columns >= 0 && row.evaluators >= 0 && row.groups >= 1
      && row.groups < 16 && row.group_threads >= 64 && row.group_threads % 32 == 0
      && threads_of(row, row.groups, row.evaluators, on) <= most_threads && row.bytes_per_thread >= 16
      && row.unroll >= 1 && row.loads_at_once >= 1 && row.loads_ahead >= row.groups && row.plain_tiles >= 1
      && row.prefetched >= 0 && shared <= most_shared(row.compute_capability)
      && 2 * row.group_threads * row.bytes_per_thread < shared * 1024;
}

template <int Count>
constexpr bool all_possible(const bulk_row (&rows)[Count], int count = Count)
{
  for (int number = 0; number < count; ++number)
  {
    if (!possible(rows[number]))
    {
      return false;
    }
  }
  return true;
}
static_assert(
  all_possible(own_rows, static_cast<int>(sizeof(own_rows) / sizeof(own_rows[0])) - 1),
  "lightscan: a row of LIGHTSCAN_BULK_ROWS does not fit its GPU: no such architecture (75, 80, 86, 90 or 120), too "
  "many threads, too much shared memory, or numbers that make no sense");

// Tiles that are loaded ahead or still being stored would not fill more.
inline constexpr int most_stages = 16;

// One is filled, one worked on, one emptied.
inline constexpr int fewest_stages = 3;

// A block of so many kilobytes has short tiles, which leave the lookahead warp little time for each (perf/DECISIONS.md,
// run-from-its-start).
inline constexpr int most_shared_to_reread = 99;

// How many of a block's tiles before words pass through registers their memory is brought to L2 (perf/DECISIONS.md, prefetched-words).
inline constexpr int words_prefetched = 1;

// Where results are not in place, a thread holds all its elements in registers: at most so many bytes, or one chunk. Elements of odd sizes
// take more registers than their bytes say, for they move in narrow words. Of memory, where results are emitted, by a row measured there, a
// thread has rather three chunks of 64 bytes, and a key beside each, than one (perf/DECISIONS.md, taken-bytes).
inline constexpr int taken_bytes = 176;

// Where results are emitted: accumulators of more bytes are wide, and have rows of their own; and so many threads a group has at least
// (perf/DECISIONS.md, fewer-emitting-threads).
inline constexpr unsigned narrow_emitted     = 32;
inline constexpr int fewest_emitting_threads = 64;

// The same where it has fewer so that each has three chunks, not one (perf/DECISIONS.md, fitted-emission).
inline constexpr int fewest_threads_of_three = 96;

// Elements of 512 bytes and less find room in registers, a chunk of them.
inline constexpr int most_chunk_bytes = 512;

constexpr int stages_within(int shared_bytes, int tile_bytes, int groups, int group_threads, const item_sizes& items)
{
  int stages = most_stages;
  while (stages > 0
         && stages * tile_bytes
                + bulk::state_bytes(stages, groups, group_threads, items.accumulator, items.alignment, items.emits)
              > shared_bytes)
  {
    --stages;
  }
  return stages;
}

// Fewer chunks, by a third at most, where evaluators then read many more items at once: a prime number of them one by one
// (perf/DECISIONS.md, evaluated-chunks).
constexpr int chunks_at_once(int chunks, const item_sizes& items)
{
  const auto at_once = [&](int of) {
    return bulk::items_at_once(
      of * items.chunk_items, items.evaluated, bulk::evaluated_bytes_for(items.evaluated, items.columns));
  };
  int best = chunks;
  for (int fewer = chunks - 2; items.evaluated > 0 && 3 * fewer >= 2 * chunks; fewer -= 2)
  {
    best = at_once(fewer) > 2 * at_once(best) ? fewer : best;
  }
  return best;
}

constexpr bulk_shape shape_of(const item_sizes& items, bulk_row row, const architecture_row& on)
{
  bulk_shape shape{};
  const auto least = [](int a, int b) {
    return a < b ? a : b;
  };
  const auto most_of = [](int a, int b) {
    return a > b ? a : b;
  };
  const int in_hand = items.emits ? 2 : 1; // tiles of a group that are not finished: what is emitted it comes back for
  if (row.groups == 0 || items.chunk_bytes > most_chunk_bytes)
  {
    return shape;
  }
  const bool own         = architecture_number(row.compute_capability) == architecture_number(on.compute_capability);
  const bool fitted      = !own || row.fitted;
  const int shared_bytes = 1024 * (row.shared == 0 ? on.shared : own ? row.shared : least(row.shared, on.shared));

  int bytes = row.bytes_per_thread;
  if (!items.in_place)
  {
    bytes = least(bytes, taken_bytes / items.held_bytes * items.chunk_bytes);
    if (items.emits && own && !row.fitted && items.source == bulk::source::memory && bytes < 3 * items.chunk_bytes
        && 3 * items.chunk_bytes <= bulk::three_emitted_chunks)
    {
      bytes = 3 * items.chunk_bytes;
    }
  }
  shape.chunks = tile::chunks_within(bytes, items.chunk_bytes);
  if (fitted && on.stages > 0)
  {
    const auto chunks_of = [&](int stages, int threads) {
      const int state = bulk::state_bytes(stages, row.groups, threads, items.accumulator, items.alignment, items.emits);
      const int room  = ((shared_bytes - state) / stages - items.slack) / threads;
      return tile::chunks_within(least(bytes, room), items.chunk_bytes);
    };
    // Rather fewer stages than one chunk a thread, for a tile costs more than its items' work. And as few as there can be where keys and
    // values in memory are reduced to more bytes than are loaded: loads are short then, and the tiles of one group as long as they can be.
    const bool narrow  = items.emits && items.source == bulk::source::memory && row.accumulator <= narrow_emitted;
    const bool reduces = items.columns > 1 && items.accumulator > static_cast<int>(sizeof(tile::index));
    const bool widens  = narrow && reduces && items.held_bytes < items.chunk_bytes;
    int stages         = widens ? fewest_stages : most_of(on.stages, in_hand * row.groups);
    shape.chunks       = chunks_of(stages, row.group_threads);
    while (shape.chunks == 1 && stages > fewest_stages)
    {
      shape.chunks = chunks_of(--stages, row.group_threads);
    }
    // Also rather fewer threads, where results are emitted: one group of them has registers for three chunks.
    if (narrow && shape.chunks == 1)
    {
      bytes       = most_of(bytes, least(3 * items.chunk_bytes, bulk::three_emitted_chunks));
      int threads = row.group_threads;
      while (threads > fewest_threads_of_three && chunks_of(fewest_stages, threads) == 1)
      {
        threads -= 32;
      }
      if (chunks_of(fewest_stages, threads) > 1)
      {
        shape.chunks      = chunks_of(fewest_stages, threads);
        row.group_threads = threads;
      }
    }
  }
  else if (items.in_place && shape.chunks == 1)
  {
    const int stages = stages_within(
      shared_bytes, row.group_threads * 3 * items.chunk_bytes + items.slack, row.groups, row.group_threads, items);
    shape.chunks = stages > fewest_stages ? 3 : 1; // for the same reason (perf/DECISIONS.md, three-chunks)
  }
  shape.chunks = chunks_at_once(shape.chunks, items);
  // Items may come in longer chunks than those that a row was measured with, and a GPU may have less shared memory: where results are
  // emitted a group has fewer threads then, rather than that there is no ring; of wide ones, rather than no stage to load into while groups
  // have their tiles in hand.
  const auto stages_of = [&](int threads) {
    const int tile_bytes = threads * shape.chunks * items.chunk_bytes + items.slack;
    return stages_within(shared_bytes, tile_bytes, row.groups, threads, items);
  };
  const int too_few = !items.emits ? 0 : row.accumulator > narrow_emitted ? in_hand * row.groups : 1;
  while (row.group_threads > fewest_emitting_threads && stages_of(row.group_threads) <= too_few)
  {
    row.group_threads -= 32;
  }
  shape.group_threads    = row.group_threads;
  shape.unroll           = least(row.unroll, shape.chunks); // too many at once spill, one at a time waits
  shape.items_per_thread = shape.chunks * items.chunk_items;
  shape.tile_items       = row.group_threads * shape.items_per_thread;
  shape.tile_bytes       = row.group_threads * shape.chunks * items.chunk_bytes + items.slack;
  shape.stages           = stages_within(shared_bytes, shape.tile_bytes, row.groups, row.group_threads, items);
  // Long chunks (an element of 15 bytes needs 240) leave room for fewer stages. A group may wait for a stage only when it is sure to
  // have been filled before: a parity tells two rounds of the ring apart, not three (bulk/block.h; testing/model/pipeline.pml).
  shape.groups     = least(row.groups, items.emits ? shape.stages / in_hand : shape.stages - 1);
  shape.evaluators = items.has_evaluators ? least(row.evaluators, shape.stages) : 0;
  // Where an architecture has more loaders than the row counts on: no more threads all the same, nor fewer registers for each.
  const int most     = threads_of(row, row.groups, row.evaluators, architecture_row_for(row.compute_capability));
  const auto threads = [&] {
    return threads_of(row, shape.groups, shape.evaluators, on);
  };
  while (threads() > most && shape.groups > 1)
  {
    --(shape.evaluators > 1 ? shape.evaluators : shape.groups);
  }
  shape.tiles_in_hand = shape.groups * in_hand;
  shape.loads_ahead   = least(row.loads_ahead, shape.stages - 1);
  shape.loads_at_once = least(row.loads_at_once, shape.loads_ahead);
  // A selection may write as much as it reads, and is slower then (perf/DECISIONS.md, prefetched); a run has a key and a value.
  const bool selects = items.emits && (items.results < 2 || items.held_in_registers > items.accumulator);
  shape.prefetched   = on.copies == bulk::copies::words            ? words_prefetched
                     : on.copies == bulk::copies::bulk && !selects ? row.prefetched
                                                                   : 0;
  // sm_75 lacks the registers.
  shape.rereads     = on.copies != bulk::copies::words && (items.emits || shared_bytes <= 1024 * most_shared_to_reread);
  shape.loaders     = on.loaders;
  shape.storers     = on.storers;
  shape.plain_tiles = row.plain_tiles;
  shape.threads     = threads();
  shape.shared_bytes = shape.stages * shape.tile_bytes;
  shape.serves       = shape.stages >= 2 && shape.threads <= most_threads;
  return shape;
}

// Whether a row asks for more shared memory than the table has for an architecture. Rows of a user's own may, for GPUs that he knows.
constexpr bool asks_for_more(const bulk_shape& shape, const architecture_row& on)
{
  return shape.serves && shape.shared_bytes > 1024 * on.shared;
}

// The row for some items. One with lookups serves the architecture alone that it was measured on, for what it leaves to the L1 cache is a
// matter of sizes; elsewhere, and where there is none, lookups count for nothing. Keys that are searched for have the row of others that
// are gathered where there is none for them.
template <class Policies>
constexpr bulk_row row_for(int compute_capability, const item_sizes& items)
{
  const auto of = [&](bulk::source source) {
    const auto accumulator = static_cast<unsigned>(items.held_in_registers);
    return Policies::bulk(compute_capability, source, items.columns, items.placed, accumulator);
  };
  if (items.looks_up && (items.source == bulk::source::memory || items.source == bulk::source::calculated))
  {
    const bulk_row row = of(bulk::source::with_lookups);
    if (row.groups > 0 && architecture_number(row.compute_capability) == architecture_number(compute_capability))
    {
      return row;
    }
  }
  if (items.source == bulk::source::searched)
  {
    const bulk_row row = of(bulk::source::searched);
    return row.groups > 0 ? row : of(bulk::source::gathered);
  }
  return of(items.source);
}

// The shape for `Policies` (dispatch/tuning.h) on an architecture.
template <class Items, class Policies>
constexpr bulk_shape shape_on(int compute_capability)
{
  constexpr item_sizes items = item_sizes_of<Items>();
  return shape_of(items, row_for<Policies>(compute_capability, items), Policies::architecture(compute_capability));
}

// The same as constants, for the kernel.
template <class Items, class Policies, int ComputeCapability>
struct bulk_policy
{
  using mover = typename Policies::template mover<ComputeCapability>;

  static constexpr bulk_shape shape     = shape_on<Items, Policies>(ComputeCapability);
  static constexpr bool serves          = shape.serves;
  static constexpr int evaluators       = shape.evaluators;
  static constexpr int groups           = shape.groups;
  static constexpr int group_threads    = shape.group_threads;
  static constexpr int chunks           = shape.chunks;
  static constexpr int unroll           = shape.unroll;
  static constexpr int items_per_thread = shape.items_per_thread;
  static constexpr int tile_items       = shape.tile_items;
  static constexpr int tile_bytes       = shape.tile_bytes;
  static constexpr int stages           = shape.stages;
  static constexpr int loads_ahead      = shape.loads_ahead;
  static constexpr int loads_at_once    = shape.loads_at_once;
  static constexpr int prefetched       = shape.prefetched;
  static constexpr bool rereads         = shape.rereads;
  static constexpr int loaders          = shape.loaders;
  static constexpr int storers          = shape.storers;
  static constexpr int threads          = serves ? shape.threads : 32; // of the empty kernel
};

// The pipeline's shapes for some items, on every architecture; the kernel takes them whole, the host asks for one.
template <class Items, class Policies>
struct bulk_policies
{
  // Code for sm_89 has sm_86's: kernels and the host ask for no other numbers than the table of architectures has, so that both
  // always have the same shape.
  template <int ComputeCapability>
  using on = bulk_policy<Items, Policies, architecture_row_for(ComputeCapability).compute_capability>;

  struct table
  {
    bulk_shape of[num_architectures];
  };

  static constexpr table shapes()
  {
    table all{};
    for (int number = 0; number < num_architectures; ++number)
    {
      all.of[number] = shape_on<Items, Policies>(architectures[number].compute_capability);
    }
    return all;
  }

  // For code of a compute capability.
  static const bulk_shape& shape(int compute_capability)
  {
    static constexpr table all = shapes();
    static constexpr bulk_shape none{};
    const int number = architecture_number(compute_capability);
    return number < 0 ? none : all.of[number];
  }

  static int shared_bytes(int compute_capability)
  {
    return shape(compute_capability).shared_bytes;
  }

  // Of those with the most shared memory, which serve whatever any does.
  static constexpr bulk_shape best = shape_on<Items, Policies>(tuned_for);
};

// The shape for a scan of plain memory of T.
template <class T, class Policies = tuned_policies>
constexpr bulk_shape shape_for(int compute_capability)
{
  return shape_on<bulk::column_items<tile::scan_kind<T, true>, tile::column<T>, tile::column<T>>, Policies>(
    compute_capability);
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
