// Rules of lightscan/path.h: fastest_path_v says of the types what the launch does for large inputs on a GPU with the
// bulk pipeline; last_launch() says what the calling thread's last scan launched. What a launch does with its record when
// CUDA fails: dispatch/report_test.cu, without a GPU.
#include "support/copied_by_hand.h"
#include "support/expect_cuda.h"
#include "support/launched_shape.h"

#include <lightscan/device_scan.h>
#include <lightscan/path.h>
#include <lightscan/scan.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

#include <cuda_runtime_api.h>

namespace
{
using lightscan::fastest_path_v;
using lightscan::last_launch;
using lightscan::launch_report;
using lightscan::path;
using testing_support::copied_by_hand;

struct half_of
{
  __host__ __device__ int operator()(int value) const
  {
    return value / 2;
  }
};

template <std::size_t Bytes>
struct sized
{
  int parts[Bytes / sizeof(int)];
};

using ints               = thrust::device_vector<int>;
using out                = ints::iterator;
using in                 = ints::const_iterator;
constexpr path bulk      = path::bulk_pipeline;
constexpr path plain     = path::plain_kernel;
constexpr path by_thrust = path::thrust;
template <class It>
using reversed = thrust::reverse_iterator<It>;
template <class It>
using halved = thrust::transform_iterator<half_of, It>;

// Contiguous memory, its functions and its reversals.
static_assert(fastest_path_v<const int*, int*, int> == bulk);
static_assert(fastest_path_v<int*, int*, int> == bulk);
static_assert(fastest_path_v<in, out, int> == bulk);
static_assert(fastest_path_v<thrust::device_ptr<const int>, thrust::device_ptr<int>, int> == bulk);
static_assert(fastest_path_v<halved<in>, out, int> == bulk);
static_assert(fastest_path_v<halved<const int*>, int*, int> == bulk);
static_assert(fastest_path_v<reversed<in>, reversed<out>, int> == bulk);
static_assert(fastest_path_v<halved<reversed<in>>, out, int> == bulk);
static_assert(fastest_path_v<reversed<halved<in>>, out, int> == bulk);
// Types of different widths.
static_assert(fastest_path_v<const int*, long long*, long long> == bulk);
static_assert(fastest_path_v<const long long*, int*, long long> == bulk);
static_assert(fastest_path_v<const unsigned char*, double*, double> == bulk);
// Nothing lies in memory, or nothing can be stored to it as it is.
static_assert(fastest_path_v<thrust::counting_iterator<int>, int*, int> == bulk);
static_assert(fastest_path_v<halved<thrust::counting_iterator<int>>, out, int> == bulk);
static_assert(fastest_path_v<const int*, halved<out>, int> == bulk);
// By size.
static_assert(fastest_path_v<const sized<32>*, sized<32>*, sized<32>> == bulk);
static_assert(fastest_path_v<const sized<40>*, sized<40>*, sized<40>> == bulk);
static_assert(fastest_path_v<const sized<256>*, sized<256>*, sized<256>> == bulk);
static_assert(fastest_path_v<const sized<260>*, sized<260>*, sized<260>> == plain);
static_assert(fastest_path_v<const sized<1024>*, sized<1024>*, sized<1024>> == plain);
static_assert(fastest_path_v<const sized<1028>*, sized<1028>*, sized<1028>> == by_thrust);
// By how it is copied.
static_assert(fastest_path_v<const copied_by_hand*, copied_by_hand*, copied_by_hand> == by_thrust);
static_assert(fastest_path_v<const int*, copied_by_hand*, copied_by_hand> == by_thrust);
static_assert(fastest_path_v<const copied_by_hand*, int*, int> == plain);

constexpr std::int64_t large = std::int64_t{1} << 22; // 16 MiB of int

void expect_shape(const launch_report& last, const char* call, std::int64_t num_items)
{
  EXPECT_STREQ(last.call, call);
  EXPECT_EQ(last.num_items, num_items);
  EXPECT_GT(last.blocks, 0);
  EXPECT_GT(last.threads, 0);
  EXPECT_EQ(last.threads % 32, 0);
  EXPECT_GT(last.tile_items, 0);
}

void scan_something()
{
  ints values(1000, 1);
  thrust::inclusive_scan(lightscan::par, values.begin(), values.end(), values.begin());
  ASSERT_EQ(last_launch().taken, plain);
}
} // namespace

