// Scans along an axis on host threads. Lines that lie side by side are scanned layer by layer, so that memory is read as it lies, with
// their folds side by side in a cache; a thread takes bands of them. Few long lines are scanned one after the other, each by all
// threads (engine.h). Which it is depends on the array alone, so the bits do not depend on the number of threads.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/host/elements.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/places.h>
#include <lightscan/host/segments.h>
#include <lightscan/host/stream_store.h>
#include <lightscan/host/tile_loop.h>
#include <lightscan/host/tile_scan.h>
#include <lightscan/tile/segment_heads.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>

#include <cstddef>
#include <vector>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
// Every `step`th element.
template <class It>
struct strided
{
  It first;
  index step;

  decltype(auto) operator[](index i) const
  {
    using difference = typename ::cuda::std::iterator_traits<It>::difference_type;
    return first[static_cast<difference>(i * step)];
  }
  strided operator+(index distance) const
  {
    using difference = typename ::cuda::std::iterator_traits<It>::difference_type;
    return {first + static_cast<difference>(distance * step), step};
  }
};

template <bool Inclusive, class T, class InputIt, class OutputIt, class Op, class Init>
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
    if (along_.inner >= least_band || along_.outer * bands_of(least_band) >= enough_bands)
    {
      const index width   = band_for(threads);
      const index bands   = bands_of(width);
      const index of_band = along_.length * (along_.inner < width ? along_.inner : width);
      share_out(threads, along_.outer * bands, tile_shape<T>::tile_items / of_band + 1, [&](index first, index last) {
        Op op = op_; // a thread's own
        for (index band = first; band < last; ++band)
        {
          const index line = band % bands * width;
          scan_band(band / bands, line, along_.inner - line < width ? along_.inner - line : width, op);
        }
      });
    }
    else
    {
      for (index line = 0; line < along_.outer * along_.inner; ++line)
      {
        scan_line(threads, line / along_.inner, line % along_.inner);
      }
    }
  }

private:
  static constexpr bool has_init = !::cuda::std::is_same_v<Init, util::no_init>;
  // A cache line of neighbours at least, so that no two threads write to the same one but at an end; at most what a core's nearest
  // cache holds.
  static constexpr index least_band          = sizeof(T) < line_of_cache ? static_cast<index>(line_of_cache / sizeof(T))
                                                                         : index{1};
  static constexpr index most_lines_of_cache = 256;
  static constexpr index enough_bands        = 16; // of the least width: else threads share lines

  index bands_of(index width) const
  {
    return (along_.inner - 1) / width + 1;
  }

  // As wide as leaves each thread some bands: the wider, the longer the runs of memory.
  index band_for(int threads) const
  {
    const index wanted = 4 * static_cast<index>(threads) / along_.outer + 1; // of each outer index
    const index shared = along_.inner / wanted / least_band;
    return least_band * (shared < 1 ? 1 : shared < most_lines_of_cache ? shared : most_lines_of_cache);
  }

  // The first element of a line in the order of the scan, and the way to the next one.
  strided<InputIt> input(index outer, index inner) const
  {
    return line_of(in_, along_.input, outer, inner);
  }
  strided<OutputIt> output(index outer, index inner) const
  {
    return line_of(out_, along_.output, outer, inner);
  }
  template <class It>
  strided<It> line_of(const It& first, const axis_strides& strides, index outer, index inner) const
  {
    using difference  = typename ::cuda::std::iterator_traits<It>::difference_type;
    const index begin = outer * strides.outer + inner + (along_.reverse ? (along_.length - 1) * strides.along : 0);
    return {first + static_cast<difference>(begin), along_.reverse ? -strides.along : strides.along};
  }

  void scan_band(index outer, index first, index count, Op& op) const
  {
    const auto in        = input(outer, first);
    const auto out       = output(outer, first);
    std::vector<T> folds = first_layer(in.first, out.first, count, op);
    for (index k = 1; k < along_.length; ++k)
    {
      scan_layer((in + k).first, (out + k).first, count, folds.data(), op);
    }
  }

  // Elements are read before results are written, which may lie in their place.
  std::vector<T> first_layer(const InputIt& in, const OutputIt& out, index count, Op& op) const
  {
    std::vector<T> folds;
    folds.reserve(static_cast<std::size_t>(count));
    for (index l = 0; l < count; ++l)
    {
      if constexpr (has_init)
      {
        folds.push_back(init_);
      }
      else
      {
        folds.push_back(static_cast<T>(at(in, l)));
        at(out, l) = folds.back();
      }
    }
    if constexpr (has_init)
    {
      scan_layer(in, out, count, folds.data(), op);
    }
    return folds;
  }

  static void scan_layer(const InputIt& in, const OutputIt& out, index count, T* folds, Op& op)
  {
    for (index l = 0; l < count; ++l)
    {
      const T element = static_cast<T>(at(in, l));
      if constexpr (Inclusive)
      {
        folds[l]   = static_cast<T>(op(folds[l], element));
        at(out, l) = folds[l];
      }
      else
      {
        at(out, l) = folds[l];
        folds[l]   = static_cast<T>(op(folds[l], element));
      }
    }
  }

  template <class It>
  static decltype(auto) at(const It& first, index i)
  {
    return first[static_cast<typename ::cuda::std::iterator_traits<It>::difference_type>(i)];
  }

  void scan_line(int threads, index outer, index inner) const
  {
    const auto from = input(outer, inner);
    const auto to   = output(outer, inner);
    host_engine::scan<default_tuning, Inclusive, T>(threads,
                                                    same_place(from.first, to.first),
                                                    elements<T, strided<InputIt>>{from},
                                                    to,
                                                    all_of_it{},
                                                    along_.length,
                                                    op_,
                                                    init_);
  }

  const axis& along_;
  const InputIt& in_;
  const OutputIt& out_;
  const Op& op_;
  const Init& init_;
};

template <bool Inclusive, class T, class InputIt, class OutputIt, class Op, class Init>
void scan_along(int threads, const axis& along, const InputIt& in, const OutputIt& out, const Op& op, const Init& init)
{
  const auto gapless = [&](const axis_strides& strides) {
    return strides.along == 1 && (along.outer == 1 || strides.outer == along.length);
  };
  if (along.outer == 0 || along.length == 0 || along.inner == 0)
  {
    return;
  }
  if (along.inner == 1 && !along.reverse && gapless(along.input) && gapless(along.output))
  {
    host_engine::scan_segments<default_tuning, Inclusive, T>(
      threads, along.outer * along.length, tile::row_list(along.length), in, out, op, init);
    return;
  }
  const auto from = util::unwrapped(in);
  const auto to   = util::unwrapped(out);
  lines<Inclusive, T, util::unwrapped_t<InputIt>, util::unwrapped_t<OutputIt>, Op, Init>(along, from, to, op, init)
    .scan(threads);
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
