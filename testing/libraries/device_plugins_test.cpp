// Rule: each shared library launches its own kernels, whatever another one has under the same names, and also once that
// is unloaded. Compiled as nvcc 13 does by default, and as older ones did, which left kernels visible to others.
#include "../support/expect_cuda.h"
#include "library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace
{
using libraries::library;
using scan_integers = void(int* result, int n);

std::vector<int> results_of(const library& plugin, int n)
{
  std::vector<int> results(static_cast<std::size_t>(n), -1);
  const auto scan = plugin.function<scan_integers>("scan_integers");
  int* memory     = nullptr;
  if (scan != nullptr && cudaMalloc(reinterpret_cast<void**>(&memory), results.size() * sizeof(int)) == cudaSuccess)
  {
    scan(memory, n);
    EXPECT_EQ(cudaMemcpy(results.data(), memory, results.size() * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
  }
  return results;
}

void check(const std::string& sum_file, const std::string& maximum_file)
{
  constexpr int n = 5000;
  std::vector<int> sums(n), maxima(n);
  for (int i = 0; i < n; ++i)
  {
    sums[static_cast<std::size_t>(i)]   = i * (i + 1) / 2;
    maxima[static_cast<std::size_t>(i)] = i;
  }
  const library sum(sum_file);
  library maximum(maximum_file);
  EXPECT_TRUE(results_of(maximum, n) == maxima);
  EXPECT_TRUE(results_of(sum, n) == sums);
  EXPECT_TRUE(results_of(maximum, n) == maxima);
  maximum.close();
  EXPECT_TRUE(results_of(sum, n) == sums);

  library again(maximum_file);
  EXPECT_TRUE(results_of(again, n) == maxima);
  EXPECT_TRUE(results_of(sum, n) == sums);
}

TEST(device_plugins, launch_their_own_kernels)
{
  check(LIGHTSCAN_TEST_SUM_PLUGIN, LIGHTSCAN_TEST_MAXIMUM_PLUGIN);
}

#if defined(LIGHTSCAN_TEST_VISIBLE_SUM_PLUGIN)
TEST(device_plugins, launch_their_own_kernels_when_kernels_are_visible)
{
  check(LIGHTSCAN_TEST_VISIBLE_SUM_PLUGIN, LIGHTSCAN_TEST_VISIBLE_MAXIMUM_PLUGIN);
}
#endif
} // namespace
