// One bit for each of a thread's items, from one pass over its chunks to the next. Registers cannot be indexed, so the bits move past
// where they come in and go out.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
template <int ChunkItems, int Chunks>
class item_flags
{
  static_assert(ChunkItems < 32, "bits of a chunk come in a word");

  static constexpr int items = ChunkItems * Chunks;
  static constexpr int words = (items + 31) / 32;
  static constexpr int first = words * 32
                             - items; // bit of the first word that is the first item's, once all have come in

public:
  // The bits of the next chunk.
  LIGHTSCAN_HOST_DEVICE void append(unsigned bits)
  {
    move();
    word_[words - 1] |= bits << (32 - ChunkItems);
  }

  // After all chunks: the bits of the first, then of the next.
  LIGHTSCAN_HOST_DEVICE unsigned take()
  {
    unsigned bits = word_[0] >> first;
    if constexpr (first + ChunkItems > 32)
    {
      bits |= word_[1] << (32 - first);
    }
    move();
    return bits & ((1u << ChunkItems) - 1);
  }

  // After all chunks.
  LIGHTSCAN_HOST_DEVICE bool any() const
  {
    unsigned all = word_[0] >> first;
    LIGHTSCAN_UNROLL
    for (int w = 1; w < words; ++w)
    {
      all |= word_[w];
    }
    return all != 0;
  }

private:
  LIGHTSCAN_HOST_DEVICE void move()
  {
    LIGHTSCAN_UNROLL
    for (int w = 0; w + 1 < words; ++w)
    {
      word_[w] = word_[w] >> ChunkItems | word_[w + 1] << (32 - ChunkItems);
    }
    word_[words - 1] >>= ChunkItems;
  }

  unsigned word_[words]{};
};
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
