// Which group works on the items of a stage.
#pragma once

#include <lightscan/bulk/compared_view.h>
#include <lightscan/bulk/group_lengths.h>
#include <lightscan/bulk/group_reduce.h>
#include <lightscan/bulk/group_scan.h>
#include <lightscan/bulk/group_segments.h>
#include <lightscan/bulk/group_select.h>
#include <lightscan/bulk/reduction.h>
#include <lightscan/bulk/selection.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// What the items of a stage are seen as, and the group that works on them.
template <class Items, class Op, class Policy>
struct group_of
{
  using view   = ::cuda::std::conditional_t<is_compared<first_input_of<Items>>,
                                          compared_view<Items, Policy::group_threads, Policy::chunks>,
                                          column_view<Items, Policy::group_threads, Policy::chunks>>;
  using worker = ::cuda::std::conditional_t<Items::kind_type::in_segments,
                                            group_segments<view, Op, Policy::group_threads, Policy::unroll>,
                                            group_scan<view, Op, Policy::group_threads, Policy::unroll>>;
};
template <class Kind, class TestedIt, class Output, class... Inputs, class Op, class Policy>
struct group_of<selection_items<Kind, TestedIt, Output, Inputs...>, Op, Policy>
{
  using items  = selection_items<Kind, TestedIt, Output, Inputs...>;
  using view   = selection_view<items, Policy::group_threads, Policy::chunks>;
  using worker = ::cuda::std::conditional_t<Kind::measures_runs,
                                            group_lengths<view, Op, Policy::group_threads>,
                                            group_select<view, Op, Policy::group_threads>>;
};
template <class Kind, class TestedIt, class Output, class... Inputs, class Op, class Policy>
struct group_of<reduction_items<Kind, TestedIt, Output, Inputs...>, Op, Policy>
{
  using items  = reduction_items<Kind, TestedIt, Output, Inputs...>;
  using view   = reduction_view<items, Policy::group_threads, Policy::chunks>;
  using worker = group_reduce<view, Op, Policy::group_threads, Policy::unroll>;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
