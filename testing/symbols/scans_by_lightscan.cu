// Every scan that LightScan takes over, once: the object's symbols tell whose kernels they became.
#include <lightscan/lightscan.h>

#include <thrust/scan.h>

void all_scans(const int* first, const int* last, int* result)
{
  thrust::inclusive_scan(lightscan::par, first, last, result);
  thrust::inclusive_scan(lightscan::par, first, last, result, cuda::std::plus<int>{});
  thrust::inclusive_scan(lightscan::par_nosync, first, last, result, 1, cuda::std::plus<int>{});
  thrust::exclusive_scan(lightscan::par.on(nullptr), first, last, result);
  thrust::exclusive_scan(lightscan::par_nosync.on(nullptr), first, last, result, 1);
  thrust::exclusive_scan(lightscan::par, first, last, result, 1, cuda::std::plus<int>{});
}
