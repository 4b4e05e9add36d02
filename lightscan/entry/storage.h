// Where the calls of CUB's entry points (lightscan::DeviceScan and its like) get their memory: the caller's storage in two
// phases, the library's own, or a memory resource's. Nothing here throws.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/launched.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/temporary_memory.h>
#include <lightscan/runtime/slot_source.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
#if defined(__CUDACC__)
// Whether a call's bits may be required; says why it is not offered. Nothing else of it is compiled then, so that this is the only error.
template <same_bits Required, bool IsExact>
constexpr bool says_whether_exact()
{
  constexpr bool granted = Required != same_bits::on_every_gpu || IsExact;
  static_assert(granted,
                "lightscan: the same bits on every GPU can be required only for integers and an operator of "
                "CCCL's that is associative in truth, because the order of combination depends on the GPU");
  return granted;
}

// A call that our kernels serve. (by_cub in scan_by_cub.h and left_to_cub in select_by_cub.h are its like.)
template <class Problem, bool IsExact>
struct by_kernels
{
  static constexpr bool has_own_memory = true;

  Problem problem;

  template <same_bits Required>
  static constexpr bool offers()
  {
    return says_whether_exact<Required, IsExact>();
  }

  // How much memory run() takes, at any alignment.
  cudaError_t ask(std::size_t& bytes) const
  {
    bytes = bytes_at_any_alignment(taken());
    return cudaSuccess;
  }

  // Without storage: in the library's own.
  cudaError_t run(void* storage, std::size_t, cudaStream_t stream) const
  {
    const std::size_t bytes = storage == nullptr ? 0 : taken();
    const auto slots        = runtime::slots_brought(bytes > 0 ? aligned(storage) : nullptr, bytes);
    return dispatch::launched<Problem>::with(problem, [&](const auto& launched) {
      return dispatch::launcher<::cuda::std::remove_cvref_t<decltype(launched)>>(launched, stream).run(slots).error;
    });
  }

private:
  std::size_t taken() const
  {
    if constexpr (::cuda::std::is_integral_v<typename Problem::count_type>)
    {
      if (problem.num_items <= 0)
      {
        return 0;
      }
    }
    return dispatch::launched<Problem>::bytes_for(problem);
  }
};

// A call of which it has been said already why it is not offered.
struct by_nobody
{
  template <same_bits Required>
  static constexpr bool offers()
  {
    return false;
  }
};

template <class Call, same_bits Required>
constexpr bool is_offered()
{
  static_assert(Required != same_bits::outside_require,
                "lightscan: a determinism has no effect in an environment unless it stands in "
                "cuda::execution::require");
  if constexpr (Required != same_bits::outside_require)
  {
    return Call::template offers<Required>();
  }
  else
  {
    return false;
  }
}

// Two phases: the size, or the scan. The size is never 0: what cudaMalloc gives for that is null, as for the size.
template <class Call>
cudaError_t in_storage(void* storage, std::size_t& bytes, const Call& call, cudaStream_t stream) noexcept
{
  if constexpr (is_offered<Call, same_bits::unasked>())
  {
    if (storage != nullptr)
    {
      runtime::last_report() = launch_report{};
    }
    try
    {
      std::size_t needed = 0;
      if (const cudaError_t error = call.ask(needed))
      {
        return error;
      }
      needed = needed > 0 ? needed : 1;
      if (storage == nullptr)
      {
        bytes = needed;
        return cudaSuccess;
      }
      return bytes < needed ? cudaErrorInvalidValue : call.run(storage, bytes, stream);
    }
    catch (...)
    {
      return cudaErrorMemoryAllocation; // the standard library is the only one that throws there
    }
  }
  else
  {
    return cudaErrorNotSupported;
  }
}

template <class Resource, class Call>
cudaError_t in_memory_from(Resource& resource, std::size_t bytes, const Call& call, cudaStream_t stream)
{
  const temporary_memory<Resource> memory(resource, bytes, stream);
  if (memory.get() == nullptr)
  {
    return cudaErrorMemoryAllocation;
  }
  const cudaError_t error = call.run(memory.get(), bytes, stream);
  if constexpr (!temporary_memory<Resource>::in_stream_order)
  {
    const cudaError_t ended = cudaStreamSynchronize(stream);
    if (ended != cudaSuccess)
    {
      (void) cudaGetLastError();
    }
    return error ? error : ended;
  }
  return error;
}

// How much memory a single call takes. (axis_call.h has another one, for calls of which that depends on addresses.)
template <class Call>
cudaError_t ask_now(const Call& call, std::size_t& bytes, cudaStream_t)
{
  return call.ask(bytes);
}

// Without anybody else's memory: the library's own, or in stream order where it has none for such calls.
template <class Call>
cudaError_t in_own_memory(const Call& call, cudaStream_t stream)
{
  if constexpr (!Call::has_own_memory)
  {
    std::size_t bytes = 0;
    if (const cudaError_t error = ask_now(call, bytes, stream))
    {
      return error;
    }
    if (bytes > 0)
    {
      stream_resource resource;
      return entry::in_memory_from(resource, bytes, call, stream);
    }
  }
  return call.run(nullptr, 0, stream);
}

template <class Call, class Resource>
cudaError_t in_memory_of(Resource& resource, const Call& call, cudaStream_t stream)
{
  std::size_t bytes = 0;
  if (const cudaError_t error = ask_now(call, bytes, stream))
  {
    return error;
  }
  return bytes == 0 || runtime::is_captured(stream) ? entry::in_own_memory(call, stream)
                                                    : entry::in_memory_from(resource, bytes, call, stream);
}

// A single call across GPUs, or the sentence that says why it is not offered (run_across.h).
template <class Call, class Environment, class = void>
struct across_gpus;

// A single call. `more` is at most one resource, which then serves in the place of the environment's.
template <class Call, class Environment, class... More>
cudaError_t at_once(const Call& call, Environment& environment, More&... more) noexcept
{
  using where = ::cuda::std::remove_const_t<Environment>;
  if constexpr (is_across<where>)
  {
    static_assert(sizeof...(More) == 0, "lightscan: across GPUs a call has the group's memory, and takes no resource");
    return across_gpus<Call, Environment>::run(call, environment);
  }
  else if constexpr (is_offered<Call, required_by<where>()>())
  {
    runtime::last_report()    = launch_report{};
    bool found                = true;
    const cudaStream_t stream = entry::stream_of(environment, found);
    if (!found)
    {
      return cudaErrorInvalidResourceHandle;
    }
    try
    {
      if constexpr (sizeof...(More) > 0)
      {
        return entry::in_memory_of(more..., call, stream);
      }
#  if defined(LIGHTSCAN_DETAIL_ENVIRONMENTS)
      else if constexpr (names_resource<where>)
      {
        auto resource = ::cuda::mr::get_memory_resource(::cuda::std::as_const(environment)); // a copy, as CUB's
        return entry::in_memory_of(resource, call, stream);
      }
#  endif
      else
      {
        return entry::in_own_memory(call, stream);
      }
    }
    catch (const stream_resource::refusal& refused)
    {
      return refused.error;
    }
    catch (...)
    {
      return cudaErrorMemoryAllocation; // a resource threw, and nothing was launched
    }
  }
  else
  {
    return cudaErrorNotSupported;
  }
}

template <class Call>
cudaError_t at_once(const Call& call) noexcept
{
  const cudaStream_t default_stream = nullptr;
  return entry::at_once(call, default_stream);
}
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
