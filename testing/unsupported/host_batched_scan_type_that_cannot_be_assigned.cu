// error: lightscan: the type that is accumulated in must be copyable and assignable
#include <lightscan/host_batched_scan.h>

struct fixed
{
  const int value;
};

struct plus
{
  fixed operator()(const fixed& l, const fixed& r) const
  {
    return fixed{l.value + r.value};
  }
};

void call(const fixed* in, fixed* out)
{
  lightscan::HostBatchedScan::InclusiveScan(lightscan::host, in, out, lightscan::axis(1, 10, 10), plus{});
}
