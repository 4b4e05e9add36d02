// Operators and element types that the tests scan with.
#pragma once

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>

#if defined(__CUDACC__)
#  define TESTING_HOST_DEVICE __host__ __device__
#else
#  define TESTING_HOST_DEVICE
#endif

namespace testing_support
{
// Integers wrap: signed overflow is undefined in C++, so they are added and multiplied as unsigned ones.
struct plus
{
  template <class T>
  TESTING_HOST_DEVICE T operator()(const T& a, const T& b) const
  {
    if constexpr (::cuda::std::is_integral_v<T>)
    {
      return static_cast<T>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b));
    }
    else
    {
      return a + b;
    }
  }
};

struct multiplies
{
  template <class T>
  TESTING_HOST_DEVICE T operator()(const T& a, const T& b) const
  {
    return static_cast<T>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
  }
};

struct maximum
{
  template <class T>
  TESTING_HOST_DEVICE T operator()(const T& a, const T& b) const
  {
    return a < b ? b : a;
  }
};

// x -> a * x + b modulo 2^32, composed from left to right: associative, exact, and not commutative.
struct affine
{
  ::cuda::std::uint32_t a;
  ::cuda::std::uint32_t b;

  friend TESTING_HOST_DEVICE bool operator==(const affine& l, const affine& r)
  {
    return l.a == r.a && l.b == r.b;
  }
};

struct compose
{
  TESTING_HOST_DEVICE affine operator()(const affine& first, const affine& then) const
  {
    return {first.a * then.a, first.b * then.a + then.b};
  }
};

// A half-open interval of element indices. Joining two that do not touch is an error that sticks: whoever calls the
// operator on elements in the wrong order, twice, or on anything outside the range is found out, for whatever the
// operator is (Chong, Donaldson, Ketema, "A sound and complete abstraction for reasoning about parallel prefix sums",
// POPL 2014: a scan that is right on this monoid is right on all).
struct interval
{
  ::cuda::std::uint32_t begin;
  ::cuda::std::uint32_t end;

  friend TESTING_HOST_DEVICE bool operator==(const interval& l, const interval& r)
  {
    return l.begin == r.begin && l.end == r.end;
  }
};

inline constexpr interval broken_interval{0xffffffffu, 0u};

struct join
{
  TESTING_HOST_DEVICE interval operator()(const interval& left, const interval& right) const
  {
    return left.end == right.begin && left.begin < left.end && right.begin < right.end ? interval{left.begin, right.end}
                                                                                       : interval{0xffffffffu, 0u};
  }
};

// Element types of every size that a slot takes, added member by member, modulo 2^8 or 2^32.
template <class Member, int Count>
struct tuple_of
{
  Member member[Count];

  friend TESTING_HOST_DEVICE tuple_of operator+(const tuple_of& l, const tuple_of& r)
  {
    tuple_of sum{};
    for (int i = 0; i < Count; ++i)
    {
      sum.member[i] = static_cast<Member>(l.member[i] + r.member[i]);
    }
    return sum;
  }
  friend TESTING_HOST_DEVICE bool operator==(const tuple_of& l, const tuple_of& r)
  {
    for (int i = 0; i < Count; ++i)
    {
      if (l.member[i] != r.member[i])
      {
        return false;
      }
    }
    return true;
  }
};

template <int Bytes>
using bytes_of_size = tuple_of<unsigned char, Bytes>;

template <int Words>
using words_of_size = tuple_of<::cuda::std::uint32_t, Words>;

// Members that follow from a number, and look like nothing that follows from the one before.
template <class T>
T any_members(std::size_t i)
{
  T value{};
  for (auto& member : value.member)
  {
    i      = i * 6364136223846793005ull + 1442695040888963407ull;
    member = static_cast<::cuda::std::remove_reference_t<decltype(member)>>(i >> 40);
  }
  return value;
}

// Tuples, added member by member.
struct add_members
{
  template <class... Members>
  TESTING_HOST_DEVICE ::cuda::std::tuple<Members...> operator()(const ::cuda::std::tuple<Members...>& l,
                                                                const ::cuda::std::tuple<Members...>& r) const
  {
    return add(l, r, ::cuda::std::index_sequence_for<Members...>{});
  }

private:
  template <class Tuple, ::cuda::std::size_t... I>
  static TESTING_HOST_DEVICE Tuple add(const Tuple& l, const Tuple& r, ::cuda::std::index_sequence<I...>)
  {
    return {::cuda::std::get<I>(l) + ::cuda::std::get<I>(r)...};
  }
};
} // namespace testing_support
