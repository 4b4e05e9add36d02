// CUDA calls that throw, memory that frees itself, and a stopwatch made of two events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace perf
{
inline void require(cudaError_t error, const std::string& doing)
{
  if (error != cudaSuccess)
  {
    (void) cudaGetLastError();
    throw std::runtime_error(doing + ": " + cudaGetErrorString(error));
  }
}

// Empty where there is a GPU, else why there is none.
inline std::string why_no_gpu()
{
  int count               = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0)
  {
    return {};
  }
  (void) cudaGetLastError();
  return error != cudaSuccess ? cudaGetErrorString(error) : "no CUDA device is there";
}

// Without commas, for it is a field of CSV.
inline std::string gpu_name()
{
  int device = 0;
  cudaDeviceProp properties{};
  require(cudaGetDevice(&device), "asking for the current GPU");
  require(cudaGetDeviceProperties(&properties, device), "asking for the GPU's name");
  std::string name = properties.name;
  std::replace(name.begin(), name.end(), ',', ' ');
  return name;
}

inline std::size_t free_gpu_bytes()
{
  std::size_t free  = 0;
  std::size_t total = 0;
  require(cudaMemGetInfo(&free, &total), "asking for the GPU's free memory");
  return free;
}

template <class T>
class device_memory
{
public:
  explicit device_memory(std::size_t count)
      : bytes_(count * sizeof(T))
  {
    require(cudaMalloc(reinterpret_cast<void**>(&memory_), std::max<std::size_t>(bytes_, 1)),
            "allocating " + std::to_string(bytes_) + " bytes on the GPU");
  }
  device_memory(const device_memory&)            = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory()
  {
    (void) cudaFree(memory_);
  }

  T* data() const
  {
    return memory_;
  }

  std::size_t bytes() const
  {
    return bytes_;
  }

private:
  T* memory_ = nullptr;
  std::size_t bytes_;
};

// Microseconds on the GPU's clock, of whatever a call puts on the stream and, if the call waits, of its waiting.
class stopwatch
{
public:
  explicit stopwatch(cudaStream_t stream)
      : stream_(stream)
  {
    require(cudaEventCreate(&before_), "creating an event");
    require(cudaEventCreate(&after_), "creating an event");
  }
  stopwatch(const stopwatch&)            = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch()
  {
    (void) cudaEventDestroy(before_);
    (void) cudaEventDestroy(after_);
  }

  template <class Call>
  double microseconds(Call call)
  {
    require(cudaEventRecord(before_, stream_), "recording an event");
    call();
    require(cudaEventRecord(after_, stream_), "recording an event");
    require(cudaEventSynchronize(after_), "waiting for the timed call");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, before_, after_), "reading the time between two events");
    return 1000.0 * milliseconds;
  }

private:
  cudaStream_t stream_;
  cudaEvent_t before_ = nullptr;
  cudaEvent_t after_  = nullptr;
};

inline double median(std::vector<double> samples)
{
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}
} // namespace perf
