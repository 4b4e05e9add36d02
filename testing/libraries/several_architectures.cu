// A library that was compiled for several architectures, and takes policies from files that were compiled for none.
#include "failing_scan.h"
#include "takes_policies.h"

thrown by_scan_with(lightscan::stream_policy<true> policy)
{
  return by_scan(policy);
}

long long sum_below_with(lightscan::host_policy policy, int n)
{
  return policy.threads() * sum_below(n);
}
