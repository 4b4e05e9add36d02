// error: lightscan: the operator cannot be called with the initial value and an element
#include <lightscan/scan.h>

#include <cuda/std/functional>

struct wrapped
{
  int value;
};

int* unsupported(int* values)
{
  return thrust::inclusive_scan(lightscan::par, values, values + 10, values, wrapped{1}, cuda::std::plus<>{});
}
