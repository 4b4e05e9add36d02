// A band that all threads of a call scan: tiles of layers, which they take in turn. A thread folds a tile's layers, takes its lines'
// carries from the tile before, makes those of the next tile at once, and scans the tile while it is in the cache.
//
// Carries go from tile to tile, as in the paper. Looking ahead, as the engine does, a thread would read a fold of each line for each tile
// since its own last one: as much as it has in its tile, soon. Each tile's folds are made whatever the number of threads, so the bits do
// not depend on it.
#pragma once

#include <lightscan/host/engine.h>
#include <lightscan/host/layers.h>
#include <lightscan/host/members.h>
#include <lightscan/host/pool.h>
#include <lightscan/host/transport.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

#include <atomic>
#include <cstddef>
#include <vector>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class Tuning, bool Inclusive, class T, class InputIt, class OutputIt, class Op, class Init>
class layer_tiles
{
public:
  // `lines` of `length` elements, from the first layer on.
  layer_tiles(
    index length, index lines, const strided<InputIt>& in, const strided<OutputIt>& out, const Op& op, const Init& init)
      : length_(length)
      , lines_(lines)
      , in_(in)
      , out_(out)
      , op_(op)
      , init_(init)
      , tile_layers_(layers_of_tile(lines))
      , num_tiles_((length - 1) / tile_layers_ + 1)
  {}

  void run(int threads)
  {
    for (std::vector<util::uninitialized<T>>& carries : carries_)
    {
      carries.resize(static_cast<std::size_t>(lines_));
    }
    host_pool::crew crew(threads_for_tiles<Tuning>(num_tiles_, threads));
    run_members(crew, failure_, [&](int number) {
      line_folds<T, Op> folds(lines_, op_);
      for (index tile = number; tile < num_tiles_ && !failure_.happened(); tile += crew.members())
      {
        scan_tile(tile, folds);
      }
    });
  }

private:
  static constexpr bool has_init = !::cuda::std::is_same_v<Init, util::no_init>;

  // As large as the engine's tiles, but no less than some layers, for carries are made once a tile.
  static constexpr index least_layers = 16;

  static index layers_of_tile(index lines)
  {
    const index layers = tile_shape<T>::tile_items / lines;
    return layers < least_layers ? least_layers : layers;
  }

  void scan_tile(index tile, line_folds<T, Op>& folds)
  {
    index layer     = tile * tile_layers_;
    const index end = tile + 1 < num_tiles_ ? layer + tile_layers_ : length_;
    if (tile + 1 < num_tiles_) // whose folds somebody needs
    {
      folds.begin_with_layer(lines_, (in_ + layer).first);
      for (index k = layer + 1; k < end; ++k)
      {
        folds.fold((in_ + k).first);
      }
    }
    if (!take_carries(tile, folds))
    {
      folds.begin_with_layer(lines_, in_.first);
      folds.put(out_.first);
      ++layer;
    }
    for (; layer < end; ++layer)
    {
      folds.template scan<Inclusive>((in_ + layer).first, (out_ + layer).first);
    }
  }

  // Puts the carries of a tile in the place of its folds, and makes those of the next tile; returns whether there are any.
  //
  // Room for two tiles' is enough: who makes those of tile t + 1 in the place of those of tile t - 1 has had those of tile t, and these are
  // only told of once tile t - 1 has read its own.
  bool take_carries(index tile, line_folds<T, Op>& folds)
  {
    transport::begin_waiting();
    while (tiles_with_carries_.load(std::memory_order_acquire) < tile)
    {
      transport::delay();
    }
    const bool has_carries = has_init || tile > 0;
    if (tile + 1 == num_tiles_)
    {
      if (has_carries)
      {
        folds.begin_with(lines_, [&](index l) {
          return carry(tile, l);
        });
      }
      return has_carries;
    }
    std::vector<util::uninitialized<T>>& next = carries_[(tile + 1) % 2];
    folds.each([&](index l, T& fold) {
      util::uninitialized<T>& to = next[static_cast<std::size_t>(l)];
      if (has_carries)
      {
        const T before = carry(tile, l);
        to             = util::combine<T>(folds.op(), before, fold);
        fold           = before;
      }
      else
      {
        to = util::uninitialized<T>(fold);
      }
    });
    tiles_with_carries_.store(tile + 1, std::memory_order_release);
    return has_carries;
  }

  T carry(index tile, [[maybe_unused]] index line) const
  {
    if constexpr (has_init)
    {
      if (tile == 0)
      {
        return init_;
      }
    }
    return carries_[tile % 2][static_cast<std::size_t>(line)].value;
  }

  index length_;
  index lines_;
  strided<InputIt> in_;
  strided<OutputIt> out_;
  const Op& op_;
  const Init& init_;
  index tile_layers_;
  index num_tiles_;
  std::vector<util::uninitialized<T>> carries_[2];
  std::atomic<index> tiles_with_carries_{0};
  failure failure_;
};
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
