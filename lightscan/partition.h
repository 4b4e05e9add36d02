/// @file
/// thrust::partition and its like for LightScan's policies: always stable.
///
///     auto middle = thrust::stable_partition(lightscan::par, values.begin(), values.end(), is_even{});
///     auto ends   = thrust::partition_copy(lightscan::par, in.begin(), in.end(), even.begin(), odd.begin(), is_even{});
///
/// All that stands in <lightscan/select.h> about predicates, iterators, streams, errors and acceleration holds here too, with
/// this instead:
///
/// - **Ranges**: partition and stable_partition work in place; a stencil does not overlap the range. The copying ones'
///   two outputs, each as long as there are elements for it, overlap neither each other nor the input.
/// - **Work**: each element is read once and written once; in place, those that go behind are read and written once
///   more.
/// - **Memory**: in place, room for as many elements as there are in the range, while the call runs: from the policy
///   where it brings memory, from a pool of the library's otherwise, which keeps up to 64 MiB; more than that by
///   cudaMalloc and cudaFree, which wait for the GPU. A policy's own memory is given back when the last copy is queued,
///   if it does not wait (par_nosync).
/// - **Streams**: with par_nosync, the last copy in place is queued only, for it does not decide what is returned, unless
///   memory by cudaFree waits for it.
#pragma once

#include <lightscan/entry/partition_call.h>
#if defined(__CUDACC__)
#  include <lightscan/entry/run.h>
#  include <lightscan/execution_policy.h>
#endif
#include <lightscan/util/scan_policy.h>
#include <lightscan/version.h>

#include <thrust/pair.h>
#include <thrust/partition.h>

LIGHTSCAN_NAMESPACE_BEGIN

/// Moves the elements of which pred(element) holds before the others. Stable, too.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @param pred whether an element goes before; called in device code, or on any of the host's threads
/// @return where the others begin
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class Predicate>
LIGHTSCAN_HOST_DEVICE InputIt
partition(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, Predicate pred)
{
  return entry::run<entry::partitioning<false>>(policy, first, last, entry::no_stencil{}, pred);
}

/// Moves the elements of which pred(stencil[i]) holds before the others. Stable, too.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @param stencil where the elements that are asked of begin: as many as there are in the input
/// @param pred whether the element beside one of the stencil goes before; called as above
/// @return where the others begin
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class StencilIt, class Predicate>
LIGHTSCAN_HOST_DEVICE InputIt partition(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, StencilIt stencil, Predicate pred)
{
  return entry::run<entry::partitioning<false>>(policy, first, last, stencil, pred);
}

/// Moves the elements of which pred(element) holds before the others; both keep their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @param pred whether an element goes before; called in device code, or on any of the host's threads
/// @return where the others begin
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class Predicate>
LIGHTSCAN_HOST_DEVICE InputIt
stable_partition(policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, Predicate pred)
{
  return entry::run<entry::partitioning<true>>(policy, first, last, entry::no_stencil{}, pred);
}

/// Moves the elements of which pred(stencil[i]) holds before the others; both keep their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the range
/// @param stencil where the elements that are asked of begin: as many as there are in the input
/// @param pred whether the element beside one of the stencil goes before; called as above
/// @return where the others begin
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class StencilIt, class Predicate>
LIGHTSCAN_HOST_DEVICE InputIt stable_partition(
  policy_parts::scan_policy<Derived, Backend>& policy, InputIt first, InputIt last, StencilIt stencil, Predicate pred)
{
  return entry::run<entry::partitioning<true>>(policy, first, last, stencil, pred);
}

/// Copies the elements of which pred(element) holds to one output and the others to another, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param out_true where the elements go of which the predicate holds
/// @param out_false where the others go
/// @param pred which output an element goes to; called in device code, or on any of the host's threads
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class TrueIt, class FalseIt, class Predicate>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<TrueIt, FalseIt>
partition_copy(policy_parts::scan_policy<Derived, Backend>& policy,
               InputIt first,
               InputIt last,
               TrueIt out_true,
               FalseIt out_false,
               Predicate pred)
{
  return entry::run<entry::partitioning_copy>(policy, first, last, entry::no_stencil{}, out_true, out_false, pred);
}

/// Copies the elements of which pred(stencil[i]) holds to one output and the others to another, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param stencil where the elements that are asked of begin: as many as there are in the input
/// @param out_true where the elements go of which the predicate holds
/// @param out_false where the others go
/// @param pred which output the element beside one of the stencil goes to; called as above
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class StencilIt, class TrueIt, class FalseIt, class Predicate>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<TrueIt, FalseIt>
partition_copy(policy_parts::scan_policy<Derived, Backend>& policy,
               InputIt first,
               InputIt last,
               StencilIt stencil,
               TrueIt out_true,
               FalseIt out_false,
               Predicate pred)
{
  return entry::run<entry::partitioning_copy>(policy, first, last, stencil, out_true, out_false, pred);
}

/// Copies the elements of which pred(element) holds to one output and the others to another, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param out_true where the elements go of which the predicate holds
/// @param out_false where the others go
/// @param pred which output an element goes to; called in device code, or on any of the host's threads
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class TrueIt, class FalseIt, class Predicate>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<TrueIt, FalseIt>
stable_partition_copy(policy_parts::scan_policy<Derived, Backend>& policy,
                      InputIt first,
                      InputIt last,
                      TrueIt out_true,
                      FalseIt out_false,
                      Predicate pred)
{
  return entry::run<entry::partitioning_copy>(policy, first, last, entry::no_stencil{}, out_true, out_false, pred);
}

/// Copies the elements of which pred(stencil[i]) holds to one output and the others to another, in their order.
/// @param policy lightscan::par, lightscan::par_nosync or lightscan::host, or what these make
/// @param first,last the input
/// @param stencil where the elements that are asked of begin: as many as there are in the input
/// @param out_true where the elements go of which the predicate holds
/// @param out_false where the others go
/// @param pred which output the element beside one of the stencil goes to; called as above
/// @return the ends of both outputs
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Backend, class InputIt, class StencilIt, class TrueIt, class FalseIt, class Predicate>
LIGHTSCAN_HOST_DEVICE THRUST_NS_QUALIFIER::pair<TrueIt, FalseIt>
stable_partition_copy(policy_parts::scan_policy<Derived, Backend>& policy,
                      InputIt first,
                      InputIt last,
                      StencilIt stencil,
                      TrueIt out_true,
                      FalseIt out_false,
                      Predicate pred)
{
  return entry::run<entry::partitioning_copy>(policy, first, last, stencil, out_true, out_false, pred);
}

LIGHTSCAN_NAMESPACE_END
