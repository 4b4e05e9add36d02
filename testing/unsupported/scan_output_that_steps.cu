// error: lightscan: the output needs a random-access iterator
#include <lightscan/scan.h>

#include <iterator>
#include <vector>

void unsupported(const int* values, std::vector<int>& out)
{
  thrust::exclusive_scan(lightscan::par, values, values + 10, std::back_inserter(out));
}
