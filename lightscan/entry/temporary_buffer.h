// Temporary memory under LightScan's policies: Thrust's customisation points get_temporary_buffer and
// return_temporary_buffer, found by argument-dependent lookup. They serve our scans and every algorithm of Thrust's own
// that is called with one of our policies.
//
//   with an allocator       from it
//   par_nosync without one  in stream order, so that nothing waits
//   par without one         as Thrust's CUDA backend does
#pragma once

#include <lightscan/execution_policy.h>
#include <lightscan/version.h>

#include <thrust/memory.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

namespace lightscan
{
namespace policy_parts
{
// How many of the allocator's own elements make `count` of T.
template <class T, class Allocator>
std::size_t allocator_units(std::ptrdiff_t count)
{
  constexpr std::size_t unit = sizeof(typename std::allocator_traits<Allocator>::value_type);
  return (sizeof(T) * static_cast<std::size_t>(count) + unit - 1) / unit;
}

template <class T>
::cuda::std::pair<T*, std::ptrdiff_t> buffer_in_stream_order(std::ptrdiff_t count, cudaStream_t stream)
{
  void* memory = nullptr;
  if (const cudaError_t error = cudaMallocAsync(&memory, sizeof(T) * static_cast<std::size_t>(count), stream))
  {
    (void) cudaGetLastError();
    throw THRUST_NS_QUALIFIER::system_error(
      error, THRUST_NS_QUALIFIER::cuda_category(), "lightscan: allocating temporary memory");
  }
  return {static_cast<T*>(memory), count};
}
} // namespace policy_parts

template <class T, bool Synchronizes, class Allocator>
::cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(allocator_policy<Synchronizes, Allocator>& policy,
                                                           std::ptrdiff_t count)
{
  using traits      = std::allocator_traits<::cuda::std::remove_reference_t<Allocator>>;
  using own         = typename traits::allocator_type;
  const auto memory = traits::allocate(
    policy.get_allocator(), static_cast<typename traits::size_type>(policy_parts::allocator_units<T, own>(count)));
  return {reinterpret_cast<T*>(THRUST_NS_QUALIFIER::raw_pointer_cast(memory)), count};
}

template <bool Synchronizes, class Allocator, class Pointer>
void return_temporary_buffer(allocator_policy<Synchronizes, Allocator>& policy, Pointer memory, std::ptrdiff_t count)
{
  using traits    = std::allocator_traits<::cuda::std::remove_reference_t<Allocator>>;
  using own       = typename traits::allocator_type;
  using value     = typename traits::value_type;
  auto* const raw = THRUST_NS_QUALIFIER::raw_pointer_cast(memory);
  traits::deallocate(policy.get_allocator(),
                     typename traits::pointer(reinterpret_cast<value*>(raw)),
                     static_cast<typename traits::size_type>(
                       policy_parts::allocator_units<::cuda::std::remove_pointer_t<decltype(raw)>, own>(count)));
}

template <class T, class Stream>
::cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(default_policy<false, Stream>& policy, std::ptrdiff_t count)
{
  return policy_parts::buffer_in_stream_order<T>(count, policy.stream());
}

template <class T>
::cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(stream_policy<false>& policy, std::ptrdiff_t count)
{
  return policy_parts::buffer_in_stream_order<T>(count, policy.stream());
}

// Called from destructors, so a failure, which cudaFreeAsync also leaves for later calls to report, goes unsaid here.
template <class Stream, class Pointer>
void return_temporary_buffer(default_policy<false, Stream>& policy, Pointer memory, std::ptrdiff_t)
{
  (void) cudaFreeAsync(THRUST_NS_QUALIFIER::raw_pointer_cast(memory), policy.stream());
}

template <class Pointer>
void return_temporary_buffer(stream_policy<false>& policy, Pointer memory, std::ptrdiff_t)
{
  (void) cudaFreeAsync(THRUST_NS_QUALIFIER::raw_pointer_cast(memory), policy.stream());
}
} // namespace lightscan
