// error: lightscan: the predicate cannot be called with two keys
#include <lightscan/scan_by_key.h>

struct wrapped
{
  int value;
};

int* unsupported(const wrapped* keys, int* values)
{
  return thrust::exclusive_scan_by_key(lightscan::par, keys, keys + 10, values, values);
}
