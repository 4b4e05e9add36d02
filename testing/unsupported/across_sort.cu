// error: unimplemented for this system
// The sentence is Thrust's own: to it such a policy names a system that has no algorithms.
#include <lightscan/multi_gpu.h>

#include <thrust/sort.h>

void unsupported(lightscan::group& group, int* values)
{
  thrust::sort(lightscan::par.across(group), values, values + 10);
}
