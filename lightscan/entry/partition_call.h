// Calls of partition (call.h says what a call is), in place and into two outputs, with and without a stencil.
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/call.h>
#include <lightscan/entry/offered_select.h>
#include <lightscan/entry/select_call.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/version.h>

#include <thrust/copy.h>
#include <thrust/pair.h>
#include <thrust/partition.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
// partition, and stable_partition, where `Stable` is asked for by name: ours are always. Items of part 0 stay in the range; the
// others have nowhere to go there until all have been read, so they are set aside, and put behind the first ones afterwards.
template <bool Stable, class InputIt, class StencilIt, class Predicate>
struct partition_call
{
  using test        = tile::if_test<Predicate>;
  using kind        = tile::select_kind<test, tests_items<StencilIt>>;
  using result_type = InputIt;
  using outputs     = written_through<InputIt>;
  using inputs = decltype(entry::tested_inputs(::cuda::std::declval<InputIt&>(), ::cuda::std::declval<StencilIt&>()));
  using rest   = ::cuda::std::remove_cv_t<value_t<InputIt>>;
  // Objects are set aside as a whole: there is none yet that an assignment of their own could be told to.
  using aside = ::cuda::std::conditional_t<util::assigns_bytes<rest, rest>, rest, util::uninitialized<rest>>;

  static constexpr bool is_told     = true;
  static constexpr bool in_kernels  = selected_in_kernels<InputIt, tested_it<InputIt, StencilIt>>;
  static constexpr bool needs_total = true;

  InputIt& first;
  InputIt& last;
  StencilIt& stencil;
  Predicate& pred;

  static constexpr bool is_offered()
  {
    return offered_select<InputIt, StencilIt, Predicate, InputIt>::value;
  }

  auto problem(dispatch::index num_items, dispatch::index* total, rest* others)
  {
    return entry::partition_problem_of<tests_items<StencilIt>>(test{pred},
                                                               entry::tested_inputs(first, stencil),
                                                               total,
                                                               num_items,
                                                               entry::part_to(first),
                                                               entry::part_to(reinterpret_cast<aside*>(others)));
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE InputIt nothing()
  {
    return first;
  }

  InputIt end(dispatch::index, dispatch::index selected)
  {
    return first + selected;
  }

  // Where the range is not contiguous memory, or an assignment of its items is more than putting bytes there.
  template <class Policy>
  void put_behind(Policy policy, dispatch::index selected, const rest* others, dispatch::index count)
  {
    thr::copy_n(policy, others, count, first + selected);
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE InputIt by_thrust(Policy policy)
  {
    if constexpr (tests_items<StencilIt>)
    {
      if constexpr (Stable)
      {
        return thr::stable_partition(policy, first, last, pred);
      }
      else
      {
        return thr::partition(policy, first, last, pred);
      }
    }
    else if constexpr (Stable)
    {
      return thr::stable_partition(policy, first, last, stencil, pred);
    }
    else
    {
      return thr::partition(policy, first, last, stencil, pred);
    }
  }
};

// partition_copy and stable_partition_copy, which are one and the same in Thrust too.
template <class InputIt, class StencilIt, class TrueIt, class FalseIt, class Predicate>
struct partition_copy_call
{
  using test        = tile::if_test<Predicate>;
  using kind        = tile::select_kind<test, tests_items<StencilIt>>;
  using result_type = thr::pair<TrueIt, FalseIt>;
  using outputs     = written_through<TrueIt, FalseIt>;

  static constexpr bool is_told     = true;
  static constexpr bool in_kernels  = selected_in_kernels<InputIt, tested_it<InputIt, StencilIt>>;
  static constexpr bool needs_total = true;

  InputIt& first;
  InputIt& last;
  StencilIt& stencil;
  TrueIt& out_true;
  FalseIt& out_false;
  Predicate& pred;

  static constexpr bool is_offered()
  {
    return offered_select<InputIt, StencilIt, Predicate, TrueIt, FalseIt>::value;
  }

  auto problem(dispatch::index num_items, dispatch::index* total)
  {
    return entry::partition_problem_of<tests_items<StencilIt>>(test{pred},
                                                               entry::tested_inputs(first, stencil),
                                                               total,
                                                               num_items,
                                                               entry::part_to(out_true),
                                                               entry::part_to(out_false));
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE result_type nothing()
  {
    return result_type(out_true, out_false);
  }

  result_type end(dispatch::index num_items, dispatch::index selected)
  {
    return result_type(out_true + selected, out_false + (num_items - selected));
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Policy>
  LIGHTSCAN_HOST_DEVICE result_type by_thrust(Policy policy)
  {
    if constexpr (tests_items<StencilIt>)
    {
      return thr::stable_partition_copy(policy, first, last, out_true, out_false, pred);
    }
    else
    {
      return thr::stable_partition_copy(policy, first, last, stencil, out_true, out_false, pred);
    }
  }
};

template <bool Stable>
struct partitioning
{
  template <class... Arguments>
  using call = partition_call<Stable, Arguments...>;
};
struct partitioning_copy
{
  template <class... Arguments>
  using call = partition_copy_call<Arguments...>;
};
} // namespace entry
LIGHTSCAN_NAMESPACE_END
