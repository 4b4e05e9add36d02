// lightscan::in_device_memory: an argument of lightscan::DeviceScan's calls that only the GPU knows.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN

// A value that the kernel reads from device memory when it runs.
template <class T>
struct device_value
{
  const T* pointer;

#if defined(__CUDACC__)
  __device__ operator T() const
  {
    return *pointer;
  }
#endif
};

template <class T>
device_value<T> in_device_memory(const T* pointer)
{
  return {pointer};
}

LIGHTSCAN_NAMESPACE_END
