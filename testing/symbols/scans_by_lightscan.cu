// Every scan that LightScan takes over, in every form, once: the object's symbols tell whose kernels they became. Most
// read a counting_iterator, which has one kernel to compile instead of two.
// The headers stand in another order than in the umbrella: any order must do.
// clang-format off
#include <lightscan/execution_policy.h>
#include <lightscan/scan_by_key.h>
#include <lightscan/device_scan.h>
#include <lightscan/lightscan.h>
// clang-format on

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

namespace
{
using plus   = cuda::std::plus<int>;
using equal  = cuda::std::equal_to<int>;
using negate = cuda::std::negate<int>;
using in     = thrust::counting_iterator<int>;
} // namespace

void all_scans(in first, in last, int* result)
{
  thrust::inclusive_scan(lightscan::par, static_cast<const int*>(result), static_cast<const int*>(result), result);
  thrust::inclusive_scan(lightscan::par, first, last, result);
  thrust::inclusive_scan(lightscan::par, first, last, result, plus{});
  thrust::inclusive_scan(lightscan::par_nosync, first, last, result, 1, plus{});
  thrust::exclusive_scan(lightscan::par.on(nullptr), first, last, result);
  thrust::exclusive_scan(lightscan::par_nosync.on(nullptr), first, last, result, 1);
  thrust::exclusive_scan(lightscan::par, first, last, result, 1, plus{});
}

void all_transform_scans(in first, in last, int* result)
{
  thrust::transform_inclusive_scan(lightscan::par, first, last, result, negate{}, plus{});
  thrust::transform_inclusive_scan(lightscan::par_nosync, first, last, result, negate{}, 1, plus{});
  thrust::transform_exclusive_scan(lightscan::par, first, last, result, negate{}, 1, plus{});
}

void all_scans_by_key(in keys, in last, in values, int* result)
{
  thrust::inclusive_scan_by_key(lightscan::par, keys, last, values, result);
  thrust::inclusive_scan_by_key(lightscan::par, keys, last, values, result, equal{});
  thrust::inclusive_scan_by_key(lightscan::par_nosync, keys, last, values, result, equal{}, plus{});
  thrust::exclusive_scan_by_key(lightscan::par, keys, last, values, result);
  thrust::exclusive_scan_by_key(lightscan::par, keys, last, values, result, 1);
  thrust::exclusive_scan_by_key(lightscan::par.on(nullptr), keys, last, values, result, 1, equal{});
  thrust::exclusive_scan_by_key(lightscan::par, keys, last, values, result, 1, equal{}, plus{});
}

void all_entry_points_of_device_scan(void* storage, std::size_t& bytes, in first, int* result, int n)
{
  using scan = lightscan::DeviceScan;
  scan::InclusiveSum(storage, bytes, first, result, n);
  scan::ExclusiveSum(storage, bytes, first, result, n);
  scan::InclusiveScan(storage, bytes, first, result, plus{}, n);
  scan::ExclusiveScan(storage, bytes, first, result, plus{}, 1, n);
  scan::InclusiveScanInit(storage, bytes, first, result, plus{}, 1, n);
  scan::InclusiveSumByKey(storage, bytes, first, first, result, n);
  scan::ExclusiveSumByKey(storage, bytes, first, first, result, n);
  scan::InclusiveScanByKey(storage, bytes, first, first, result, plus{}, n);
  scan::ExclusiveScanByKey(storage, bytes, first, first, result, plus{}, 1, n);
}
