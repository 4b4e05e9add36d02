// Which problems the bulk pipeline serves, and with which of its shapes.
#pragma once

#include <lightscan/dispatch/memory.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/tile/items.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// The bulk pipeline's view of a problem; `serves` says whether it has one.
template <class Rows, class Form, class OutputIt, class... InputIts>
struct bulk_view
{
  static constexpr bool of_memory = (is_memory<InputIts> && ...) && is_writable_memory<OutputIt>();

  template <bool OfMemory, class = void>
  struct parts
  {
    static constexpr bool serves = false;
  };
  template <class None>
  struct parts<true, None>
  {
    using output = typename decltype(as_memory(::cuda::std::declval<OutputIt>()))::column;
    using items =
      tile::column_items<Form, output, typename decltype(as_memory(::cuda::std::declval<InputIts>()))::column...>;
    using shape = bulk_shape_of<items, Rows>;

    // A chunk must find room in registers, and two stages in shared memory.
    static constexpr bool serves = shape::tabled && items::bytes <= 256 && shape::stages >= 2
                                && ::cuda::std::is_constructible_v<typename output::stored, typename Form::result>;
  };
  using type = parts<of_memory>;
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
