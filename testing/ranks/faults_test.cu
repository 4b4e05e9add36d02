// What goes wrong between ranks: needs two GPUs.
//
// Rules covered:
//   - a rank that never calls: with par the others get an error once the limit is over, with par_nosync from wait(), by either way of
//     exchange; the group serves no more calls; the GPU is usable, and so is a new group
//   - ranks whose calls differ find out
//   - a group of which a call has failed on one rank's host serves no more calls there
//   - a group whose communicator is another GPU's than the current one is an error
//   - a group ends by itself, whatever has become of its calls
#include "../support/operators.h"
#include "ranks.h"

#include <lightscan/device_scan.h>
#include <lightscan/multi_gpu.h>
#include <lightscan/scan.h>

#include <thrust/system_error.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::exchange;
using std::chrono::milliseconds;

namespace
{
// What a call throws: CUDA's number of it.
template <class F>
int error_of(F f, std::string* sentence = nullptr)
{
  try
  {
    f();
  }
  catch (const thrust::system_error& error)
  {
    if (sentence != nullptr)
    {
      *sentence = error.what();
    }
    return error.code().value();
  }
  return cudaSuccess;
}

class rank_faults : public ::testing::TestWithParam<exchange>
{
protected:
  void SetUp() override
  {
    if (gpus_are_missing(2))
    {
      GTEST_SKIP() << "needs two GPUs";
    }
  }

  // A scan of ones that is right, on a new group.
  static void expect_usable(const rank_here& here)
  {
    here.all.wait();
    {
      lightscan::group group(here.comm, here.stream, GetParam(), milliseconds(20000));
      part_of<int> data(1000);
      data.upload(std::vector<int>(1000, 1));
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      here.all.wait();
      thrust::inclusive_scan(lightscan::par.on(here.stream).across(group), data.get(), data.get() + 1000, data.get());
      here.all.wait();
      EXPECT_EQ(data.download()[999], 1000 * here.rank + 1000);
      here.all.wait();
    }
    here.all.wait();
  }
};

INSTANTIATE_TEST_SUITE_P(ways,
                         rank_faults,
                         ::testing::Values(exchange::nccl, exchange::peer),
                         [](const ::testing::TestParamInfo<exchange>& way) {
                           return std::string(way.param == exchange::nccl ? "nccl" : "peer");
                         });

void scan_ones(const rank_here& here, lightscan::group& group, int* data, int n)
{
  thrust::inclusive_scan(lightscan::par.on(here.stream).across(group), data, data + n, data);
}
} // namespace

TEST_P(rank_faults, a_rank_that_never_calls_par)
{
  on_ranks(2, [&](const rank_here& here) {
    {
      lightscan::group group(here.comm, here.stream, GetParam());
      EXPECT_EQ(group.limit(), lightscan::group::default_limit);
      group.set_limit(milliseconds(500));
      part_of<int> data(1000);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      here.all.wait();
      if (here.rank == 0)
      {
        std::string sentence;
        EXPECT_EQ(error_of(
                    [&] {
                      scan_ones(here, group, data.get(), 1000);
                    },
                    &sentence),
                  cudaErrorTimeout);
        EXPECT_NE(
          sentence.find("inclusive_scan of 1000 items failed while waiting for the other ranks"), std::string::npos)
          << sentence;
        EXPECT_EQ(error_of([&] {
                    scan_ones(here, group, data.get(), 1000);
                  }),
                  cudaErrorTimeout)
          << "a group that has failed serves no more calls";
        EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(
                    data.get(), data.get(), 1000, lightscan::par_nosync.on(here.stream).across(group)),
                  cudaErrorTimeout);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an error was left behind";
      }
      here.all.wait();
    }
    expect_usable(here);
  });
}

TEST_P(rank_faults, a_rank_that_never_calls_par_nosync)
{
  on_ranks(2, [&](const rank_here& here) {
    {
      lightscan::group group(here.comm, here.stream, GetParam());
      group.set_limit(milliseconds(500));
      part_of<int> data(1000);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      here.all.wait();
      if (here.rank == 1)
      {
        for (int call = 0; call < 3; ++call)
        {
          thrust::inclusive_scan(
            lightscan::par_nosync.on(here.stream).across(group), data.get(), data.get() + 1000, data.get());
        }
        EXPECT_EQ(error_of([&] {
                    group.wait(here.stream);
                  }),
                  cudaErrorTimeout);
      }
      here.all.wait();
    }
    expect_usable(here);
  });
}

// Other ranks may have made theirs, and the next one would be taken for it.
TEST_P(rank_faults, a_call_that_fails_on_one_rank_is_its_groups_last)
{
  on_ranks(2, [&](const rank_here& here) {
    {
      lightscan::group group(here.comm, here.stream, GetParam());
      group.set_limit(milliseconds(500));
      part_of<int> data(1000);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      here.all.wait();
      const auto scan = [&] {
        scan_ones(here, group, data.get(), 1000);
      };
      if (here.rank == 0)
      {
        EXPECT_EQ(error_of(scan), cudaErrorTimeout);
      }
      else
      {
        int own = 0;
        EXPECT_EQ(cudaGetDevice(&own), cudaSuccess);
        EXPECT_EQ(cudaSetDevice(own == 0 ? 1 : 0), cudaSuccess); // another GPU than the stream's
        const int first = error_of(scan);
        EXPECT_NE(first, cudaSuccess);
        EXPECT_EQ(cudaSetDevice(own), cudaSuccess);
        EXPECT_EQ(error_of(scan), first);
      }
      here.all.wait();
    }
    expect_usable(here);
  });
}

// Nobody waits for the call before the group ends.
TEST_P(rank_faults, a_group_ends_whatever_its_calls_wait_for)
{
  on_ranks(2, [&](const rank_here& here) {
    {
      part_of<int> data(1000);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      {
        lightscan::group group(here.comm, here.stream, GetParam());
        group.set_limit(milliseconds(300));
        here.all.wait();
        if (here.rank == 0)
        {
          thrust::inclusive_scan(
            lightscan::par_nosync.on(here.stream).across(group), data.get(), data.get() + 1000, data.get());
        }
      }
      EXPECT_EQ(cudaStreamSynchronize(here.stream), cudaSuccess);
      here.all.wait();
    }
    expect_usable(here);
  });
}

TEST_P(rank_faults, ranks_whose_calls_differ)
{
  on_ranks(2, [&](const rank_here& here) {
    {
      lightscan::group group(here.comm, here.stream, GetParam());
      group.set_limit(milliseconds(2000));
      part_of<int> data(1000);
      part_of<long long> other(1000);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      here.all.wait();
      const auto policy = lightscan::par.on(here.stream).across(group);
      EXPECT_EQ(error_of([&] {
                  if (here.rank == 0)
                  {
                    thrust::inclusive_scan(policy, data.get(), data.get() + 1000, data.get());
                  }
                  else
                  {
                    thrust::exclusive_scan(policy, data.get(), data.get() + 1000, other.get(), 0LL);
                  }
                }),
                cudaErrorInvalidValue);
      here.all.wait();
    }
    expect_usable(here);
  });
}

TEST_P(rank_faults, a_group_while_another_gpu_is_current)
{
  on_ranks(2, [&](const rank_here& here) {
    if (here.rank == 0)
    {
      EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
      EXPECT_EQ(error_of([&] {
                  lightscan::group group(here.comm, here.stream, GetParam());
                }),
                cudaErrorInvalidDevice);
      EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    }
    expect_usable(here);
  });
}
