// Random-access iterators as users write them, of which neither Thrust nor LightScan knows anything.
#pragma once

#include "operators.h"

#include <cstddef>
#include <iterator>

namespace testing_support
{
// All but what is at a position, which Derived::at(position) says.
template <class Derived, class Value, class Reference>
class own_iterator
{
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type        = Value;
  using difference_type   = std::ptrdiff_t;
  using pointer           = void;
  using reference         = Reference;

  TESTING_HOST_DEVICE reference operator*() const
  {
    return static_cast<const Derived&>(*this).at(position_);
  }
  TESTING_HOST_DEVICE reference operator[](difference_type i) const
  {
    return static_cast<const Derived&>(*this).at(position_ + i);
  }
  TESTING_HOST_DEVICE Derived& operator+=(difference_type i)
  {
    position_ += i;
    return static_cast<Derived&>(*this);
  }
  TESTING_HOST_DEVICE Derived& operator-=(difference_type i)
  {
    return *this += -i;
  }
  TESTING_HOST_DEVICE Derived& operator++()
  {
    return *this += 1;
  }
  TESTING_HOST_DEVICE Derived& operator--()
  {
    return *this += -1;
  }
  TESTING_HOST_DEVICE Derived operator++(int)
  {
    const Derived before = static_cast<const Derived&>(*this);
    ++*this;
    return before;
  }
  TESTING_HOST_DEVICE Derived operator--(int)
  {
    const Derived before = static_cast<const Derived&>(*this);
    --*this;
    return before;
  }
  friend TESTING_HOST_DEVICE Derived operator+(Derived it, difference_type i)
  {
    return it += i;
  }
  friend TESTING_HOST_DEVICE Derived operator+(difference_type i, Derived it)
  {
    return it += i;
  }
  friend TESTING_HOST_DEVICE Derived operator-(Derived it, difference_type i)
  {
    return it += -i;
  }
  friend TESTING_HOST_DEVICE difference_type operator-(const Derived& l, const Derived& r)
  {
    return l.position_ - r.position_;
  }
  friend TESTING_HOST_DEVICE bool operator==(const Derived& l, const Derived& r)
  {
    return l.position_ == r.position_;
  }
  friend TESTING_HOST_DEVICE bool operator!=(const Derived& l, const Derived& r)
  {
    return !(l == r);
  }
  friend TESTING_HOST_DEVICE bool operator<(const Derived& l, const Derived& r)
  {
    return l.position_ < r.position_;
  }

private:
  difference_type position_ = 0;
};

// Every third element of memory: T or const T.
template <class T>
class every_third : public own_iterator<every_third<T>, ::cuda::std::remove_const_t<T>, T&>
{
public:
  every_third() = default;
  TESTING_HOST_DEVICE explicit every_third(T* memory)
      : memory_(memory)
  {}
  TESTING_HOST_DEVICE T& at(std::ptrdiff_t i) const
  {
    return memory_[3 * i];
  }

private:
  T* memory_ = nullptr;
};

TESTING_HOST_DEVICE inline void count_one([[maybe_unused]] unsigned* times)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(times, 1u);
#endif
}

// Memory that notes how often each element was read.
template <class T>
class counted_reads : public own_iterator<counted_reads<T>, T, T>
{
public:
  counted_reads() = default;
  TESTING_HOST_DEVICE counted_reads(const T* memory, unsigned* times)
      : memory_(memory)
      , times_(times)
  {}
  TESTING_HOST_DEVICE T at(std::ptrdiff_t i) const
  {
    count_one(times_ + i);
    return memory_[i];
  }

private:
  const T* memory_ = nullptr;
  unsigned* times_ = nullptr;
};

// Memory that notes how often each element was assigned, and cannot be read. Like other output iterators it has no value type.
template <class T>
class counted_writes_at
{
public:
  TESTING_HOST_DEVICE counted_writes_at(T* to, unsigned* times)
      : to_(to)
      , times_(times)
  {}
  TESTING_HOST_DEVICE const counted_writes_at& operator=(const T& value) const
  {
    *to_ = value;
    count_one(times_);
    return *this;
  }

private:
  T* to_;
  unsigned* times_;
};

template <class T>
class counted_writes : public own_iterator<counted_writes<T>, void, counted_writes_at<T>>
{
public:
  counted_writes() = default;
  TESTING_HOST_DEVICE counted_writes(T* memory, unsigned* times)
      : memory_(memory)
      , times_(times)
  {}
  TESTING_HOST_DEVICE counted_writes_at<T> at(std::ptrdiff_t i) const
  {
    return {memory_ + i, times_ + i};
  }

private:
  T* memory_       = nullptr;
  unsigned* times_ = nullptr;
};
} // namespace testing_support
