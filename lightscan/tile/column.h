// A column: a range in contiguous device memory, as tiles see it. Its items are the stored elements in memory order or
// against it (a reverse_iterator), each through a function (a transform_iterator).
//
// Tile t of a column is `tile_bytes` of memory on the 16-byte grid; a stage holds them as they lie there.
#pragma once

#include <lightscan/tile/byte_span.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/functional>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
template <class Stored, class Function = ::cuda::std::identity, bool Reversed = false>
struct column
{
  using stored                   = Stored; // without const
  static constexpr bool reversed = Reversed;

  // Where grid item 0 begins, `lead` items before the range's first; reversed: where it ends. Never read there.
  ::cuda::std::uintptr_t grid;
  Function function;

  // The column of the range whose item 0 is at `edge` (reversed: ends there).
  static column starting_at(const void* edge, Function function, int lead)
  {
    const ::cuda::std::uintptr_t address = reinterpret_cast<::cuda::std::uintptr_t>(edge);
    const ::cuda::std::uintptr_t before  = static_cast<unsigned>(lead) * sizeof(Stored);
    return column{Reversed ? address + before : address - before, function};
  }

#if defined(__CUDACC__)
  __device__ unsigned char* tile(index t, int tile_bytes) const
  {
    return reinterpret_cast<unsigned char*>(Reversed ? grid - static_cast<::cuda::std::uintptr_t>((t + 1) * tile_bytes)
                                                     : grid + static_cast<::cuda::std::uintptr_t>(t * tile_bytes));
  }

  __device__ static byte_span bytes_of(span items, int tile_items)
  {
    constexpr int size = static_cast<int>(sizeof(Stored));
    return Reversed ? byte_span{(tile_items - items.last) * size, (tile_items - items.first) * size}
                    : byte_span{items.first * size, items.last * size};
  }

  __device__ bool on_grid() const
  {
    return grid % grid_bytes == 0;
  }
#endif
};

#if defined(__CUDACC__)
// The widest word of which so many bytes are a whole number.
template <int Bytes, class Word, class... Narrower>
constexpr auto widest_word()
{
  if constexpr (Bytes % sizeof(Word) == 0)
  {
    return Word{};
  }
  else
  {
    return widest_word<Bytes, Narrower...>();
  }
}

// `Items` neighbouring items of a column in registers, moved in the widest words of which they are a whole number.
template <class Column, int Items>
struct column_chunk
{
  using stored = typename Column::stored;

  static constexpr int bytes = Items * static_cast<int>(sizeof(stored));
  using word_type =
    decltype(widest_word<bytes, uint4, uint2, ::cuda::std::uint32_t, ::cuda::std::uint16_t, ::cuda::std::uint8_t>());
  static constexpr int words = bytes / static_cast<int>(sizeof(word_type));

  word_type word[words];

  // Chunk `number` of `count` in the part of a stage that holds the column's tile.
  __device__ void load(unsigned char* area, int number, int count)
  {
    const int at = (Column::reversed ? count - 1 - number : number);
#  pragma unroll
    for (int w = 0; w < words; ++w)
    {
      word[w] = reinterpret_cast<const word_type*>(area)[at * words + (w ^ mixing(at))];
    }
    mix(mixing(at));
  }

  __device__ void store(unsigned char* area, int number, int count) const
  {
    const int at       = (Column::reversed ? count - 1 - number : number);
    column_chunk mixed = *this;
    mixed.mix(mixing(at));
#  pragma unroll
    for (int w = 0; w < words; ++w)
    {
      reinterpret_cast<word_type*>(area)[at * words + (w ^ mixing(at))] = mixed.word[w];
    }
  }

  __device__ util::uninitialized<stored> item(int i) const
  {
    util::uninitialized<stored> result;
    util::copy_bytes_of<stored>(&result.value, bytes_of_item(i));
    return result;
  }

  template <class Value>
  __device__ void set(int i, const Value& value)
  {
    static_assert(sizeof(Value) == sizeof(stored), "a result must fill its place");
    util::copy_bytes_of<Value>(const_cast<unsigned char*>(bytes_of_item(i)), &value);
  }

private:
  // Items of 32 bytes and more are an even number of 16-byte words: neighbouring threads' chunks begin in the same bank. Each of
  // those that would meet goes through its words in an order of its own (perf/DECISIONS.md, mixed-words). In groups of so many:
  static constexpr int mixed_words = sizeof(word_type) < 16 ? 1 : words % 8 == 0 ? 8 : words & -words;

  static __device__ int mixing(int at)
  {
    return mixed_words == 1 ? 0 : at / (8 / mixed_words) % mixed_words;
  }

  // Puts words w and w ^ `mixing` in each other's place.
  __device__ void mix(int mixing)
  {
#  pragma unroll
    for (int bit = 1; bit < mixed_words; bit *= 2)
    {
#  pragma unroll
      for (int w = 0; w < words; ++w)
      {
        if ((w & bit) == 0)
        {
          const word_type low  = word[w];
          const word_type high = word[w | bit];
          word[w]              = (mixing & bit) != 0 ? high : low;
          word[w | bit]        = (mixing & bit) != 0 ? low : high;
        }
      }
    }
  }

  __device__ const unsigned char* bytes_of_item(int i) const
  {
    return reinterpret_cast<const unsigned char*>(word) + (Column::reversed ? Items - 1 - i : i) * sizeof(stored);
  }
};
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
