// Chain: the protocol as published (Liu and Aluru, section 3.3). A block waits for its left neighbour's finished
// prefix, adds its own aggregate and passes the sum on. Every hop is a trip through L2, and the hops are serial: a
// baseline that tests run and perf/ reports, not a choice for use.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/carry/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace carry
{
template <class T, class Op, class Transport, class Warp>
class chain
{
public:
  using index      = ::cuda::std::int64_t;
  using slot_place = typename slot_ring<T>::place;

  LIGHTSCAN_HOST_DEVICE chain(slot_ring<T> slots, Op, no_init)
      : slots_(slots)
  {}

  LIGHTSCAN_HOST_DEVICE chain(slot_ring<T> slots, Op, const T& init)
      : slots_(slots)
      , init_(init)
      , has_init_(true)
  {}

  static LIGHTSCAN_HOST_DEVICE void publish_aggregate(const slot_ring<T>&, slot_place, const T&, int = 0, int = 1) {}

  LIGHTSCAN_EXEC_CHECK_DISABLE
  static LIGHTSCAN_HOST_DEVICE void publish_prefix(const slot_ring<T>& slots,
                                                   slot_place to,
                                                   bool has_carry,
                                                   const T& carry,
                                                   const T& aggregate,
                                                   Op op,
                                                   int lane  = 0,
                                                   int lanes = 1)
  {
    slots.template publish<Transport>(to, has_carry ? combine(op, carry, aggregate).value : aggregate, lane, lanes);
  }

  // The carry of `tile`, in every lane. Waits for the tile before it.
  LIGHTSCAN_HOST_DEVICE uninitialized<T> carry_before(index tile)
  {
    has_carry_ = tile > 0 || has_init_;
    if (tile == 0)
    {
      return init_;
    }
    const slot_position left = slot_position::of(tile - 1);
    slot_reading<T> reading;
    reading.template load<Transport>(slots_.first_word(left));
    while (!reading.carries(slots_.tag(left.window)))
    {
      Transport::look_again();
      reading.template load<Transport>(slots_.first_word(left));
    }
    return reading.value();
  }

  LIGHTSCAN_HOST_DEVICE bool has_carry() const
  {
    return has_carry_;
  }

private:
  slot_ring<T> slots_;
  uninitialized<T> init_{};
  bool has_init_  = false;
  bool has_carry_ = false;
};
} // namespace carry
LIGHTSCAN_NAMESPACE_END
