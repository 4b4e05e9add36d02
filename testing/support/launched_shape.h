// The shape that the bulk pipeline has in this program on this GPU: a program's code for it may be for several architectures, and
// each has its own (lightscan/dispatch/shape.h).
#pragma once

#include <lightscan/dispatch/shape.h>

#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

namespace testing_support
{
template <class>
__global__ void asked_for_its_attributes()
{}

// The compute capability of the code that runs here.
inline int compiled_for()
{
  static const int found = [] {
    cudaFuncAttributes attributes{};
    EXPECT_EQ(cudaFuncGetAttributes(&attributes, asked_for_its_attributes<void>), cudaSuccess);
    return attributes.ptxVersion;
  }();
  return found;
}

// Whether large scans take the bulk pipeline: what this code asks for, this GPU has (sm_90's PTX on sm_120 does not).
inline bool pipeline_runs_here()
{
  int shared = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
  return shared >= 1024 * lightscan::dispatch::architecture_row_for(compiled_for()).shared;
}

// Of a scan of plain memory of T.
template <class T, class Policies = lightscan::dispatch::tuned_policies>
lightscan::dispatch::bulk_shape launched_shape()
{
  const lightscan::dispatch::bulk_shape shape = lightscan::dispatch::shape_for<T, Policies>(compiled_for());
  EXPECT_TRUE(shape.serves) << "compute capability " << compiled_for();
  return shape;
}
} // namespace testing_support
