// A thread's segment of a tile in shared memory: folded in one pass, scanned in place in a second one.
//
// Two passes over shared memory cost a third of the registers of a tile held in registers, and are what makes 1- and
// 2-byte elements fast. All accesses are 16 bytes wide.
//
// `Whole` segments lie in the range entirely. Otherwise elements outside `span` are loaded from shared memory with
// their neighbours but never handed to the operator, and are written back as they were.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstring>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
#if defined(__CUDACC__)
// `Unroll`: how many chunks of the loops below stand in the code one after the other.
template <class T, int Unroll>
class segment
{
public:
  static constexpr int chunk_bytes = chunk_bytes_for(sizeof(T));
  static constexpr int chunk_items = chunk_bytes / static_cast<int>(sizeof(T));

  // `first` and `last`: the part of the segment inside the range, counted from the segment's beginning.
  __device__ segment(unsigned char* memory, int chunks, int first, int last)
      : memory_(reinterpret_cast<uint4*>(memory))
      , chunks_(chunks)
      , first_(first > 0 ? first : 0)
      , last_(last)
  {}

  // The fold of the segment's elements, left to right. Call it only where there is one.
  template <bool Whole, class Op>
  __device__ carry::uninitialized<T> fold(Op& op) const
  {
    carry::uninitialized<T> running;
#  pragma unroll Unroll
    for (int c = 0; c < chunks_; ++c)
    {
      const chunk loaded = load(c);
#  pragma unroll
      for (int i = 0; i < chunk_items; ++i)
      {
        const int position = c * chunk_items + i;
        if (Whole || inside(position))
        {
          const T element = loaded.element(i);
          running = position == (Whole ? 0 : first_) ? element : carry::combine(op, running.value, element).value;
        }
      }
    }
    return running;
  }

  // Replaces each element by its scan, given the fold of everything before the segment.
  template <bool Whole, bool Inclusive, class Op>
  __device__ void scan(carry::uninitialized<T> running, bool has_running, Op& op) const
  {
#  pragma unroll Unroll
    for (int c = 0; c < chunks_; ++c)
    {
      chunk block = load(c);
#  pragma unroll
      for (int i = 0; i < chunk_items; ++i)
      {
        const int position = c * chunk_items + i;
        if (Whole || inside(position))
        {
          const T element = block.element(i);
          if constexpr (Inclusive)
          {
            const bool starts = !Whole && !has_running && position == first_;
            running           = starts ? element : carry::combine(op, running.value, element).value;
            block.set(i, running.value);
          }
          else
          {
            block.set(i, running.value);
            running = carry::combine(op, running.value, element);
          }
        }
      }
      store(c, block);
    }
  }

private:
  static constexpr int chunk_words = chunk_bytes / static_cast<int>(sizeof(uint4));
  static_assert(chunk_words % 2 == 1, "an even number of words would let neighbouring threads meet in a bank");

  struct chunk
  {
    uint4 word[chunk_words];

    __device__ T element(int i) const
    {
      carry::uninitialized<T> result;
      ::cuda::std::memcpy(
        static_cast<void*>(&result.value), reinterpret_cast<const unsigned char*>(word) + i * sizeof(T), sizeof(T));
      return result.value;
    }
    __device__ void set(int i, const T& value)
    {
      ::cuda::std::memcpy(reinterpret_cast<unsigned char*>(word) + i * sizeof(T), &value, sizeof(T));
    }
  };

  __device__ bool inside(int position) const
  {
    return first_ <= position && position < last_;
  }

  __device__ chunk load(int c) const
  {
    chunk loaded;
#  pragma unroll
    for (int w = 0; w < chunk_words; ++w)
    {
      loaded.word[w] = memory_[c * chunk_words + w];
    }
    return loaded;
  }

  __device__ void store(int c, const chunk& block) const
  {
#  pragma unroll
    for (int w = 0; w < chunk_words; ++w)
    {
      memory_[c * chunk_words + w] = block.word[w];
    }
  }

  uint4* memory_;
  int chunks_;
  int first_;
  int last_;
};
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
