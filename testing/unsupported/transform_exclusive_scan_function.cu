// error: lightscan: the function cannot be called with an element
#include <lightscan/transform_scan.h>

#include <cuda/std/functional>

int* unsupported(int* values)
{
  return thrust::transform_exclusive_scan(
    lightscan::par, values, values + 10, values, cuda::std::minus<>{}, 0, cuda::std::plus<>{});
}
