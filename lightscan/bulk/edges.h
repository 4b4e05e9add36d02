// Copies by ordinary accesses, where bulk copies cannot serve: a range's two ends, byte by byte, so that nothing outside it is
// read or written; and tiles of columns that lie differently on the 16-byte grid, word by word.
//
// A stage (the shared memory that holds a tile) lies on the 16-byte grid; spans of bytes are offsets in it.
#pragma once

#include <lightscan/tile/byte_span.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// Distance from memory to its next word on the 16-byte grid.
__device__ inline int bytes_to_grid(const unsigned char* memory)
{
  return tile::grid_bytes - static_cast<int>(reinterpret_cast<::cuda::std::uintptr_t>(memory) % tile::grid_bytes);
}

// Copies the bytes on either side of the whole words, fewer than `Most`, one byte for each of the first 2 * `Most` threads.
template <int Most = tile::grid_bytes>
__device__ void
copy_edges(unsigned char* to, const unsigned char* from, tile::byte_span range, tile::byte_span words, int thread)
{
  const bool head = thread < Most;
  const int end   = head && words.first < range.last ? words.first : range.last;
  const int begin = head ? range.first : words.first < words.last ? words.last : words.first;
  const int at    = begin + thread % Most;
  if (thread < 2 * Most && at < end)
  {
    to[at] = from[at];
  }
}

// The 16 bytes that begin `shift` bytes into two neighbouring words, shift < 16.
__device__ inline uint4 straddling_word(uint4 low, uint4 high, int shift)
{
  const unsigned bits = static_cast<unsigned>(shift % 4) * 8;
  const bool two      = (shift & 8) != 0;
  const bool one      = (shift & 4) != 0;
  // Shifts by 0 or 8 bytes first, then by 0 or 4, then by bits.
  const unsigned a0 = two ? low.z : low.x;
  const unsigned a1 = two ? low.w : low.y;
  const unsigned a2 = two ? high.x : low.z;
  const unsigned a3 = two ? high.y : low.w;
  const unsigned a4 = two ? high.z : high.x;
  const unsigned a5 = two ? high.w : high.y;
  const unsigned b0 = one ? a1 : a0;
  const unsigned b1 = one ? a2 : a1;
  const unsigned b2 = one ? a3 : a2;
  const unsigned b3 = one ? a4 : a3;
  const unsigned b4 = one ? a5 : a4;
  return uint4{__funnelshift_r(b0, b1, bits),
               __funnelshift_r(b1, b2, bits),
               __funnelshift_r(b2, b3, bits),
               __funnelshift_r(b3, b4, bits)};
}

// Copies whole aligned words of the DESTINATION, each put together from two neighbouring words of the source, where the two lie
// differently on the 16-byte grid.
// `Unroll`: each further word is 0.8 to 1.3 KB of code, where few calls need it (perf/DECISIONS.md, misaligned-unroll).
template <int Unroll = 1>
__device__ void copy_shifted_words(
  unsigned char* to, const unsigned char* from, tile::byte_span words, int shift, int thread, int threads)
{
  const int begin = words.first + thread * tile::grid_bytes;
#  pragma unroll(Unroll)
  for (int at = begin; at < words.last; at += threads * tile::grid_bytes)
  {
    const uint4* const pair            = reinterpret_cast<const uint4*>(from + at - shift);
    *reinterpret_cast<uint4*>(to + at) = straddling_word(pair[0], pair[1], shift);
  }
}

// Stores a tile from shared to global memory where the output's 16-byte grid differs from the stage's.
template <int Unroll = 1>
__device__ void
store_tile(unsigned char* to, const unsigned char* stage, tile::byte_span range, int thread, int threads)
{
  const tile::byte_span words = range.whole_words(to);
  copy_shifted_words<Unroll>(to, stage, words, words.first & (tile::grid_bytes - 1), thread, threads);
  copy_edges(to, stage, range, words, thread);
}

// Loads a tile where the input's 16-byte grid differs from the stage's. Its words are only those whose two words of the input lie
// in the range, so up to 31 bytes remain on either side.
__device__ inline void
load_tile(unsigned char* stage, const unsigned char* from, tile::byte_span range, int thread, int threads)
{
  constexpr int word  = tile::grid_bytes;
  const int shift     = word - bytes_to_grid(from);
  const int last_pair = range.last - 2 * word + shift;
  const tile::byte_span words{(range.first + shift + word - 1) & -word, (last_pair & -word) + word};
  copy_shifted_words(stage, from, words, shift, thread, threads);
  copy_edges<2 * word>(stage, from, range, words, thread);
}

// A tile whose memory lies differently on the 16-byte grid can be loaded in whole words all the same: rotated, so that its first
// whole word of memory is the first of the stage, and the bytes before and after the whole words share the last one. This copies
// the latter, one byte for each of the first threads.
__device__ inline void copy_around(unsigned char* stage, const unsigned char* from, int bytes, int thread)
{
  const int at       = bytes - tile::grid_bytes + thread;
  const int in_range = at + bytes_to_grid(from);
  if (at < bytes)
  {
    stage[at] = from[in_range < bytes ? in_range : in_range - bytes];
  }
}

// Turns a tile back, by all threads of a group, which `synchronize()` synchronises: from the last words to the first, for a word is
// put together from itself and the one before it.
template <class Synchronize>
__device__ void
turn_back(unsigned char* stage, const unsigned char* from, int bytes, int thread, int threads, Synchronize synchronize)
{
  constexpr int word = tile::grid_bytes;
  const int shift    = word - bytes_to_grid(from);
  uint4* const words = reinterpret_cast<uint4*>(stage);
  const int last     = bytes / word - 1;
  const uint4 around = words[last];
#  pragma unroll 1
  for (int begin = last; begin >= 0; begin -= threads)
  {
    const int at = begin - thread;
    uint4 turned{};
    if (at >= 0)
    {
      turned = straddling_word(at > 0 ? words[at - 1] : around, words[at], shift);
    }
    synchronize();
    if (at >= 0)
    {
      words[at] = turned;
    }
  }
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
