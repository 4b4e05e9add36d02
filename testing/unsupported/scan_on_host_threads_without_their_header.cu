// error: lightscan: scans on GPUs need a file that nvcc compiles, scans on host threads <lightscan/host.h>
#include <lightscan/host/policy.h>
#include <lightscan/scan.h>

int* unsupported(int* values)
{
  return thrust::inclusive_scan(lightscan::host, values, values + 10, values);
}
