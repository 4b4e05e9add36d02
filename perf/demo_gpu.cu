#include "demo_gpu.h"

#include "checked_steps.h"
#include "element_count.h"
#include "gpu.h"

#include <lightscan/lightscan.h>

#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace perf
{
namespace
{
constexpr int samples         = 25;
constexpr int warm_up_samples = 5;

// One line for each step; on a terminal with a percentage that counts up.
class step
{
public:
  explicit step(std::string what)
      : what_(std::move(what))
  {
    std::printf("%s ...", what_.c_str());
    std::fflush(stdout);
  }

  void at(std::int64_t done, std::int64_t all)
  {
    const int percent = static_cast<int>(100 * static_cast<double>(done) / static_cast<double>(all));
    if (on_terminal_ && percent != shown_)
    {
      shown_ = percent;
      std::printf("\r%s ... %3d%%", what_.c_str(), percent);
      std::fflush(stdout);
    }
  }

  void end(const std::string& how)
  {
    if (shown_ >= 0)
    {
      std::printf("\r%s ...", what_.c_str());
    }
    std::printf(" %s\n", how.c_str());
  }

private:
  std::string what_;
  bool on_terminal_ = isatty(STDOUT_FILENO) != 0;
  int shown_        = -1;
};

struct row
{
  const char* type;
  double lightscan_us;
  double thrust_us;
  double memcpy_us;
  double bytes; // read and written
  bool right;
};

template <class T>
bool check(const T* result, std::int64_t count, const std::string& what)
{
  step checking(what);
  verdict total{0, ~0ull};
  const std::int64_t part = (count + 63) / 64;
  for (std::int64_t first = 0; first < count; first += part)
  {
    const std::int64_t last = std::min(count, first + part);
    const verdict found     = check_result<true>(result, first, last, nullptr);
    total.wrong += found.wrong;
    total.first_wrong = std::min(total.first_wrong, found.first_wrong);
    checking.at(last, count);
  }
  checking.end(total.wrong == 0 ? "all right"
                                : std::to_string(total.wrong) + " steps WRONG, the first to index "
                                    + std::to_string(total.first_wrong));
  return total.wrong == 0;
}

// Memory that still holds an earlier, right result would hide an element that is not written.
template <class T>
void poison(const device_memory<T>& memory)
{
  require(cudaMemset(memory.data(), 0xff, memory.bytes()), "clearing the output");
}

template <class T>
row demonstrate(const char* type, std::int64_t count)
{
  const std::string name = type;
  const device_memory<T> input(static_cast<std::size_t>(count));
  const device_memory<T> output(static_cast<std::size_t>(count));
  T* const in  = input.data();
  T* const out = output.data();

  step making("making " + count_text(count) + " random " + name + "s");
  fill_with_random_values(in, count, nullptr);
  poison(output);
  require(cudaDeviceSynchronize(), "making random input");
  making.end("done");

  step scanning("scanning them with lightscan::par");
  thrust::inclusive_scan(lightscan::par, in, in + count, out);
  scanning.end("done");
  bool right = check(out, count, "checking every element");

  // The three take turns, so that a change of the GPU's clock or temperature meets all of them.
  step timing("timing memcpy, thrust::cuda::par and lightscan::par, " + std::to_string(samples) + " times each");
  stopwatch watch(nullptr);
  std::vector<double> memcpy_us;
  std::vector<double> thrust_us;
  std::vector<double> lightscan_us;
  for (int i = -warm_up_samples; i < samples; ++i)
  {
    const double copy   = watch.microseconds([&] {
      require(cudaMemcpyAsync(out, in, input.bytes(), cudaMemcpyDeviceToDevice, nullptr), "copying");
    });
    const double theirs = watch.microseconds([&] {
      thrust::inclusive_scan(thrust::cuda::par, in, in + count, out);
    });
    const double ours   = watch.microseconds([&] {
      thrust::inclusive_scan(lightscan::par, in, in + count, out);
    });
    if (i >= 0)
    {
      memcpy_us.push_back(copy);
      thrust_us.push_back(theirs);
      lightscan_us.push_back(ours);
    }
    timing.at(i + warm_up_samples + 1, samples + warm_up_samples);
  }
  timing.end("done");

  poison(output);
  thrust::inclusive_scan(lightscan::par, in, in + count, out);
  right = check(out, count, "scanning and checking once more") && right;

  return {
    type, median(lightscan_us), median(thrust_us), median(memcpy_us), 2.0 * static_cast<double>(input.bytes()), right};
}
} // namespace

std::int64_t largest_count_on_gpu()
{
  // Left over: Thrust's temporary memory, LightScan's, and what the context still allocates.
  constexpr std::size_t reserve = std::size_t{256} << 20;
  const std::size_t free        = free_gpu_bytes();
  return free < reserve ? 0 : static_cast<std::int64_t>((free - reserve) / (2 * sizeof(int)));
}

bool demonstrate_on_gpu(std::int64_t count)
{
  static_assert(sizeof(int) == sizeof(float), "largest_count_on_gpu() is for elements of one size");
  std::printf("LightScan %d.%d.%d on %s: thrust::inclusive_scan of %lld elements\n",
              LIGHTSCAN_VERSION_MAJOR,
              LIGHTSCAN_VERSION_MINOR,
              LIGHTSCAN_VERSION_PATCH,
              gpu_name().c_str(),
              static_cast<long long>(count));
  const row rows[] = {demonstrate<int>("int", count), demonstrate<float>("float", count)};

  std::printf("\n%-6s %12s %8s %10s %26s\n", "type", "time", "GB/s", "of memcpy", "faster than thrust::cuda::par");
  bool right = true;
  for (const row& r : rows)
  {
    std::printf("%-6s %9.1f us %8.0f %9.1f%% %20.2f times\n",
                r.type,
                r.lightscan_us,
                r.bytes / r.lightscan_us / 1000.0,
                100.0 * r.memcpy_us / r.lightscan_us,
                r.thrust_us / r.lightscan_us);
    right = right && r.right;
  }
  std::printf(right ? "\nOK: every element of every checked result is right\n" : "\nWRONG: see above\n");
  return right;
}
} // namespace perf
