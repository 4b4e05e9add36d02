// Kinds of scans that have fewer results than items, or put them elsewhere: selections and reductions by key. What is scanned are
// counts, for where an item goes follows from how many went there before.
//
//   select_kind   each item goes to one of several parts, in order; a test says to which
//   reduce_kind   each run of equal neighbouring keys becomes one result
//   runs_kind     each run of two or more equal neighbours becomes two: where it begins, and how long it is
//
// A test is asked once for each item (by runs_kind up to twice), in no particular order, and for elements of the range only:
//
//   parts            how many it tells apart
//   of_neighbours    whether it compares an item with the one before it; the first item then is of part 0
//   looks_at_item    whether it reads the item, as predicates are taken to: a user's equality may read the one before alone
//   looks_up         whether it may read memory of its own for each item
//   part_of(item), or part_of(before, item)
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/tile/select_counts.h>
#include <lightscan/util/call.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
// Part 0: the items for which the predicate says `Wanted`. Part 1: the others.
template <class Predicate, bool Wanted = true>
struct if_test
{
  static constexpr int parts          = 2;
  static constexpr bool of_neighbours = false;
  static constexpr bool looks_at_item = true;
  static constexpr bool looks_up      = util::can_hold_address<Predicate>;

  Predicate predicate;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class X>
  LIGHTSCAN_HOST_DEVICE int part_of(X& item)
  {
    return static_cast<bool>(util::call(predicate, item)) == Wanted ? 0 : 1;
  }
};

// Part 0: the items for which the first predicate holds. Part 1: those of the others for which the second one does. Part 2: the rest.
template <class First, class Second>
struct three_way_test
{
  static constexpr int parts          = 3;
  static constexpr bool of_neighbours = false;
  static constexpr bool looks_at_item = true;
  static constexpr bool looks_up      = util::can_hold_address<First> || util::can_hold_address<Second>;

  First first;
  Second second;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class X>
  LIGHTSCAN_HOST_DEVICE int part_of(X& item)
  {
    return static_cast<bool>(util::call(first, item)) ? 0 : static_cast<bool>(util::call(second, item)) ? 1 : 2;
  }
};

template <class EqualityOp>
inline constexpr bool compares_both = false;
template <class T>
inline constexpr bool compares_both<::cuda::std::equal_to<T>> = true;

// Part 0: the first item of each run of neighbours that are equal. Part 1: the others.
template <class EqualityOp>
struct run_test
{
  static constexpr int parts          = 2;
  static constexpr bool of_neighbours = true;
  static constexpr bool looks_at_item = compares_both<EqualityOp>;
  static constexpr bool looks_up      = util::can_hold_address<EqualityOp>;

  EqualityOp equality_op;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class X>
  LIGHTSCAN_HOST_DEVICE int part_of(const X& before, const X& item)
  {
    return static_cast<bool>(util::call(equality_op, before, item)) ? 1 : 0;
  }
};

// What the kinds below have in common: a test, and that whatever is put out depends on the fold of what lies before an item, which is
// their result; before the first one that is `Kind::nothing()`.
template <class Kind, class Test, class T>
struct emitting_kind
{
  using accumulator = T;
  using result      = T;
  using test_type   = Test;

  static constexpr bool emits       = true;
  static constexpr bool looks_up    = Test::looks_up;
  static constexpr bool in_segments = false; // in the sense of a scan's
  static constexpr bool may_overlap = false; // whether results may lie where items do: in place
  // Whether results follow from where some items stand; and whether these are bounds of runs (runs_kind).
  static constexpr bool measures_runs = false;
  static constexpr bool of_bounds     = false;

  Test test;

  emitting_kind(const Test& asked)
      : test(asked)
  {}

  LIGHTSCAN_HOST_DEVICE const Kind& resolved() const
  {
    return static_cast<const Kind&>(*this);
  }

  // As scan_kind's.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Op>
  static LIGHTSCAN_HOST_DEVICE util::uninitialized<T>
  step(util::uninitialized<T>& running, bool starts, const T& item, Op& op)
  {
    const util::uninitialized<T> before = starts ? Kind::nothing() : running;
    running = starts ? util::uninitialized<T>(item) : util::combine(op, running.value, item);
    return before;
  }
};

// The kind of copy_if, remove, partition, unique and their like. The test is asked of the first input; what is moved to the parts
// are the other inputs, and where `MovesTested` the first one before them.
template <class Test, bool MovesTested>
struct select_kind : emitting_kind<select_kind<Test, MovesTested>, Test, part_counts<Test::parts>>
{
  using emitting_kind<select_kind, Test, part_counts<Test::parts>>::emitting_kind;

  static constexpr const char* call  = Test::parts == 3 ? "partition" : Test::of_neighbours ? "unique" : "select";
  static constexpr bool moves_tested = MovesTested;
  static constexpr bool may_overlap  = true;

