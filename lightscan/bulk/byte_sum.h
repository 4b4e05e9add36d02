// Sums of 1-byte integers, four at a time: the dot product of a word's bytes with zeros and ones (DP4A) is the sum of those
// that the ones choose, and the low 8 bits of sums are the same whether bytes are signed or not. Byte by byte, 64 MiB take
// 42 microseconds on an H200, this way 40 (perf/DECISIONS.md, byte-sums).
#pragma once

#include <lightscan/bulk/stage_view.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/util/integer_sums.h>
#include <lightscan/version.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
template <class Kind, class Output, class Inputs, class Op>
inline constexpr bool sums_bytes_of = false;
template <class T, bool Inclusive, class Output, class Input, class Op>
inline constexpr bool sums_bytes_of<tile::scan_kind<T, Inclusive>,
                                    column_output<tile::column<Output>>,
                                    ::cuda::std::tuple<memory_input<tile::column<Input>>>,
                                    Op> = util::adds_integers<Op> && sizeof(T) == 1
                                       && util::is_integer<T> && sizeof(Input) == 1
                                       && util::is_integer<Input> && sizeof(Output) == 1 && util::is_integer<Output>;

// Whether scanning `Items` with `Op` is summing bytes as they lie in memory.
template <class Items, class Op>
inline constexpr bool sums_bytes =
  sums_bytes_of<typename Items::kind_type, typename Items::output_type, decltype(Items::from), Op>;

#if defined(__CUDACC__)
// The sum of `before` and the first `count` of a word's four bytes.
__device__ inline unsigned add_bytes(unsigned before, unsigned word, int count)
{
  return count == 0 ? before : __dp4a(word, 0x01010101u >> (4 - count) * 8, before);
}

// Four bytes of a chunk of bytes (tile::column_chunk).
template <class Chunk>
__device__ unsigned bytes_of_word(const Chunk& chunk, int number)
{
  return reinterpret_cast<const unsigned*>(chunk.word)[number];
}

// The sum of `before` and all bytes of a chunk.
template <class Chunk>
__device__ unsigned fold_bytes(unsigned before, const Chunk& chunk)
{
#  pragma unroll
  for (int w = 0; w < Chunk::bytes / 4; ++w)
  {
    before = add_bytes(before, bytes_of_word(chunk, w), 4);
  }
  return before;
}

// Replaces each byte of a chunk by the sum of `before` and the bytes up to it, itself among them where `Inclusive`. Returns
// what fold_bytes does.
template <bool Inclusive, class Chunk>
__device__ unsigned scan_bytes(unsigned before, Chunk& chunk)
{
#  pragma unroll
  for (int w = 0; w < Chunk::bytes / 4; ++w)
  {
    const unsigned word = bytes_of_word(chunk, w);
#  pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      chunk.set(4 * w + i, static_cast<unsigned char>(add_bytes(before, word, Inclusive ? i + 1 : i)));
    }
    before = add_bytes(before, word, 4);
  }
  return before;
}
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
