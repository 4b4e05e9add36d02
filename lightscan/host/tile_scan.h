// One thread's work on one tile: fold it, and scan it once its carry is known.
//
// A tile is cut into segments of consecutive elements, some 1 KiB each. A core runs through several segments side by
// side: their operations do not depend on each other, so the operator's latency (four cycles for a floating-point sum)
// is hidden, and no operand changes its place.
//
// Order of combination, a function of an element's index and of sizeof(T) alone:
//
//   - a segment is folded from left to right;
//   - a tile's aggregate is the fold of its segments' folds from left to right;
//   - a segment's carry is the tile's carry, then the folds of the tile's segments before it, from left to right;
//   - a result is its segment's carry, then the segment's elements up to its own, from left to right.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/host/elements.h>
#include <lightscan/version.h>

#include <cstddef>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class T>
struct tile_shape
{
  static constexpr int segment_items = sizeof(T) < 1024 ? static_cast<int>(1024 / sizeof(T)) : 1;
  static constexpr int side_by_side  = sizeof(T) <= 16 ? 8 : sizeof(T) <= 64 ? 4 : 1;
  // 64 KiB: two tiles of a thread are in its second-level cache at a time.
  static constexpr int segments     = 64;
  static constexpr index tile_items = index{segments} * segment_items;
  static constexpr int group_items  = side_by_side * segment_items;

  static constexpr index tiles_of(index num_items)
  {
    return num_items / tile_items + (num_items % tile_items != 0 ? 1 : 0);
  }
};

// The segments' folds of one tile under way; then, in their place, the segments' carries.
template <class T>
struct segment_values
{
  carry::uninitialized<T> of[tile_shape<T>::segments];
};

// `Width` whole segments from `begin` on.
template <int Width, class T, class Source, class Op>
void fold_side_by_side(Source source, index begin, carry::uninitialized<T>* folds, Op& op)
{
  constexpr int items = tile_shape<T>::segment_items;
  carry::uninitialized<T> value[Width];
  for (int s = 0; s < Width; ++s)
  {
    value[s] = carry::uninitialized<T>(source(begin + s * items));
  }
  for (int i = 1; i < items; ++i)
  {
    for (int s = 0; s < Width; ++s)
    {
      value[s] = carry::combine<T>(op, value[s].value, source(begin + s * items + i));
    }
  }
  for (int s = 0; s < Width; ++s)
  {
    folds[s] = value[s];
  }
}

// The folds of the `count` whole segments from `begin` on.
template <class T, class Source, class Op>
void fold_segments(const Source& source, index begin, int count, segment_values<T>& folds, Op& op)
{
  using shape = tile_shape<T>;
  int s       = 0;
  for (; s + shape::side_by_side <= count; s += shape::side_by_side)
  {
    fold_side_by_side<shape::side_by_side, T>(source, begin + index{s} * shape::segment_items, folds.of + s, op);
  }
  for (; s < count; ++s)
  {
    fold_side_by_side<1, T>(source, begin + index{s} * shape::segment_items, folds.of + s, op);
  }
}

template <class T, class Op>
carry::uninitialized<T> aggregate_of(const segment_values<T>& folds, Op& op)
{
  carry::uninitialized<T> aggregate = folds.of[0];
  for (int s = 1; s < tile_shape<T>::segments; ++s)
  {
    aggregate = carry::combine(op, aggregate.value, folds.of[s].value);
  }
  return aggregate;
}

// Scans tiles from their segments' folds. `Inclusive`: a result has its own element in it.
template <bool Inclusive, class T, class Source, class Results, class Op>
class tile_scanner
{
public:
  using shape = tile_shape<T>;

  // `ahead` elements further on lie those that this thread will fold next; they are fetched into the cache meanwhile.
  tile_scanner(Source& source, Results& results, Op& op, index num_items, index ahead)
      : source_(source)
      , results_(results)
      , op_(op)
      , num_items_(num_items)
      , ahead_(ahead)
  {}

