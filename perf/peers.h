// What the peers are called in result files. The same programs are built with the toolkit's CCCL and with a newer one, whose CUB and
// Thrust have names of their own, so that no row can be taken for one of the other build.
#pragma once

#include <set>
#include <string>

namespace perf
{
// CMakeLists.txt sets it where a newer CCCL than the toolkit's is to be measured (the preset perf-newest-cccl).
#if defined(LIGHTSCAN_PERF_NEWEST_CCCL)
inline constexpr bool newest_cccl = true;
#else
inline constexpr bool newest_cccl = false;
#endif

// `impl`, or what it is called where it is the newer CCCL's.
inline std::string name_in_results(const std::string& impl, bool newest = newest_cccl)
{
  static const std::set<std::string> in_both{"cub", "thrust", "thrust_nosync"};
  return newest && in_both.count(impl) > 0 ? impl + "_newest" : impl;
}
} // namespace perf
