// Lookahead: the protocol between blocks.
//
// Every tile's aggregate is published as soon as it is known, and a block that needs the carry of its next tile reads
// the aggregates of ALL tiles since its own last one and folds them itself. No block waits for another's carry, so the
// time between two tiles of a block is one trip through the L2 cache, not one per tile as in the paper's chain
// (measured on an H200: 425 ns a hop, and serial).
//
// Order of combination, a function of the tile index alone, so that the carry has the same bits on any number of
// resident blocks, at any timing; operands keep their order, so the operator need not be commutative:
//
//   - tiles are taken in windows of 32 lanes x `slots_per_lane` consecutive tiles (slot.h);
//   - lane l of the window folds its `slots_per_lane` consecutive aggregates from left to right;
//   - the lanes' values are folded by `Warp::fold`, a binary tree over adjacent lanes;
//   - completed windows are folded from left to right, starting with the initial value if there is one;
//   - the carry of a tile is that, followed by the tree over the tiles of its own window that lie before it.
//
// `Warp` is warp::device_warp on the GPU (a lane is a thread) and warp::serial_warp on the host (a lane is one iteration of
// a loop): one source, the same bits.
#pragma once

#include <lightscan/carry/aggregate.h>
#include <lightscan/carry/slot.h>
#include <lightscan/util/maybe.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace carry
{
template <class T, class Op, class Transport, class Warp>
class lookahead
{
public:
  using index        = ::cuda::std::int64_t;
  using aggregate    = aggregate_t<T>;
  using ring         = slot_ring<aggregate>;
  using slot_address = typename ring::address;

  LIGHTSCAN_HOST_DEVICE lookahead(ring slots, Op op, util::no_init)
      : slots_(slots)
      , op_(op)
  {}

  LIGHTSCAN_HOST_DEVICE lookahead(ring slots, Op op, const T& init)
      : slots_(slots)
      , op_(op)
      , before_window_(init)
      , has_before_window_(true)
  {}

  LIGHTSCAN_HOST_DEVICE lookahead(ring slots, Op op, const util::maybe<T>& init)
      : slots_(slots)
      , op_(op)
      , before_window_(init.value)
      , has_before_window_(init.there)
  {}

  // Publishes a tile's aggregate; to be called as soon as it is known, by one thread, or by `lanes` lanes at once, which share
  // out the copies of the slots.
  static LIGHTSCAN_HOST_DEVICE void
  publish_aggregate(const ring& slots, slot_address to, const aggregate& of_tile, int lane = 0, int lanes = 1)
  {
    slots.template publish<Transport>(to, of_tile, lane, lanes);
  }

  // The carry of `tile`, in every lane. `has_carry()` says whether there is one: there is none for tile 0 without an
  // initial value. Tiles must be asked for in increasing order. Waits for every tile before `tile`.
  //
  // All lanes combine alike, though one would do. When only the first did, an operator could part it from the others, and
  // ptxas (CUDA 13.0) once left it apart and had the kernel count its tiles in a uniform register, for each part once more
  // (perf/DECISIONS.md, all-lanes-combine).
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE util::uninitialized<T> carry_before(index tile)
  {
    if constexpr (one_fold)
    {
      for (;;)
      {
        lane_value in_next_window;
        if (read_ < tile)
        {
          read_runs(tile, in_next_window);
        }
        const bool complete = done_ >= window_size;
        const int lanes     = complete ? slot_position::lanes : (done_ + slots_per_lane - 1) / slots_per_lane;
        has_carry_          = has_before_window_ || lanes > 0;
        if (lanes == 0)
        {
          return before_window_;
        }
        const util::uninitialized<T> folded = after_window(lanes);
        if (!complete)
        {
          return folded;
        }
        close_window(folded, in_next_window);
      }
    }
    else
    {
      while (read_ < tile)
      {
        read_on(tile);
      }
      const int lanes = static_cast<int>(static_cast<unsigned>(done_ + slots_per_lane - 1) / slots_per_lane);
      has_carry_      = has_before_window_ || lanes > 0;
      return lanes > 0 ? after_window(lanes) : before_window_;
    }
  }

  // The aggregate of the tile before `tile`, in every lane: its carry, where a segment is known to begin there, with the same bits.
  // Waits for that tile alone, so nothing keeps blocks together: for launches in which none has a second tile.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE util::uninitialized<T> aggregate_before(index tile) const
  {
    const slot_position at          = slot_position::of(tile - 1);
    const ::cuda::std::uint32_t tag = slots_.tag(at.window);
    slot_word* const first          = slots_.first_word(at);
    slot_reading<aggregate> reading;
    Warp::each_lane([&](int) { // together again behind it
      reading.template load<Transport>(first);
      while (!reading.carries(tag))
      {
        Transport::delay();
        reading.template load<Transport>(first);
      }
    });
    return aggregate_of<T>::widened(reading.value().value);
  }

  LIGHTSCAN_HOST_DEVICE bool has_carry() const
  {
    return has_carry_;
  }

private:
  using lane_value = typename Warp::template per_lane<util::uninitialized<aggregate>>;

  // What came before the window under way, followed by the tree over its lowest `lanes` lanes.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE util::uninitialized<T> after_window(int lanes)
  {
    const util::uninitialized<T> folded = aggregate_of<T>::widened(Warp::fold(in_window_, lanes, op_).value);
    return has_before_window_ ? util::combine(op_, before_window_.value, folded.value) : folded;
  }

  // Reads runs, and folds a window that they complete.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE void read_on(index tile)
  {
    lane_value in_next_window;
    read_runs(tile, in_next_window);
    if (done_ >= window_size)
    {
      close_window(after_window(slot_position::lanes), in_next_window);
    }
  }

  // Goes on to the next window, of which `in_next_window` has what was read with this one.
  LIGHTSCAN_HOST_DEVICE void close_window(const util::uninitialized<T>& folded, const lane_value& in_next_window)
  {
    before_window_     = folded;
    has_before_window_ = true;
    in_window_         = in_next_window;
    done_ -= window_size;
    ++window_;
  }

  // Polls on as far as `tile`, or until a lane would need slots of two windows. `in_next_window`: as in_window_, where the poll reaches
  // so far.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE void read_runs(index tile, lane_value& in_next_window)
  {
    const index left     = tile - read_;
    const int whole_runs = static_cast<int>(static_cast<unsigned>(done_) / slots_per_lane);
    const int reach      = whole_runs * slots_per_lane + window_size - done_;
    const int tiles      = left < reach ? static_cast<int>(left) : reach;
    // Offsets from the beginning of the window under way; those beyond it lie in the next one.
    const int end = done_ + tiles;

    Warp::each_lane([&](int lane) {
      const bool wraps = (lane + 1) * slots_per_lane <= done_; // this lane has read its run of this window
      const int there  = end - lane * slots_per_lane - (wraps ? window_size : 0);
      const int count  = there < slots_per_lane ? there : slots_per_lane;
      if (count > 0)
      {
        const util::uninitialized<aggregate> folded = fold_run({window_ + (wraps ? 1 : 0), lane, 0}, count);
        if (wraps)
        {
          Warp::at(in_next_window, lane) = folded;
        }
        else
        {
          Warp::at(in_window_, lane) = folded;
        }
      }
    });
    read_ += tiles;
    done_ = end;
  }

  // The first `count` aggregates of a lane's run, folded: from its beginning, though an earlier poll may have had some, for that takes
  // fewer instructions than to go on from there (perf/DECISIONS.md, run-from-its-start).
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE util::uninitialized<aggregate> fold_run(slot_position at, int count)
  {
    const ::cuda::std::uint32_t tag = slots_.tag(at.window);
    slot_word* const run            = slots_.first_word(at); // at its index 0
    util::uninitialized<aggregate> value;
    LIGHTSCAN_UNROLL
    for (int begin = 0; begin < slots_per_lane; begin += slots_at_once)
    {
      if (one_fold && begin >= count)
      {
        break;
      }
      // A slot from `count` on, which nobody may have published, repeats the one before it (perf/DECISIONS.md, poll-order).
      slot_reading<aggregate> reading[slots_at_once];
      bool waiting = true;
      while (waiting)
      {
        // All loads come first, so that their trips through L2 overlap.
        LIGHTSCAN_UNROLL
        for (int i = 0; i < slots_at_once; ++i)
        {
          const int nearest = begin + i < count ? begin + i : count - 1;
          reading[i].template load<Transport>(run + nearest * ring::next_slot);
        }
        waiting = !all_carry(reading, tag);
        if (waiting)
        {
          Transport::delay();
        }
      }
      LIGHTSCAN_UNROLL
      for (int i = 0; i < slots_at_once; ++i)
      {
        if (begin + i == 0)
        {
          value = reading[i].value();
        }
        else if (begin + i < count)
        {
          value = util::combine(op_, value.value, reading[i].value().value);
        }
      }
    }
    return value;
  }

  static constexpr int slots_per_lane = slot_position::slots_per_lane;
  // Readings of wide slots would not all fit into registers (perf/DECISIONS.md, slots-at-once).
  static constexpr int words_per_slot = ring::words_per_slot;
  static constexpr int slots_at_once  = words_per_slot <= 6  ? slots_per_lane
                                      : words_per_slot <= 16 ? 3
                                      : words_per_slot <= 32 ? 2
                                                             : 1;
  static constexpr int window_size    = slot_position::window_size;
  // The widest aggregates' fold is long code, and there once; else a window is folded where it is completed, which takes fewer branches.
  static constexpr bool one_fold = slots_at_once == 1;

  // One question for all tags; but where a poll reads a part of a run, one after the other, or the compiler would load the next part while
  // it still holds this one, and spill (perf/DECISIONS.md, poll-order).
  static LIGHTSCAN_HOST_DEVICE bool all_carry(const slot_reading<aggregate> (&reading)[slots_at_once],
                                              ::cuda::std::uint32_t tag)
  {
    ::cuda::std::uint32_t differences = 0;
    bool all                          = true;
    LIGHTSCAN_UNROLL
    for (int i = 0; i < slots_at_once; ++i)
    {
      if constexpr (slots_at_once == slots_per_lane)
      {
        differences |= reading[i].differs_from(tag);
      }
      else
      {
        all = all && reading[i].carries(tag);
      }
    }
    return all && differences == 0;
  }

  ring slots_;
  Op op_;
  lane_value in_window_;                 // each lane's fold of its run in the window under way
  util::uninitialized<T> before_window_; // initial value and completed windows
  index window_           = 0;           // under way
  index read_             = 0;           // tiles that have been read
  int done_               = 0;           // those of the window under way
  bool has_before_window_ = false;
  bool has_carry_         = false;
};
} // namespace carry
LIGHTSCAN_NAMESPACE_END
