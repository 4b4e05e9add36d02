// A value that may not be there: the fold of a range that may be empty, a carry that a scan across GPUs may lack.
#pragma once

#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace util
{
// `value` comes first, so that a pointer to one is a pointer to the T, where there is one.
template <class T>
struct maybe
{
  uninitialized<T> value;
  bool there;

  static LIGHTSCAN_HOST_DEVICE maybe none()
  {
    maybe result;
    result.there = false;
    return result;
  }
  static LIGHTSCAN_HOST_DEVICE maybe of(const uninitialized<T>& value)
  {
    maybe result;
    result.value = value;
    result.there = true;
    return result;
  }
};

// Joins values that may not be there: what is missing is left out, so no identity is asked for.
template <class T, class Op>
struct maybe_op
{
  Op op;

  LIGHTSCAN_EXEC_CHECK_DISABLE
  LIGHTSCAN_HOST_DEVICE maybe<T> operator()(const maybe<T>& left, const maybe<T>& right)
  {
    if (left.there && right.there)
    {
      return maybe<T>::of(util::combine(op, left.value.value, right.value.value));
    }
    return left.there ? left : right;
  }
};

// Stands where an initial value would (uninitialized.h): one that lies in device memory when the kernel runs, or is not there.
template <class T>
struct init_if_there
{
  const maybe<T>* pointer;
};

template <class Init>
inline constexpr bool is_init_if_there = false;
template <class T>
inline constexpr bool is_init_if_there<init_if_there<T>> = true;

// Whether there is an initial value in any case; where only device memory tells, finds_init() asks.
template <class Init>
inline constexpr bool always_has_init = !::cuda::std::is_same_v<Init, no_init> && !is_init_if_there<Init>;

template <class Init>
LIGHTSCAN_HOST_DEVICE bool finds_init([[maybe_unused]] const Init& init)
{
  if constexpr (is_init_if_there<Init>)
  {
    return init.pointer->there;
  }
  else
  {
    return always_has_init<Init>;
  }
}

// The initial value itself, from an argument that may only say where to find it.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class T, class Init>
LIGHTSCAN_HOST_DEVICE auto resolved_init(const Init& init)
{
  if constexpr (::cuda::std::is_same_v<Init, no_init>)
  {
    return no_init{};
  }
  else if constexpr (is_init_if_there<Init>)
  {
    return *init.pointer;
  }
  else
  {
    return static_cast<T>(init);
  }
}
} // namespace util
LIGHTSCAN_NAMESPACE_END
