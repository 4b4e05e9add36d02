/// @file
/// lightscan::in_device_memory: an argument of lightscan::DeviceScan, DeviceSelect and the others that only the GPU knows.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_TYPES_NAMESPACE_BEGIN

/// A value that the kernel reads from device memory when it runs; lightscan::in_device_memory makes one.
/// @tparam T the type of the value
template <class T>
struct device_value
{
  /// Where the value lies when the kernel runs.
  const T* pointer;

#if defined(__CUDACC__)
  /// @return the value that lies there now
  __device__ operator T() const
  {
    return *pointer;
  }
#endif
};

/// Names a value in device memory, for a number of items or an initial value. Nothing is read before the kernel runs.
/// @param pointer to device memory, valid until the kernel has run
/// @return what stands for *pointer in a call
template <class T>
device_value<T> in_device_memory(const T* pointer)
{
  return {pointer};
}

LIGHTSCAN_TYPES_NAMESPACE_END
