// Plain C++, which holds policies and hands them to CUDA files.
#include "takes_policies.h"

thrown by_scan_with_a_policy_held()
{
  return by_scan_with(lightscan::par.on(nullptr));
}

long long sum_below_with_a_policy_held(int n)
{
  return sum_below_with(lightscan::host.threads(2), n);
}
