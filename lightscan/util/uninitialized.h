// Values of any bitwise copyable type, some of which are not there yet: a thread may have no element, a scan no initial value.
#pragma once

#include <lightscan/util/call.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstring>

LIGHTSCAN_NAMESPACE_BEGIN
namespace util
{
// The compiler's own memcpy: values stay in registers. The one in cuda::std examines its addresses where assertions are
// on (CCCL_ENABLE_ASSERTIONS), so values would have to have some, and for a few types nvcc 13.0 breaks off.
LIGHTSCAN_HOST_DEVICE inline void copy_bytes(void* to, const void* from, ::cuda::std::size_t bytes)
{
  ::memcpy(to, from, bytes);
}

// The first `Bytes` of a T; eight at a time where 128-bit integers may be among them. Such a one is read as a whole, also from an array of
// words, which then does not stay in registers (perf/NOTES.md, "Arrays in registers").
template <class T, ::cuda::std::size_t Bytes = sizeof(T), ::cuda::std::size_t From = 0>
LIGHTSCAN_HOST_DEVICE void copy_bytes_of(void* to, const void* from)
{
  constexpr ::cuda::std::size_t left  = Bytes - From;
  constexpr ::cuda::std::size_t bytes = alignof(T) >= 16 && left > 8 ? 8 : left;
  copy_bytes(static_cast<unsigned char*>(to) + From, static_cast<const unsigned char*>(from) + From, bytes);
  if constexpr (bytes < left)
  {
    copy_bytes_of<T, Bytes, From + bytes>(to, from);
  }
}

// Whether a T may travel as its bytes: copying one runs no code of the user's, and neither does forgetting one. Wider
// than trivially copyable: thrust::pair and thrust::tuple have assignments of their own, which nothing here needs.
template <class T>
inline constexpr bool is_bitwise_copyable =
  ::cuda::std::is_trivially_copy_constructible_v<T>&& ::cuda::std::is_trivially_destructible_v<
    T> && !::cuda::std::is_volatile_v<T>;

// Whether assigning a Value to an O puts bytes there and does nothing else, so that results may be made elsewhere and moved: an
// assignment of a user's own may leave a part of an O as it was. What cannot be assigned is made of another one. The assignments of pairs
// and tuples are their members'. (O may be void: an iterator that does not say.)
template <class O, class Value>
inline constexpr bool assigns_bytes =
  ::cuda::std::is_trivially_assignable_v<::cuda::std::add_lvalue_reference_t<O>, const Value&>;
template <class T>
inline constexpr bool assigns_bytes<T, T> =
  ::cuda::std::is_trivially_copy_assignable_v<T> || !::cuda::std::is_copy_assignable_v<T>;
template <class First, class Second>
inline constexpr bool assigns_bytes<::cuda::std::pair<First, Second>, ::cuda::std::pair<First, Second>> =
  assigns_bytes<First, First>&& assigns_bytes<Second, Second>;
template <class... Members>
inline constexpr bool assigns_bytes<::cuda::std::tuple<Members...>, ::cuda::std::tuple<Members...>> =
  (assigns_bytes<Members, Members> && ...);

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

// Room for a T that cannot be made from nothing, or cannot be assigned: a union. Other types have a plain struct, because the
// compiler keeps a union's bytes apart, which made every step of a shuffle scan twenty instructions longer
// (perf/DECISIONS.md, plain-struct).
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

// The type that stands where an initial value would, in a scan that has none.
struct no_init
{};

// op(left, right), converted to the type that is accumulated in.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class T, class Op>
LIGHTSCAN_HOST_DEVICE uninitialized<T> combine(Op& op, const T& left, const T& right)
{
  return uninitialized<T>(static_cast<T>(util::call(op, left, right)));
}
} // namespace util
LIGHTSCAN_NAMESPACE_END
