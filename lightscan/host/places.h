// Whether results take the place of what is read.
#pragma once

#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

#include <cuda/std/memory>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class A, class B>
bool same_place(const A&, const B&)
{
  return false;
}
template <class A, class B>
bool same_place(A* a, B* b)
{
  return static_cast<const volatile void*>(a) == static_cast<const volatile void*>(b);
}

// The same of the first elements of any two ranges, where it can be told. Iterators that compare equal need not be in one place:
// permutations compare their indices, zips their first members, and iterators of two containers may not be compared at all.
template <class InputIt, class OutputIt>
bool over_input(InputIt in, OutputIt out)
{
  if constexpr (::cuda::std::is_lvalue_reference_v<decltype(*in)> && ::cuda::std::is_lvalue_reference_v<decltype(*out)>)
  {
    return same_place(::cuda::std::addressof(*in), ::cuda::std::addressof(*out));
  }
  else if constexpr (::cuda::std::is_same_v<InputIt, OutputIt>)
  {
    return in == out;
  }
  else
  {
    return same_place(util::unwrapped(in), util::unwrapped(out));
  }
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
