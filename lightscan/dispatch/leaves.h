// Leaves: an iterator is a tree of adaptors, taken apart here at compile time into what the bulk pipeline loads. leaf_of has a
// specialisation for each node:
//
//   pointers, device_ptr, device_vector's iterators   a leaf of contiguous memory
//   thrust::reverse_iterator of a leaf                the leaf against its order
//   thrust::transform_iterator of a leaf              the leaf through a function, which is handed a copy of the element, so that
//                                                     an element's address means nothing to it
//
// The last two may stand on one another. Any other iterator is no leaf, and the plain kernel serves it.
#pragma once

#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/memory.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
namespace thr = THRUST_NS_QUALIFIER;

// Item i is function(edge[i]); of a reversed range, function(edge[-1 - i]).
template <class Element, class Function, bool Reversed>
struct memory_leaf
{
  using column = tile::column<::cuda::std::remove_const_t<Element>, Function, Reversed>;

  static constexpr bool writable =
    !::cuda::std::is_const_v<Element> && ::cuda::std::is_same_v<Function, ::cuda::std::identity>;

  Element* edge;
  Function function;

  column starting(int lead) const
  {
    return column::starting_at(edge, function, lead);
  }

  tile::misalignment misalignment() const
  {
    const auto address = reinterpret_cast<::cuda::std::uintptr_t>(edge);
    const auto bytes   = static_cast<unsigned>(address % tile::grid_bytes);
    // Against memory order, the grid is met further up instead of further down.
    return {Reversed ? (tile::grid_bytes - bytes) % tile::grid_bytes : bytes, static_cast<unsigned>(sizeof(Element))};
  }
};

struct no_leaf
{};

// What a transform_iterator yields, its conversion to its reference and value types included.
template <class Function, class Inner, class Reference, class Value>
struct applied
{
  Function function;
  Inner inner;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Element>
  LIGHTSCAN_HOST_DEVICE Value operator()(const Element& element)
  {
    return static_cast<Value>(static_cast<Reference>(function(inner(element))));
  }
};

template <class It, class = void>
struct leaf_of
{
  static no_leaf get(It)
  {
    return {};
  }
};

template <class It>
struct leaf_of<
  It,
  ::cuda::std::enable_if_t<thr::is_contiguous_iterator<It>::value
                           && util::is_bitwise_copyable<typename ::cuda::std::iterator_traits<It>::value_type>>>
{
  static auto get(It it)
  {
    using element = ::cuda::std::remove_pointer_t<util::unwrapped_t<It>>;
    return memory_leaf<element, ::cuda::std::identity, false>{util::unwrapped(it), {}};
  }
};

template <class It>
struct leaf_of<thr::reverse_iterator<It>>
{
  static auto get(const thr::reverse_iterator<It>& it)
  {
    return reversed(leaf_of<It>::get(it.base()));
  }

private:
  static no_leaf reversed(no_leaf)
  {
    return {};
  }
  template <class Element, class Function, bool Reversed>
  static auto reversed(const memory_leaf<Element, Function, Reversed>& range)
  {
    return memory_leaf<Element, Function, !Reversed>{range.edge, range.function};
  }
};

template <class Function, class It, class Reference, class Value>
struct leaf_of<thr::transform_iterator<Function, It, Reference, Value>>
{
  using iterator = thr::transform_iterator<Function, It, Reference, Value>;
  using traits   = ::cuda::std::iterator_traits<iterator>;

  static auto get(const iterator& it)
  {
    return transformed(leaf_of<It>::get(it.base()), it.functor());
  }

private:
  static no_leaf transformed(no_leaf, const Function&)
  {
    return {};
  }
  template <class Element, class Inner, bool Reversed>
  static auto transformed(const memory_leaf<Element, Inner, Reversed>& range, const Function& function)
  {
    using composed = applied<Function, Inner, typename traits::reference, typename traits::value_type>;
    return memory_leaf<const Element, composed, Reversed>{range.edge, composed{function, range.function}};
  }
};

template <class It>
auto leaf(It it)
{
  return leaf_of<It>::get(it);
}

template <class It>
inline constexpr bool is_leaf = !::cuda::std::is_same_v<decltype(leaf(::cuda::std::declval<It>())), no_leaf>;

// Plain memory of T, with neither function nor reversal: it may move in whole words.
template <class It, class T>
inline constexpr bool is_memory_of =
  ::cuda::std::disjunction_v<::cuda::std::is_same<It, T*>, ::cuda::std::is_same<It, const T*>>;

// Contiguous memory that results can be stored to.
template <class It>
constexpr bool is_writable_leaf()
{
  if constexpr (is_leaf<It>)
  {
    return decltype(leaf(::cuda::std::declval<It>()))::writable;
  }
  else
  {
    return false;
  }
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
