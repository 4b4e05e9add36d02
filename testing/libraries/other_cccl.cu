// A library that was compiled with another CCCL than the rest of the program.
#include "failing_scan.h"

static_assert(CCCL_MAJOR_VERSION > 3 || CCCL_MINOR_VERSION >= 5, "this is not the CCCL in LIGHTSCAN_NEWEST_CCCL");

thrown by_scan_with_other_cccl()
{
  return by_scan(lightscan::par);
}

long long sum_below_with_other_cccl(int n)
{
  return sum_below(n);
}
