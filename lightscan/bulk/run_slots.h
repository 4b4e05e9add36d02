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
  static __device__ T lift(View& view, const typename View::in_chunks& in, int i, int, bool begins)
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
  static __device__ run_slots complete(const View& view,
                                       bool puts,
                                       const carry_type& carry,
                                       const T& aggregate,
                                       bool has_carry,
                                       bool ends,
                                       tile::index,
                                       Op& op)
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

template <class EqualityOp>
struct runs_of<tile::runs_kind<EqualityOp>>
{
  using T = tile::run_ends;

  struct open_run
  {
    util::uninitialized<T> fold;
    bool has_items;
  };

  template <class View>
  static __device__ T lift(View& view, const typename View::in_chunks&, int, int at, bool begins)
  {
    const tile::index here = begins ? view.begin() + at : -1;
    return T{0, here, here};
  }

  static __device__ bool begins(const T& item)
  {
    return item.first >= 0;
  }

  static __device__ int first_count(const T& aggregate)
  {
    return static_cast<int>(aggregate.ended) + 2;
  }
  static __device__ int second_count(const T& aggregate)
  {
    return first_count(aggregate);
  }

  template <class View>
  static __device__ void put(View& view, const typename View::chunk& loaded, int i, const open_run& before)
  {
    const T& run = before.fold.value;
    if (before.has_items && run.last >= 0)
    {
      put_run(view, static_cast<int>(run.ended) + 1, run.last, view.begin() + view.position(loaded, i));
    }
  }

  template <class View, class Op>
  static __device__ run_slots complete(const View& view,
                                       bool puts,
                                       const T& carry,
                                       const T& aggregate,
                                       bool has_carry,
                                       bool ends,
                                       tile::index num_items,
                                       Op&)
  {
    const bool begins          = aggregate.first >= 0; // a run does
    const tile::index open_end = begins ? aggregate.first : ends ? num_items : 0;
    const bool opens           = has_carry && open_end - carry.last > 1;
    const int ended            = static_cast<int>(aggregate.ended);
    const bool last            = ends && begins && num_items - aggregate.last > 1;
    if (puts && opens)
    {
      put_run(view, 0, carry.last, open_end);
    }
    if (puts && last)
    {
      put_run(view, ended + 1, aggregate.last, num_items);
    }
    const tile::index begin = (has_carry ? carry.ended : 0) - (opens ? 0 : 1);
    const int from          = opens ? 0 : 1;
    const int to            = ended + 1 + (last ? 1 : 0);
    return {begin, begin, {from, to}, {from, to}};
  }

private:
  // A run that ends before item `end`, if it is long enough.
  template <class View>
  static __device__ void put_run(const View& view, int slot, tile::index begin, tile::index end)
  {
    if (end - begin > 1)
    {
      view.put_first(slot, begin);
      view.put_second(slot, end - begin);
    }
  }
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
