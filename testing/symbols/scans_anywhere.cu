// One scan of each family in a function for host and device, whose only caller is a kernel: the kernels of its host side
// must be emitted all the same.
#include <lightscan/lightscan.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

__host__ __device__ void scans_anywhere(int* result, int n)
{
  const thrust::counting_iterator<int> first(0);
  thrust::inclusive_scan(lightscan::par, first, first + n, result);
  thrust::transform_exclusive_scan(
    lightscan::par, first, first + n, result, cuda::std::negate<int>{}, 1, cuda::std::plus<int>{});
  thrust::exclusive_scan_by_key(lightscan::par, first, first + n, first, result, 1);
}

__global__ void scans_in_a_kernel(int* result, int n)
{
  scans_anywhere(result, n);
}
