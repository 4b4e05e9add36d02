// The shape of the plain kernel's blocks: a row of the tuning table, fitted to accumulators and to what a warp holds of a source.
#pragma once

#include <lightscan/dispatch/tuning.h>
#include <lightscan/plain/sources_and_sinks.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// The plain kernel's policy for accumulators T from a source (plain/sources_and_sinks.h): as many stripes in a warp as there are
// registers for. `Counted`: the host knows the number of items. How many warps there are is said by the launch.
template <class T, class Source, bool Counted = true>
struct plain_policy
{
  static constexpr int size         = static_cast<int>(sizeof(T));
  static constexpr int chunk_items  = Source::template chunk_items<T>;
  static constexpr int item_bytes   = Source::template item_bytes<T>;
  static constexpr int stripe_words = (size + 3) / 4 + (chunk_items * item_bytes + 3) / 4;
  static constexpr int stripes      = size == 1 ? 1 : stripe_words <= 5 && size >= 4 ? 4 : stripe_words <= 12 ? 2 : 1;
  static constexpr int held_bytes   = size > item_bytes / 2 ? size : item_bytes / 2;
  static constexpr bool is_marked   = plain::is_marked_source<Source>;
  static constexpr int most_warps   = is_marked && size > 8 ? wider_marked_warps : plain_max_warps;
  static constexpr int max_warps    = held_bytes <= 16 ? most_warps : held_bytes <= 64 ? 8 : 4; // that hold items
  static constexpr int max_threads  = (max_warps + 1) * 32;
  static constexpr int warp_items   = stripes * 32 * chunk_items;
  static_assert(max_warps <= 32, "one lane of the lookahead warp for each");

  // Blocks that a multiprocessor should have registers for. Two leave a thread 56, or 72: room for words of memory, not for iterators.
  static constexpr bool of_words   = ::cuda::std::is_same_v<Source, plain::memory_source> && size <= 8;
  static constexpr bool fits_twice = Counted && (of_words || (is_marked && stripe_words <= 8));
  static constexpr int min_blocks  = fits_twice ? 2 : 1;

  // What a GPU's blocks hold when each has so many tiles, as long as tiles can be.
  static constexpr ::cuda::std::int64_t items_in(int tiles, int multiprocessors)
  {
    return ::cuda::std::int64_t{multiprocessors} * min_blocks * max_warps * warp_items * tiles;
  }

  // Warps of a block, in a launch that follows `row`.
  static constexpr int warps_for(const plain_row& row)
  {
    const int wanted = (row.tile_stripes + stripes - 1) / stripes;
    return wanted < 1 ? 1 : wanted < max_warps ? wanted : max_warps;
  }
};

// The most tiles that the plain kernel makes of up to so many items, wherever they lie on the 16-byte grid.
template <class T, class Policies, class Source>
constexpr ::cuda::std::int64_t most_plain_tiles(::cuda::std::int64_t num_items)
{
  using policy                      = plain_policy<T, Source>;
  const ::cuda::std::int64_t chunks = (num_items + 2 * (policy::chunk_items - 1)) / policy::chunk_items;
  ::cuda::std::int64_t most         = 0;
  const auto consider               = [&](::cuda::std::int64_t up_to) {
    const ::cuda::std::int64_t here  = chunks < up_to ? chunks : up_to;
    const ::cuda::std::int64_t items = ::cuda::std::int64_t{policy::warps_for(Policies::plain(here))}
                                     * policy::warp_items;
    const ::cuda::std::int64_t tiles = (here * policy::chunk_items + items - 1) / items;
    most                             = tiles > most ? tiles : most;
  };
  consider(single_tile_stripes * 32);
  for (const plain_row& row : plain_rows)
  {
    consider(row.max_chunks);
  }
  return most;
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
