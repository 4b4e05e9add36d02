// Calls with a policy for GPUs, from the problem to the end: memory from the policy where it brings any, the launch or Thrust's
// own scan, the exception, the policy's wait.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/entry/call.h>
#include <lightscan/entry/temporary_buffer.h>
#include <lightscan/entry/temporary_memory.h>
#include <lightscan/execution_policy.h>
#include <lightscan/runtime/report.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/version.h>

#include <thrust/memory.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>
#include <string>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
#if defined(__CUDACC__)
namespace thr = THRUST_NS_QUALIFIER;

[[noreturn]] inline void raise(cudaError_t error, const char* call, std::int64_t num_items, const char* doing)
{
  throw thr::system_error(
    error,
    thr::cuda_category(),
    "lightscan: " + std::string(call) + " of " + std::to_string(num_items) + " items failed while " + doing);
}

// A policy of Thrust's CUDA backend with the stream, the waiting and the temporary memory of one of ours, which it refers to.
template <class Derived>
class thrusts_policy : public thr::cuda::execution_policy<thrusts_policy<Derived>>
{
public:
  thrusts_policy(Derived& ours, cudaStream_t stream)
      : ours_(ours)
      , stream_(stream)
      , waits_(must_perform_optional_stream_synchronization(ours))
  {}

  Derived& ours() const
  {
    return ours_;
  }

private:
  friend LIGHTSCAN_HOST_DEVICE cudaStream_t get_stream(const thrusts_policy& policy)
  {
    return policy.stream_;
  }

  friend LIGHTSCAN_HOST_DEVICE bool must_perform_optional_stream_synchronization(const thrusts_policy& policy)
  {
    return policy.waits_;
  }

  Derived& ours_;
  cudaStream_t stream_;
  bool waits_;
};

template <class T, class Derived>
auto get_temporary_buffer(thrusts_policy<Derived>& policy, std::ptrdiff_t count)
{
  return thr::get_temporary_buffer<T>(policy.ours(), count);
}

template <class Derived, class Pointer>
void return_temporary_buffer(thrusts_policy<Derived>& policy, Pointer memory, std::ptrdiff_t count)
{
  auto* const raw = thr::raw_pointer_cast(memory);
  thr::return_temporary_buffer(
    policy.ours(), thr::pointer<::cuda::std::remove_pointer_t<decltype(raw)>, Derived>(raw), count);
}

// Calls f(policy) with a policy of Thrust's own: for what our kernels do not take.
template <class Derived, class F>
void with_thrusts_policy(Derived& policy, const char* call, std::int64_t num_items, F f)
{
  const cudaStream_t stream = get_stream(policy);
  const auto queue          = [&] {
    f(thrusts_policy<Derived>(policy, stream));
    return runtime::outcome{};
  };
  if (const runtime::outcome done = runtime::run_reported(path::thrust, call, num_items, stream, queue); !done)
  {
    raise(done.error, call, num_items, done.doing);
  }
}

template <>
struct backend<policy_parts::gpu>
{
  static constexpr bool has_kernels = true;

  template <class It>
  using element_t = value_t<It>;

  template <class Call>
  static constexpr bool offers()
  {
    return Call::is_offered();
  }

  template <class Derived, class Call>
  static typename Call::output_type run(Derived& policy, Call& call)
  {
    runtime::last_report() = launch_report{};
    const auto num_items   = static_cast<dispatch::index>(call.last - call.first);
    if (num_items <= 0)
    {
      return call.result;
    }
    const char* const name = Call::kind::call;
    if constexpr (!Call::in_kernels)
    {
      entry::with_thrusts_policy(policy, name, num_items, [&](auto thrusts) {
        call.by_thrust(thrusts);
      });
    }
    else
    {
      const auto problem        = call.problem(num_items);
      using launcher            = dispatch::launcher<::cuda::std::remove_const_t<decltype(problem)>>;
      const cudaStream_t stream = get_stream(policy);
      const std::size_t bytes   = policy_parts::brings_memory<Derived> ? launcher::bytes_for(problem) : 0;
      policy_resource<Derived> resource{policy};
      // Until the policy's wait is over; none for a launch that is captured (runtime/stream.h).
      const temporary_memory<policy_resource<Derived>> memory(
        resource, bytes == 0 || runtime::is_captured(stream) ? 0 : bytes_at_any_alignment(bytes), stream);
      if (const runtime::outcome done = launcher(problem, stream).run(aligned(memory.get()), bytes); !done)
      {
        raise(done.error, name, num_items, done.doing);
      }
      if (must_perform_optional_stream_synchronization(policy))
      {
        if (const cudaError_t error = cudaStreamSynchronize(stream))
        {
          (void) cudaGetLastError();
          raise(error, name, num_items, "running, or in work queued on the stream before it");
        }
      }
    }
    return call.result + num_items;
  }
};
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