  // `folds` are those of all whole segments but the tile's last. Without a carry, the tile is the first of a scan
  // without an initial value.
  void scan(index begin, segment_values<T>& folds, bool has_carry, const carry::uninitialized<T>& carry)
  {
    const index left = num_items_ - begin;
    const int items  = static_cast<int>(left < shape::tile_items ? left : shape::tile_items);
    const int whole  = items / shape::segment_items;
    const int rest   = items % shape::segment_items;
    to_carries(folds, whole + (rest > 0 ? 1 : 0), has_carry, carry);

    int s = 0;
    if (!has_carry)
    {
      const int first = items < shape::segment_items ? items : shape::segment_items;
      scan_first_segment(begin, first);
      s = 1;
    }
    for (; s + shape::side_by_side <= whole; s += shape::side_by_side)
    {
      scan_side_by_side<shape::side_by_side>(begin + index{s} * shape::segment_items, folds.of + s);
    }
    for (; s < whole; ++s)
    {
      scan_side_by_side<1>(begin + index{s} * shape::segment_items, folds.of + s);
    }
    if (rest > 0 && s == whole)
    {
      scan_part(begin + index{s} * shape::segment_items, rest, folds.of[s]);
    }
  }

private:
  void to_carries(segment_values<T>& folds, int count, bool has_carry, const carry::uninitialized<T>& carry)
  {
    const int first = has_carry ? 0 : 1;
    if (first >= count)
    {
      return;
    }
    carry::uninitialized<T> before = has_carry ? carry : folds.of[0];
    for (int s = first; s < count; ++s)
    {
      const carry::uninitialized<T> fold = folds.of[s];
      folds.of[s]                        = before;
      if (s + 1 < count)
      {
        before = carry::combine(op_, before.value, fold.value);
      }
    }
  }

  template <int Width>
  void scan_side_by_side(index begin, const carry::uninitialized<T>* carries)
  {
    constexpr int items = shape::segment_items;
    carry::uninitialized<T> value[Width];
    for (int s = 0; s < Width; ++s)
    {
      value[s] = carries[s];
    }
    Source source = source_;
    auto results  = results_.begin(begin);
    // In steps of one cache line of a segment, each of which also asks for as many lines of a later tile.
    constexpr int line = elements_of_line<typename Source::iterator>;
    constexpr int step = line > 0 && items % line == 0 ? line : items;
    const index ahead  = begin + ahead_;
    const bool fetch   = step == line && ahead_ > 0 && ahead + Width * items <= num_items_;
    for (int i = 0; i < items; i += step)
    {
      if (fetch)
      {
        for (int s = 0; s < Width; ++s)
        {
          prefetch(source.first, ahead + i * Width + s * step);
        }
      }
      for (int j = i; j < i + step; ++j)
      {
        for (int s = 0; s < Width; ++s)
        {
          scan_one(source, begin, s * items + j, value[s], results);
        }
      }
    }
    results_.end(begin, Width * items);
  }

  // A segment that the range ends in.
  void scan_part(index begin, int count, carry::uninitialized<T> value)
  {
    auto results = results_.begin(begin);
    for (int i = 0; i < count; ++i)
    {
      scan_one(source_, begin, i, value, results);
    }
    results_.end(begin, count);
  }

  // Inclusive scans only: an exclusive one always has a carry.
  void scan_first_segment(index begin, int count)
  {
    carry::uninitialized<T> value(source_(begin));
    auto results = results_.begin(begin);
    results.put(0, value.value);
    for (int i = 1; i < count; ++i)
    {
      scan_one(source_, begin, i, value, results);
    }
    results_.end(begin, count);
  }

  template <class Writer>
  void scan_one(Source& source, index begin, int offset, carry::uninitialized<T>& value, Writer& results)
  {
    const T element = source(begin + offset); // before the result, which may lie in its place
    if constexpr (Inclusive)
    {
      value = carry::combine(op_, value.value, element);
      results.put(offset, value.value);
    }
    else
    {
      results.put(offset, value.value);
      value = carry::combine(op_, value.value, element);
    }
  }

  Source& source_;
  Results& results_;
  Op& op_;
  index num_items_;
  index ahead_;
};
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
