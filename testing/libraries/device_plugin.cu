// A plugin that scans on the GPU, compiled with different operators of one name. COMBINED is the operator's result.
#include <lightscan/scan.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>

struct combine
{
  __host__ __device__ int operator()(int a, int b) const
  {
    return COMBINED;
  }
};

// 0, 1, 2, ... combined.
extern "C" __attribute__((visibility("default"))) void scan_integers(int* result, int n)
{
  const thrust::counting_iterator<int> first(0);
  thrust::inclusive_scan(lightscan::par, first, first + n, result, combine{});
}
