// planted_faults <tool>: does what that tool of compute-sanitizer must report. Run by sanitize.sh only.
#include <cstdio>
#include <string>

#include <cuda_runtime_api.h>

namespace
{
__global__ void write_behind(int* memory, int size)
{
  memory[size + threadIdx.x] = 1;
}

__global__ void race(int* result)
{
  __shared__ int shared;
  if (threadIdx.x % 32 == 0)
  {
    shared = static_cast<int>(threadIdx.x); // by two warps
  }
  __syncthreads();
  *result = shared;
}

__global__ void read_uninitialised(const int* memory, int* result)
{
  result[threadIdx.x] = memory[threadIdx.x];
}

__global__ void wait_uninvited(int* result)
{
  __syncwarp(0x0000ffffu); // half of the warp is not in the mask
  result[threadIdx.x] = 1;
}
} // namespace

int main(int count, char** arguments)
{
  const std::string tool = count > 1 ? arguments[1] : "";
  int* memory            = nullptr;
  int* other             = nullptr;
  if (cudaMalloc(&memory, 256) != cudaSuccess || cudaMalloc(&other, 256) != cudaSuccess)
  {
    std::puts("no GPU memory");
    return 1;
  }
  if (tool == "memcheck")
  {
    write_behind<<<1, 1>>>(memory, 1 << 26);
  }
  else if (tool == "racecheck")
  {
    race<<<1, 64>>>(memory);
  }
  else if (tool == "initcheck")
  {
    read_uninitialised<<<1, 32>>>(memory, other);
  }
  else if (tool == "synccheck")
  {
    wait_uninvited<<<1, 32>>>(memory);
  }
  (void) cudaDeviceSynchronize(); // whatever it says, the tool has said it already
  return 0;
}
