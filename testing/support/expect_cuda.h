#pragma once

#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

// A CUDA call that must succeed for the test to mean anything.
#define LIGHTSCAN_EXPECT_CUDA(call)                                                \
  do                                                                               \
  {                                                                                \
    const cudaError_t status = (call);                                             \
    ASSERT_EQ(status, cudaSuccess) << #call << ": " << cudaGetErrorString(status); \
  } while (false)
