// The base that all of LightScan's policies share, so that one overload of each scan serves them.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_TYPES_NAMESPACE_BEGIN
namespace policy_parts
{
// `Backend` says who runs the scans (entry/call.h); Backend::thrusts<Derived>, Thrust's own base, serves all other algorithms.
// Deriving from it makes this one the nearer base: overload resolution prefers the scans that take it to Thrust's.
template <class Derived, class Backend>
struct scan_policy : Backend::template thrusts<Derived>
{};
} // namespace policy_parts
LIGHTSCAN_TYPES_NAMESPACE_END
