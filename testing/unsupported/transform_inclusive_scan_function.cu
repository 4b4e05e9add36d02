// error: lightscan: the function cannot be called with an element
#include <lightscan/transform_scan.h>

#include <cuda/std/functional>

int* unsupported(int* values)
{
  return thrust::transform_inclusive_scan(
    lightscan::par, values, values + 10, values, cuda::std::minus<>{}, cuda::std::plus<>{});
}
