// How carries come to the tiles of the pipeline (pipeline.h). Tiles below each other make stretches. A tile publishes one value for each of
// its lines, the fold of the line's elements since the line began, as far as they lie in the tile; the last one of a stretch, as far as
// they lie in the stretch. So the carry of a tile is the fold of
//
//     the stretches above its own,  the first tiles of its own one,  the others above it,
//
// from where the line began on. Each of these three is brought by a warp, with a lane for each line; a block keeps what it knows of the
// stretches, and reads only those that are new to it. The order of combination depends on the geometry alone, hence the same bits in every
// run, on any number of blocks. There is no chain: what a stretch comes to follows from its own tiles.
//
// In bands of a wide layer few blocks have tiles below each other. There each tile is a stretch of its own.
#pragma once

#include <lightscan/batched/block_tiles.h>
#include <lightscan/batched/carry_chain.h>
#include <lightscan/batched/geometry.h>
#include <lightscan/batched/line_fold.h>
#include <lightscan/batched/tile.h>
#include <lightscan/carry/slot.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
// Slots whose loads a lane has under way at once; and tiles of a stretch: two warps bring what all but the last of them publish
// (perf/DECISIONS.md, pipeline-stretch).
inline constexpr int slots_asked         = 8;
inline constexpr int stretch_of_pipeline = 2 * slots_asked + 1;

static_assert(most_blocks_of_band <= slots_asked, "what a band's blocks publish in a round takes one trip");

// So many slots for each line: one for each tile, and after them one for each whole stretch; but only one where that is a tile.
LIGHTSCAN_HOST_DEVICE constexpr index slots_of_pipeline(index tiles, access how)
{
  return how == access::bands ? tiles : tiles + tiles / stretch_of_pipeline;
}

// A line reaches so many layers up from where a tile begins or ends.
struct line_reach
{
  int layers;
  int tile_layers;

  LIGHTSCAN_HOST_DEVICE line_reach(index layers_above, int layers_of_tile)
      : layers(layers_above < most ? static_cast<int>(layers_above) : most)
      , tile_layers(layers_of_tile)
  {}

  // Whether it goes on beyond so many tiles, of a round of the blocks and a stretch at most.
  LIGHTSCAN_HOST_DEVICE bool beyond(tile_number tiles) const
  {
    return layers > tiles * tile_layers;
  }

private:
  static constexpr int most = 1 << 30;
};

// The slots of some lines that a tile has: those of one tile lie side by side, and tiles below each other one after the other.
template <class T>
struct slots_in_order
{
  static constexpr int words = line_slots<T>::words;

  carry::slot_word* memory;
  int lines;

  // Of all lines of a layer.
  LIGHTSCAN_HOST_DEVICE explicit slots_in_order(const line_slots<T>& slots)
      : memory(slots.memory)
      , lines(static_cast<int>(slots.inner))
  {}
  // Of `count` lines from the one of number `first` on, which have `below` slots each.
  LIGHTSCAN_HOST_DEVICE slots_in_order(const line_slots<T>& slots, index first, int count, index below)
      : memory(slots.memory + first * below * words)
      , lines(count)
  {}

  LIGHTSCAN_HOST_DEVICE carry::slot_word* first_word(index slot) const
  {
    return memory + slot * words;
  }

  template <class Transport>
  LIGHTSCAN_HOST_DEVICE void publish(tile_number tile, int line, const T& value) const
  {
    const util::words<T> payload = util::to_words(value);
    carry::slot_word* const to   = first_word(static_cast<index>(tile) * lines + line);
    LIGHTSCAN_UNROLL
    for (int w = 0; w < words; ++w)
    {
      Transport::store(to + w, carry::pack(payload.word[w], line_slots<T>::filled));
    }
  }
};

// Tiles, or stretches, whose slots are asked for.
struct slots_wanted
{
  tile_number first;
  int count; // none where it is not positive; beyond slots_asked, what is left has to wait
};

#if defined(__CUDACC__)
// Slots that a warp asks for, and waits for later. Neighbouring lanes have neighbouring slots, whichever lines these are of: all blocks ask
// for the same few lines of the cache, and the number of requests is what takes time (perf/DECISIONS.md, slots-in-order).
//
// Lines: as many as there may be, 32 at most.
template <class T, int Lines, class Transport>
class asked_slots
{
  static constexpr int values = slots_asked * Lines;
  static constexpr int each   = values / warp::lanes;

public:
  static constexpr int bytes = values * static_cast<int>(sizeof(T));

  // `memory`: of shared memory, for the warp.
  __device__ asked_slots(const slots_in_order<T>& slots, unsigned char* memory)
      : slots_(slots)
      , values_(reinterpret_cast<util::uninitialized<T>*>(memory))
  {}

  // From now on those of other lines are asked for.
  __device__ void turn_to(const slots_in_order<T>& slots)
  {
    slots_ = slots;
  }

  __device__ void ask(const slots_wanted& wanted)
  {
    carry::slot_word* const first = first_word(wanted);
    LIGHTSCAN_UNROLL
    for (int i = 0; i < each; ++i)
    {
      if (is_asked(i, wanted))
      {
        load(i, first);
      }
    }
  }

