// The layers of two or three lines as elements of one scan: a pack has one value of each line, and the operator joins packs line by line.
// So few values stay in registers, and the engine's strips (tile_scan.h) hide how long the operator takes.
#pragma once

#include <lightscan/host/layers.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class T, int Lines>
struct pack
{
  util::uninitialized<T> of[Lines];
};

template <class T, int Lines, class Op>
struct pack_op
{
  Op op;

  pack<T, Lines> operator()(const pack<T, Lines>& left, const pack<T, Lines>& right)
  {
    pack<T, Lines> result;
    for (int l = 0; l < Lines; ++l)
    {
      result.of[l] = util::combine<T>(op, left.of[l].value, right.of[l].value);
    }
    return result;
  }
};

template <class T, int Lines, class It>
struct packs_read
{
  strided<It> layers;

  pack<T, Lines> operator[](index i) const
  {
    const It layer = (layers + i).first;
    pack<T, Lines> result;
    for (int l = 0; l < Lines; ++l)
    {
      result.of[l] = util::uninitialized<T>(static_cast<T>(element_at(layer, l)));
    }
    return result;
  }
};

template <class T, int Lines, class It>
struct packs_written
{
  struct place
  {
    It layer;

    void operator=(const pack<T, Lines>& results) const
    {
      for (int l = 0; l < Lines; ++l)
      {
        element_at(layer, l) = results.of[l].value;
      }
    }
  };

  strided<It> layers;

  place operator[](index i) const
  {
    return {(layers + i).first};
  }
  packs_written operator+(index distance) const
  {
    return {layers + distance};
  }
};

template <class T, int Lines, class Init>
auto pack_of(const Init& init)
{
  if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
  {
    return init;
  }
  else
  {
    pack<T, Lines> result;
    for (util::uninitialized<T>& value : result.of)
    {
      value = util::uninitialized<T>(init);
    }
    return result;
  }
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
