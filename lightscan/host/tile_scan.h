// One thread's work on one tile: fold it, and scan it once its carry is known.
//
// A tile is cut into strips of consecutive elements, some 1 KiB each. A core runs through several strips side by
// side: their operations do not depend on each other, so the operator's latency (four cycles for a floating-point sum)
// is hidden, and no operand changes its place.
//
// Order of combination, a function of an element's index and of sizeof(T) alone:
//
//   - a strip is folded from left to right;
//   - a tile's aggregate is the fold of its strips' folds from left to right;
//   - a strip's carry is the tile's carry, then the folds of the tile's strips before it, from left to right;
//   - a result is its strip's carry, then the strip's elements up to its own, from left to right.
#pragma once

#include <lightscan/host/elements.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cstddef>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class T>
struct tile_shape
{
  static constexpr int strip_items  = sizeof(T) < 1024 ? static_cast<int>(1024 / sizeof(T)) : 1;
  static constexpr int side_by_side = sizeof(T) <= 16 ? 8 : sizeof(T) <= 64 ? 4 : 1;
  // 64 KiB: two tiles of a thread are in its second-level cache at a time.
  static constexpr int strips       = 64;
  static constexpr index tile_items = index{strips} * strip_items;
  static constexpr int group_items  = side_by_side * strip_items;

  static constexpr index tiles_of(index num_items)
  {
    return num_items / tile_items + (num_items % tile_items != 0 ? 1 : 0);
  }
};

// The strips' folds of one tile under way; then, in their place, the strips' carries.
template <class T>
struct strip_values
{
  util::uninitialized<T> of[tile_shape<T>::strips];
};

// `Width` whole strips from `begin` on.
template <int Width, class T, class Source, class Op>
void fold_side_by_side(own_copy<Source> source, index begin, util::uninitialized<T>* folds, Op& op)
{
  constexpr int items = tile_shape<T>::strip_items;
  util::uninitialized<T> value[Width];
  for (int s = 0; s < Width; ++s)
  {
    value[s] = util::uninitialized<T>(source(begin + s * items));
  }
  for (int i = 1; i < items; ++i)
  {
    for (int s = 0; s < Width; ++s)
    {
      value[s] = util::combine<T>(op, value[s].value, source(begin + s * items + i));
    }
  }
  for (int s = 0; s < Width; ++s)
  {
    folds[s] = value[s];
  }
}

// The folds of the `count` whole strips from `begin` on.
template <class T, class Source, class Op>
void fold_strips(Source& source, index begin, int count, strip_values<T>& folds, Op& op)
{
  using shape = tile_shape<T>;
  int s       = 0;
  for (; s + shape::side_by_side <= count; s += shape::side_by_side)
  {
    fold_side_by_side<shape::side_by_side, T, Source>(source, begin + index{s} * shape::strip_items, folds.of + s, op);
  }
  for (; s < count; ++s)
  {
    fold_side_by_side<1, T, Source>(source, begin + index{s} * shape::strip_items, folds.of + s, op);
  }
}

template <class T, class Op>
util::uninitialized<T> aggregate_of(const strip_values<T>& folds, Op& op)
{
  util::uninitialized<T> aggregate = folds.of[0];
  for (int s = 1; s < tile_shape<T>::strips; ++s)
  {
    aggregate = util::combine(op, aggregate.value, folds.of[s].value);
  }
  return aggregate;
}

// Scans tiles from their strips' folds. `Inclusive`: a result has its own element in it.
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

  // `folds` are those of all whole strips but the tile's last. Without a carry, the tile is the first of a scan
  // without an initial value.
  void scan(index begin, strip_values<T>& folds, bool has_carry, const util::uninitialized<T>& tile_carry)
  {
    const index left = num_items_ - begin;
    const int items  = static_cast<int>(left < shape::tile_items ? left : shape::tile_items);
    const int whole  = items / shape::strip_items;
    const int rest   = items % shape::strip_items;
    to_carries(folds, whole + (rest > 0 ? 1 : 0), has_carry, tile_carry);

    int s = 0;
    if (!has_carry)
    {
      const int first = items < shape::strip_items ? items : shape::strip_items;
      scan_first_strip(begin, first);
      s = 1;
    }
    for (; s + shape::side_by_side <= whole; s += shape::side_by_side)
    {
      scan_side_by_side<shape::side_by_side>(begin + index{s} * shape::strip_items, folds.of + s);
    }
    for (; s < whole; ++s)
    {
      scan_side_by_side<1>(begin + index{s} * shape::strip_items, folds.of + s);
    }
    if (rest > 0 && s == whole)
    {
      scan_part(begin + index{s} * shape::strip_items, rest, folds.of[s]);
    }
  }

private:
  void to_carries(strip_values<T>& folds, int count, bool has_carry, const util::uninitialized<T>& tile_carry)
  {
    const int first = has_carry ? 0 : 1;
    if (first >= count)
    {
      return;
    }
    util::uninitialized<T> before = has_carry ? tile_carry : folds.of[0];
    for (int s = first; s < count; ++s)
    {
      const util::uninitialized<T> fold = folds.of[s];
      folds.of[s]                       = before;
      if (s + 1 < count)
      {
        before = util::combine(op_, before.value, fold.value);
      }
    }
  }

  template <int Width>
  void scan_side_by_side(index begin, const util::uninitialized<T>* carries)
  {
    constexpr int items = shape::strip_items;
    util::uninitialized<T> value[Width];
    for (int s = 0; s < Width; ++s)
    {
      value[s] = carries[s];
    }
    own_copy<Source> source = source_;
    auto results            = results_.begin(begin);
    // In steps of one cache line of a strip, each of which also asks for as many lines of a later tile.
    constexpr int line = elements_of_line<typename Source::iterator>;
    constexpr int step = line > 0 && items % (line > 0 ? line : 1) == 0 ? line : items;
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

  // A strip that the range ends in.
  void scan_part(index begin, int count, util::uninitialized<T> value)
  {
    auto results = results_.begin(begin);
    for (int i = 0; i < count; ++i)
    {
      scan_one(source_, begin, i, value, results);
    }
    results_.end(begin, count);
  }

  // Inclusive scans only: an exclusive one always has a carry.
  void scan_first_strip(index begin, int count)
  {
    util::uninitialized<T> value(source_(begin));
    auto results = results_.begin(begin);
    results.put(0, value.value);
    for (int i = 1; i < count; ++i)
    {
      scan_one(source_, begin, i, value, results);
    }
    results_.end(begin, count);
  }

  template <class Writer>
  void scan_one(Source& source, index begin, int offset, util::uninitialized<T>& value, Writer& results)
  {
    const T element = source(begin + offset); // before the result, which may lie in its place
    if constexpr (Inclusive)
    {
      value = util::combine(op_, value.value, element);
      results.put(offset, value.value);
    }
    else
    {
      results.put(offset, value.value);
      value = util::combine(op_, value.value, element);
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
