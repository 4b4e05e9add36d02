// Plain C++: it names a policy and passes it on.
#include "ranks.h"
#include "sums.h"

#include <lightscan/execution_policy.h>

#include <cstdio>

int main()
{
  const auto policy = lightscan::par.on(nullptr);
  std::printf("LightScan %d.%d.%d\n", LIGHTSCAN_VERSION_MAJOR, LIGHTSCAN_VERSION_MINOR, LIGHTSCAN_VERSION_PATCH);
  bool right = true;
#if defined(WITH_CUDA)
  right = sums_are_right(policy);
#else
  (void) policy;
#endif
#if defined(WITH_RANKS)
  right = right && ranks_are_right();
#endif
  return right ? 0 : 1;
}
