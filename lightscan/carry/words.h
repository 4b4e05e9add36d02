// A value of any bitwise copyable type as 32-bit words: what a slot holds and what a shuffle moves.
#pragma once

#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

#include <cstring>

LIGHTSCAN_NAMESPACE_BEGIN
namespace carry
{
// The compiler's own memcpy: values stay in registers. The one in cuda::std looks at its addresses where assertions are
// on (CCCL_ENABLE_ASSERTIONS), so values would have to have some, and for a few types nvcc 13.0 breaks off.
LIGHTSCAN_HOST_DEVICE inline void copy_bytes(void* to, const void* from, ::cuda::std::size_t bytes)
{
  ::memcpy(to, from, bytes);
}

// Whether a T may travel as its bytes: copying one runs no code of the user's, and neither does forgetting one. Wider
// than trivially copyable: thrust::pair and thrust::tuple have assignments of their own, which nothing here needs.
template <class T>
inline constexpr bool is_bitwise_copyable =
  ::cuda::std::is_trivially_copy_constructible_v<T>&& ::cuda::std::is_trivially_destructible_v<
    T> && !::cuda::std::is_volatile_v<T>;

// Room for a T that is not there yet.
template <class T,
          bool = ::cuda::std::is_trivially_default_constructible_v<T>&& ::cuda::std::is_trivially_copyable_v<
            T>&& ::cuda::std::is_trivially_copy_assignable_v<T>>
struct uninitialized
{
  T value;

  uninitialized() = default;
  LIGHTSCAN_HOST_DEVICE uninitialized(const T& v)
      : value(v)
  {}
};

// The same for a T that cannot be made from nothing, or cannot be assigned. Not for all: the compiler keeps a union's
// bytes apart, which made every step of a shuffle scan twenty instructions longer.
template <class T>
struct uninitialized<T, false>
{
  static_assert(is_bitwise_copyable<T>, "values travel between blocks as plain words");
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
  uninitialized(const uninitialized&) = default;
  LIGHTSCAN_HOST_DEVICE uninitialized& operator=(const uninitialized& other)
  {
    copy_bytes(&value, &other.value, sizeof(T));
    return *this;
  }
};

// Stands where an initial value would, in a scan that has none.
struct no_init
{};

// The initial value itself, of an argument that may only say where to find it.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class T, class Init>
LIGHTSCAN_HOST_DEVICE auto resolved_init(const Init& init)
{
  if constexpr (::cuda::std::is_same_v<Init, no_init>)
  {
    return no_init{};
  }
  else
  {
    return static_cast<T>(init);
  }
}

// A T's bytes up to the last that is not padding, where a type says so (tile/form.h): less to publish, to read and to
// shuffle.
template <class T>
inline constexpr ::cuda::std::size_t used_bytes = sizeof(T);

// Whether the last of them is a bool, and in a word of its own: a slot finds room for it elsewhere.
template <class T>
inline constexpr bool ends_in_flag = false;

template <class T>
struct words
{
  static_assert(!ends_in_flag<T> || used_bytes<T> % 4 == 1, "the flag is the last word's only byte");

  static constexpr int count = static_cast<int>((used_bytes<T> + 3) / 4);
  ::cuda::std::uint32_t word[count];

  // Of a T: all in these words that there is.
  static constexpr ::cuda::std::size_t bytes = sizeof(word) < sizeof(T) ? sizeof(word) : sizeof(T);
};

template <class T>
LIGHTSCAN_HOST_DEVICE words<T> to_words(const T& value)
{
  words<T> result;
  result.word[words<T>::count - 1] = 0; // the bytes past a T whose size is no multiple of four
  copy_bytes(result.word, &value, words<T>::bytes);
  return result;
}

template <class T>
LIGHTSCAN_HOST_DEVICE uninitialized<T> from_words(const words<T>& source)
{
  uninitialized<T> result;
  copy_bytes(&result.value, source.word, words<T>::bytes);
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
