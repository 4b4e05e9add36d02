// Questions that are asked of any iterator: the type of its elements, and whether contiguous memory lies underneath.
#pragma once

#include <lightscan/version.h>

#include <thrust/iterator/reverse_iterator.h>
#include <thrust/memory.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <iterator>

LIGHTSCAN_NAMESPACE_BEGIN
namespace util
{
template <class It>
using value_t = typename ::cuda::std::iterator_traits<It>::value_type;

template <class It>
using reference_t = typename ::cuda::std::iterator_traits<It>::reference;

// Whether an iterator is one of the three reverse_iterators, of which two are one in newer versions of CCCL.
template <class It>
inline constexpr bool is_reverse = false;
template <template <class> class Reverse, class It>
inline constexpr bool is_reverse<Reverse<It>> =
  ::cuda::std::disjunction_v<::cuda::std::is_same<Reverse<It>, std::reverse_iterator<It>>,
                             ::cuda::std::is_same<Reverse<It>, ::cuda::std::reverse_iterator<It>>,
                             ::cuda::std::is_same<Reverse<It>, THRUST_NS_QUALIFIER::reverse_iterator<It>>>;

// Contiguous iterators as raw pointers, others as they are. The range must not be empty: `*it` is named.
template <class It>
auto unwrapped(It it)
{
  if constexpr (is_reverse<It> || ::cuda::std::is_pointer_v<It>)
  {
    return it; // CCCL 3.5 cannot say that one over a vector<bool> is not contiguous
  }
  else if constexpr (THRUST_NS_QUALIFIER::is_contiguous_iterator<It>::value)
  {
    return THRUST_NS_QUALIFIER::raw_pointer_cast(&*it);
  }
  else
  {
    return it;
  }
}

template <class It>
using unwrapped_t = decltype(unwrapped(::cuda::std::declval<It>()));
} // namespace util
LIGHTSCAN_NAMESPACE_END
