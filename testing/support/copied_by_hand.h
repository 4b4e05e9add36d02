// A number that Thrust's own scan serves: copying one is not copying its bytes, as far as a compiler can tell.
#pragma once

namespace testing_support
{
struct copied_by_hand
{
  int value;

  __host__ __device__ copied_by_hand(int v = 0)
      : value(v)
  {}
  __host__ __device__ copied_by_hand(const copied_by_hand& other)
      : value(other.value)
  {}
  __host__ __device__ copied_by_hand& operator=(const copied_by_hand& other)
  {
    value = other.value;
    return *this;
  }
  friend __host__ __device__ copied_by_hand operator+(const copied_by_hand& a, const copied_by_hand& b)
  {
    return {a.value + b.value};
  }
};
} // namespace testing_support
