// What finds out a wrong order: accumulators that can be made of any integer, and operators that do not commute.
#pragma once

#include "operators.h"

#include <cuda/std/cstdint>

namespace testing_support
{
// An affine function modulo 2^32 (operators.h) for each integer. It can be inverted, so that no element is forgotten.
struct in_order : affine
{
  in_order() = default;
  TESTING_HOST_DEVICE in_order(affine f)
      : affine(f)
  {}
  template <class Integer, ::cuda::std::enable_if_t<::cuda::std::is_arithmetic_v<Integer>, int> = 0>
  TESTING_HOST_DEVICE explicit in_order(Integer x)
      : affine{static_cast<::cuda::std::uint32_t>(x) * 2654435761u | 1u,
               static_cast<::cuda::std::uint32_t>(static_cast<unsigned long long>(x) >> 3) ^ 0x9e37u}
  {}
};

struct compose_in_order
{
  TESTING_HOST_DEVICE in_order operator()(const in_order& first, const in_order& then) const
  {
    return compose{}(first, then);
  }
};

// Members two by two as affine functions; of an odd number the last member is the last one that is not 0.
struct compose_members
{
  template <class Member, int Count>
  TESTING_HOST_DEVICE tuple_of<Member, Count> operator()(const tuple_of<Member, Count>& first,
                                                         const tuple_of<Member, Count>& then) const
  {
    tuple_of<Member, Count> both{};
    for (int i = 0; i + 1 < Count; i += 2)
    {
      both.member[i]     = static_cast<Member>(first.member[i] * then.member[i]);
      both.member[i + 1] = static_cast<Member>(first.member[i + 1] * then.member[i] + then.member[i + 1]);
    }
    if (Count % 2 == 1)
    {
      both.member[Count - 1] = then.member[Count - 1] != 0 ? then.member[Count - 1] : first.member[Count - 1];
    }
    return both;
  }
};
} // namespace testing_support
