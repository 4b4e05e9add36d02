// main() of the tests that need a GPU. Where there is none they end as skipped (77, see cmake/lightscan_test.cmake),
// unless LIGHTSCAN_REQUIRE_GPU is set: there, a GPU that cannot be used is a failure.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

int main(int argc, char** argv)
{
  ::testing::InitGoogleTest(&argc, argv);
  int devices             = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (!GTEST_FLAG_GET(list_tests) && (error != cudaSuccess || devices == 0))
  {
    std::printf("no GPU here: %s\n", cudaGetErrorString(error));
    return std::getenv("LIGHTSCAN_REQUIRE_GPU") != nullptr ? 1 : 77;
  }
  return RUN_ALL_TESTS();
}
