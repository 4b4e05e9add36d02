// error: lightscan::group needs NCCL 2.18 or newer: put the folder of nccl.h among the include paths and link libnccl
#define LIGHTSCAN_NO_NCCL
#include <lightscan/multi_gpu.h>

void unsupported(int comm)
{
  lightscan::group group(comm, cudaStream_t{});
}
