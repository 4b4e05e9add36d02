// error: lightscan: across GPUs there are scans only, no selections and no reductions by key
#include <lightscan/multi_gpu.h>
#include <lightscan/reduce_by_key.h>

void unsupported(lightscan::group& group, const int* keys, const int* values, int* keys_out, int* sums)
{
  thrust::reduce_by_key(lightscan::par.across(group), keys, keys + 10, values, keys_out, sums);
}
