// error: lightscan: the keys need random-access iterators
#include <lightscan/scan_by_key.h>

#include <list>

int* unsupported(std::list<int>& keys, int* values)
{
  return thrust::inclusive_scan_by_key(lightscan::par, keys.begin(), keys.end(), values, values);
}
