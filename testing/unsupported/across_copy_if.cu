// error: lightscan: across GPUs there are scans only, no selections and no reductions by key
#include <lightscan/multi_gpu.h>
#include <lightscan/select.h>

struct is_odd
{
  __host__ __device__ bool operator()(int value) const
  {
    return value % 2 != 0;
  }
};

int* unsupported(lightscan::group& group, const int* values, int* result)
{
  return thrust::copy_if(lightscan::par.across(group), values, values + 10, result, is_odd{});
}