  // Once all are there, folds those of the lane's line for whose number among the tiles counts(i) holds behind `folded`, in order. All
  // lanes call it.
  template <class F, class Op>
  __device__ line_fold<T> fold(const slots_wanted& wanted, line_fold<T> folded, F counts, Op& op)
  {
    while (!all_there(wanted))
    {
      Transport::delay();
      carry::slot_word* const first = first_word(wanted);
      LIGHTSCAN_UNROLL
      for (int i = 0; i < each; ++i)
      {
        if (is_asked(i, wanted) && !reading_[i].carries(line_slots<T>::filled))
        {
          load(i, first);
        }
      }
    }
    LIGHTSCAN_UNROLL
    for (int i = 0; i < each; ++i)
    {
      if (is_asked(i, wanted))
      {
        values_[warp::lane_id() + i * warp::lanes] = reading_[i].value();
      }
    }
    __syncwarp();
    util::uninitialized<T> value[slots_asked];
    const int count = warp::lane_id() < slots_.lines ? wanted.count : 0;
    LIGHTSCAN_UNROLL
    for (int i = 0; i < slots_asked; ++i)
    {
      if (i < count)
      {
        value[i] = values_[warp::lane_id() + i * slots_.lines];
      }
    }
    LIGHTSCAN_UNROLL
    for (int i = 0; i < slots_asked; ++i)
    {
      if (i < count && counts(i))
      {
        folded = joined(folded, line_fold<T>{value[i], true, false}, op);
      }
    }
    __syncwarp(); // before others are put there
    return folded;
  }

private:
  __device__ carry::slot_word* first_word(const slots_wanted& wanted) const
  {
    return slots_.first_word(static_cast<index>(wanted.first) * slots_.lines + warp::lane_id());
  }
  __device__ bool is_asked(int i, const slots_wanted& wanted) const
  {
    const int count = wanted.count < slots_asked ? wanted.count : slots_asked;
    return warp::lane_id() + i * warp::lanes < count * slots_.lines;
  }
  __device__ void load(int i, carry::slot_word* first)
  {
    reading_[i].template load<Transport>(first + i * (warp::lanes * slots_in_order<T>::words), 1);
  }
  __device__ bool all_there(const slots_wanted& wanted) const
  {
    bool all = true;
    LIGHTSCAN_UNROLL
    for (int i = 0; i < each; ++i)
    {
      all = all && (!is_asked(i, wanted) || reading_[i].carries(line_slots<T>::filled));
    }
    return all;
  }

  slots_in_order<T> slots_;
  util::uninitialized<T>* values_;
  carry::slot_reading<T> reading_[each];
};

// What a warp brings of carries: for each of a block's tiles, the fold of each line over what it has part in.
//
//   wanted(t)               what tile t needs
//   fold(slots, t, reach)   the fold for tile t, whose lines reach so far up, from what was asked for
//
// This one is of tiles of the same stretch: those from its `First`th on.
template <class T, class Op, class Asked, int First>
class fold_of_tiles
{
public:
  using asked = Asked;

  __device__ explicit fold_of_tiles(const Op& op)
      : op_(op)
  {}

  static __device__ slots_wanted wanted(tile_number t)
  {
    const tile_number first = t / stretch_of_pipeline * stretch_of_pipeline + First;
    return {first, t - first};
  }

  __device__ line_fold<T> fold(asked& slots, tile_number t, const line_reach& reach)
  {
    const slots_wanted these = wanted(t);
    return slots.fold(
      these,
      line_fold<T>{{}, false, false},
      [&](int i) {
        return reach.beyond(t - 1 - (these.first + i));
      },
      op_);
  }

private:
  Op op_;
};

// Of whole stretches: what was folded for the block's last tile, and those that are new since.
template <class T, class Op, class Asked, int Stretch>
class fold_of_stretches
{
public:
  using asked = Asked;

  // `first`: the first stretch's slot. Of the tiles below each other, a block takes every `blocks`th.
  __device__ fold_of_stretches(tile_number first, int blocks, const Op& op)
      : first_(first)
      , blocks_(blocks)
      , op_(op)
  {}

  __device__ slots_wanted wanted(tile_number t) const
  {
    const tile_number known = t < blocks_ ? 0 : (t - blocks_) / Stretch;
    return {first_ + known, t / Stretch - known};
  }

  __device__ line_fold<T> fold(asked& slots, tile_number t, const line_reach& reach)
  {
    slots_wanted these = wanted(t);
    if (!reach.beyond(t - (these.first - first_) * Stretch))
    {
      folded_ = {{}, false, false}; // of lines that have ended
    }
    while (true)
    {
      folded_ = slots.fold(
        these,
        folded_,
        [&](int i) {
          return reach.beyond(t - (these.first - first_ + i + 1) * Stretch);
        },
        op_);
      these = {these.first + slots_asked, these.count - slots_asked};
      if (these.count <= 0)
      {
        return folded_;
      }
      slots.ask(these);
    }
  }

private:
  tile_number first_;
  int blocks_;
  Op op_;
  line_fold<T> folded_{{}, false, false};
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
