// error: lightscan: the type that is accumulated in cannot be assigned to the output
#include <lightscan/scan.h>

const int* unsupported(const int* values)
{
  return thrust::inclusive_scan(lightscan::par, values, values + 10, values);
}