  static constexpr int totals = Test::parts - 1;
  LIGHTSCAN_HOST_DEVICE static index total(int which, const part_counts<Test::parts>& all, index)
  {
    return all.of[which];
  }

  LIGHTSCAN_HOST_DEVICE static util::uninitialized<part_counts<Test::parts>> nothing()
  {
    return part_counts<Test::parts>{};
  }
};

// The kind of reduce_by_key; its inputs are keys and values. `Value`: what values are reduced in. A run's key is its first one.
// `Counts`: all values are the same integer, and are added, so that a run's sum follows from its length.
template <class Value, class EqualityOp, bool Counts = false>
struct reduce_kind : emitting_kind<reduce_kind<Value, EqualityOp, Counts>, run_test<EqualityOp>, reduced<Value>>
{
  using emitting_kind<reduce_kind, run_test<EqualityOp>, reduced<Value>>::emitting_kind;

  static constexpr const char* call   = "reduce_by_key";
  static constexpr bool measures_runs = Counts;
  static constexpr bool moves_tested  = true; // where it counts: then it is a selection of the runs' first items

  static constexpr int totals = 1;
  LIGHTSCAN_HOST_DEVICE static index total(int, const reduced<Value>& all, index)
  {
    return all.begun;
  }

  LIGHTSCAN_HOST_DEVICE static util::uninitialized<reduced<Value>> nothing()
  {
    util::uninitialized<reduced<Value>> none;
    none.value.begun = 0;
    return none;
  }
};

// The kind of run-length encoding that leaves out runs of one; its input are the items. `Value`: what lengths are counted in.
//
// What is counted are bounds: items of which either they or the one before them begin a run, but not both; the range's first item is
// none. They come in turn: the second item of a run of several, which says that there is one and where it begins, and the first item
// behind it, which says how long it is. So a bound's number tells which of the two it is, and of which run.
template <class EqualityOp, class Value>
struct runs_kind : emitting_kind<runs_kind<EqualityOp, Value>, run_test<EqualityOp>, reduced<Value>>
{
  using emitting_kind<runs_kind, run_test<EqualityOp>, reduced<Value>>::emitting_kind;

  static constexpr const char* call   = "non_trivial_runs";
  static constexpr bool moves_tested  = false;
  static constexpr bool measures_runs = true;
  static constexpr bool of_bounds     = true;

  // Of the items since a run's first bound, it among them, to the item before its second one.
  LIGHTSCAN_HOST_DEVICE static Value length(Value items)
  {
    return static_cast<Value>(items + 1);
  }
  // Whether the bound behind so many others is a run's first; of run number bounds / 2.
  LIGHTSCAN_HOST_DEVICE static bool opens(index bounds)
  {
    return bounds % 2 == 0;
  }

  static constexpr int totals = 1;
  LIGHTSCAN_HOST_DEVICE static index total(int, const reduced<Value>& all, index)
  {
    return (all.begun + 1) / 2;
  }

  LIGHTSCAN_HOST_DEVICE static util::uninitialized<reduced<Value>> nothing()
  {
    util::uninitialized<reduced<Value>> none;
    none.value.begun = 0;
    return none;
  }
};
// Outputs of these kinds. `total`, an iterator, gets the numbers that the call is about: of items in each part of
// a selection but the last, of runs; 0 where there are no items. Where items go is a tuple of iterators, one for each that is moved.
template <class TotalIt, class... Parts>
struct selected
{
  TotalIt total;
  ::cuda::std::tuple<Parts...> parts;
};

// The part's item k goes to to[k].
template <class... OutputIts>
struct part
{
  ::cuda::std::tuple<OutputIts...> to;
};

// The part's item k goes to to[num_items - 1 - k].
template <class... OutputIts>
struct part_from_end
{
  ::cuda::std::tuple<OutputIts...> to;
};

// Nobody wants the part.
struct no_part
{};

// Run k's key and value go to keys[k] and values[k].
template <class TotalIt, class KeyIt, class ValueIt>
struct reduced_runs
{
  TotalIt total;
  KeyIt keys;
  ValueIt values;
};

// Run k begins at offsets[k], and has lengths[k] items.
template <class TotalIt, class OffsetIt, class LengthIt>
struct measured_runs
{
  TotalIt total;
  OffsetIt offsets;
  LengthIt lengths;
};

#if defined(__CUDACC__)
// Puts the totals where they are wanted, given the fold of all items.
template <class Kind, class TotalIt>
__device__ void put_totals(const TotalIt& total, const typename Kind::accumulator& all, index num_items)
{
  using target = ::cuda::std::remove_cvref_t<decltype(*(total + 0))>;
#  pragma unroll
  for (int which = 0; which < Kind::totals; ++which)
  {
    const index number = Kind::total(which, all, num_items);
    if constexpr (::cuda::std::is_integral_v<target>)
    {
      *(total + which) = static_cast<target>(number);
    }
    else
    {
      *(total + which) = number;
    }
  }
}
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
