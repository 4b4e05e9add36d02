// error: lightscan: across GPUs, what a scan accumulates in must be bitwise copyable and of no more than 1,024 bytes
#include <lightscan/multi_gpu.h>
#include <lightscan/scan.h>

struct large
{
  int numbers[300];

  __host__ __device__ friend large operator+(const large& a, const large&)
  {
    return a;
  }
};

large* unsupported(lightscan::group& group, const large* values, large* result)
{
  return thrust::inclusive_scan(lightscan::par.across(group), values, values + 10, result);
}
