// error: lightscan: the input's elements do not convert to the type that is accumulated in
#include <lightscan/scan.h>

struct wrapped
{
  int value;
};

int* unsupported(int* values)
{
  return thrust::exclusive_scan(lightscan::par, values, values + 10, values, wrapped{1});
}
