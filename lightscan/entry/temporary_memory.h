// Memory for one call, from whoever brings it: a policy, a memory resource, or a pool in stream order. Slots need an alignment of
// 8 bytes, which nobody promises for bytes: who asks for memory for slots asks for 7 bytes more, and aligns what it gets.
#pragma once

#include <lightscan/entry/temporary_buffer.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/pool.h>
#include <lightscan/version.h>

#include <thrust/memory.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/stream_ref>

#include <cstddef>
#include <cstdint>
#include <new>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
#if defined(__CUDACC__)
namespace thr = THRUST_NS_QUALIFIER;

inline constexpr std::size_t slot_alignment = 8;

// Bytes to ask for where a launch takes so many.
inline std::size_t bytes_at_any_alignment(std::size_t bytes)
{
  return bytes > 0 ? bytes + slot_alignment - 1 : 0;
}

inline void* aligned(void* memory)
{
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return static_cast<unsigned char*>(memory)
       + (slot_alignment - address % slot_alignment) % slot_alignment; // of null: null
}

// A policy's memory as a resource. It gives nothing where nothing is asked for, and compiles nothing of Thrust's where the policy
// brings none.
template <class Policy>
struct policy_resource
{
  Policy& policy;

  unsigned char* allocate([[maybe_unused]] std::size_t bytes, std::size_t)
  {
    if constexpr (policy_parts::brings_memory<Policy>)
    {
      if (bytes > 0)
      {
        const auto count      = static_cast<std::ptrdiff_t>(bytes);
        const auto buffer     = thr::get_temporary_buffer<unsigned char>(policy, count);
        unsigned char* memory = thr::raw_pointer_cast(buffer.first);
        if (memory != nullptr && buffer.second < count)
        {
          deallocate(memory, static_cast<std::size_t>(buffer.second), 1);
          memory = nullptr;
        }
        return memory != nullptr ? memory : throw std::bad_alloc();
      }
    }
    return nullptr;
  }

  void deallocate([[maybe_unused]] unsigned char* memory, [[maybe_unused]] std::size_t bytes, std::size_t)
  {
    if constexpr (policy_parts::brings_memory<Policy>)
    {
      thr::return_temporary_buffer(
        policy, thr::pointer<unsigned char, Policy>(memory), static_cast<std::ptrdiff_t>(bytes));
    }
  }
};

// The library's pool, in stream order. What fails as it is given back is left for later calls to report.
struct stream_resource
{
  struct refusal
  {
    cudaError_t error;
  };

  void* allocate_async(std::size_t bytes, std::size_t, ::cuda::stream_ref stream)
  {
    void* memory = nullptr;
    if (const runtime::outcome done = runtime::allocate(memory, bytes, stream.get()); !done)
    {
      throw refusal{done.error};
    }
    return memory;
  }

  void deallocate_async(void* memory, std::size_t, std::size_t, ::cuda::stream_ref stream)
  {
    (void) cudaFreeAsync(memory, stream.get());
  }
};

// The same for a call that waits in any case.
struct waiting_resource
{
  void* allocate_async(std::size_t bytes, std::size_t, ::cuda::stream_ref stream)
  {
    void* memory = nullptr;
    if (const runtime::outcome done = runtime::allocate_for_waiting(memory, bytes, stream.get()); !done)
    {
      throw stream_resource::refusal{done.error};
    }
    return memory;
  }

  void deallocate_async(void* memory, std::size_t bytes, std::size_t, ::cuda::stream_ref stream)
  {
    runtime::release_waited(memory, bytes, stream.get());
  }
};

// The three ways to ask a memory resource; the first that it has is taken.
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

template <class Resource>
auto take_from(Resource& resource, std::size_t bytes, [[maybe_unused]] cudaStream_t stream)
{
  if constexpr (takes_stream_first<Resource>)
  {
    return resource.allocate(::cuda::stream_ref(stream), bytes, slot_alignment);
  }
  else if constexpr (takes_stream_last<Resource>)
  {
    return resource.allocate_async(bytes, slot_alignment, ::cuda::stream_ref(stream));
  }
  else
  {
    return resource.allocate(bytes, slot_alignment);
  }
}

// A resource's memory, until this object goes. A resource that throws as it takes memory back keeps that to itself: the scan is
// queued, and its results will be there; or it failed, and that is what the call reports.
template <class Resource>
class temporary_memory
{
public:
  // Whether what is given back may still be in use on the stream.
  static constexpr bool in_stream_order = takes_stream_first<Resource> || takes_stream_last<Resource>;

  temporary_memory(Resource& resource, std::size_t bytes, cudaStream_t stream)
      : resource_(resource)
      , bytes_(bytes)
      , stream_(stream)
      , memory_(entry::take_from(resource, bytes, stream))
  {}
  temporary_memory(const temporary_memory&)            = delete;
  temporary_memory& operator=(const temporary_memory&) = delete;
  ~temporary_memory()
  {
    try
    {
      if (get() != nullptr)
      {
        give_back();
      }
    }
    catch (...)
    {}
  }

  // Null where the resource gave none.
  void* get() const
  {
    return thr::raw_pointer_cast(memory_);
  }

private:
  using pointer = decltype(entry::take_from(::cuda::std::declval<Resource&>(), 1, nullptr));

  void give_back()
  {
    if constexpr (takes_stream_first<Resource>)
    {
      resource_.deallocate(::cuda::stream_ref(stream_), memory_, bytes_, slot_alignment);
    }
    else if constexpr (takes_stream_last<Resource>)
    {
      resource_.deallocate_async(memory_, bytes_, slot_alignment, ::cuda::stream_ref(stream_));
    }
    else
    {
      resource_.deallocate(memory_, bytes_, slot_alignment);
    }
  }

  Resource& resource_;
  std::size_t bytes_;
  cudaStream_t stream_;
  pointer memory_;
};
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
