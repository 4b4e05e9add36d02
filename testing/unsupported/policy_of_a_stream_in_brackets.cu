// error: lightscan: par(...) takes an allocator or a pointer to a thrust::mr::memory_resource; a stream is given as par.on(stream)
#include <lightscan/scan.h>

int* unsupported(int* values, cudaStream_t stream)
{
  return thrust::inclusive_scan(lightscan::par(stream), values, values + 10, values);
}
