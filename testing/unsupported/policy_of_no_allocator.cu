// error: lightscan: par(...) takes an allocator or a pointer to a thrust::mr::memory_resource; a stream is given as par.on(stream)
#include <lightscan/scan.h>

int* unsupported(int* values, int threads)
{
  return thrust::inclusive_scan(lightscan::par_nosync(threads), values, values + 10, values);
}
