// Rule: Thrust's algorithms with a LightScan policy, and CUB's entry points in our namespace, do and return what theirs do; the number of
// items may lie in device memory, and a captured call works on what it finds there when it is replayed.
#include <lightscan/lightscan.h>

#include "../support/expect_cuda.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/sequence.h>
#include <thrust/unique.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace
{
struct is_odd
{
  __host__ __device__ bool operator()(int x) const
  {
    return x % 2 != 0;
  }
};
struct is_zero
{
  __host__ __device__ bool operator()(int x) const
  {
    return x == 0;
  }
};

class calls : public ::testing::TestWithParam<int>
{
protected:
  void SetUp() override
  {
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    for (int i = 0; i < GetParam(); ++i)
    {
      items.push_back(static_cast<int>(random() % 4));
      (is_odd{}(items.back()) ? odd : even).push_back(items.back());
      if (i == 0 || items[items.size() - 2] != items.back())
      {
        unique.push_back(items.back());
        lengths.push_back(0);
      }
      ++lengths.back();
    }
    there.assign(items.begin(), items.end());
    first.assign(items.size() + 1, -1);
    second.assign(items.size() + 1, -1);
  }

  // The first of `range` are these.
  static void expect(const thrust::device_vector<int>& range, const std::vector<int>& wanted, const char* what)
  {
    std::vector<int> host(range.size());
    thrust::copy(range.begin(), range.end(), host.begin());
    EXPECT_TRUE(host.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), host.begin())) << what;
  }
  template <class It>
  static int distance(const thrust::device_vector<int>& range, It end)
  {
    return static_cast<int>(end - range.begin());
  }

  std::vector<int> items, odd, even, unique, lengths;
  thrust::device_vector<int> there, first, second;
};
INSTANTIATE_TEST_SUITE_P(of, calls, ::testing::Values(0, 1, 2, 1000, 70001, 3000017));

template <class Container>
int size_of(const Container& container)
{
  return static_cast<int>(container.size());
}

TEST_P(calls, select_through_the_policy)
{
  const auto par = lightscan::par;
  EXPECT_EQ(distance(first, thrust::copy_if(par, there.begin(), there.end(), first.begin(), is_odd{})), size_of(odd));
  expect(first, odd, "copy_if");
  EXPECT_EQ(distance(first, thrust::copy_if(par, there.begin(), there.end(), there.begin(), first.begin(), is_odd{})),
            size_of(odd));
  EXPECT_EQ(
    distance(second, thrust::remove_copy_if(par, there.begin(), there.end(), second.begin(), is_odd{})), size_of(even));
  expect(second, even, "remove_copy_if");
  std::vector<int> not_zero = items;
  not_zero.erase(std::remove(not_zero.begin(), not_zero.end(), 0), not_zero.end());
  EXPECT_EQ(
    distance(second, thrust::remove_copy(par, there.begin(), there.end(), second.begin(), 0)), size_of(not_zero));
  expect(second, not_zero, "remove_copy");
  thrust::device_vector<int> in_place = there;
  EXPECT_EQ(distance(in_place, thrust::remove_if(par, in_place.begin(), in_place.end(), is_odd{})), size_of(even));
  expect(in_place, even, "remove_if");
  in_place = there;
  EXPECT_EQ(distance(in_place, thrust::remove(par, in_place.begin(), in_place.end(), 0)), size_of(not_zero));
  expect(in_place, not_zero, "remove");
  in_place = there;
  EXPECT_EQ(distance(in_place, thrust::remove_if(par, in_place.begin(), in_place.end(), there.begin(), is_odd{})),
            size_of(even));
  expect(in_place, even, "remove_if with a stencil");
}

TEST_P(calls, partition_through_the_policy)
{
  const auto par       = lightscan::par;
  std::vector<int> all = odd;
  all.insert(all.end(), even.begin(), even.end());
  thrust::device_vector<int> in_place = there;
  EXPECT_EQ(
    distance(in_place, thrust::stable_partition(par, in_place.begin(), in_place.end(), is_odd{})), size_of(odd));
  expect(in_place, all, "stable_partition");
  in_place = there;
  EXPECT_EQ(distance(in_place, thrust::partition(par, in_place.begin(), in_place.end(), there.begin(), is_odd{})),
            size_of(odd));
  expect(in_place, all, "partition with a stencil");
  const auto ends = thrust::partition_copy(par, there.begin(), there.end(), first.begin(), second.begin(), is_odd{});
  EXPECT_EQ(distance(first, ends.first), size_of(odd));
  EXPECT_EQ(distance(second, ends.second), size_of(even));
  expect(first, odd, "partition_copy");
  expect(second, even, "partition_copy");
}

TEST_P(calls, find_runs_through_the_policy)
{
  const auto par = lightscan::par;
  EXPECT_EQ(distance(first, thrust::unique_copy(par, there.begin(), there.end(), first.begin())), size_of(unique));
  expect(first, unique, "unique_copy");
  EXPECT_EQ(thrust::unique_count(par, there.begin(), there.end(), thrust::equal_to<int>()), size_of(unique));
  thrust::device_vector<int> in_place = there;
  thrust::device_vector<int> beside(items.size());
  thrust::sequence(beside.begin(), beside.end());
  const auto ends = thrust::unique_by_key(par, in_place.begin(), in_place.end(), beside.begin());
  EXPECT_EQ(distance(in_place, ends.first), size_of(unique));
  EXPECT_EQ(distance(beside, ends.second), size_of(unique));
  expect(in_place, unique, "unique_by_key");
  const auto reduced = thrust::reduce_by_key(
    par, there.begin(), there.end(), thrust::make_constant_iterator(1), first.begin(), second.begin());
  EXPECT_EQ(distance(first, reduced.first), size_of(unique));
  EXPECT_EQ(distance(second, reduced.second), size_of(unique));
  expect(first, unique, "reduce_by_key's keys");
  expect(second, lengths, "reduce_by_key's values");
}

