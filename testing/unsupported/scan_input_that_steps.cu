// error: lightscan: the input needs random-access iterators
#include <lightscan/scan.h>

#include <list>

int* unsupported(std::list<int>& values, int* out)
{
  return thrust::inclusive_scan(lightscan::par, values.begin(), values.end(), out);
}
