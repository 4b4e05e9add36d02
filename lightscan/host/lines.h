// Scans along an axis on host threads. Lines that lie side by side are scanned together, layer by layer, as wide as their folds stay in
// the nearest cache, so that memory is read in long runs. Where there are some such bands, threads share them out; where there are few,
// all threads scan each, in tiles along the axis (layer_tiles.h). One to three lines are a scan like any other (layer_packs.h, engine.h).
// Which it is depends on the array alone, so the bits do not depend on the number of threads.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/host/elements.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/layer_packs.h>
#include <lightscan/host/layer_tiles.h>
#include <lightscan/host/layers.h>
#include <lightscan/host/tile_loop.h>
#include <lightscan/host/tile_scan.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class Tuning, bool Inclusive, class T, class InputIt, class OutputIt, class Op, class Init>
class lines
{
public:
  lines(const axis& along, const InputIt& in, const OutputIt& out, const Op& op, const Init& init)
      : along_(along)
      , in_(in)
      , out_(out)
      , op_(op)
      , init_(init)
  {}

  void scan(int threads) const
  {
    if constexpr (!fits_slots<T>)
    {
      share_out_bands(::cuda::std::is_trivially_copyable_v<T> ? threads : 1);
    }
    else if (along_.outer * bands_at_most() >= Tuning::bands_for_threads)
    {
      share_out_bands(threads);
    }
    else
    {
      for (index outer = 0; outer < along_.outer; ++outer)
      {
        const index bands = bands_at_least();
        for (index band = 0; band < bands; ++band)
        {
          scan_together(threads, outer, first_line(band, bands), lines_in(band, bands));
        }
      }
    }
  }

private:
  static constexpr bool has_init = !::cuda::std::is_same_v<Init, util::no_init>;

  static constexpr index lines_of(index bytes)
  {
    const index lines = bytes / static_cast<index>(sizeof(T));
    return lines < 1 ? 1 : lines;
  }
  // For folds to stay in the nearest cache, and for layers not to get too short.
  index bands_at_least() const
  {
    return (along_.inner - 1) / lines_of(Tuning::most_bytes_of_folds) + 1;
  }
  index bands_at_most() const
  {
    const index bands = along_.inner / lines_of(Tuning::least_bytes_of_layer);
    return bands < 1 ? 1 : bands;
  }

  // Bands differ by a line at most.
  index first_line(index band, index bands) const
  {
    const index rest = along_.inner % bands;
    return along_.inner / bands * band + rest * band / bands;
  }
  index lines_in(index band, index bands) const
  {
    return first_line(band + 1, bands) - first_line(band, bands);
  }

  void share_out_bands(int threads) const
  {
    const index wanted = threads == 1 ? 1 : 4 * static_cast<index>(threads) / along_.outer + 1; // of each outer index
    const index some   = wanted < bands_at_most() ? wanted : bands_at_most();
    const index bands  = some < bands_at_least() ? bands_at_least() : some;
    const index width  = (along_.inner - 1) / bands + 1;
    const index worth  = tile_shape<T>::tile_items / (along_.length * width) + 1;
    share_out(threads, along_.outer * bands, worth, [&](index first, index last) {
      line_folds<T, Op> folds(width, op_);
      for (index number = first; number < last; ++number)
      {
        const index band = number % bands;
        scan_alone(number / bands, first_line(band, bands), lines_in(band, bands), folds);
      }
    });
  }

  // A band on one thread.
  void scan_alone(index outer, index line, index count, line_folds<T, Op>& folds) const
  {
    const auto in  = layers_of(in_, along_.input, outer, line);
    const auto out = layers_of(out_, along_.output, outer, line);
    if constexpr (fits_slots<T>)
    {
      // An array of so few lines is one band, and a band of a wider one has more, whatever the number of threads.
      static_assert(lines_of(Tuning::least_bytes_of_layer) > 3);
      if (scan_few(1, count, in, out))
      {
        return;
      }
    }
    index layer = 0;
    if constexpr (has_init)
    {
      folds.begin_with(count, [&](index) {
        return init_;
      });
    }
    else
    {
      folds.begin_with_layer(count, in.first);
      folds.put(out.first);
      ++layer;
    }
    for (; layer < along_.length; ++layer)
    {
      folds.template scan<Inclusive>((in + layer).first, (out + layer).first);
    }
  }

  // A band on all threads.
  void scan_together(int threads, index outer, index line, index count) const
  {
    const auto in  = layers_of(in_, along_.input, outer, line);
    const auto out = layers_of(out_, along_.output, outer, line);
    if (!scan_few(threads, count, in, out))
    {
      layer_tiles<Tuning, Inclusive, T, InputIt, OutputIt, Op, Init>(along_.length, count, in, out, op_, init_)
        .run(threads);
    }
  }

  // The first layer of a band in the order of the scan, and the way to the next one.
  template <class It>
  strided<It> layers_of(const It& first, const axis_strides& strides, index outer, index line) const
  {
    using difference  = typename ::cuda::std::iterator_traits<It>::difference_type;
    const index begin = outer * strides.outer + line + (along_.reverse ? (along_.length - 1) * strides.along : 0);
    return {first + static_cast<difference>(begin), along_.reverse ? -strides.along : strides.along};
  }

  // One to three lines, if packs go through slots; returns whether they are so few.
  bool scan_few(int threads, index count, const strided<InputIt>& in, const strided<OutputIt>& out) const
  {
    switch (count)
    {
      case 1:
        scan_items<T>(threads, elements<T, strided<InputIt>>{in}, out, op_, init_);
        return true;
      case 2:
        return scan_packs<2>(threads, in, out);
      case 3:
        return scan_packs<3>(threads, in, out);
      default:
        return false;
    }
  }

  template <int Lines>
  bool scan_packs(int threads, const strided<InputIt>& in, const strided<OutputIt>& out) const
  {
    using packed = pack<T, Lines>;
    if constexpr (fits_slots<packed>)
    {
      scan_items<packed>(threads,
                         elements<packed, packs_read<T, Lines, InputIt>>{{in}},
                         packs_written<T, Lines, OutputIt>{out},
                         pack_op<T, Lines, Op>{op_},
                         pack_of<T, Lines>(init_));
    }
    return fits_slots<packed>;
  }

  // Items of one strip at most in the order that the engine has for them, without what it takes to begin.
  template <class Item, class Source, class Results, class ItemOp, class Start>
  void scan_items(int threads, const Source& source, const Results& to, const ItemOp& op, const Start& start) const
  {
    if (along_.length <= tile_shape<Item>::strip_items)
    {
      scan_left_to_right<Inclusive, Item>(source, direct_results<Results, all_of_it>{to, {}}, along_.length, op, start);
    }
    else
    {
      host_engine::scan<Tuning, Inclusive, Item>(threads, false, source, to, all_of_it{}, along_.length, op, start);
    }
  }

  const axis& along_;
  const InputIt& in_;
  const OutputIt& out_;
  const Op& op_;
  const Init& init_;
};

template <class Tuning, bool Inclusive, class T, class InputIt, class OutputIt, class Op, class Init>
void scan_lines(int threads, const axis& along, const InputIt& in, const OutputIt& out, const Op& op, const Init& init)
{
  lines<Tuning, Inclusive, T, InputIt, OutputIt, Op, Init>(along, in, out, op, init).scan(threads);
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
