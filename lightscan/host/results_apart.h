// Which outputs several threads may write: those whose results certainly lie in memory of their own. Neighbours in a
// vector<bool> share a word, where two threads that write at once lose bits, whatever iterators stand before it.
//
//   contiguous iterators, and those whose reference is one to their value type      an object for each result
//   reverse_iterator, permutation_iterator, transform_output_iterator,
//   transform_input_output_iterator                                                 as the iterator underneath
//   zip_iterator                                                                    as all of those underneath
//
// All others are for the calling thread alone: proxies, of which nobody knows what they write, and the function of a
// tabulate_output_iterator, which may well set bits.
#pragma once

#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
namespace thr = THRUST_NS_QUALIFIER;

// Whether each element is an object. A reference to another type than the iterator's value type may be to a proxy that
// the iterator keeps in itself.
template <class It, class = void>
struct has_objects : thr::is_contiguous_iterator<It>
{};
template <class It>
struct has_objects<It, ::cuda::std::enable_if_t<::cuda::std::is_lvalue_reference_v<util::reference_t<It>>>>
    : ::cuda::std::is_same<::cuda::std::remove_cvref_t<util::reference_t<It>>,
                           ::cuda::std::remove_cv_t<util::value_t<It>>>
{};

template <class OutputIt, class = void>
inline constexpr bool results_apart = has_objects<OutputIt>::value;
template <template <class> class Reverse, class It>
inline constexpr bool results_apart<Reverse<It>, ::cuda::std::enable_if_t<util::is_reverse<Reverse<It>>>> =
  results_apart<It>;
template <class It, class Indices>
inline constexpr bool results_apart<thr::permutation_iterator<It, Indices>> = results_apart<It>;
template <class Function, class It>
inline constexpr bool results_apart<thr::transform_output_iterator<Function, It>> = results_apart<It>;
template <class In, class Out, class It>
inline constexpr bool results_apart<thr::transform_input_output_iterator<In, Out, It>> = results_apart<It>;
template <class... Its>
inline constexpr bool results_apart<thr::zip_iterator<::cuda::std::tuple<Its...>>> = (results_apart<Its> && ...);
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
