// error: lightscan: the type that is accumulated in must be copyable and assignable
#include <lightscan/scan.h>

struct unique
{
  unique()                         = default;
  unique(unique&&)                 = default;
  unique& operator=(unique&&)      = default;
  unique(const unique&)            = delete;
  unique& operator=(const unique&) = delete;

  __host__ __device__ unique operator+(const unique&) const
  {
    return {};
  }
};

unique* unsupported(unique* values)
{
  return thrust::inclusive_scan(lightscan::par, values, values + 10, values);
}
