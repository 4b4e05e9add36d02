// NCCL, where there is its header; LIGHTSCAN_DETAIL_NCCL says whether. LIGHTSCAN_NO_NCCL leaves it out all the same.
#pragma once

#include <lightscan/runtime/driver.h>
#include <lightscan/version.h>

#if defined(__has_include) && !defined(LIGHTSCAN_NO_NCCL)
#  if __has_include(<nccl.h>)
#    include <nccl.h>
#    if NCCL_VERSION_CODE >= 21800 // ncclCommSplit
#      define LIGHTSCAN_DETAIL_NCCL
#    endif
#  endif
#endif

#include <cstdio>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ranks
{
#if defined(LIGHTSCAN_DETAIL_NCCL)
inline cudaError_t as_cuda_error(ncclResult_t result)
{
  switch (result)
  {
    case ncclSuccess:
      return cudaSuccess;
    case ncclInvalidArgument:
    case ncclInvalidUsage:
      return cudaErrorInvalidValue;
    default:
      return cudaErrorUnknown;
  }
}

// Reports a failed call of NCCL's, with its own words; these last until the thread's next such failure.
inline runtime::outcome failed(ncclResult_t result, const char* doing)
{
  thread_local char text[256];
  std::snprintf(text, sizeof text, "%s (NCCL: %s)", doing, ncclGetErrorString(result));
  (void) cudaGetLastError();
  return {as_cuda_error(result), text};
}
#endif
} // namespace ranks
LIGHTSCAN_NAMESPACE_END
