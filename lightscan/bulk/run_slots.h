// What runs of items put into the slots that a stage has for a tile's results (reduction.h).
#pragma once

#include <lightscan/carry/aggregate.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// A tile's results have slots in the stage. Slot 0 is for the run that begins before the tile, which the carry tells of; a slot follows
// for each run that ends in the tile, and one for the run that the range ends with. `runs_of` says of a kind
//
//   lift             what an item is to the scan
//   put              what an item puts there that begins a run, given the fold of what lies before it in the tile
//   complete         what one thread puts there once the carry is there; which slots are then in use, and where slot 0 would go
struct run_slots
{
  tile::index first_begin; // where slot 0 of either column goes
  tile::index second_begin;
  int first_slots[2]; // in use: from, up to
  int second_slots[2];
};

template <class Kind>
struct runs_of;

template <class Value, class EqualityOp>
struct runs_of<tile::reduce_kind<Value, EqualityOp>>
{
  using carry_type = tile::reduced<Value>;
  using T          = carry::aggregate_t<carry_type>;

  // What lies in the tile before the first run that begins there.
  struct open_run
  {
    util::uninitialized<T> fold;
    bool has_items;
  };

  template <class View>
  static __device__ T lift(View& view, const typename View::in_chunks& in, int i, bool begins)
  {
    return T{static_cast<Value>(view.template input<1>(in, i)), begins ? 1 : 0};
  }

  static __device__ bool begins(const T& item)
  {
    return item.begun > 0;
  }

  // Of slots in all.
  static __device__ int first_count(const T& aggregate)
  {
    return aggregate.begun;
  }
  static __device__ int second_count(const T& aggregate)
  {
    return aggregate.begun + 1;
  }

  template <class View>
  static __device__ void put(View& view, const typename View::chunk& loaded, int i, const open_run& before)
  {
    const int run = before.has_items ? before.fold.value.begun : 0;
    view.put_first(run, view.template input<0>(loaded.in, i));
    if (run > 0)
    {
      view.put_second(run, before.fold.value.value);
    }
    else
    {
      view.open() = before;
    }
  }

  template <class View, class Op>
  static __device__ run_slots
  complete(const View& view, bool puts, const carry_type& carry, const T& aggregate, bool has_carry, bool ends, Op& op)
  {
    const int begun = aggregate.begun;
    if (puts && has_carry && (begun > 0 || ends))
    {
      const open_run& open = view.open();
      if (begun > 0 && !open.has_items)
      {
        view.put_second(0, carry.value);
      }
      else
      {
        const T rest = begun > 0 ? T(open.fold.value) : T(aggregate); // a reference would put both into local memory
        view.put_second(0, op(carry, carry::aggregate_of<carry_type>::widened(rest)).value);
      }
    }
    if (puts && ends && begun > 0)
    {
      view.put_second(begun, aggregate.value);
    }
    return {carry.begun, carry.begun - 1, {0, begun}, {has_carry ? 0 : 1, begun + (ends ? 1 : 0)}};
  }
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