TEST(last_launch, of_a_small_scan)
{
  ints values(1000, 1);
  thrust::inclusive_scan(lightscan::par, values.begin(), values.end(), values.begin());
  EXPECT_EQ(last_launch().taken, plain);
  expect_shape(last_launch(), "inclusive_scan", 1000);
  const int tiles = (1000 + last_launch().tile_items - 1) / last_launch().tile_items;
  EXPECT_LE(last_launch().blocks, tiles) << "more blocks than tiles";
}

TEST(last_launch, of_a_large_scan)
{
  ints values(large, 1);
  thrust::exclusive_scan(lightscan::par_nosync, values.begin(), values.end(), values.begin());
  EXPECT_EQ(last_launch().taken, testing_support::pipeline_runs_here() ? bulk : plain);
  expect_shape(last_launch(), "exclusive_scan", large);
  int processors = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  EXPECT_GE(last_launch().blocks, processors) << "such a scan fills the GPU";
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
}

// fastest_path_v is the way of large inputs: the same types, run.
TEST(last_launch, is_the_fastest_path_where_the_gpu_has_it)
{
  ints values(large, 2);
  const auto expect = [](path taken) {
    EXPECT_EQ(last_launch().taken, taken == bulk && !testing_support::pipeline_runs_here() ? plain : taken);
  };
  const auto scan = [&](auto first) {
    thrust::inclusive_scan(lightscan::par, first, first + large, values.begin());
    expect(fastest_path_v<decltype(first), out, int>);
  };
  scan(thrust::make_transform_iterator(values.cbegin(), half_of{}));
  scan(thrust::counting_iterator<int>(0));
  thrust::inclusive_scan(lightscan::par, values.rbegin(), values.rend(), values.rbegin());
  expect(fastest_path_v<reversed<out>, reversed<out>, int>);
}

TEST(last_launch, is_none_for_an_empty_range)
{
  ASSERT_NO_FATAL_FAILURE(scan_something());
  int* const nothing = nullptr;
  thrust::inclusive_scan(lightscan::par, nothing, nothing, nothing);
  EXPECT_EQ(last_launch().taken, path::none);
  EXPECT_STREQ(last_launch().call, "");
  EXPECT_EQ(last_launch().blocks, 0);

  ASSERT_NO_FATAL_FAILURE(scan_something());
  EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(nothing, nothing, 0), cudaSuccess);
  EXPECT_EQ(last_launch().taken, path::none);
}

TEST(last_launch, is_thrust_where_thrusts_own_scan_runs)
{
  ASSERT_NO_FATAL_FAILURE(scan_something());
  thrust::device_vector<copied_by_hand> values(1000, copied_by_hand(1));
  thrust::inclusive_scan(lightscan::par, values.begin(), values.end(), values.begin());
  EXPECT_EQ(last_launch().taken, by_thrust);
  EXPECT_STREQ(last_launch().call, "inclusive_scan");
  EXPECT_EQ(last_launch().num_items, 1000);
  EXPECT_EQ(last_launch().blocks, 0) << "of another scan";
  const copied_by_hand last = values[999];
  EXPECT_EQ(last.value, 1000);
}

TEST(last_launch, does_not_know_a_number_of_items_in_device_memory)
{
  ints values(1000, 1);
  const thrust::device_vector<int> count(1, 1000);
  int* const data = thrust::raw_pointer_cast(values.data());
  EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(data, data, thrust::raw_pointer_cast(count.data())), cudaSuccess);
  expect_shape(last_launch(), "inclusive_scan", -1);
  EXPECT_EQ(last_launch().taken, testing_support::pipeline_runs_here() ? bulk : plain);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(values[999], 1000);
}

TEST(last_launch, is_of_the_calling_thread)
{
  ASSERT_NO_FATAL_FAILURE(scan_something());
  path before = path::thrust;
  std::thread([&before] {
    before = last_launch().taken;
    ints values(77, 1);
    thrust::exclusive_scan(lightscan::par, values.begin(), values.end(), values.begin());
    expect_shape(last_launch(), "exclusive_scan", 77);
  }).join();
  EXPECT_EQ(before, path::none);
  expect_shape(last_launch(), "inclusive_scan", 1000);
}
