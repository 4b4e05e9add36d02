// lightscan_demo [N]: LightScan at work on N random ints and floats (2^28 where none is given), every element of the
// result checked. Without a GPU, lightscan::host on at most 2^26 of them.
//
// Exit code: 0 all right; 1 a wrong element or a failure; 2 arguments that make no sense.
#include "demo_gpu.h"
#include "demo_host.h"
#include "element_count.h"
#include "gpu.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

namespace
{
constexpr std::int64_t default_count = std::int64_t{1} << 28;
constexpr std::int64_t most_on_host  = std::int64_t{1} << 26;
constexpr const char* usage          = "usage: lightscan_demo [N], with N a number of elements such as 1000000 or 2^28";
} // namespace

int main(int argc, char** argv)
{
  std::int64_t count = default_count;
  if (argc > 2)
  {
    std::fprintf(stderr, "lightscan_demo: one argument at most; %s\n", usage);
    return 2;
  }
  if (argc == 2)
  {
    const std::optional<std::int64_t> parsed = perf::parse_count(argv[1]);
    if (!parsed || *parsed == 0)
    {
      std::fprintf(stderr, "lightscan_demo: '%s' is not a number of elements from 1 to 2^63 - 1; %s\n", argv[1], usage);
      return 2;
    }
    count = *parsed;
  }

  try
  {
    const std::string why_no_gpu = perf::why_no_gpu();
    if (!why_no_gpu.empty())
    {
      std::printf("There is no GPU to use here (%s), so lightscan::host now scans on this machine's cores.\n",
                  why_no_gpu.c_str());
      return perf::demonstrate_on_host(std::min(count, most_on_host)) ? 0 : 1;
    }
    const std::int64_t largest = perf::largest_count_on_gpu();
    if (count > largest)
    {
      std::fprintf(stderr,
                   "lightscan_demo: %lld elements do not fit the GPU's free memory, which has room for %lld\n",
                   static_cast<long long>(count),
                   static_cast<long long>(largest));
      return 2;
    }
    return perf::demonstrate_on_gpu(count) ? 0 : 1;
  }
  catch (const std::exception& error)
  {
    std::fflush(stdout);
    std::fprintf(stderr, "\nlightscan_demo: %s\n", error.what());
    return 1;
  }
}
