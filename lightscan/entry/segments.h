// The segments that a call of lightscan::DeviceSegmentedScan names: offsets and how many there are, or a number of rows and their
// length; and what it asks of the kernels.
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/arguments.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/tile/segment_heads.h>
#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
// A number of segments. (A pointer would be offsets.)
template <class T>
inline constexpr bool counts_segments = is_count<T> && !::cuda::std::is_pointer_v<T>;

template <class OffsetIt, class NumSegments>
inline constexpr bool are_offsets =
  is_iterator<OffsetIt> && !lies_in_device_memory<OffsetIt> && counts_segments<NumSegments>;
template <class NumSegments, class Size>
inline constexpr bool are_rows = counts_segments<NumSegments>&& ::cuda::std::is_integral_v<Size>;

template <class InputIt, class OutputIt, class First, class Second, class... Environment>
using if_segmented = ::cuda::std::enable_if_t<
  is_iterator<
    InputIt> && is_iterator<OutputIt> && (are_offsets<First, Second> || are_rows<First, Second>) &&says_where<Environment...>,
  int>;

template <class InputIt, class OutputIt, class First, class Second, class Op, class... Environment>
using if_segmented_scan = ::cuda::std::enable_if_t<
  is_iterator<
    InputIt> && is_iterator<OutputIt> && (are_offsets<First, Second> || are_rows<First, Second>) &&is_operator<Op> && !is_environment<Op> && says_where<Environment...>,
  int>;

// With which items segments begin, and how many items there are.
template <class Heads, class Count>
struct told_segments
{
  Heads heads;
  Count num_items;
};

template <class First, class Second>
auto segments_of(First first, Second second)
{
  if constexpr (are_offsets<First, Second>)
  {
    using offsets = util::unwrapped_t<First>;
    using count   = decltype(entry::count_of(second));
    const tile::offset_list<offsets, count> list{util::unwrapped(first), entry::count_of(second)};
    using heads = tile::offset_heads<offsets, count>;
    return told_segments<heads, tile::items_in_segments<offsets, count>>{heads{list}, {list}};
  }
  else
  {
    const auto count         = entry::count_of(first);
    const bool any           = second > 0;
    const auto length        = any ? static_cast<dispatch::index>(second) : dispatch::index{1};
    const dispatch::index of = any ? length : 0; // rows without items are none
    const tile::row_heads heads{tile::row_list(length)};
    if constexpr (::cuda::std::is_integral_v<::cuda::std::remove_const_t<decltype(count)>>)
    {
      return told_segments<tile::row_heads, dispatch::index>{heads, count > 0 ? count * of : 0};
    }
    else
    {
      using items = tile::items_in_rows<::cuda::std::remove_const_t<decltype(count)>>;
      return told_segments<tile::row_heads, items>{heads, {count, of}};
    }
  }
}

#if defined(__CUDACC__)
// What a call asks for.
template <bool Inclusive, class InputIt, class OutputIt, class First, class Second, class Op, class Init>
auto segmented_scan_of(InputIt in, OutputIt out, First first, Second second, Op op, Init init)
{
  using T           = typename accumulator<Op, Init, InputIt>::type;
  const auto before = entry::settled(init);
  if constexpr (::cuda::std::is_same_v<T, untold>)
  {
    return by_nobody{};
  }
  else
  {
    static_assert(
      is_accelerated_v<tile::segmented<T>>,
      "lightscan::DeviceSegmentedScan: what is accumulated must be bitwise copyable and, with a flag beside it, "
      "not too large for the kernels (lightscan::is_accelerated_v)");
    constexpr bool exact = is_exact<Op, T, value_t<InputIt>>;
    const auto segments  = entry::segments_of(first, second);
    using heads          = decltype(segments.heads);
    using count          = decltype(segments.num_items);
    using input          = util::unwrapped_t<InputIt>;
    using output         = util::unwrapped_t<OutputIt>;
    using start          = ::cuda::std::remove_const_t<decltype(before)>;
    using problem        = dispatch::segmented_problem<T, heads, input, output, Op, start, Inclusive, count>;
    return by_kernels<problem, exact>{
      problem{{segments.heads, util::unwrapped(in)}, util::unwrapped(out), segments.num_items, {op}, {}, {before}}};
  }
}
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
