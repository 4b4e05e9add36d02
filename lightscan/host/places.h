// Whether results take the place of what is read.
#pragma once

#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

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

// The same of any two iterators, where it can be told: of contiguous memory, and of iterators of one type.
template <class InputIt, class OutputIt>
bool over_input(const InputIt& in, const OutputIt& out)
{
  if constexpr (::cuda::std::is_same_v<InputIt, OutputIt>)
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
