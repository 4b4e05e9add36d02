// Leaves: an iterator is a tree of adaptors, taken apart here at compile time into what the bulk pipeline loads. leaf_of has a
// specialisation for each node that it knows:
//
//   pointers, device_ptr, device_vector's iterators   a leaf of contiguous memory
//   thrust::reverse_iterator of a leaf                the leaf against its order
//   thrust::transform_iterator of leaves              the leaves through a function, which is handed a copy of the element, so that
//                                                     an element's address means nothing to it
//   thrust::zip_iterator                              the leaves of its iterators, as a tuple
//   thrust::counting_iterator, constant_iterator      a leaf that is computed from the index
//   tile::row_heads, offset_heads (heads_leaf.h)      a leaf that says where segments begin
//
// They may stand on one another. Any other iterator is a leaf that is evaluated: read by ordinary loads, once for each item. So is a
// transform_iterator whose function can hold an address, or has no memory under it: such a function may read memory itself
// (perf/DECISIONS.md, evaluated-functions). What another function returns is kept where there is room (bulk/kept_input.h).
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/bulk/kept_input.h>
#include <lightscan/bulk/source.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/call.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
namespace thr = THRUST_NS_QUALIFIER;

// Item i is function(edge[i]); of a reversed range, function(edge[-1 - i]).
template <class Element, class Function, bool Reversed>
struct memory_leaf
{
  using column = tile::column<::cuda::std::remove_const_t<Element>, Function, Reversed>;

  static constexpr bool in_memory = true;
  static constexpr bool gathers   = false;
  static constexpr bool writable =
    !::cuda::std::is_const_v<Element> && ::cuda::std::is_same_v<Function, ::cuda::std::identity>;

  Element* edge;
  Function function;

  column column_starting(int lead) const
  {
    return column::starting_at(edge, function, lead);
  }
  bulk::memory_input<column> starting(int lead) const
  {
    return {column_starting(lead)};
  }

  tile::misalignment misalignment() const
  {
    const auto address = reinterpret_cast<::cuda::std::uintptr_t>(edge);
    const auto bytes   = static_cast<unsigned>(address % tile::grid_bytes);
    // Against memory order, the grid is met further up instead of further down.
    return {Reversed ? (tile::grid_bytes - bytes) % tile::grid_bytes : bytes, static_cast<unsigned>(sizeof(Element))};
  }

  // Bytes of an item in memory that lies on the 16-byte grid when tiles begin `lead` items early.
  int bytes_on_grid(int lead) const
  {
    return tile::meets_grid(misalignment(), static_cast<unsigned>(lead)) ? static_cast<int>(sizeof(Element)) : 0;
  }
};

// Item i is first[i], which the stage holds as `Stored`. `From`: calculated, or reading it may read memory: gathered or searched.
template <class It, class Stored, bulk::source From>
struct evaluated_leaf
{
  static constexpr bool in_memory = false;
  static constexpr bool gathers   = bulk::reads_items(From);

  It first;

  bulk::evaluated_input<It, Stored, From> starting(int) const
  {
    return {first};
  }
  int bytes_on_grid(int) const
  {
    return 0;
  }
};

template <class It, bool Calculates = false>
struct computed_leaf
{
  static constexpr bool in_memory = false;
  static constexpr bool gathers   = false;

  It first;

  bulk::computed_input<It, util::value_t<It>, Calculates> starting(int) const
  {
    return {first};
  }
  int bytes_on_grid(int) const
  {
    return 0;
  }
};

template <class Leaf>
inline constexpr bool is_computed_leaf = false;
template <class It, bool Calculates>
inline constexpr bool is_computed_leaf<computed_leaf<It, Calculates>> = true;

// Item i is function(item i of each leaf).
template <class Function, class... Leaves>
struct composed_leaf
{
  static constexpr bool in_memory = (Leaves::in_memory || ...);
  static constexpr bool gathers   = (Leaves::gathers || ...);

  Function function;
  ::cuda::std::tuple<Leaves...> leaves;

