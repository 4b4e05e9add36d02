// Leaves of keys: what is known of them beside other items.
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/bulk/source.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/version.h>

#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/tuple>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Whether an iterator yields a function of an item's index. Where it reads memory as well, as a search does, it is most likely to read much
// the same for neighbours, whose keys are equal but at the ends of segments. (What is read at indices that lie in memory may lie anywhere.)
template <class It>
inline constexpr bool is_function_of_index = false;
template <class Function, class It, class Reference, class Value>
inline constexpr bool is_function_of_index<thr::transform_iterator<Function, It, Reference, Value>> =
  is_computed_leaf<leaf_t<It>> || is_function_of_index<It>;
template <class It>
inline constexpr bool is_function_of_index<thr::reverse_iterator<It>> = is_function_of_index<It>;
template <class... Its>
inline constexpr bool is_function_of_index<thr::zip_iterator<::cuda::std::tuple<Its...>>> =
  ((is_computed_leaf<leaf_t<Its>> || is_function_of_index<Its>) &&...);

// `Once`: they are wanted once, by the thread that folds them, so what is calculated needs no room in the stage.
template <bool Once, class Leaf>
auto key_leaf(const Leaf& leaf)
{
  return leaf;
}
template <bool Once, class It, class Stored, bulk::source From>
auto key_leaf(const evaluated_leaf<It, Stored, From>& leaf)
{
  if constexpr (Once && From == bulk::source::calculated)
  {
    return computed_leaf<It, true>{leaf.first};
  }
  else
  {
    constexpr bool searches     = From == bulk::source::gathered && is_function_of_index<It>;
    constexpr bulk::source from = searches ? bulk::source::searched : From;
    return evaluated_leaf<It, Stored, from>{leaf.first};
  }
}
template <bool Once, class Function, class... Leaves>
auto key_leaf(const composed_leaf<Function, Leaves...>& tree)
{
  return ::cuda::std::apply(
    [&](const auto&... leaf) {
      return composed_leaf<Function, decltype(dispatch::key_leaf<Once>(leaf))...>{
        tree.function, {dispatch::key_leaf<Once>(leaf)...}};
    },
    tree.leaves);
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
