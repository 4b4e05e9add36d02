#include "demo_host.h"

#include "element_count.h"
#include "host_check.h"
#include "random_data.h"

#include <lightscan/host.h>

#include <thrust/scan.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

namespace perf
{
namespace
{
constexpr int rounds = 5;

// The best of a few: the first call also starts the threads.
template <class Call>
double best_milliseconds(Call call)
{
  double best = 0;
  for (int round = 0; round < rounds; ++round)
  {
    const auto start = std::chrono::steady_clock::now();
    call();
    const double taken = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    best               = round == 0 ? taken : std::min(best, taken);
  }
  return best;
}

template <class T>
bool demonstrate(const char* name, std::int64_t count)
{
  std::vector<T> input(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    input[i] = random_value<T>(static_cast<std::int64_t>(i));
  }
  std::vector<T> output(input.size(), static_cast<T>(77)); // written, so that no scan pays for the memory's first touch

  const double sequential = best_milliseconds([&] {
    std::partial_sum(input.begin(), input.end(), output.begin(), host_sum{});
  });
  std::fill(output.begin(), output.end(), static_cast<T>(77));
  const double ours   = best_milliseconds([&] {
    thrust::inclusive_scan(lightscan::host, input.begin(), input.end(), output.begin(), host_sum{});
  });
  const verdict found = check_sums(output.data(), 0, count);
  if (found.wrong != 0)
  {
    std::printf("WRONG: %llu of %lld %ss, the first at index %llu\n",
                found.wrong,
                static_cast<long long>(count),
                name,
                found.first_wrong);
    return false;
  }
  std::printf("%-6s  %8.2f ms  %6.1f GB/s  %5.2f times as fast as std::partial_sum (%.2f ms)\n",
              name,
              ours,
              2.0 * static_cast<double>(count) * sizeof(T) / ours * 1e-6,
              sequential / ours,
              sequential);
  return true;
}
} // namespace

bool demonstrate_on_host(std::int64_t count)
{
  std::printf("%s elements, %u threads; GB/s count bytes read and written\n",
              count_text(count).c_str(),
              std::max(1u, std::thread::hardware_concurrency()));
  const bool right = demonstrate<std::int32_t>("int", count) && demonstrate<float>("float", count);
  if (right)
  {
    std::printf("OK: every element is right\n");
  }
  return right;
}
} // namespace perf
