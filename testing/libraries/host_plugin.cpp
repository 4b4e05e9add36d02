// A plugin that scans on host threads.
#include <lightscan/host.h>

#include <thrust/scan.h>

#include <vector>

// The sum of so many ones.
extern "C" int count_with_threads(int count, int threads)
{
  std::vector<int> values(static_cast<std::size_t>(count), 1);
  thrust::inclusive_scan(lightscan::host.threads(threads), values.begin(), values.end(), values.begin());
  return values.back();
}
