// error: no instance of overloaded function
#include <lightscan/device_scan.h>

struct nothing_to_do_with_streams
{};

cudaError_t unsupported(int* data)
{
  return lightscan::DeviceScan::InclusiveSum(data, data, 100, nothing_to_do_with_streams{});
}
