// CUB's sums of floating-point numbers that are to have the same bits in every run, where this CCCL offers them. Included by sums.h.
//
// It is asked for by an environment, so CUB takes its temporary memory from a resource within the call, and asks itself each time how
// much it needs. Sums of integers are left out: the requirement changes nothing there.
#pragma once

#include <cub/device/device_scan.cuh>

#include <cuda/version>

#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#if CCCL_VERSION >= 3005000 // older ones were not tried
#  define PERF_HAS_CUBS_RUN_TO_RUN
#endif

namespace perf
{
#if defined(PERF_HAS_CUBS_RUN_TO_RUN)
template <class T>
inline constexpr bool cub_sums_run_to_run = std::is_floating_point_v<T>;
#else
template <class T>
inline constexpr bool cub_sums_run_to_run = false;
#endif

// Where that is false, it is not defined.
template <bool Inclusive, class T>
cudaError_t sum_run_to_run_by_cub(T* in, T* out, std::uint32_t n, cudaStream_t stream);
} // namespace perf

#if defined(PERF_HAS_CUBS_RUN_TO_RUN)
#  include "gpu.h"

#  include <cuda/execution.determinism.h>
#  include <cuda/execution.require.h>
#  include <cuda/memory_resource>
#  include <cuda/std/execution>
#  include <cuda/stream_ref>

#  include <cstddef>
#  include <memory>

namespace perf
{
// A resource that has the memory at hand, as the other calls of CUB have: after the first call, allocating costs nothing.
struct kept_resource
{
  std::unique_ptr<device_memory<char>>* kept;

  void* allocate_sync(std::size_t bytes, std::size_t)
  {
    if (*kept == nullptr || (*kept)->bytes() < bytes)
    {
      *kept = std::make_unique<device_memory<char>>(bytes);
    }
    return (*kept)->data();
  }
  void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}

  void* allocate(cuda::stream_ref, std::size_t bytes, std::size_t alignment)
  {
    return allocate_sync(bytes, alignment);
  }
  void deallocate(cuda::stream_ref, void*, std::size_t, std::size_t) noexcept {}

  friend bool operator==(const kept_resource& left, const kept_resource& right)
  {
    return left.kept == right.kept;
  }
  friend bool operator!=(const kept_resource& left, const kept_resource& right)
  {
    return !(left == right);
  }
  friend void get_property(const kept_resource&, cuda::mr::device_accessible) {}
};

template <bool Inclusive, class T>
cudaError_t sum_run_to_run_by_cub(T* in, T* out, std::uint32_t n, cudaStream_t stream)
{
  namespace execution = cuda::std::execution;
  static std::unique_ptr<device_memory<char>> memory;
  const execution::env environment{cuda::stream_ref(stream),
                                   execution::prop{cuda::mr::get_memory_resource, kept_resource{&memory}},
                                   cuda::execution::require(cuda::execution::determinism::run_to_run)};
  if constexpr (Inclusive)
  {
    return cub::DeviceScan::InclusiveSum(in, out, n, environment);
  }
  else
  {
    return cub::DeviceScan::ExclusiveSum(in, out, n, environment);
  }
}
} // namespace perf
#endif
