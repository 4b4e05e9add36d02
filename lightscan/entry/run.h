// From an entry point's problem to its end: workspace from the policy's allocator where there is one, the launch, the
// exception, the policy's wait.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/report.h>
#include <lightscan/dispatch/stream.h>
#include <lightscan/entry/temporary_buffer.h>
#include <lightscan/execution_policy.h>
#include <lightscan/version.h>

#include <thrust/memory.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>
#include <new>
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

// A launch's memory from the policy, where that brings any. Null where it does not, where the launch takes none, and where it is
// captured (dispatch/stream.h).
template <class Policy, bool = policy_parts::brings_memory<Policy>>
class workspace
{
public:
  workspace(Policy&, cudaStream_t, std::size_t) {}

  static void* memory()
  {
    return nullptr;
  }
};

template <class Policy>
class workspace<Policy, true>
{
public:
  workspace(Policy& policy, cudaStream_t stream, std::size_t bytes)
      : policy_(policy)
      , size_(static_cast<std::ptrdiff_t>(bytes + alignment - 1))
  {
    if (bytes == 0 || dispatch::is_captured(stream))
    {
      return;
    }
    const auto buffer = thr::get_temporary_buffer<unsigned char>(policy, size_);
    begin_            = thr::raw_pointer_cast(buffer.first);
    if (begin_ == nullptr || buffer.second < size_)
    {
      give_back();
      throw std::bad_alloc();
    }
  }
  workspace(const workspace&)            = delete;
  workspace& operator=(const workspace&) = delete;
  ~workspace()
  {
    try
    {
      give_back();
    }
    catch (...) // a scan that failed has said so, and one that did not has its result
    {}
  }

  void* memory() const
  {
    const auto address = reinterpret_cast<std::uintptr_t>(begin_);
    return begin_ + (alignment - address % alignment) % alignment; // of null: null
  }

private:
  static constexpr std::size_t alignment = 8; // an allocator promises little more than that of its value type

  void give_back()
  {
    if (begin_ != nullptr)
    {
      thr::return_temporary_buffer(policy_, thr::pointer<unsigned char, Policy>(begin_), size_);
    }
  }

  Policy& policy_;
  std::ptrdiff_t size_;
  unsigned char* begin_ = nullptr;
};

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
void with_thrusts_policy(execution_policy<Derived>& policy, const char* call, std::int64_t num_items, F f)
{
  Derived& derived          = static_cast<Derived&>(policy);
  const cudaStream_t stream = get_stream(derived);
  const auto queue          = [&] {
    f(thrusts_policy<Derived>(derived, stream));
    return dispatch::outcome{};
  };
  if (const dispatch::outcome done = dispatch::run_reported(path::thrust, call, num_items, stream, queue); !done)
  {
    raise(done.error, call, num_items, done.doing);
  }
}

template <class Problem, class Derived>
void run(execution_policy<Derived>& policy, const Problem& problem)
{
  Derived& derived          = static_cast<Derived&>(policy);
  const cudaStream_t stream = get_stream(derived);
  dispatch::last_report()   = launch_report{};
  const std::size_t bytes = policy_parts::brings_memory<Derived> ? dispatch::launcher<Problem>::bytes_for(problem) : 0;
  const workspace<Derived> memory(derived, stream, bytes); // until the policy's wait is over
  dispatch::launcher<Problem> launcher(problem, stream);
  if (const dispatch::outcome done = launcher.run(memory.memory(), bytes); !done)
  {
    raise(done.error, Problem::call, problem.num_items, done.doing);
  }
  if (must_perform_optional_stream_synchronization(derived))
  {
    if (const cudaError_t error = cudaStreamSynchronize(stream))
    {
      (void) cudaGetLastError();
      raise(error, Problem::call, problem.num_items, "running, or in work queued on the stream before it");
    }
  }
}
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
