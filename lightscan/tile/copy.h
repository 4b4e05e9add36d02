// What bulk copies cannot do, by ordinary accesses: a range's two ends, byte by byte, so that nothing outside it is read or
// written; and tiles whose output lies differently on the 16-byte grid, word by word.
//
// A stage (a tile's place in shared memory) mirrors the input's 16-byte grid; `first` and `last` are byte offsets in
// it.
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
#if defined(__CUDACC__)
struct byte_span
{
  int first;
  int last;

  // The part that consists of whole 16-byte words of memory at `address` (the memory that mirrors offset 0); it may be
  // empty, with last < first.
  __device__ byte_span whole_words(const unsigned char* address) const
  {
    const int misalignment = static_cast<int>(reinterpret_cast<::cuda::std::uintptr_t>(address) % grid_bytes);
    return {((first + misalignment + grid_bytes - 1) & -grid_bytes) - misalignment,
            ((last + misalignment) & -grid_bytes) - misalignment};
  }
};

// The up to 15 bytes on either side of the whole words, by the first 32 threads.
__device__ inline void
copy_edges(unsigned char* to, const unsigned char* from, byte_span range, byte_span words, int thread)
{
  const bool head = thread < grid_bytes;
  const int end   = head && words.first < range.last ? words.first : range.last;
  const int begin = head ? range.first : words.first < words.last ? words.last : words.first;
  const int at    = begin + thread % grid_bytes;
  if (thread < 2 * grid_bytes && at < end)
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
  // First by 0 or 8 bytes, then by 0 or 4, then by bits.
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

// Shared to global, where the output's 16-byte grid differs from the stage's. Stores are whole aligned words of the OUTPUT,
// each put together from two neighbouring words of the stage.
__device__ inline void
store_tile(unsigned char* to, const unsigned char* stage, byte_span range, int thread, int threads)
{
  const byte_span words = range.whole_words(to);
  const int shift       = words.first & (grid_bytes - 1);
  const int begin       = words.first + thread * grid_bytes;
#  pragma unroll 1 // each further one is 0.8 to 1.3 KB of code that few calls need
  for (int at = begin; at < words.last; at += threads * grid_bytes)
  {
    const uint4* const pair            = reinterpret_cast<const uint4*>(stage + at - shift);
    *reinterpret_cast<uint4*>(to + at) = straddling_word(pair[0], pair[1], shift);
  }
  copy_edges(to, stage, range, words, thread);
}
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
