// Which operators add integers: their sums are taken modulo a power of two, so that it does not matter in what order, nor how many at
// once.
#pragma once

#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace util
{
// Those of bool are not.
template <class T>
inline constexpr bool is_integer = ::cuda::std::is_integral_v<T> && !::cuda::std::is_same_v<T, bool>;

// In whatever type.
template <class Op>
inline constexpr bool adds_integers = false;
template <class U>
inline constexpr bool adds_integers<::cuda::std::plus<U>> = ::cuda::std::is_void_v<U> || is_integer<U>;

// Whether sums of a T, of 64 bits at most, are modulo a power of two: no sum loses bits that a T has. So adding the same T many times is
// multiplying.
template <class T, class Op>
inline constexpr bool adds_modulo = false;
template <class T, class U>
inline constexpr bool adds_modulo<T, ::cuda::std::plus<U>> = is_integer<T>&& is_integer<U> && sizeof(T) <= 8
                                                          && sizeof(T) <= sizeof(U);
template <class T>
inline constexpr bool adds_modulo<T, ::cuda::std::plus<void>> = is_integer<T> && sizeof(T) <= 8;
} // namespace util
LIGHTSCAN_NAMESPACE_END
