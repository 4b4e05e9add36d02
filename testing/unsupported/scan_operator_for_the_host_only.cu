// error: calling a __host__ function("host_only::operator ()(int, int) const") from a __device__ function
// errors: 2
#include <lightscan/scan.h>

struct host_only
{
  int operator()(int a, int b) const
  {
    return a + b;
  }
};

int* unsupported(const int* values, int* sums)
{
  return thrust::inclusive_scan(lightscan::par, values, values + 10, sums, host_only{});
}
