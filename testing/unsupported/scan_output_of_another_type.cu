// error: lightscan: the type that is accumulated in cannot be assigned to the output
#include <lightscan/scan.h>

struct wrapped
{
  int value;
};

wrapped* unsupported(const int* values, wrapped* out)
{
  return thrust::inclusive_scan(lightscan::par, values, values + 10, out);
}
