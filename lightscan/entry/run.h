// Calls with a policy for GPUs, from the problem to the end: memory from the policy where it brings any, the launch or Thrust's
// own algorithm, the exception, the policy's wait or, where what is returned depends on the data, ours.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/launched.h>
#include <lightscan/entry/call.h>
#include <lightscan/entry/temporary_buffer.h>
#include <lightscan/entry/temporary_memory.h>
#include <lightscan/execution_policy.h>
#include <lightscan/runtime/host_counts.h>
#include <lightscan/runtime/report.h>
#include <lightscan/runtime/slot_source.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <thrust/memory.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>
#include <optional>
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

// Waits for what a call has queued.
inline void wait(cudaStream_t stream, const char* call, std::int64_t num_items)
{
  if (const cudaError_t error = cudaStreamSynchronize(stream))
  {
    (void) cudaGetLastError();
    raise(error, call, num_items, "running, or in work queued on the stream before it");
  }
}

// A launch with a policy: what it is of, and memory from the policy, where it brings any, that lasts until the launch has been waited
// for. Whoever makes one runs the launcher in its slots, and tells it how that ended.
template <class Derived, class Problem>
class policy_launch
{
public:
  policy_launch(Derived& policy, cudaStream_t stream, const Problem& problem, std::int64_t num_items)
      : launcher(problem, stream)
      , stream_(stream)
      , num_items_(num_items)
      , bytes_(bytes_for(problem))
      , resource_{policy}
      , memory_(resource_, bytes_ == 0 || runtime::is_captured(stream) ? 0 : bytes_at_any_alignment(bytes_), stream)
  {}

  runtime::slot_source slots() const
  {
    return runtime::slots_brought(aligned(memory_.get()), bytes_);
  }

  // Throws where it was not launched; `waits`: for what was.
  void end(const runtime::outcome& done, bool waits) const
  {
    const char* const call = Problem::kind_type::call;
    if (!done)
    {
      if (waits && memory_.get() != nullptr)
      {
        (void) cudaStreamSynchronize(stream_); // the memory goes back, and may be about to be cleared
        (void) cudaGetLastError();
      }
      raise(done.error, call, num_items_, done.doing);
    }
    if (waits)
    {
      entry::wait(stream_, call, num_items_);
    }
  }

  dispatch::launcher<Problem> launcher;

private:
  // Of the policy's memory; where it brings none, nothing is compiled that says how much.
  static std::size_t bytes_for([[maybe_unused]] const Problem& problem)
  {
    if constexpr (policy_parts::brings_memory<Derived>)
    {
      return dispatch::launcher<Problem>::bytes_for(problem);
    }
    else
    {
      return 0;
    }
  }

  cudaStream_t stream_;
  std::int64_t num_items_;
  std::size_t bytes_;
  policy_resource<Derived> resource_;
  temporary_memory<policy_resource<Derived>> memory_; // none for a launch that is captured (runtime/stream.h)
};

// Whether a call sets items aside until it is known where they go.
template <class Call, class = void>
inline constexpr bool sets_aside = false;
template <class Call>
inline constexpr bool sets_aside<Call, ::cuda::std::void_t<typename Call::rest>> = true;

// Room for `count` of T while a call runs: the policy's memory where it brings any, otherwise CUDA's.
template <class T, class Derived>
class set_aside
{
public:
  set_aside(Derived& policy, cudaStream_t stream, std::int64_t count)
      : resource_{make(policy)}
      , memory_(resource_, sizeof(T) * static_cast<std::size_t>(count) + alignment, stream)
  {}

  T* get() const
  {
    const auto past_grid = reinterpret_cast<std::uintptr_t>(memory_.get()) % alignment;
    return reinterpret_cast<T*>(static_cast<unsigned char*>(memory_.get()) + (alignment - past_grid) % alignment);
  }

private:
  static constexpr bool from_policy = policy_parts::brings_memory<Derived>;
  // Enough for any copy of items in 16-byte words, too.
  static constexpr std::size_t alignment = alignof(T) > 16 ? alignof(T) : 16;

