// Outputs: where an output iterator's results go in the bulk pipeline (bulk/outputs.h). output_of has a specialisation for what the
// pipeline knows:
//
//   contiguous memory, also reversed          a column, where an assignment does nothing but put bytes there (util/uninitialized.h)
//   thrust::zip_iterator of such, for tuples  a column for each member
//   thrust::discard_iterator                  nothing is stored
//
// To any other iterator the results are assigned, one by one.
#pragma once

#include <lightscan/bulk/outputs.h>
#include <lightscan/dispatch/leaves.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Memory of one column or of several.
template <class... Leaves>
struct memory_output
{
  ::cuda::std::tuple<Leaves...> leaves;

  bulk::column_output<typename Leaves::column...> starting(int lead) const
  {
    return ::cuda::std::apply(
      [&](const auto&... leaf) {
        return bulk::column_output<typename Leaves::column...>{{{leaf.column_starting(lead)}...}};
      },
      leaves);
  }
  int bytes_on_grid(int lead) const
  {
    return ::cuda::std::apply(
      [&](const auto&... leaf) {
        return (leaf.bytes_on_grid(lead) + ...);
      },
      leaves);
  }
};

// Of the leaves of a zip_iterator.
template <class Function, class... Leaves>
memory_output<Leaves...> memory_output_of(const composed_leaf<Function, Leaves...>& zip)
{
  return {zip.leaves};
}

struct discarded
{
  bulk::discarded_output starting(int) const
  {
    return {};
  }
  int bytes_on_grid(int) const
  {
    return 0;
  }
};

template <class It, class Result>
struct assigned
{
  It first;

  bulk::iterator_output<It, Result> starting(int) const
  {
    return {first};
  }
  int bytes_on_grid(int) const
  {
    return 0;
  }
};

template <class It>
inline constexpr bool is_contiguous = thr::is_contiguous_iterator<It>::value;
template <class It>
inline constexpr bool is_contiguous<thr::reverse_iterator<It>> = is_contiguous<It>;

template <class Leaf>
inline constexpr bool is_writable_leaf = false;
template <class Element, class Function, bool Reversed>
inline constexpr bool is_writable_leaf<memory_leaf<Element, Function, Reversed>> =
  memory_leaf<Element, Function, Reversed>::writable;

template <class It>
constexpr bool is_writable_memory()
{
  if constexpr (is_contiguous<It>)
  {
    return is_writable_leaf<leaf_t<It>>;
  }
  else
  {
    return false;
  }
}

// `Result`: what the scan puts out.
template <class It, class Result, class = void>
struct output_of
{
  static assigned<It, Result> get(const It& it)
  {
    return {it};
  }
};

template <class It, class Result>
struct output_of<It,
                 Result,
                 ::cuda::std::enable_if_t<is_writable_memory<It>() && util::assigns_bytes<util::value_t<It>, Result>>>
{
  static memory_output<leaf_t<It>> get(const It& it)
  {
    return {{dispatch::leaf(it)}};
  }
};

template <class... Its, class... Members>
struct output_of<
  thr::zip_iterator<::cuda::std::tuple<Its...>>,
  ::cuda::std::tuple<Members...>,
  ::cuda::std::enable_if_t<sizeof...(Its) == sizeof...(Members) && (sizeof...(Its) > 1)
                           && ((is_writable_memory<Its>() && util::assigns_bytes<util::value_t<Its>, Members>) &&...)>>
{
  static auto get(const thr::zip_iterator<::cuda::std::tuple<Its...>>& it)
  {
    return memory_output_of(dispatch::leaf(it));
  }
};

// The same from the last element to the first.
template <class... Its, class... Members>
struct output_of<
  thr::reverse_iterator<thr::zip_iterator<::cuda::std::tuple<Its...>>>,
  ::cuda::std::tuple<Members...>,
  ::cuda::std::enable_if_t<sizeof...(Its) == sizeof...(Members) && (sizeof...(Its) > 1)
                           && ((is_writable_memory<Its>() && util::assigns_bytes<util::value_t<Its>, Members>) &&...)>>
{
  static auto get(const thr::reverse_iterator<thr::zip_iterator<::cuda::std::tuple<Its...>>>& it)
  {
    return memory_output_of(dispatch::leaf(it));
  }
};

template <class System, class Result>
struct output_of<thr::discard_iterator<System>, Result>
{
  static discarded get(const thr::discard_iterator<System>&)
  {
    return {};
  }
};

template <class Result, class It>
auto output(const It& it)
{
  return output_of<It, Result>::get(it);
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
