#include "ranks.h"

#include <lightscan/multi_gpu.h>
#include <lightscan/scan.h>

#include <thrust/device_vector.h>

#include <cuda_runtime_api.h>
#include <nccl.h>

// One rank, on a GPU if there is one. Where there is none, NCCL is still linked, and of its header's version.
bool ranks_are_right()
{
  int version = 0;
  if (ncclGetVersion(&version) != ncclSuccess || version != NCCL_VERSION_CODE)
  {
    return false;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
  {
    return true;
  }

  ncclComm_t comm = nullptr;
  if (ncclCommInitAll(&comm, 1, nullptr) != ncclSuccess)
  {
    return false;
  }
  bool right = false;
  {
    lightscan::group group(comm, nullptr);
    thrust::device_vector<int> values(1000, 1);
    thrust::inclusive_scan(lightscan::par.across(group), values.begin(), values.end(), values.begin());
    right = values[0] == 1 && values[999] == 1000;
  }
  return ncclCommDestroy(comm) == ncclSuccess && right;
}
