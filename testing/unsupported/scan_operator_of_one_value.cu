// error: lightscan: the operator does not join two values of the type that is accumulated in to one of it
#include <lightscan/scan.h>

#include <cuda/std/functional>

int* unsupported(int* values)
{
  return thrust::inclusive_scan(lightscan::par, values, values + 10, values, cuda::std::negate<>{});
}
