// A library that has Thrust in a namespace of its own, as CCCL advises libraries to.
#define THRUST_CUB_WRAPPED_NAMESPACE wrapped
#include "failing_scan.h"

thrown by_wrapped_scan()
{
  return by_scan(lightscan::par);
}

long long wrapped_sum_below(int n)
{
  return sum_below(n);
}
