/// @file
/// lightscan::host: the execution policy, types only. The scans come with <lightscan/host.h>.
#pragma once

#include <lightscan/util/scan_policy.h>
#include <lightscan/version.h>

#include <thrust/system/cpp/pointer.h> // not execution_policy.h, which brings every algorithm

LIGHTSCAN_TYPES_NAMESPACE_BEGIN
namespace policy_parts
{
// The machine's cores: host/entry.h.
struct host_threads
{
  template <class Derived>
  using thrusts = THRUST_NS_QUALIFIER::cpp::execution_policy<Derived>;
};
} // namespace policy_parts

/// The base of LightScan's host policies. Being nearer to them than Thrust's own bases, it wins the overload resolution
/// of the scans in <lightscan/host.h>; every other algorithm is Thrust's sequential one, found through its base.
/// @tparam Derived the policy itself
template <class Derived>
struct host_execution_policy : policy_parts::scan_policy<Derived, policy_parts::host_threads>
{};

/// The type of lightscan::host: how many threads a call may use.
class host_policy : public host_execution_policy<host_policy>
{
public:
  /// As many threads as there are cores.
  constexpr host_policy() = default;

  /// The same policy with another number of threads.
  /// @param count at most so many for a call, the calling one included. 1: the calling thread alone. 0, and any negative
  ///   number: the default, as many as std::thread::hardware_concurrency says there are cores
  /// @return the policy with that number
  [[nodiscard]] LIGHTSCAN_HOST_DEVICE constexpr host_policy threads(int count) const
  {
    host_policy chosen;
    chosen.threads_ = count > 0 ? count : 0;
    return chosen;
  }

  /// @return how many threads a call may use; 0: the default
  LIGHTSCAN_HOST_DEVICE constexpr int threads() const
  {
    return threads_;
  }

private:
  int threads_ = 0;
};

/// Scans run on the machine's cores. Policies are values; any number of threads may call with them at once.
#if defined(__CUDA_ARCH__)
static __device__ constexpr host_policy host{};
#else
LIGHTSCAN_HIDDEN inline constexpr host_policy host{};
#endif
LIGHTSCAN_TYPES_NAMESPACE_END