  auto starting(int lead) const
  {
    return ::cuda::std::apply(
      [&](const auto&... leaf) {
        return bulk::composed_input<Function, decltype(leaf.starting(lead))...>{function, {leaf.starting(lead)...}};
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

// Of an iterator whose elements may not travel as their bytes, or that does not name their type.
struct no_leaf
{
  static constexpr bool in_memory = false;
  static constexpr bool gathers   = true;
};

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
    const auto& given = inner(element); // as Thrust's own calls a function: with a constant object
    return static_cast<Value>(static_cast<Reference>(util::call(function, given)));
  }
};

// What a zip_iterator yields, as a value.
template <class Tuple>
struct zipped
{
  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class... Elements>
  LIGHTSCAN_HOST_DEVICE Tuple operator()(const Elements&... elements) const
  {
    return Tuple(elements...);
  }
};

} // namespace dispatch
namespace bulk
{
template <class Tuple>
inline constexpr bool makes_tuple<dispatch::zipped<Tuple>> = true;
} // namespace bulk
namespace dispatch
{
// What a transform_iterator yields, of several leaves.
template <class Function, class Reference, class Value>
struct applied_to_tuple
{
  Function function;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <class Element>
  LIGHTSCAN_HOST_DEVICE Value operator()(const Element& element)
  {
    return static_cast<Value>(static_cast<Reference>(util::call(function, element)));
  }
};

template <class It, class = void>
inline constexpr bool has_copyable_values = false;
template <class It>
inline constexpr bool has_copyable_values<It, ::cuda::std::void_t<util::value_t<It>>> =
  util::is_bitwise_copyable<util::value_t<It>>;

template <bulk::source From, class It>
auto evaluated(const It& it)
{
  if constexpr (has_copyable_values<It>)
  {
    return evaluated_leaf<It, util::value_t<It>, From>{it};
  }
  else
  {
    return no_leaf{};
  }
}

template <class It, class = void>
struct leaf_of
{
  static auto get(const It& it)
  {
    return dispatch::evaluated<bulk::source::gathered>(it);
  }
};

template <class It>
auto leaf(const It& it)
{
  return leaf_of<It>::get(it);
}

template <class It>
using leaf_t = decltype(dispatch::leaf(::cuda::std::declval<const It&>()));

template <class It>
inline constexpr bool is_leaf = !::cuda::std::is_same_v<leaf_t<It>, no_leaf>;

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
  template <class Base, class Stored, bulk::source From>
  static auto reversed(const evaluated_leaf<Base, Stored, From>& range)
  {
    return evaluated_leaf<thr::reverse_iterator<Base>, Stored, From>{thr::reverse_iterator<Base>(range.first)};
  }
  template <class Base>
  static auto reversed(const computed_leaf<Base>& range)
  {
    return computed_leaf<thr::reverse_iterator<Base>>{thr::reverse_iterator<Base>(range.first)};
  }
  template <class Function, class... Leaves>
  static auto reversed(const composed_leaf<Function, Leaves...>& range)
  {
    return ::cuda::std::apply(
      [&](const auto&... leaf) {
        return composed_leaf<Function, decltype(reversed(leaf))...>{range.function, {reversed(leaf)...}};
      },
      range.leaves);
  }
};

template <class Function, class It, class Reference, class Value>
struct leaf_of<thr::transform_iterator<Function, It, Reference, Value>>
{
  using iterator = thr::transform_iterator<Function, It, Reference, Value>;
  using traits   = ::cuda::std::iterator_traits<iterator>;

  static auto get(const iterator& it)
  {
    using under = leaf_t<It>;
    // A value type that was named apart from what the function returns: a scan accumulates what is returned, and no leaf keeps that.
    constexpr bool is_plain =
      ::cuda::std::is_same_v<::cuda::std::remove_cvref_t<typename traits::reference>, typename traits::value_type>;
    if constexpr (!is_plain)
    {
      return no_leaf{};
    }
    else if constexpr (util::can_hold_address<Function> || !under::in_memory)
    {
      constexpr bool gathers      = util::can_hold_address<Function> || under::gathers;
      constexpr bulk::source from = gathers ? bulk::source::gathered : bulk::source::calculated;
      return dispatch::evaluated<from>(it);
    }
    else
    {
      return transformed(leaf_of<It>::get(it.base()), it.functor());
    }
  }

private:
  template <class Element, class Inner, bool Reversed>
  static auto transformed(const memory_leaf<Element, Inner, Reversed>& range, const Function& function)
  {
    using composed = applied<Function, Inner, typename traits::reference, typename traits::value_type>;
    return memory_leaf<const Element, composed, Reversed>{range.edge, composed{function, range.function}};
  }
  template <class Inner, class... Leaves>
  static auto transformed(const composed_leaf<Inner, Leaves...>& range, const Function& function)
  {
    using outer = applied_to_tuple<Function, typename traits::reference, typename traits::value_type>;
    return composed_leaf<outer, composed_leaf<Inner, Leaves...>>{outer{function}, {range}};
  }
};

template <class... Its>
struct leaf_of<thr::zip_iterator<::cuda::std::tuple<Its...>>>
{
  using iterator = thr::zip_iterator<::cuda::std::tuple<Its...>>;

  static auto get(const iterator& it)
  {
    if constexpr ((is_leaf<Its> && ...))
    {
      return ::cuda::std::apply(
        [](const auto&... each) {
          using tuple = util::value_t<iterator>;
          return composed_leaf<zipped<tuple>, leaf_t<Its>...>{{}, {dispatch::leaf(each)...}};
        },
        it.get_iterator_tuple());
    }
    else
    {
      return no_leaf{};
    }
  }
};

template <class... Parameters>
struct leaf_of<thr::counting_iterator<Parameters...>>
{
  static auto get(const thr::counting_iterator<Parameters...>& it)
  {
    return computed_leaf<thr::counting_iterator<Parameters...>>{it};
  }
};

// Deprecated in newer versions of CCCL, for one in cuda:: that programs have still to move to.
// clang-format off
_CCCL_SUPPRESS_DEPRECATED_PUSH
template <class... Parameters>
struct leaf_of<thr::constant_iterator<Parameters...>>
{
  static auto get(const thr::constant_iterator<Parameters...>& it)
  {
    return computed_leaf<thr::constant_iterator<Parameters...>>{it};
  }
};
_CCCL_SUPPRESS_DEPRECATED_POP
// clang-format on
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
