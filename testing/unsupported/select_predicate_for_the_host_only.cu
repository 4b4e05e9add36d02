// error: calling a __host__ function("host_only::operator ()(int) const") from a __device__ function
// errors: 2
#include <lightscan/select.h>

struct host_only
{
  bool operator()(int value) const
  {
    return value > 0;
  }
};

int* unsupported(const int* values, int* kept)
{
  return thrust::copy_if(lightscan::par, values, values + 10, kept, host_only{});
}
