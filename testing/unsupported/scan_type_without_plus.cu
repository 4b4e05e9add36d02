// error: lightscan: the operator does not join two values of the type that is accumulated in to one of it
#include <lightscan/scan.h>

struct wrapped
{
  int value;
};

wrapped* unsupported(wrapped* values)
{
  return thrust::exclusive_scan(lightscan::par, values, values + 10, values);
}
