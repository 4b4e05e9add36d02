// Where segments begin, as iterators: item i is whether a segment begins with item i of the range. The pipeline has a leaf for them
// (bulk/heads_input.h), the plain kernel asks chunk by chunk where it reads words; everybody else asks item by item.
//
//   row_heads      rows of one length: nothing is read
//   offset_heads   at offsets in memory, or what an iterator yields; in ascending order
#pragma once

#include <lightscan/tile/divisor.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
// What both are as iterators. `List` has begins(i), for whoever asks item by item, and the offsets where segments begin, for whoever
// goes from one to the next.
template <class List>
struct heads_iterator
{
  using value_type        = bool;
  using reference         = bool;
  using pointer           = void;
  using difference_type   = index;
  using iterator_category = ::cuda::std::random_access_iterator_tag;

  List list;
  index at = 0;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE bool operator*() const
  {
    return list.begins(at);
  }
  LIGHTSCAN_HOST_DEVICE heads_iterator operator+(index distance) const
  {
    return {list, at + distance};
  }
};

// A row begins with every `length`th item, from item 0 on.
class row_list
{
public:
  explicit row_list(index length)
      : length_(length)
      , by_length_(length)
  {}

  LIGHTSCAN_HOST_DEVICE index segments() const
  {
    return ::cuda::std::numeric_limits<index>::max(); // the range ends before
  }
  LIGHTSCAN_HOST_DEVICE index offset(index j) const
  {
    return j * length_;
  }
  LIGHTSCAN_HOST_DEVICE index raw_offset(index j) const
  {
    return offset(j);
  }
  // The number of offsets below an item.
  LIGHTSCAN_HOST_DEVICE index below(index item) const
  {
    return item <= 0 ? 0 : by_length_.quotient(item - 1) + 1;
  }
  LIGHTSCAN_HOST_DEVICE bool begins(index item) const
  {
    return item == by_length_.quotient(item) * length_;
  }
  // So many items have a head among them.
  LIGHTSCAN_HOST_DEVICE index longest() const
  {
    return length_;
  }

private:
  index length_;
  divisor by_length_;
};

using row_heads = heads_iterator<row_list>;

// A segment begins with item offsets[j], for j from 0 to count - 1; an empty one begins where the next does. `Count` converts to the
// number of segments, in device code and possibly only there.
//
// With CCCL's assertions on (CCCL_ENABLE_ASSERTIONS), kernels and host threads fail at an offset that is negative or above the next one, and
// so at those past the last one, where the items end.
template <class OffsetIt, class Count>
struct offset_list
{
  OffsetIt offsets;
  Count count;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE index segments() const
  {
    return static_cast<index>(count);
  }
  // As it lies in memory.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE auto raw_offset(index j) const
  {
    const auto there = at(j);
    _CCCL_ASSERT(static_cast<index>(there) >= 0, "an offset of a segment is negative");
    _CCCL_ASSERT(j >= segments() || static_cast<index>(there) <= static_cast<index>(at(j + 1)),
                 "an offset of a segment is above the next one");
    return there;
  }
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE index offset(index j) const
  {
    return static_cast<index>(raw_offset(j));
  }

  // The number of offsets below an item.
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE index below(index item) const
  {
    index first = 0;
    index last  = segments();
    while (first < last)
    {
      const index middle = first + (last - first) / 2;
      if (offset(middle) < item)
      {
        first = middle + 1;
      }
      else
      {
        last = middle;
      }
    }
    return first;
  }
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE bool begins(index item) const
  {
    const index first = below(item);
    return first < segments() && offset(first) == item;
  }
  LIGHTSCAN_HOST_DEVICE index longest() const
  {
    return ::cuda::std::numeric_limits<index>::max(); // for all that is known
  }

private:
  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE auto at(index j) const
  {
    using difference = typename ::cuda::std::iterator_traits<OffsetIt>::difference_type;
    return static_cast<util::value_t<OffsetIt>>(*(offsets + static_cast<difference>(j)));
  }
};

template <class OffsetIt, class Count>
using offset_heads = heads_iterator<offset_list<OffsetIt, Count>>;

// For chunks of `Items` items, the first of which is item `first` and the next ones `step` items apart: calls f(r, heads) with those of
// chunk r. Bit i: whether a segment begins with item i of the chunk.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <int Items, int Chunks, class List, class F>
LIGHTSCAN_HOST_DEVICE void each_chunks_heads(const List& list, index first, int step, F f)
{
  static_assert(Items <= 32, "a bit for each item");
  const index segments = list.segments();
  for (int r = 0; r < Chunks; ++r)
  {
    index j        = list.below(first + r * step);
    unsigned heads = 0;
    for (int i = 0; i < Items; ++i)
    {
      const index item = first + r * step + i;
      if (j < segments && list.offset(j) == item)
      {
        heads |= 1u << i;
        ++j;
        if (j < segments && list.offset(j) == item) // that one was empty: as many more may be
        {
          j = list.below(item + 1);
        }
      }
    }
    f(r, heads);
  }
}
// Rows are never empty, and there is always another one. Where they are as long as `step` one quotient is enough.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <int Items, int Chunks, class F>
LIGHTSCAN_HOST_DEVICE void each_chunks_heads(const row_list& rows, index first, int step, F f)
{
  static_assert(Items <= 32, "a bit for each item");
  const index length = rows.offset(1);
  index next         = rows.offset(rows.below(first)) - first; // the next head, counted from the chunk's first item
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
  for (int r = 0; r < Chunks; ++r)
  {
    unsigned heads = 0;
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
    for (int i = 0; i < Items; ++i)
    {
      const bool begins = next == i;
      heads |= begins ? 1u << i : 0u;
      next += begins ? length : 0;
    }
    f(r, heads);
    first += step;
    next -= step;
    if (next < 0)
    {
      next = length >= step ? next + length : rows.offset(rows.below(first)) - first;
    }
  }
}

// The number of items in all segments, where the last one ends.
template <class OffsetIt, class Count>
struct items_in_segments
{
  using offset_type = util::value_t<OffsetIt>;
  using number =
    ::cuda::std::conditional_t<::cuda::std::is_integral_v<offset_type>, offset_type, index>; // as narrow as offsets

  offset_list<OffsetIt, Count> list;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE operator number() const
  {
    const index segments = list.segments();
    return segments > 0 ? static_cast<number>(list.offset(segments)) : number{};
  }
};

// The same of rows whose number only the GPU knows.
template <class Count>
struct items_in_rows
{
  Count count;
  index length;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE operator index() const
  {
    return static_cast<index>(count) * length;
  }
};
} // namespace tile
LIGHTSCAN_NAMESPACE_END
