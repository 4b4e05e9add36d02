// Calls of what users hand over: operators, predicates, equalities, functions.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace util
{
#if defined(__CUDACC__)
// What nvcc looks at: a function for the host only cannot be called here, and the compiler says so, naming it.
template <class F, class... Args>
__device__ void expect_device_code(F& f, Args&&... args)
{
  (void) f(static_cast<Args&&>(args)...);
}
#endif

// f(args...), for host threads and in kernels. For the sake of the first, nvcc is told not to ask where f may be called
// (LIGHTSCAN_EXEC_CHECK_DISABLE); a kernel that calls what there is no device code of would then be compiled without a word, and
// without all that follows the call.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class F, class... Args>
LIGHTSCAN_HOST_DEVICE decltype(auto) call(F& f, Args&&... args)
{
#if defined(__CUDA_ARCH__)
  if (false)
  {
    util::expect_device_code(f, static_cast<Args&&>(args)...);
  }
#endif
  return f(static_cast<Args&&>(args)...);
}

// Whether a function object can hold an address: then it may read memory that nobody here knows of. One of two floats, say, is as large
// as an address, but not aligned as one (perf/DECISIONS.md, evaluated-functions). A pointer in a packed object is not found.
template <class F>
inline constexpr bool can_hold_address = sizeof(F) >= sizeof(void*) && alignof(F) >= alignof(void*);
} // namespace util
LIGHTSCAN_NAMESPACE_END
