// From an entry point's problem to its end: workspace from the policy's allocator where there is one, the launch, the
// exception, the policy's wait.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/stream.h>
#include <lightscan/entry/temporary_buffer.h>
#include <lightscan/execution_policy.h>
#include <lightscan/version.h>

#include <thrust/memory.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <cuda/std/cstdint>

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

template <class Policy>
inline constexpr bool has_allocator = false;
template <bool Synchronizes, class Allocator>
inline constexpr bool has_allocator<allocator_policy<Synchronizes, Allocator>> = true;

// A workspace in the policy's own temporary memory, and none for policies without an allocator: the library's serve
// them. None for a captured scan either (dispatch/stream.h).
template <class Policy>
class workspace
{
public:
  explicit workspace(Policy&) {}

  static void* memory()
  {
    return nullptr;
  }
};

template <bool Synchronizes, class Allocator>
class workspace<allocator_policy<Synchronizes, Allocator>>
{
  using policy_type = allocator_policy<Synchronizes, Allocator>;

public:
  explicit workspace(policy_type& policy)
      : policy_(policy)
  {
    if (dispatch::is_captured(get_stream(policy)))
    {
      return;
    }
    const auto buffer = thr::get_temporary_buffer<unsigned char>(policy, size);
    begin_            = thr::raw_pointer_cast(buffer.first);
    if (begin_ == nullptr || buffer.second < size)
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
    if (begin_ == nullptr)
    {
      return nullptr;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(begin_);
    return begin_ + (alignment - address % alignment) % alignment;
  }

private:
  static constexpr std::size_t alignment = 128; // an allocator promises little more than that of its value type
  static constexpr std::ptrdiff_t size   = static_cast<std::ptrdiff_t>(dispatch::workspace_bytes + alignment);

  void give_back()
  {
    if (begin_ != nullptr)
    {
      thr::return_temporary_buffer(policy_, thr::pointer<unsigned char, policy_type>(begin_), size);
    }
  }

  policy_type& policy_;
  unsigned char* begin_ = nullptr;
};

// Calls f(policy) with Thrust's own policy of the same stream, allocator and waiting: for what our kernels do not take. Says
// so in all the ways in which a launch of ours is told.
template <class Derived, class F>
auto with_thrusts_policy(execution_policy<Derived>& policy, const char* call, std::int64_t num_items, F f)
{
  Derived& derived          = static_cast<Derived&>(policy);
  const cudaStream_t stream = get_stream(derived);
  dispatch::last_report()   = launch_report{};
  launch_report report;
  report.taken     = path::thrust;
  report.call      = call;
  report.num_items = num_items;
  const dispatch::nvtx_range range(report);
  const auto with_allocator = [&](auto thrusts) {
    if constexpr (has_allocator<Derived>)
    {
      return f(thrusts(derived.get_allocator()).on(stream));
    }
    else
    {
      return f(thrusts.on(stream));
    }
  };
  const auto result       = must_perform_optional_stream_synchronization(derived) ? with_allocator(thr::cuda::par)
                                                                                  : with_allocator(thr::cuda::par_nosync);
  dispatch::last_report() = report;
  if (const dispatch::outcome done = dispatch::watch(report, stream); !done)
  {
    raise(done.error, call, num_items, done.doing);
  }
  return result;
}

template <class Problem, class Derived>
void run(execution_policy<Derived>& policy, const Problem& problem)
{
  Derived& derived          = static_cast<Derived&>(policy);
  const cudaStream_t stream = get_stream(derived);
  dispatch::last_report()   = launch_report{};
  const workspace<Derived> memory(derived);
  dispatch::launcher<Problem> launcher(problem, stream);
  if (const dispatch::outcome done = launcher.run(memory.memory()); !done)
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
