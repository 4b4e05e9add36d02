// One launch of the protocol between blocks, run for real: each resident block is a host thread, a warp is a loop
// (serial_warp), and the slots, the tags, the waiting and the order of combination are the very code that the kernels run.
#pragma once

#include "reference_folds.h"

#include <lightscan/carry/lookahead.h>
#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/warp/serial_warp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace testing_support
{
namespace carry    = lightscan::carry;
namespace dispatch = lightscan::dispatch;
using index        = std::int64_t;

// The slots of one stream, used by launch after launch as runtime/workspace.h does it: never cleared, tags move on. A window's
// words behind them are nobody's.
template <class T>
class workspace
{
public:
  explicit workspace(std::size_t slots)
      : words_(slots * carry::slot_ring<T>::words_per_slot)
      , memory_(
          words_ + static_cast<std::size_t>(carry::slot_position::window_size * carry::slot_ring<T>::words_per_slot),
          fill)
  {}

  carry::slot_ring<T> lease(const dispatch::plan& plan)
  {
    const std::uint32_t first_tag = next_tag_;
    next_tag_ += static_cast<std::uint32_t>(dispatch::tags_for(plan));
    const std::size_t bytes = dispatch::slot_bytes_for(plan, carry::slot_ring<T>::words_per_slot);
    if (bytes > words_ * sizeof(carry::slot_word))
    {
      throw std::length_error("the launch needs more slots than the test made");
    }
    return carry::slot_ring<T>(memory_.data(), plan.log2_ring_windows, first_tag, bytes > 0 ? plan.ring_copies : 0);
  }

  bool nothing_behind() const
  {
    return std::all_of(memory_.begin() + static_cast<std::ptrdiff_t>(words_), memory_.end(), [](carry::slot_word word) {
      return word == fill;
    });
  }

private:
  static constexpr carry::slot_word fill = carry::pack(0x5a5a5a5au, 0);

  std::size_t words_;
  std::vector<carry::slot_word> memory_;
  std::uint32_t next_tag_ = 1;
};

struct shape
{
  int blocks;                                 // that can be resident: threads
  int groups;                                 // a block publishes a tile once it is done with the one `groups` before
  int copies        = 1;                      // of the slots
  std::size_t bytes = carry::workspace_bytes; // for them
  bool rereads      = false;                  // whether lanes read runs from the beginning again
};

// What one block of a launch does.
template <class Transport, class T, class Op, class Init>
class launch
{
  template <bool Rereads>
  using lookahead = carry::lookahead<T, Op, Transport, lightscan::warp::serial_warp, Rereads>;

public:
  launch(workspace<T>& memory, const std::vector<T>& aggregates, Op op, Init init, shape resident)
      : aggregates_(aggregates)
      , op_(op)
      , init_(init)
      , groups_(resident.groups)
      , rereads_(resident.rereads)
      , plan_(dispatch::with_copies(
          dispatch::plan_for(lightscan::tile::geometry{static_cast<index>(aggregates.size()), 0, 1},
                             dispatch::resident_within(resident.bytes,
                                                       static_cast<index>(aggregates.size()),
                                                       resident.blocks,
                                                       resident.groups,
                                                       carry::slot_ring<T>::words_per_slot),
                             resident.groups),
          resident.copies,
          carry::slot_ring<T>::words_per_slot,
          resident.bytes))
      , slots_(memory.lease(plan_))
      , carries_(aggregates.size(), {false, {}})
  {}

  int grid() const
  {
    return plan_.grid;
  }

  void block(index b)
  {
    rereads_ ? block_that<true>(b) : block_that<false>(b);
  }

  const std::vector<found_carry<T>>& carries() const
  {
    return carries_;
  }

private:
  template <bool Rereads>
  void block_that(index b)
  {
    lookahead<Rereads> carry_of(slots_.copy_for(static_cast<unsigned>(b)), op_, init_);
    const index owned = lightscan::tile::owned_tiles(plan_.tiles.num_tiles, b, plan_.grid);
    for (index k = 0; k < owned + groups_; ++k)
    {
      if (k >= groups_)
      {
        const index tile                          = b + (k - groups_) * plan_.grid;
        const std::size_t at                      = static_cast<std::size_t>(tile);
        const lightscan::util::uninitialized<T> c = carry_of.carry_before(tile);
        if (carry_of.has_carry())
        {
          carries_[at] = {true, c};
        }
      }
      if (k < owned)
      {
        const index tile = b + k * plan_.grid;
        lookahead<Rereads>::publish_aggregate(
          slots_, slots_.address_of(tile), aggregates_[static_cast<std::size_t>(tile)]);
      }
    }
  }

  const std::vector<T>& aggregates_;
  Op op_;
  Init init_;
  int groups_;
  bool rereads_;
  dispatch::plan plan_;
  carry::slot_ring<T> slots_;
  std::vector<found_carry<T>> carries_; // of every tile; each is written by its own block
};
} // namespace testing_support
