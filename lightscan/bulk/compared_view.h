// The view of a scan by key whose segments are told by comparing neighbours (tile/compared_keys.h): an item's key with the one before, which
// is in the stage, too, but for a tile's first. That one's an iterator reads before the tile, ahead of time.
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Keys, and how they are compared. What it yields is the key.
template <class Input, class KeyIt, class EqualityOp>
struct compared_input : Input
{
  KeyIt keys; // item 0 of the range
  EqualityOp equality_op;
};
template <class Input, class KeyIt, class EqualityOp>
inline constexpr bool reads_anywhere<compared_input<Input, KeyIt, EqualityOp>> = reads_anywhere<Input>;

template <class Input>
inline constexpr bool is_compared = false;
template <class Input, class KeyIt, class EqualityOp>
inline constexpr bool is_compared<compared_input<Input, KeyIt, EqualityOp>> = true;

template <class Items>
using first_input_of = ::cuda::std::tuple_element_t<0, decltype(Items::from)>;

#if defined(__CUDACC__)
template <class Items, int Threads, int Chunks>
class compared_view : public column_view<Items, Threads, Chunks>
{
  using base     = column_view<Items, Threads, Chunks>;
  using compared = first_input_of<Items>;

public:
  using chunk       = typename base::chunk;
  using accumulator = typename base::accumulator;

  __device__ explicit compared_view(const Items& items)
      : base(items)
      , keys_(::cuda::std::get<0>(items.from).keys)
      , test_{::cuda::std::get<0>(items.from).equality_op}
  {}

  // Reads the key before the tile that begins with item `begin` of the range, by the one thread that needs it.
  __device__ void ask_before(tile::index begin)
  {
    if (begin > 0)
    {
      before_tile_ = util::uninitialized<key>(static_cast<key>(*(keys_ + (begin - 1))));
    }
  }

  // Where the range's items lie in the tile that is looked at.
  __device__ void begin_tile(tile::span inside)
  {
    inside_ = inside;
  }

  // The key before a thread's chunks: that before each other one is the last of the chunk before, which the thread has loaded.
  template <bool Whole>
  __device__ void begin_chunks(int first_number)
  {
    before_ = this->template before_chunk<Whole>(first_number, inside_, before_tile_);
  }

  template <bool Whole>
  __device__ chunk first_load(int number, tile::span inside)
  {
    const chunk loaded = base::template first_load<Whole>(number, inside);
    begins_            = this->template run_heads<Whole>(loaded.in, number, inside, before_, test_);
    return loaded;
  }

  // Of the chunk that was loaded last.
  __device__ accumulator item(const chunk& loaded, int i)
  {
    return this->kind().lift((begins_ >> i & 1) != 0, this->value(loaded, i));
  }

private:
  using key = ::cuda::std::remove_cvref_t<decltype(::cuda::std::declval<base&>().template input<0>(
    ::cuda::std::declval<const typename base::in_chunks&>(), 0))>;

  decltype(compared::keys) keys_;
  tile::run_test<decltype(compared::equality_op)> test_;
  util::uninitialized<key> before_tile_;
  util::uninitialized<key> before_;
  tile::span inside_;
  unsigned begins_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