  using resource = ::cuda::std::conditional_t<from_policy, policy_resource<Derived>, waiting_resource>;

  static resource make([[maybe_unused]] Derived& policy)
  {
    if constexpr (from_policy)
    {
      return {policy};
    }
    else
    {
      return {};
    }
  }

  resource resource_;
  temporary_memory<resource> memory_;
};

// Copies what a call has set aside behind the items that it selected, on the stream.
template <class Derived, class Call, class T>
void put_behind(
  Derived& policy, cudaStream_t stream, Call& call, dispatch::index selected, const T* others, dispatch::index count)
{
  if constexpr (::cuda::std::is_same_v<util::unwrapped_t<typename Call::result_type>, T*> && util::assigns_bytes<T, T>)
  {
    T* const to = util::unwrapped(call.first) + selected;
    if (const cudaError_t error = cudaMemcpyAsync(
          to, others, sizeof(T) * static_cast<std::size_t>(count), cudaMemcpyDefault, stream))
    {
      (void) cudaGetLastError();
      raise(error, Call::kind::call, count, "copying what was set aside");
    }
  }
  else
  {
    call.put_behind(thrusts_policy<Derived>(policy, stream), selected, others, count);
  }
}

// A call whose result depends on the data: it waits for its total, whatever the policy says.
template <class Derived, class Call>
typename Call::result_type run_and_count(Derived& policy, Call& call, dispatch::index num_items)
{
  const char* const name    = Call::kind::call;
  const cudaStream_t stream = get_stream(policy);
  runtime::host_counts total;
  if (const runtime::outcome taken = total.take_for(stream); !taken)
  {
    raise(taken.error, name, num_items, taken.doing);
  }
  if constexpr (sets_aside<Call>)
  {
    try
    {
      const set_aside<typename Call::rest, Derived> rest(policy, stream, num_items);
      {
        policy_launch launch(policy, stream, call.problem(num_items, total.get(), rest.get()), num_items);
        launch.end(launch.launcher.run(launch.slots()), true);
      }
      const dispatch::index selected = total.landed();
      if (selected < num_items)
      {
        entry::put_behind(policy, stream, call, selected, rest.get(), num_items - selected);
        if (must_perform_optional_stream_synchronization(policy))
        {
          entry::wait(stream, name, num_items);
        }
      }
      return call.end(num_items, selected);
    }
    catch (const stream_resource::refusal& refused)
    {
      raise(refused.error, name, num_items, "allocating memory for the items that do not stay where they are");
    }
  }
  else
  {
    policy_launch launch(policy, stream, call.problem(num_items, total.get()), num_items);
    launch.end(launch.launcher.run(launch.slots()), true);
    return call.end(num_items, total.landed());
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
  static typename Call::result_type run(Derived& policy, Call& call)
  {
    runtime::last_report() = launch_report{};
    const auto num_items   = static_cast<dispatch::index>(call.last - call.first);
    if (num_items <= 0)
    {
      return call.nothing();
    }
    if constexpr (!Call::in_kernels)
    {
      std::optional<typename Call::result_type> end; // iterators need not be assignable
      entry::with_thrusts_policy(policy, Call::kind::call, num_items, [&](auto thrusts) {
        end.emplace(call.by_thrust(thrusts));
      });
      return *end;
    }
    else if constexpr (Call::needs_total)
    {
      return entry::run_and_count(policy, call, num_items);
    }
    else
    {
      const auto asked = call.problem(num_items);
      dispatch::launched<::cuda::std::remove_const_t<decltype(asked)>>::with(asked, [&](const auto& problem) {
        policy_launch launch(policy, get_stream(policy), problem, num_items);
        launch.end(launch.launcher.run(launch.slots()), must_perform_optional_stream_synchronization(policy));
      });
      return call.end(num_items);
    }
  }
};
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
