// A scan that fails for want of a GPU, and whose exception that is: its own Thrust's, or one of the same name. And a
// scan on host threads, which does not fail.
#pragma once

#include <lightscan/host.h>
#include <lightscan/lightscan.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>

#include <exception>
#include <vector>

enum class thrown
{
  nothing,
  its_own,
  anothers
};

namespace
{
template <class Policy>
thrown by_scan(const Policy& policy)
{
  namespace thr = THRUST_NS_QUALIFIER;
  const thr::counting_iterator<int> first(0);
  int* const nowhere = nullptr;
  try
  {
    thr::inclusive_scan(policy, first, first + 9, nowhere);
  }
  catch (const thr::system_error&)
  {
    return thrown::its_own;
  }
  catch (const std::exception&)
  {
    return thrown::anothers;
  }
  return thrown::nothing;
}

long long sum_below(int n)
{
  namespace thr = THRUST_NS_QUALIFIER;
  std::vector<long long> sums(static_cast<std::size_t>(n));
  const thr::counting_iterator<long long> first(0);
  thr::inclusive_scan(lightscan::host.threads(3), first, first + n, sums.begin());
  return sums.back();
}
} // namespace
