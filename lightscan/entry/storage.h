// Where lightscan::DeviceScan's calls get their workspace: the caller's storage in two phases, the library's own, or a
// memory resource's. Nothing here throws.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/dispatch/stream.h>
#include <lightscan/entry/types.h>
#include <lightscan/version.h>

#include <thrust/memory.h>

#include <cub/util_type.cuh> // cub::FutureValue

#include <cuda/std/iterator>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/stream_ref>

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
inline constexpr std::size_t storage_alignment = 128;
inline constexpr std::size_t storage_bytes     = dispatch::workspace_bytes + storage_alignment;

// The type of the value that an initial value is or stands for.
template <class Init>
struct init_value
{
  using type = Init;
};
template <class T>
struct init_value<device_value<T>>
{
  using type = T;
};
template <class T, class It>
struct init_value<CUB_NS_QUALIFIER::FutureValue<T, It>>
{
  using type = T;
};
template <class Init>
using init_value_t = typename init_value<Init>::type;

// What a call without an initial value accumulates in, and one with.
template <class Op, class InputIt>
using sum_t = accumulator_t<Op, value_t<InputIt>, value_t<InputIt>>;

template <class Op, class Init, class InputIt>
using start_t = accumulator_t<Op, init_value_t<Init>, value_t<InputIt>>;

// A number of items as the launcher takes it: a pointer is to one in device memory.
template <class NumItems>
auto count_of(NumItems num_items)
{
  if constexpr (::cuda::std::is_integral_v<NumItems>)
  {
    return static_cast<dispatch::index>(num_items);
  }
  else if constexpr (::cuda::std::is_pointer_v<NumItems>)
  {
    return device_value<::cuda::std::remove_const_t<::cuda::std::remove_pointer_t<NumItems>>>{num_items};
  }
  else
  {
    return num_items;
  }
}

// Tells a call without storage from one with: neither the storage nor its size is an iterator.
template <class T>
inline constexpr bool may_iterate =
  !::cuda::std::is_arithmetic_v<
    T> && !::cuda::std::is_null_pointer_v<T> && !::cuda::std::is_void_v<::cuda::std::remove_pointer_t<T>>;

template <class First, class Second>
using if_iterators = ::cuda::std::enable_if_t<may_iterate<First> && may_iterate<Second>, int>;

#if defined(__CUDACC__)
template <class Problem>
cudaError_t in_memory(void* memory, const Problem& problem, cudaStream_t stream)
{
  try
  {
    return dispatch::launcher<Problem>(problem, stream).run(memory).error;
  }
  catch (...)
  {
    return cudaErrorMemoryAllocation; // the standard library is the only one that throws there
  }
}

inline void* aligned(void* storage)
{
  const auto address = reinterpret_cast<std::uintptr_t>(storage);
  return static_cast<unsigned char*>(storage) + (storage_alignment - address % storage_alignment) % storage_alignment;
}

// Two phases: the size, or the scan.
template <class Problem>
cudaError_t in_storage(void* storage, std::size_t& bytes, const Problem& problem, cudaStream_t stream) noexcept
{
  if (storage == nullptr)
  {
    bytes = storage_bytes;
    return cudaSuccess;
  }
  return bytes < storage_bytes ? cudaErrorInvalidValue : entry::in_memory(aligned(storage), problem, stream);
}

// The library's own workspace.
template <class Problem>
cudaError_t at_once(const Problem& problem, cudaStream_t stream) noexcept
{
  return entry::in_memory(nullptr, problem, stream);
}

// The three ways to ask a memory resource, the first that it has.
template <class Resource, class = void>
inline constexpr bool takes_stream_first = false;
template <class Resource>
inline constexpr bool takes_stream_first<Resource,
                                         ::cuda::std::void_t<decltype(::cuda::std::declval<Resource&>().allocate(
                                           ::cuda::stream_ref(cudaStream_t{}), std::size_t{}, std::size_t{}))>> = true;

template <class Resource, class = void>
inline constexpr bool takes_stream_last = false;
template <class Resource>
inline constexpr bool takes_stream_last<Resource,
                                        ::cuda::std::void_t<decltype(::cuda::std::declval<Resource&>().allocate_async(
                                          std::size_t{}, std::size_t{}, ::cuda::stream_ref(cudaStream_t{})))>> = true;

template <class Problem, class Resource>
cudaError_t at_once(const Problem& problem, cudaStream_t stream, Resource& resource) noexcept
{
  try
  {
    if (dispatch::is_captured(stream))
    {
      return at_once(problem, stream);
    }
    const ::cuda::stream_ref in_order(stream);
    if constexpr (takes_stream_first<Resource>)
    {
      void* const memory = resource.allocate(in_order, storage_bytes, storage_alignment);
      if (memory == nullptr)
      {
        return cudaErrorMemoryAllocation;
      }
      const cudaError_t error = in_memory(aligned(memory), problem, stream);
      resource.deallocate(in_order, memory, storage_bytes, storage_alignment);
      return error;
    }
    else if constexpr (takes_stream_last<Resource>)
    {
      void* const memory = resource.allocate_async(storage_bytes, storage_alignment, in_order);
      if (memory == nullptr)
      {
        return cudaErrorMemoryAllocation;
      }
      const cudaError_t error = in_memory(aligned(memory), problem, stream);
      resource.deallocate_async(memory, storage_bytes, storage_alignment, in_order);
      return error;
    }
    else
    {
      const auto memory   = resource.allocate(storage_bytes, storage_alignment);
      void* const storage = THRUST_NS_QUALIFIER::raw_pointer_cast(memory);
      if (storage == nullptr)
      {
        return cudaErrorMemoryAllocation;
      }
      const cudaError_t error = in_memory(aligned(storage), problem, stream);
      const cudaError_t ended = cudaStreamSynchronize(stream);
      resource.deallocate(memory, storage_bytes, storage_alignment);
      return error ? error : ended;
    }
  }
  catch (...)
  {
    return cudaErrorMemoryAllocation;
  }
}
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
