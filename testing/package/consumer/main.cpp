// Plain C++: it names a policy and passes it on.
#include "sums.h"

#include <lightscan/execution_policy.h>

#include <cstdio>

int main()
{
  const auto policy = lightscan::par.on(nullptr);
  std::printf("LightScan %d.%d.%d\n", LIGHTSCAN_VERSION_MAJOR, LIGHTSCAN_VERSION_MINOR, LIGHTSCAN_VERSION_PATCH);
#if defined(WITH_CUDA)
  return sums_are_right(policy) ? 0 : 1;
#else
  (void) policy;
  return 0;
#endif
}
