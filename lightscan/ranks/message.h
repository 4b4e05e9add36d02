// What the ranks of a scan across GPUs tell each other: the fold of a rank's part, or that the part is empty, and which call it is of.
#pragma once

#include <lightscan/util/maybe.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ranks
{
// A call, as all ranks must have made it: 31 bits of what it is called and of what it accumulates in.
using signature = ::cuda::std::uint32_t;

constexpr signature signature_of(const char* call, ::cuda::std::size_t accumulator_bytes, bool has_init)
{
  signature hash    = 2166136261u; // FNV-1a
  const auto append = [&](unsigned value) {
    hash = (hash ^ value) * 16777619u;
  };
  for (; *call != '\0'; ++call)
  {
    append(static_cast<unsigned char>(*call));
  }
  append(static_cast<unsigned>(accumulator_bytes));
  append(has_init ? 1u : 0u);
  return hash >> 1;
}

// The words of a message: the accumulator's, and before them one of the signature and of whether there is an accumulator.
template <class T>
struct message
{
  static constexpr int count = util::words<T>::count + 1;

  ::cuda::std::uint32_t word[count];

  static LIGHTSCAN_HOST_DEVICE message of(const util::maybe<T>& total, signature call)
  {
    message result;
    result.word[0] = call << 1 | (total.there ? 1u : 0u);
    if (total.there)
    {
      const util::words<T> payload = util::to_words(total.value.value);
      for (int w = 1; w < count; ++w)
      {
        result.word[w] = payload.word[w - 1];
      }
    }
    else
    {
      for (int w = 1; w < count; ++w)
      {
        result.word[w] = 0;
      }
    }
    return result;
  }

  LIGHTSCAN_HOST_DEVICE signature call() const
  {
    return word[0] >> 1;
  }

  LIGHTSCAN_HOST_DEVICE util::maybe<T> total() const
  {
    util::words<T> payload;
    for (int w = 1; w < count; ++w)
    {
      payload.word[w - 1] = word[w];
    }
    util::maybe<T> result;
    result.value = util::from_words<T>(payload);
    result.there = (word[0] & 1u) != 0;
    return result;
  }
};

// Words of the longest message, of an accumulator of 1,024 bytes, and of a place for one.
inline constexpr int max_words = 257;

// Words that an all-gather moves for each rank. Two sizes only, so that ranks whose calls differ find that out where they can
// (perf/DECISIONS.md, message-sizes).
inline constexpr int short_words = 8;
inline constexpr int long_words  = 264;
static_assert(long_words >= max_words, "the longest message");

// With LIGHTSCAN_DEBUG_SYNC always the longer one, so that all calls that differ are found.
#if defined(LIGHTSCAN_DEBUG_SYNC)
template <class T>
inline constexpr int gathered_words = long_words;
#else
template <class T>
inline constexpr int gathered_words = message<T>::count <= short_words ? short_words : long_words;
#endif
} // namespace ranks
LIGHTSCAN_NAMESPACE_END
