// Layers of a band: neighbouring lines' elements at one place along the axis, and the folds of these lines.
#pragma once

#include <lightscan/host/elements.h>
#include <lightscan/version.h>

#include <cuda/std/iterator>

#include <cstddef>
#include <vector>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class It>
decltype(auto) element_at(const It& first, index i)
{
  return first[static_cast<typename ::cuda::std::iterator_traits<It>::difference_type>(i)];
}

// Every `step`th element: those of a line, or the first ones of layers.
template <class It>
struct strided
{
  It first;
  index step;

  decltype(auto) operator[](index i) const
  {
    return element_at(first, i * step);
  }
  strided operator+(index distance) const
  {
    using difference = typename ::cuda::std::iterator_traits<It>::difference_type;
    return {first + static_cast<difference>(distance * step), step};
  }
};

template <class T>
struct line_fold // no T, for there is no vector of bool
{
  T value;
};

// One for each line of a band.
template <class T, class Op>
class line_folds
{
public:
  line_folds(index most_lines, const Op& op)
      : op_(op)
  {
    of_.reserve(static_cast<std::size_t>(most_lines));
  }

  // value_of(line)
  template <class F>
  void begin_with(index lines, F value_of)
  {
    of_.clear();
    for (index l = 0; l < lines; ++l)
    {
      of_.push_back(line_fold<T>{value_of(l)});
    }
  }

  template <class It>
  void begin_with_layer(index lines, const It& layer)
  {
    begin_with(lines, [&](index l) {
      return static_cast<T>(element_at(layer, l));
    });
  }

  template <class It>
  void fold(const It& layer)
  {
    line_fold<T>* const folds = of_.data();
    const index lines         = static_cast<index>(of_.size());
    for (index l = 0; l < lines; ++l)
    {
      folds[l].value = static_cast<T>(op_(folds[l].value, static_cast<T>(element_at(layer, l))));
    }
  }

  // Elements are read before results are written, which may lie in their place.
  template <bool Inclusive, class InputIt, class OutputIt>
  void scan(const InputIt& in, const OutputIt& out)
  {
    line_fold<T>* const folds = of_.data();
    const index lines         = static_cast<index>(of_.size());
    for (index l = 0; l < lines; ++l)
    {
      T& fold         = folds[l].value;
      const T element = static_cast<T>(element_at(in, l));
      if constexpr (Inclusive)
      {
        fold               = static_cast<T>(op_(fold, element));
        element_at(out, l) = fold;
      }
      else
      {
        element_at(out, l) = fold;
        fold               = static_cast<T>(op_(fold, element));
      }
    }
  }

  template <class OutputIt>
  void put(const OutputIt& out) const
  {
    for (index l = 0; l < static_cast<index>(of_.size()); ++l)
    {
      element_at(out, l) = of_[static_cast<std::size_t>(l)].value;
    }
  }

  // f(line, its fold)
  template <class F>
  void each(F f)
  {
    for (index l = 0; l < static_cast<index>(of_.size()); ++l)
    {
      f(l, of_[static_cast<std::size_t>(l)].value);
    }
  }

  Op& op()
  {
    return op_;
  }

private:
  Op op_; // a thread's own
  std::vector<line_fold<T>> of_;
};
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
