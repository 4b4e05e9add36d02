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
// `Rereads`: whether a lane that has had a part of its run reads it from the beginning again, where that is faster (`rereads`).
template <class T, class Op, class Transport, class Warp, bool Rereads = false>
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
    if constexpr (rereads)
    {
      while (window_begin_ + done_ < tile)
      {
        lane_value in_next_window;
        read_on(tile, in_next_window);
        if (done_ >= window_size)
        {
          go_on_after(after_window(slot_position::lanes), in_next_window);
        }
      }
      const int lanes = (done_ + slots_per_lane - 1) / slots_per_lane;
      has_carry_      = has_before_window_ || lanes > 0;
      return lanes > 0 ? after_window(lanes) : before_window_;
    }
    else
    {
      return carry_by_one_fold(tile);
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

  // Goes on to the next window, of which `in_next_window` has what was read with this one.
  LIGHTSCAN_HOST_DEVICE void go_on_after(const util::uninitialized<T>& folded, const lane_value& in_next_window)
  {
    before_window_     = folded;
    has_before_window_ = true;
    in_window_         = in_next_window;
    done_ -= window_size;
    window_begin_ += window_size;
    ++window_;
  }

  // carry_before with a window's fold, which may be long code, there once. It says after_window's fold again, for through that
  // plain kernels' code changes, which nobody measured (perf/NOTES.md, "An instruction of the lookahead warp's").
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE util::uninitialized<T> carry_by_one_fold(index tile)
  {
    for (;;)
    {
      lane_value in_next_window; // as in_window_, where a poll reaches so far
      if (window_begin_ + done_ < tile)
      {
        read_on(tile, in_next_window);
      }
      const bool complete = done_ >= window_size;
      const int lanes     = complete ? slot_position::lanes : (done_ + slots_per_lane - 1) / slots_per_lane;
      has_carry_          = has_before_window_ || lanes > 0;
      if (lanes == 0)
      {
        return before_window_;
      }
      util::uninitialized<T> folded = aggregate_of<T>::widened(Warp::fold(in_window_, lanes, op_).value);
      if (has_before_window_)
      {
        folded = util::combine(op_, before_window_.value, folded.value);
      }
      if (!complete)
      {
        return folded;
      }
      go_on_after(folded, in_next_window);
    }
  }

  // Polls on as far as `tile`, or until a lane would need slots of two windows. `in_next_window`: as in_window_, where the poll reaches
  // so far.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE void read_on(index tile, lane_value& in_next_window)
  {
    // Offsets from the beginning of the window under way; those beyond it lie in the next one.
    const index left = tile - window_begin_;
    const int reach  = done_ - done_ % slots_per_lane + window_size;
    const int end    = left < reach ? static_cast<int>(left) : reach;

    Warp::each_lane([&](int lane) {
      const bool wraps = (lane + 1) * slots_per_lane <= done_; // this lane has read its run of this window
      const int run    = lane * slots_per_lane + (wraps ? window_size : 0);
      const int first  = rereads || run > done_ ? 0 : done_ - run;
      const int last   = end - run < slots_per_lane ? end - run : slots_per_lane;
      if (first < last)
      {
        const slot_position at{window_ + (wraps ? 1 : 0), lane, 0};
        const util::uninitialized<aggregate> folded = append_run(Warp::at(in_window_, lane), at, first, last);
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
    done_ = end;
  }

  // The aggregates at indices [first, last) of a lane's run, folded onto `value`; without it where the run begins.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE util::uninitialized<aggregate>
  append_run(util::uninitialized<aggregate> value, slot_position at, int first, int last)
  {
    const ::cuda::std::uint32_t tag = slots_.tag(at.window);
    slot_word* const run            = slots_.first_word(at); // at its index 0
    LIGHTSCAN_UNROLL
    for (int begin = 0; begin < slots_per_lane; begin += slots_at_once)
    {
      // An index outside [first, last) repeats the nearest one inside (perf/DECISIONS.md, poll-order).
      slot_reading<aggregate> reading[slots_at_once];
      // Asked at the loop's end: else nvcc may keep the loops in it rolled (perf/NOTES.md, "Arrays in registers").
      bool waiting;
      do
      {
        // All loads come first, so that their trips through L2 overlap.
        LIGHTSCAN_UNROLL
        for (int i = 0; i < slots_at_once; ++i)
        {
          const int from    = !rereads && begin + i < first ? first : begin + i;
          const int nearest = from < last ? from : last - 1;
          reading[i].template load<Transport>(run + nearest * ring::next_slot);
        }
        waiting = false;
        if constexpr (rereads)
        {
          ::cuda::std::uint32_t differences = 0; // one question for all tags
          LIGHTSCAN_UNROLL
          for (int i = 0; i < slots_at_once; ++i)
          {
            differences |= reading[i].differs_from(tag);
          }
          waiting = differences != 0;
        }
        else
        {
          LIGHTSCAN_UNROLL
          for (int i = 0; i < slots_at_once; ++i)
          {
            waiting = waiting || !reading[i].carries(tag);
          }
        }
        if (waiting)
        {
          Transport::delay();
        }
      } while (waiting);
      LIGHTSCAN_UNROLL
      for (int i = 0; i < slots_at_once; ++i)
      {
        if (rereads && begin + i == 0)
        {
          value = reading[i].value();
        }
        else if (first <= begin + i && begin + i < last)
        {
          value = begin + i == 0 ? reading[i].value() : util::combine(op_, value.value, reading[i].value().value);
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
  // Where a poll has room for all of a lane's slots: bounds on one side, a question for all tags, and windows folded where they are
  // completed are fewer instructions. Runs of integers, whose folds are short as it is, are slower with it, and plain kernels, whose
  // lookahead has fewer registers, spill (perf/DECISIONS.md, run-from-its-start).
  static constexpr bool rereads = Rereads && slots_at_once == slots_per_lane
                               && (words_per_slot == 1 || !Warp::template folds_in_one_step<aggregate, Op>);

  ring slots_;
  Op op_;
  lane_value in_window_;                 // each lane's fold of its run in the window under way
  util::uninitialized<T> before_window_; // initial value and completed windows
  index window_           = 0;           // under way
  index window_begin_     = 0;           // its first tile
  int done_               = 0;           // tiles of it that have been read
  bool has_before_window_ = false;
  bool has_carry_         = false;
};
} // namespace carry
LIGHTSCAN_NAMESPACE_END
