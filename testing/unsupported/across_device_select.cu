// error: lightscan: across GPUs there are scans by our own kernels only
#include <lightscan/device_select.h>
#include <lightscan/multi_gpu.h>

cudaError_t unsupported(lightscan::group& group, const int* values, const bool* flags, int* selected, int* count)
{
  return lightscan::DeviceSelect::Flagged(values, flags, selected, count, 10, lightscan::par_nosync.across(group));
}