TEST_P(calls, of_cub_put_the_number_into_device_memory)
{
  const int n = GetParam();
  thrust::device_vector<int> number(2, -1);
  int* const in        = thrust::raw_pointer_cast(there.data());
  int* const out       = thrust::raw_pointer_cast(first.data());
  int* const other     = thrust::raw_pointer_cast(second.data());
  int* const total     = thrust::raw_pointer_cast(number.data());
  const auto number_is = [&](std::size_t wanted, const char* what) {
    EXPECT_EQ(static_cast<int>(number[0]), static_cast<int>(wanted)) << what;
  };
  EXPECT_EQ(lightscan::DeviceSelect::If(in, out, total, n, is_odd{}), cudaSuccess);
  number_is(odd.size(), "If");
  expect(first, odd, "If");
  EXPECT_EQ(lightscan::DeviceSelect::Flagged(in, in, out, total, n), cudaSuccess);
  number_is(items.size() - static_cast<std::size_t>(std::count(items.begin(), items.end(), 0)), "Flagged");
  EXPECT_EQ(lightscan::DeviceSelect::Unique(in, out, total, n), cudaSuccess);
  number_is(unique.size(), "Unique");
  expect(first, unique, "Unique");
  EXPECT_EQ(lightscan::DeviceRunLengthEncode::Encode(in, out, other, total, n), cudaSuccess);
  number_is(unique.size(), "Encode");
  expect(second, lengths, "Encode");
  EXPECT_EQ(lightscan::DeviceReduce::ReduceByKey(in, out, in, other, total, ::cuda::std::plus<>{}, n), cudaSuccess);
  number_is(unique.size(), "ReduceByKey");

  // In the caller's storage, which must suffice.
  std::size_t bytes = 0;
  EXPECT_EQ(lightscan::DevicePartition::If(nullptr, bytes, in, out, total, n, is_odd{}), cudaSuccess);
  thrust::device_vector<char> storage(bytes);
  thrust::fill(first.begin(), first.end(), -7);
  std::size_t too_few = bytes - 1;
  EXPECT_EQ(
    lightscan::DevicePartition::If(thrust::raw_pointer_cast(storage.data()), too_few, in, out, total, n, is_odd{}),
    cudaErrorInvalidValue);
  expect(first, std::vector<int>(items.size(), -7), "untouched");
  EXPECT_EQ(
    lightscan::DevicePartition::If(thrust::raw_pointer_cast(storage.data()), bytes, in, out, total, n, is_odd{}),
    cudaSuccess);
  number_is(odd.size(), "partition");
  std::vector<int> all = odd;
  all.insert(all.end(), even.rbegin(), even.rend());
  expect(first, all, "partition");

  thrust::device_vector<int> third(items.size() + 1);
  EXPECT_EQ(lightscan::DevicePartition::If(
              in, out, other, thrust::raw_pointer_cast(third.data()), total, n, is_zero{}, is_odd{}),
            cudaSuccess);
  number_is(static_cast<std::size_t>(std::count(items.begin(), items.end(), 0)), "three ways");
  expect(second, odd, "three ways");
}

TEST_P(calls, that_are_captured_work_on_the_number_of_items_that_they_find)
{
  const int n = GetParam();
  thrust::device_vector<int> number(1, -1);
  thrust::device_vector<int> length(1, n);
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(lightscan::DeviceSelect::If(thrust::raw_pointer_cast(there.data()),
                                        thrust::raw_pointer_cast(first.data()),
                                        thrust::raw_pointer_cast(number.data()),
                                        thrust::raw_pointer_cast(length.data()),
                                        is_odd{},
                                        stream),
            cudaSuccess);
  cudaGraph_t graph;
  cudaGraphExec_t program;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&program, graph, 0), cudaSuccess);
  for (const int items_now : {n, n / 2, 0, n})
  {
    length[0] = items_now;
    number[0] = -1;
    ASSERT_EQ(cudaGraphLaunch(program, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(
      static_cast<int>(number[0]), static_cast<int>(std::count_if(items.begin(), items.begin() + items_now, is_odd{})));
  }
  EXPECT_EQ(cudaGraphExecDestroy(program), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

// Under way in many tiles of every block, over itself.
TEST(large_calls, select_in_place_by_the_pipeline)
{
  constexpr int n = 40000003;
  thrust::device_vector<int> items(n);
  thrust::sequence(items.begin(), items.end());
  const auto end = thrust::remove_if(lightscan::par, items.begin(), items.end(), is_odd{});
  ASSERT_EQ(end - items.begin(), n / 2 + 1);
  thrust::device_vector<int> wanted(n / 2 + 1);
  thrust::sequence(wanted.begin(), wanted.end(), 0, 2);
  EXPECT_TRUE(thrust::equal(wanted.begin(), wanted.end(), items.begin()));
}
} // namespace
