// error: lightscan: the type that is accumulated in must be copyable and assignable
#include <lightscan/scan.h>

struct fixed
{
  const int value;

  __host__ __device__ fixed operator+(const fixed& other) const
  {
    return {value + other.value};
  }
};

fixed* unsupported(fixed* values)
{
  return thrust::inclusive_scan(lightscan::par, values, values + 10, values);
}
