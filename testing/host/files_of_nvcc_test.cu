// Rule: in files that nvcc compiles, host threads take operators and functions that are for the host only. (Kernels refuse them:
// testing/unsupported.)
#include <lightscan/host.h>
#include <lightscan/host_batched_scan.h>
#include <lightscan/host_segmented_scan.h>

#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace
{
struct host_only
{
  int operator()(int a, int b) const
  {
    return a + b;
  }
};

struct host_only_test
{
  bool operator()(int value) const
  {
    return value > 2;
  }
};

using values = std::vector<int>;
} // namespace

TEST(files_of_nvcc, scan_segments)
{
  const values in{1, 2, 3, 4, 5, 6};
  values out(in.size());
  lightscan::HostSegmentedScan::InclusiveSegmentedScan(lightscan::host, in.begin(), out.begin(), 2, 3, host_only{});
  EXPECT_EQ(out, (values{1, 3, 6, 4, 9, 15}));
  lightscan::HostSegmentedScan::InclusiveSegmentedSum(lightscan::host, in.begin(), out.begin(), 3, 2);
  EXPECT_EQ(out, (values{1, 3, 3, 7, 5, 11}));
}

TEST(files_of_nvcc, scan_along_axes)
{
  const values in{1, 2, 3, 4, 5, 6};
  values out(in.size());
  lightscan::HostBatchedScan::InclusiveScan(
    lightscan::host, in.begin(), out.begin(), lightscan::axis(1, 3, 2), std::plus<int>());
  EXPECT_EQ(out, (values{1, 2, 4, 6, 9, 12}));
}

TEST(files_of_nvcc, scan_and_select_by_policy)
{
  const values in{1, 2, 3, 4};
  values out(in.size());
  thrust::inclusive_scan(lightscan::host, in.begin(), in.end(), out.begin(), host_only{});
  EXPECT_EQ(out, (values{1, 3, 6, 10}));
  out.assign(in.size(), 0);
  thrust::copy_if(lightscan::host, in.begin(), in.end(), out.begin(), host_only_test{});
  EXPECT_EQ(out, (values{3, 4, 0, 0}));
}
