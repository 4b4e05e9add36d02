// A value of any bitwise copyable type as 32-bit words: what a slot holds and what a shuffle moves.
#pragma once

#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace util
{
// A T's bytes up to the last that is not padding, where a type says so (tile/scan_kind.h): less to publish, to read and to
// shuffle (perf/DECISIONS.md, flag-in-tag).
template <class T>
inline constexpr ::cuda::std::size_t used_bytes = sizeof(T);

// Whether the last used byte is a bool, and in a word of its own: a slot keeps it beside its tag instead (carry/slot.h).
template <class T>
inline constexpr bool ends_in_flag = false;

template <class T>
struct words
{
  static_assert(!ends_in_flag<T> || used_bytes<T> % 4 == 1, "the flag is the last word's only byte");

  static constexpr int count = static_cast<int>((used_bytes<T> + 3) / 4);
  ::cuda::std::uint32_t word[count];

  // Bytes of T that the words carry.
  static constexpr ::cuda::std::size_t bytes = sizeof(word) < sizeof(T) ? sizeof(word) : sizeof(T);
};

template <class T>
LIGHTSCAN_HOST_DEVICE words<T> to_words(const T& value)
{
  words<T> result;
  result.word[words<T>::count - 1] = 0; // the bytes past a T whose size is no multiple of four
  copy_bytes_of<T, words<T>::bytes>(result.word, &value);
  return result;
}

template <class T>
LIGHTSCAN_HOST_DEVICE uninitialized<T> from_words(const words<T>& source)
{
  uninitialized<T> result;
  copy_bytes_of<T, words<T>::bytes>(&result.value, source.word);
  return result;
}
} // namespace util
LIGHTSCAN_NAMESPACE_END
