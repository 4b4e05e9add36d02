// error: lightscan: the operator does not join two values of the type that is accumulated in to one of it
#include <lightscan/scan.h>

struct plus
{
  __host__ __device__ int operator()(int& left, int& right) const
  {
    return left + right;
  }
};

int* unsupported(int* values)
{
  return thrust::exclusive_scan(lightscan::par, values, values + 10, values, 0, plus{});
}
