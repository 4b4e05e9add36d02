// error: lightscan: the input needs random-access iterators
#include <lightscan/scan_by_key.h>

#include <list>

int* unsupported(const int* keys, std::list<int>& values, int* out)
{
  return thrust::inclusive_scan_by_key(lightscan::par, keys, keys + 10, values.begin(), out);
}
