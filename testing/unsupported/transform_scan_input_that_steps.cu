// error: lightscan: the input needs random-access iterators
#include <lightscan/transform_scan.h>

#include <cuda/std/functional>

#include <list>

int* unsupported(std::list<int>& values, int* out)
{
  return thrust::transform_inclusive_scan(
    lightscan::par, values.begin(), values.end(), out, cuda::std::negate<>{}, cuda::std::plus<>{});
}
