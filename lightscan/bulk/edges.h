// Copies by ordinary accesses, where bulk copies cannot serve: a range's two ends, byte by byte, so that nothing outside it is
// read or written; and tiles whose output lies differently on the 16-byte grid, word by word.
//
// A stage (the shared memory that holds a tile) mirrors the input's 16-byte grid; spans of bytes are offsets in it.
#pragma once

#include <lightscan/tile/byte_span.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// Copies the up to 15 bytes on either side of the whole words, one byte for each of the first 32 threads.
__device__ inline void
copy_edges(unsigned char* to, const unsigned char* from, tile::byte_span range, tile::byte_span words, int thread)
{
  const bool head = thread < tile::grid_bytes;
  const int end   = head && words.first < range.last ? words.first : range.last;
  const int begin = head ? range.first : words.first < words.last ? words.last : words.first;
  const int at    = begin + thread % tile::grid_bytes;
  if (thread < 2 * tile::grid_bytes && at < end)
  {
    to[at] = from[at];
  }
}

// The 16 bytes that begin `shift` bytes into two neighbouring words, 0 < shift < 16.
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

// Stores a tile from shared to global memory where the output's 16-byte grid differs from the stage's: in whole aligned words
// of the OUTPUT, each put together from two neighbouring words of the stage.
__device__ inline void
store_tile(unsigned char* to, const unsigned char* stage, tile::byte_span range, int thread, int threads)
{
  const tile::byte_span words = range.whole_words(to);
  const int shift             = words.first & (tile::grid_bytes - 1);
  const int begin             = words.first + thread * tile::grid_bytes;
#  pragma unroll 1 // each further word is 0.8 to 1.3 KB of code that few calls need (perf/DECISIONS.md, misaligned-unroll)
  for (int at = begin; at < words.last; at += threads * tile::grid_bytes)
  {
    const uint4* const pair            = reinterpret_cast<const uint4*>(stage + at - shift);
    *reinterpret_cast<uint4*>(to + at) = straddling_word(pair[0], pair[1], shift);
  }
  copy_edges(to, stage, range, words, thread);
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
