#include "host_tbb.h"

#if defined(LIGHTSCAN_PERF_HAS_TBB)
#  include "../checked_steps.h"
#  include "../random_data.h"

#  include <oneapi/tbb/blocked_range.h>
#  include <oneapi/tbb/parallel_for.h>
#  include <oneapi/tbb/parallel_scan.h>

#  include <cstring>
#endif

namespace perf::paper
{
#if defined(LIGHTSCAN_PERF_HAS_TBB)
namespace
{
using range = tbb::blocked_range<std::int64_t>;
}

bool has_tbb()
{
  return true;
}

template <class T>
void fill_on_host(T* input, T* output, std::int64_t count)
{
  tbb::parallel_for(range(0, count), [=](const range& r) {
    for (std::int64_t i = r.begin(); i < r.end(); ++i)
    {
      input[i] = random_value<T>(i);
    }
    std::memset(output + r.begin(), 0xff, static_cast<std::size_t>(r.size()) * sizeof(T));
  });
}

template <class T>
void scan_by_tbb(const T* input, T* output, std::int64_t count)
{
  const auto pass = [=](const range& r, T sum, bool last) {
    for (std::int64_t i = r.begin(); i < r.end(); ++i)
    {
      sum = next_sum(sum, input[i]);
      if (last)
      {
        output[i] = sum;
      }
    }
    return sum;
  };
  (void) tbb::parallel_scan(range(0, count), T{}, pass, [](T left, T right) {
    return next_sum(left, right);
  });
}
#else
bool has_tbb()
{
  return false;
}

template <class T>
void fill_on_host(T*, T*, std::int64_t)
{}

template <class T>
void scan_by_tbb(const T*, T*, std::int64_t)
{}
#endif

template void fill_on_host(std::int32_t*, std::int32_t*, std::int64_t);
template void fill_on_host(std::int64_t*, std::int64_t*, std::int64_t);
template void fill_on_host(float*, float*, std::int64_t);
template void fill_on_host(double*, double*, std::int64_t);
template void scan_by_tbb(const std::int32_t*, std::int32_t*, std::int64_t);
template void scan_by_tbb(const std::int64_t*, std::int64_t*, std::int64_t);
template void scan_by_tbb(const float*, float*, std::int64_t);
template void scan_by_tbb(const double*, double*, std::int64_t);
} // namespace perf::paper
