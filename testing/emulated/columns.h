// What the tests of columns and of keys scan: maps of numbers, and what is made of them.
#pragma once

#include "case.h"

namespace emulated
{
using small  = maps<std::uint8_t, 1>;
using number = maps<std::uint32_t, 1>;

// What a map is made of: of a number, and of narrower maps.
struct to_map
{
  number operator()(std::uint32_t of) const
  {
    return {of * 2654435761u | 1, of ^ of >> 3};
  }
  number operator()(small of) const
  {
    return {of.scale * 77u | 1, of.shift[0] * 1001u};
  }
  template <class Scale, class Shift>
  number operator()(const cuda::std::tuple<Scale, Shift>& of) const
  {
    return {cuda::std::get<0>(of) * 77u | 1, cuda::std::get<1>(of) * 1001u};
  }
};

template <class It>
auto values_of(It first, std::size_t n)
{
  std::vector<lightscan::util::value_t<It>> all;
  all.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    all.push_back(*(first + static_cast<std::ptrdiff_t>(i)));
  }
  return all;
}

// Most tiles have about so many items.
inline std::size_t any_size(std::mt19937_64& random)
{
  return static_cast<std::size_t>(any_number(random, 1600, 5));
}
} // namespace emulated
