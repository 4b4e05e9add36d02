// LIGHTSCAN_CG_TRANSPORT, defined for a whole project: its plain C++ files compile, too.
#define LIGHTSCAN_CG_TRANSPORT

#include <lightscan/host.h>

#include <vector>

void scan_with_cg_transport(std::vector<int>& values)
{
  thrust::inclusive_scan(lightscan::host, values.begin(), values.end(), values.begin());
}
