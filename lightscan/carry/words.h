// A value of any trivially copyable type as 32-bit words: what a slot holds and what a shuffle moves.
#pragma once

#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/cstring>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace carry
{
// Room for a T that is not there yet.
template <class T, bool = ::cuda::std::is_trivially_default_constructible_v<T>>
struct uninitialized
{
  static_assert(::cuda::std::is_trivially_copyable_v<T>, "values travel between blocks as plain words");
  T value;

  uninitialized() = default;
  LIGHTSCAN_HOST_DEVICE uninitialized(const T& v)
      : value(v)
  {}
};

// The same for a T that cannot be made from nothing. Not for all: the compiler keeps a union's bytes apart, which made
// every step of a shuffle scan twenty instructions longer.
template <class T>
struct uninitialized<T, false>
{
  static_assert(::cuda::std::is_trivially_copyable_v<T>, "values travel between blocks as plain words");
  struct empty
  {};
  union
  {
    empty nothing;
    T value;
  };

  LIGHTSCAN_HOST_DEVICE uninitialized()
      : nothing{}
  {}
  LIGHTSCAN_HOST_DEVICE uninitialized(const T& v)
      : value(v)
  {}
};

// Stands where an initial value would, in a scan that has none.
struct no_init
{};

template <class T>
struct words
{
  static constexpr int count = static_cast<int>((sizeof(T) + 3) / 4);
  ::cuda::std::uint32_t word[count];
};

template <class T>
LIGHTSCAN_HOST_DEVICE words<T> to_words(const T& value)
{
  words<T> result;
  result.word[words<T>::count - 1] = 0; // the bytes past a T whose size is no multiple of four
  ::cuda::std::memcpy(result.word, &value, sizeof(T));
  return result;
}

template <class T>
LIGHTSCAN_HOST_DEVICE uninitialized<T> from_words(const words<T>& source)
{
  uninitialized<T> result;
  ::cuda::std::memcpy(static_cast<void*>(&result.value), source.word, sizeof(T));
  return result;
}

// op(left, right), converted to the type that is accumulated in.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class T, class Op>
LIGHTSCAN_HOST_DEVICE uninitialized<T> combine(Op& op, const T& left, const T& right)
{
  return uninitialized<T>(static_cast<T>(op(left, right)));
}
} // namespace carry
LIGHTSCAN_NAMESPACE_END
