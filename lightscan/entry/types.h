/// @file
/// The types that the entry points settle: what an iterator yields and what a call accumulates in.
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
using util::value_t;

// Where an initial value and a first element meet.
template <class Op, class Init, class V>
using accumulator_t = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op&, Init, V>>;

// The element that a transform scan sees.
template <class Function, class Element>
using transformed_t = ::cuda::std::remove_cvref_t<::cuda::std::invoke_result_t<Function&, Element>>;
} // namespace entry

/// Whether a scan that accumulates in T runs in LightScan's kernels; elsewhere Thrust's own scan serves, and CUB's own
/// in lightscan::DeviceScan. Copying a T must be copying its bytes (no copy constructor or destructor of the user's),
/// and it may have up to 1,024 of them.
/// @tparam T the type that is accumulated in
template <class T>
inline constexpr bool is_accelerated_v = dispatch::accumulates_in_kernels<T>;
LIGHTSCAN_NAMESPACE_END
