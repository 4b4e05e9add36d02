// Temporary memory under LightScan's policies: Thrust's customisation points get_temporary_buffer and
// return_temporary_buffer, found by argument-dependent lookup. They serve every algorithm of Thrust's own that is called with
// one of our policies, and our scans where the policy brings memory of its own.
//
//   with an allocator, or with such functions of its own    from there
//   par_nosync without one, and other policies like it      in stream order, so that nothing waits
//   par without one, and other policies like it             as Thrust's CUDA backend does
#pragma once

#include <lightscan/execution_policy.h>
#include <lightscan/version.h>

#include <thrust/memory.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <nv/target>

#include <cstddef>
#include <memory>
#include <new>

#include <cuda_runtime_api.h>

LIGHTSCAN_TYPES_NAMESPACE_BEGIN
namespace policy_parts
{
// How many of the allocator's own elements make `count` of T.
template <class T, class Allocator>
std::size_t allocator_units(std::ptrdiff_t count)
{
  constexpr std::size_t unit = sizeof(typename std::allocator_traits<Allocator>::value_type);
  return (sizeof(T) * static_cast<std::size_t>(count) + unit - 1) / unit;
}

// What get_temporary_buffer returns for a policy that brings no memory of its own, and for no other.
template <class T>
struct plain_buffer
{
  T* first;
  std::ptrdiff_t second;
};

// In stream order; where there is none so, as under Thrust's own policy, CUDA's plain memory, or std::bad_alloc.
template <class T>
T* temporary(std::ptrdiff_t count, cudaStream_t stream)
{
  const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(count);
  void* memory            = nullptr;
  if (cudaMallocAsync(&memory, bytes, stream) != cudaSuccess)
  {
    (void) cudaGetLastError();
    if (cudaMalloc(&memory, bytes) != cudaSuccess)
    {
      (void) cudaGetLastError();
      throw std::bad_alloc();
    }
  }
  return static_cast<T*>(memory);
}

inline void give_back(void* memory, cudaStream_t stream)
{
  if (cudaFreeAsync(memory, stream) != cudaSuccess)
  {
    (void) cudaGetLastError(); // it was not got in stream order; or cudaFree says the same
    (void) cudaFree(memory);
  }
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

// A policy's own function, wherever it stands, is nearer to it than this one. In device code, where Thrust asks for no memory
// with a policy of ours, Thrust's own serve.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class T, class Derived>
LIGHTSCAN_HOST_DEVICE policy_parts::plain_buffer<T> get_temporary_buffer(execution_policy<Derived>& policy,
                                                                         std::ptrdiff_t count)
{
  Derived& derived = static_cast<Derived&>(policy);
  NV_IF_TARGET(NV_IS_HOST, (if (!must_perform_optional_stream_synchronization(derived)) {
                 return {policy_parts::temporary<T>(count, get_stream(derived)), count};
               }))
  return {
    THRUST_NS_QUALIFIER::raw_pointer_cast(THRUST_NS_QUALIFIER::malloc<T>(derived, static_cast<std::size_t>(count))),
    count};
}

namespace policy_parts
{
// Whether a call of get_temporary_buffer with the policy finds something nearer than the function above.
template <class Policy>
inline constexpr bool brings_memory = !::cuda::std::is_same_v<decltype(get_temporary_buffer<unsigned char>(
                                                                ::cuda::std::declval<Policy&>(), std::ptrdiff_t{})),
                                                              plain_buffer<unsigned char>>;
} // namespace policy_parts

// Called from destructors, so a failure, which cudaFree also leaves for later calls to report, goes unsaid here.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class Derived, class Pointer>
LIGHTSCAN_HOST_DEVICE void return_temporary_buffer(execution_policy<Derived>& policy, Pointer memory, std::ptrdiff_t)
{
  Derived& derived = static_cast<Derived&>(policy);
  if constexpr (policy_parts::brings_memory<Derived>)
  {
    return_temporary_buffer(derived, memory); // Thrust's older form, without the size, is all that the policy can have
  }
  else
  {
    NV_IF_TARGET(NV_IS_HOST, (if (!must_perform_optional_stream_synchronization(derived)) {
                   policy_parts::give_back(THRUST_NS_QUALIFIER::raw_pointer_cast(memory), get_stream(derived));
                   return;
                 }))
    THRUST_NS_QUALIFIER::free(derived, memory);
  }
}
LIGHTSCAN_TYPES_NAMESPACE_END
