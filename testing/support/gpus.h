// How many GPUs there are, for tests that need more than one.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include <cuda_runtime_api.h>

namespace testing_support
{
inline int gpus_here()
{
  int gpus = 0;
  return cudaGetDeviceCount(&gpus) == cudaSuccess ? gpus : 0;
}

// Why a test that needs so many GPUs is skipped; LIGHTSCAN_REQUIRE_TWO_GPUS makes that a failure.
inline bool gpus_are_missing(int needed)
{
  const bool missing = gpus_here() < needed;
  if (missing && std::getenv("LIGHTSCAN_REQUIRE_TWO_GPUS") != nullptr)
  {
    ADD_FAILURE() << "needs " << needed << " GPUs, and LIGHTSCAN_REQUIRE_TWO_GPUS is set";
  }
  return missing;
}
} // namespace testing_support
