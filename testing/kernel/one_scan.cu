// The plain kernel and the pipeline, as a user's program has them.
#include <lightscan/lightscan.h>

#include <thrust/scan.h>

#include <cstdint>

int* scan(const int* first, std::int64_t count, int* result)
{
  return thrust::inclusive_scan(lightscan::par_nosync, first, first + count, result);
}
