// Calls across the GPUs of a group (ranks/queue.h): with a policy, and lightscan::DeviceScan's.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/entry/call.h>
#include <lightscan/entry/run.h>
#include <lightscan/entry/storage.h>
#include <lightscan/execution_policy.h>
#include <lightscan/ranks/queue.h>
#include <lightscan/ranks/team.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/tile/segmented_kind.h>
#include <lightscan/version.h>

#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
#if defined(LIGHTSCAN_DETAIL_NCCL) && defined(__CUDACC__)
template <>
struct backend<policy_parts::gpus>
{
  static constexpr bool has_kernels = true;

  template <class It>
  using element_t = value_t<It>;

  template <class Call>
  static constexpr bool offers()
  {
    constexpr bool is_scan = !Call::kind::emits && !Call::needs_total;
    static_assert(is_scan, "lightscan: across GPUs there are scans only, no selections and no reductions by key");
    static_assert(
      !is_scan || Call::in_kernels,
      "lightscan: across GPUs, what a scan accumulates in must be bitwise copyable and of no more than 1,024 "
      "bytes (by key: two keys and a value)");
    if constexpr (is_scan && Call::in_kernels)
    {
      return Call::is_offered();
    }
    else
    {
      return false;
    }
  }

  template <class Policy, class Group, class Call>
  static typename Call::result_type run(across_policy<Policy, Group>& policy, Call& call)
  {
    Policy& of_part   = policy.of_part();
    ranks::team& team = policy.group().own_team();
    if (team.size() == 1)
    {
      return backend<policy_parts::gpu>::run(of_part, call);
    }
    const auto there          = static_cast<dispatch::index>(call.last - call.first);
    const auto num_items      = there > 0 ? there : 0;
    const char* const name    = Call::kind::call;
    const cudaStream_t stream = get_stream(of_part);
    runtime::outcome done     = ranks::queue_scan(call.problem(num_items), team, stream);
    if (done && must_perform_optional_stream_synchronization(of_part))
    {
      done = team.wait(stream);
    }
    if (!done)
    {
      raise(done.error, name, num_items, done.doing);
    }
    return num_items > 0 ? call.end(num_items) : call.nothing();
  }
};

// Kinds whose scans go on from one rank's part to the next: not selections, nor segments, which begin anew with each call.
template <class Kind>
inline constexpr bool goes_on_across = !Kind::emits;
template <class Value, class Init, bool Inclusive>
inline constexpr bool goes_on_across<tile::segmented_kind<Value, Init, Inclusive>> = false;

// Depends on the environment only, so that it is said once of a call that may take one of two ways.
template <class Environment>
constexpr bool is_offered_across()
{
  static_assert(
    sizeof(Environment*) == 0,
    "lightscan: across GPUs there are scans by our own kernels only: of bitwise copyable accumulators of no more "
    "than 1,024 bytes, and of a number of items that the host knows");
  return false;
}

template <class Call, class Environment, class>
struct across_gpus
{
  static cudaError_t run(const Call&, Environment&)
  {
    return is_offered_across<Environment>() ? cudaSuccess : cudaErrorNotSupported;
  }
};

template <class Problem, bool IsExact, class Environment>
struct across_gpus<by_kernels<Problem, IsExact>,
                   Environment,
                   ::cuda::std::enable_if_t<goes_on_across<typename Problem::kind_type>&& ::cuda::std::is_integral_v<
                     typename Problem::count_type>>>
{
  static cudaError_t run(const by_kernels<Problem, IsExact>& call, Environment& environment) noexcept
  {
    try
    {
      runtime::last_report()    = launch_report{};
      auto of_part              = environment.of_part();
      ranks::team& team         = environment.group().own_team();
      const cudaStream_t stream = get_stream(of_part);
      const bool waits          = must_perform_optional_stream_synchronization(of_part);
      Problem problem           = call.problem;
      problem.num_items         = problem.num_items > 0 ? problem.num_items : 0;
      if (team.size() == 1)
      {
        if (problem.num_items > 0)
        {
          policy_launch launch(of_part, stream, problem, problem.num_items);
          launch.end(launch.launcher.run(launch.slots()), waits);
        }
        return cudaSuccess;
      }
      const runtime::outcome done = ranks::queue_scan(problem, team, stream);
      return done && waits ? team.wait(stream).error : done.error;
    }
    catch (const thr::system_error& error)
    {
      return static_cast<cudaError_t>(error.code().value());
    }
    catch (...)
    {
      return cudaErrorMemoryAllocation; // the policy's memory is all else that may throw
    }
  }
};
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
