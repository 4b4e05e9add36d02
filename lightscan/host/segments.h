// Scans of segments on host threads. A tile's aggregate is what its last segment comes to, and whether one begins in it: where one
// does, only that segment's part is folded, and of what is scanned only the elements before the first head wait for the carry. A tile in
// which none begins is folded and scanned as a tile of any scan (tile_scan.h). Where a segment begins is searched for twice a tile.
//
// Whatever the offsets say, a segment begins with element 0, and a tile's results stay in the tile.
#pragma once

#include <lightscan/host/elements.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/places.h>
#include <lightscan/host/tile_loop.h>
#include <lightscan/host/tile_scan.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
// What scans of segments are made of. `List` is one of tile/segment_heads.h; `Init` is V, which stands before each segment, or
// util::no_init.
template <bool Inclusive, class V, class List, class InputIt, class OutputIt, class Op, class Init>
struct segments
{
  List list;
  InputIt first;
  OutputIt result;
  Op op;
  Init init;

  V element(index i)
  {
    return static_cast<V>(first[i]);
  }

  // Where a segment begins; no_more, where there is none.
  index head(index segment, index no_more) const
  {
    return segment < list.segments() ? list.offset(segment) : no_more;
  }

  // The first segment behind `segment`, which does not begin behind element `at`, that does: the farther, the longer the steps.
  index behind(index segment, index at) const
  {
    index step = 1;
    while (head(segment + step, at + 1) <= at)
    {
      segment += step;
      step *= 2;
    }
    index first = segment + 1;
    index last  = segment + step < list.segments() ? segment + step : list.segments();
    while (first < last)
    {
      const index middle = first + (last - first) / 2;
      if (list.offset(middle) <= at)
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

  // The value of a segment after its first element.
  V begun(index i)
  {
    if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
    {
      return element(i);
    }
    else
    {
      return static_cast<V>(op(init, element(i)));
    }
  }

  V fold(index begin, index end)
  {
    V value = begun(begin);
    for (index i = begin + 1; i < end; ++i)
    {
      value = static_cast<V>(op(value, element(i)));
    }
    return value;
  }

  // Elements [begin, end) of a segment that has come to `value`.
  void scan_on(V value, index begin, index end)
  {
    for (index i = begin; i < end; ++i)
    {
      const V next = element(i); // before the result, which may lie in its place
      if constexpr (Inclusive)
      {
        value     = static_cast<V>(op(value, next));
        result[i] = value;
      }
      else
      {
        result[i] = value;
        value     = static_cast<V>(op(value, next));
      }
    }
  }

  // A segment's first elements, [begin, end).
  void scan_from_head(index begin, index end)
  {
    if constexpr (Inclusive)
    {
      const V value = begun(begin);
      result[begin] = value;
      scan_on(value, begin + 1, end);
    }
    else
    {
      scan_on(init, begin, end);
    }
  }

  // All segments from the one that begins at `at` on, as far as element `end`; behind it comes segment `next`, or one after that.
  void scan_segments(index next, index at, index end)
  {
    while (at < end)
    {
      const index begins = head(next, end);
      if (begins <= at)
      {
        next = behind(next, at); // the one at `at` was empty, and so may many be
        continue;
      }
      const index to = begins < end ? begins : end;
      scan_from_head(at, to);
      at = to;
      ++next;
    }
  }
};

// The same, tile by tile (tile_loop.h). `Results` take those of a tile in which no segment begins (elements.h).
template <bool Inclusive, class V, class List, class InputIt, class OutputIt, class Op, class Init, class Results>
class segments_work
{
  using shape  = tile_shape<V>;
  using all    = segments<Inclusive, V, List, InputIt, OutputIt, Op, Init>;
  using source = elements<V, InputIt>;

public:
  using accumulator = keyed<V>;
  using op_type     = keyed_op<V, Op>;

  static constexpr index tile_items = shape::tile_items;

  struct stage
  {
    index begin = 0;
    index end   = 0;
    index head  = 0;       // where the first segment begins; not before `end`, if none does
    index next  = 0;       // the segment behind that one
    strip_values<V> folds; // of a tile without a head

    explicit stage(index) {}
  };

  segments_work(const all& of, index num_items)
      : all_(of)
      , results_{of.result, all_of_it{}}
      , num_items_(num_items)
  {}

  op_type op() const
  {
    return {all_.op};
  }

  accumulator fold(index begin, index count, stage& tile)
  {
    tile.begin = begin;
    tile.end   = begin + count;
    find_first(tile);
    // The last tile has no aggregate that anybody needs, and its last strip no fold.
    const bool whole = tile.end < num_items_;
    if (tile.head < tile.end)
    {
      return {whole ? all_.fold(last_head(tile), tile.end) : all_.element(begin), true};
    }
    source elements{all_.first};
    fold_strips(
      elements, begin, whole ? shape::strips : static_cast<int>((count - 1) / shape::strip_items), tile.folds, all_.op);
    return {whole ? aggregate_of(tile.folds, all_.op).value : all_.element(begin), false};
  }

  void put(stage& tile, bool, const util::uninitialized<accumulator>& carry, bool)
  {
    if (tile.head < tile.end)
    {
      if (tile.begin < tile.head)
      {
        all_.scan_on(carry.value.value, tile.begin, tile.head);
      }
      all_.scan_segments(tile.next, tile.head, tile.end);
      return;
    }
    source in{all_.first};
    tile_scanner<Inclusive, V, source, Results, Op> scanner(in, results_, all_.op, num_items_, 0);
    scanner.scan(tile.begin, tile.folds, true, util::uninitialized<V>(carry.value.value));
  }

private:
  void find_first(stage& tile) const
  {
    if (tile.begin == 0)
    {
      tile.head = 0;
      tile.next = 0;
      return;
    }
    const index first = all_.list.below(tile.begin);
    tile.head         = all_.head(first, tile.end);
    tile.next         = first + 1;
  }

  index last_head(const stage& tile) const
  {
    const index last = all_.list.below(tile.end) - 1;
    const index head = last < 0 ? 0 : all_.list.offset(last);
    return head < tile.head ? tile.head : head; // offsets need not ascend
  }

  all all_;
  Results results_;
  index num_items_;
};

template <class Tuning, bool Inclusive, class V, class List, class InputIt, class OutputIt, class Op, class Init>
void scan_segments(int threads,
                   index num_items,
                   const List& list,
                   const InputIt& in,
                   const OutputIt& out,
                   const Op& op,
                   const Init& init)
{
  if (num_items <= 0)
  {
    return;
  }
  const auto from = util::unwrapped(in);
  const auto to   = util::unwrapped(out);
  using input     = util::unwrapped_t<InputIt>;
  using output    = util::unwrapped_t<OutputIt>;
  segments<Inclusive, V, List, input, output, Op, Init> all{list, from, to, op, init};
  if constexpr (!fits_slots<keyed<V>>)
  {
    all.scan_segments(0, 0, num_items);
  }
  else
  {
    const auto run = [&](auto work) {
      tile_loop<Tuning, decltype(work)>(work, num_items).run(threads);
    };
    using traits = output_traits<output, V, V>;
    if constexpr (traits::streams)
    {
      using O        = ::cuda::std::remove_pointer_t<output>;
      using streamed = streamed_results<O, all_of_it, traits::buffer_bytes>;
      if (!same_place(from, to) && num_items >= Tuning::streams_from_bytes / static_cast<index>(sizeof(O)))
      {
        run(segments_work<Inclusive, V, List, input, output, Op, Init, streamed>(all, num_items));
        return;
      }
    }
    run(segments_work<Inclusive, V, List, input, output, Op, Init, direct_results<output, all_of_it>>(all, num_items));
  }
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
