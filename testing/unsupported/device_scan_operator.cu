// error: lightscan: the operator cannot be called with the initial value and an element
#include <lightscan/device_scan.h>

struct takes_pointers
{
  __host__ __device__ int* operator()(int* a, int*) const
  {
    return a;
  }
};

cudaError_t unsupported(int* data)
{
  return lightscan::DeviceScan::ExclusiveScan(data, data, takes_pointers{}, 0, 100);
}
