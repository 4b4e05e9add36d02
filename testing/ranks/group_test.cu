// Scans across the GPUs of a group, a thread and a GPU each, by both ways of exchange. Two GPUs, or as many as there are up to eight;
// with one GPU, groups of one rank.
//
// Rules covered:
//   - every rank gets its part of the scan of all parts: inclusive, exclusive, with and without an initial value, transformed, by key,
//     by DeviceScan, in place, of parts of any lengths and alignments, empty ones too, of fewer elements than ranks
//   - right for every associative operator: intervals, strictly (../support/strict_join.h)
//   - the same bits in every run, by either way
//   - captured and replayed, nothing waited for; groups beside each other; a communicator that is destroyed before its group
#include "../support/operators.h"
#include "../support/strict_join.h"
#include "ranks.h"

#include <lightscan/device_scan.h>
#include <lightscan/multi_gpu.h>
#include <lightscan/path.h>
#include <lightscan/scan.h>
#include <lightscan/scan_by_key.h>
#include <lightscan/transform_scan.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::exchange;

namespace
{
using sizes_of_parts = std::vector<std::int64_t>;

std::int64_t before(const sizes_of_parts& sizes, int rank)
{
  std::int64_t first = 0;
  for (int r = 0; r < rank; ++r)
  {
    first += sizes[static_cast<std::size_t>(r)];
  }
  return first;
}

// Parts for `size` ranks: even, ragged, empty ones at every place, fewer elements than ranks.
std::vector<sizes_of_parts> divisions(int size)
{
  std::vector<sizes_of_parts> all;
  const auto add = [&](auto size_of) {
    sizes_of_parts one;
    for (int r = 0; r < size; ++r)
    {
      one.push_back(size_of(r));
    }
    all.push_back(one);
  };
  add([](int) {
    return 0;
  });
  add([](int) {
    return 1;
  });
  for (int only = 0; only < size; ++only)
  {
    add([&](int r) {
      return r == only ? 1 : 0;
    });
    add([&](int r) {
      return r == only ? 0 : 70000 + r;
    });
  }
  add([](int r) {
    return 1000 * (r + 1) + 7 * r;
  });
  add([](int r) {
    return r % 2 == 0 ? 3000001 : 33;
  });
  add([](int r) {
    return r % 2 == 0 ? 5 : (1 << 20) + 3;
  });
  return all;
}

class across : public ::testing::TestWithParam<exchange>
{
protected:
  void SetUp() override
  {
    size_ = std::min(gpus_here(), 8);
    if (gpus_are_missing(2))
    {
      if (GetParam() != exchange::automatic)
      {
        GTEST_SKIP() << "needs two GPUs";
      }
      size_ = 1; // a group of one rank
    }
  }

  template <class F>
  void on_all(F f)
  {
    ASSERT_NO_FATAL_FAILURE(on_ranks(size_, [&](const rank_here& here) {
      lightscan::group group(here.comm, here.stream, GetParam());
      EXPECT_EQ(group.rank(), here.rank);
      EXPECT_EQ(group.size(), here.size);
      EXPECT_TRUE(here.size == 1 || GetParam() == exchange::automatic || group.way() == GetParam());
      f(here, group);
      here.all.wait();
    }));
  }

  int size_ = 0;
};

std::string name_of(const ::testing::TestParamInfo<exchange>& way)
{
  return way.param == exchange::nccl ? "nccl" : way.param == exchange::peer ? "peer" : "automatic";
}

INSTANTIATE_TEST_SUITE_P(gpus, across, ::testing::Values(exchange::nccl, exchange::peer, exchange::automatic), name_of);

std::vector<interval> intervals_of_part(std::int64_t first, std::int64_t count)
{
  std::vector<interval> values;
  for (std::int64_t i = first; i < first + count; ++i)
  {
    values.push_back(interval_of(i));
  }
  return values;
}

// Element i of all is [first, i + end).
void expect_intervals(
  const std::vector<interval>& found, std::int64_t before, std::uint32_t first, std::uint32_t end, const char* what)
{
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    const interval expected{first, static_cast<std::uint32_t>(before + static_cast<std::int64_t>(i)) + end};
    if (!(found[i] == expected))
    {
      ADD_FAILURE() << what << ": element " << i << " after " << before << " of other parts";
      return;
    }
  }
}

struct twice
{
  template <class T>
  __host__ __device__ T operator()(const T& x) const
  {
    return x + x;
  }
};

std::vector<int> ints_of_part(std::int64_t first, std::int64_t count)
{
  std::vector<int> values;
  for (std::int64_t i = first; i < first + count; ++i)
  {
    values.push_back(static_cast<int>(i * 7919 % 1009) - 500);
  }
  return values;
}

// What is counted on while the test's own parts are made.
long long sum_before(std::int64_t end)
{
  long long sum = 0;
  for (std::int64_t i = 0; i < end; ++i)
  {
    sum += i * 7919 % 1009 - 500;
  }
  return sum;
}
} // namespace

TEST_P(across, intervals_of_ragged_parts)
{
  on_all([&](const rank_here& here, lightscan::group& group) {
    for (const sizes_of_parts& sizes : divisions(here.size))
    {
      const std::int64_t n     = sizes[static_cast<std::size_t>(here.rank)];
      const std::int64_t first = before(sizes, here.rank);
      const std::int64_t off   = here.rank % 3; // parts lie differently on the 16-byte grid
      part_of<interval> in(n, off);
      part_of<interval> inclusive(n);
      part_of<interval> from_init(n);
      part_of<interval> exclusive(n);
      part_of<unsigned long long> bad_calls(1);
      in.upload(intervals_of_part(first, n));
      bad_calls.upload({0});
      const strict_join op{bad_calls.get()};
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      here.all.wait();
      const auto policy = lightscan::par_nosync.on(here.stream).across(group);
      EXPECT_EQ(thrust::inclusive_scan(policy, in.get(), in.get() + n, inclusive.get(), op), inclusive.get() + n);
      thrust::inclusive_scan(policy, in.get(), in.get() + n, from_init.get(), interval{0, 1}, op);
      thrust::exclusive_scan(policy, in.get(), in.get() + n, exclusive.get(), interval{0, 1}, op);
      thrust::inclusive_scan(lightscan::par.on(here.stream).across(group), in.get(), in.get() + n, in.get(), op);
      group.wait(here.stream);
      here.all.wait();
      expect_intervals(inclusive.download(), first, 1, 2, "inclusive");
      expect_intervals(from_init.download(), first, 0, 2, "inclusive from an initial value");
      expect_intervals(exclusive.download(), first, 0, 1, "exclusive");
      expect_intervals(in.download(), first, 1, 2, "in place");
      EXPECT_EQ(bad_calls.download()[0], 0u);
      here.all.wait();
    }
  });
}

// Segments of 1,000 elements and of one, which begin and end in any part.
TEST_P(across, by_key)
{
  on_all([&](const rank_here& here, lightscan::group& group) {
    for (const sizes_of_parts& sizes : divisions(here.size))
    {
      const std::int64_t n     = sizes[static_cast<std::size_t>(here.rank)];
      const std::int64_t first = before(sizes, here.rank);
      const auto key_of        = [](std::int64_t i) {
        return static_cast<int>(i / 100000 % 2 == 0 ? i / 1000 : i);
      };
      std::vector<int> keys;
      for (std::int64_t i = first; i < first + n; ++i)
      {
        keys.push_back(key_of(i));
      }
      part_of<int> key_part(n);
      part_of<interval> in(n);
      part_of<int> ints(n);
      part_of<interval> inclusive(n);
      part_of<long long> exclusive(n);
      part_of<unsigned long long> bad_calls(1);
      key_part.upload(keys);
      in.upload(intervals_of_part(first, n));
      ints.upload(ints_of_part(first, n));
      bad_calls.upload({0});
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      here.all.wait();
      const auto policy = lightscan::par_nosync.on(here.stream).across(group);
      thrust::inclusive_scan_by_key(policy,
                                    key_part.get(),
                                    key_part.get() + n,
                                    in.get(),
                                    inclusive.get(),
                                    cuda::std::equal_to<>{},
                                    strict_join{bad_calls.get()});
      thrust::exclusive_scan_by_key(policy, key_part.get(), key_part.get() + n, ints.get(), exclusive.get(), 10LL);
      group.wait(here.stream);
      here.all.wait();
      const std::vector<interval> found = inclusive.download();
      const std::vector<long long> sums = exclusive.download();
      std::int64_t begin                = first; // of the segment
      while (begin > 0 && key_of(begin - 1) == key_of(begin))
      {
        --begin;
      }
      long long sum = 10 + sum_before(first) - sum_before(begin);
      for (std::int64_t i = first; i < first + n; ++i)
      {
        if (i > 0 && key_of(i - 1) != key_of(i))
        {
          begin = i;
          sum   = 10;
        }
        const auto at = static_cast<std::size_t>(i - first);
        ASSERT_TRUE(found[at] == (interval{static_cast<std::uint32_t>(begin) + 1, static_cast<std::uint32_t>(i) + 2}))
          << "element " << i;
        ASSERT_EQ(sums[at], sum) << "element " << i;
        sum += i * 7919 % 1009 - 500;
      }
      EXPECT_EQ(bad_calls.download()[0], 0u);
      here.all.wait();
    }
  });
}

// What one GPU takes: transformations, iterators without memory, another accumulator, DeviceScan with and without a deferred value.
TEST_P(across, every_form_of_call)
{
  on_all([&](const rank_here& here, lightscan::group& group) {
    const std::int64_t n     = 100003 + 5 * here.rank;
    const std::int64_t first = [&] {
      std::int64_t sum = 0;
      for (int r = 0; r < here.rank; ++r)
      {
        sum += 100003 + 5 * r;
      }
      return sum;
    }();
    part_of<int> in(n);
    part_of<long long> init(1);
    std::vector<std::unique_ptr<part_of<long long>>> out;
    for (int i = 0; i < 8; ++i)
    {
      out.push_back(std::make_unique<part_of<long long>>(n));
    }
    const std::vector<int> values = ints_of_part(first, n);
    in.upload(values);
    init.upload({1000});
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    here.all.wait();
    using lightscan::DeviceScan;
    const auto policy      = lightscan::par_nosync.on(here.stream).across(group);
    const int* const begin = in.get();
    thrust::transform_inclusive_scan(policy, begin, begin + n, out[0]->get(), twice{}, cuda::std::plus<>{});
    thrust::transform_exclusive_scan(policy, begin, begin + n, out[1]->get(), twice{}, 5LL, cuda::std::plus<>{});
    const auto counted = thrust::make_counting_iterator<long long>(first);
    thrust::exclusive_scan(policy, counted, counted + n, out[2]->get());
    EXPECT_EQ(DeviceScan::InclusiveSum(begin, out[3]->get(), n, policy), cudaSuccess);
    EXPECT_EQ(DeviceScan::ExclusiveScan(
                begin, out[4]->get(), cuda::std::plus<>{}, lightscan::in_device_memory(init.get()), n, policy),
              cudaSuccess);
    EXPECT_EQ(DeviceScan::InclusiveScan(begin, out[5]->get(), cuda::std::plus<long long>{}, n, policy), cudaSuccess);
    EXPECT_EQ(DeviceScan::ExclusiveSumByKey(
                thrust::make_constant_iterator(3), begin, out[6]->get(), n, cuda::std::equal_to<>{}, policy),
              cudaSuccess);
    EXPECT_EQ(
      DeviceScan::InclusiveSum(begin, out[7]->get(), n, lightscan::par.on(here.stream).across(group)), cudaSuccess);
    group.wait(here.stream);
    here.all.wait();
    std::vector<std::vector<long long>> found;
    for (const auto& one : out)
    {
      found.push_back(one->download());
    }
    long long sum = sum_before(first);
    for (std::int64_t i = 0; i < n; ++i)
    {
      const auto at             = static_cast<std::size_t>(i);
      const long long exclusive = sum;
      sum += values[at];
      const long long index = first + i;
      ASSERT_EQ(found[0][at], 2 * sum);
      ASSERT_EQ(found[1][at], 5 + 2 * exclusive);
      ASSERT_EQ(found[2][at], index * (index - 1) / 2);
      ASSERT_EQ(found[3][at], sum);
      ASSERT_EQ(found[4][at], 1000 + exclusive);
      ASSERT_EQ(found[5][at], sum);
      ASSERT_EQ(found[6][at], exclusive);
      ASSERT_EQ(found[7][at], sum);
    }
    here.all.wait();
  });
}

// Accumulators that no message of one round holds, and the widest.
TEST_P(across, wide_accumulators)
{
  using wide = words_of_size<256>;
  on_all([&](const rank_here& here, lightscan::group& group) {
    const std::int64_t n     = here.rank == 1 ? 3 : 2000;
    const std::int64_t first = here.rank == 0 ? 0 : here.rank == 1 ? 2000 : 2003 + 2000 * (here.rank - 2);
    const auto element       = [](std::int64_t i) {
      wide value{};
      for (int w = 0; w < 256; ++w)
      {
        value.member[w] = static_cast<std::uint32_t>(i * 2654435761LL) ^ static_cast<std::uint32_t>(w);
      }
      return value;
    };
    std::vector<wide> values;
    wide sum{};
    for (std::int64_t i = 0; i < first; ++i)
    {
      sum = sum + element(i);
    }
    for (std::int64_t i = first; i < first + n; ++i)
    {
      values.push_back(element(i));
    }
    part_of<wide> in(n);
    part_of<wide> out(n);
    in.upload(values);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    here.all.wait();
    thrust::inclusive_scan(
      lightscan::par.on(here.stream).across(group), in.get(), in.get() + n, out.get(), testing_support::plus{});
    here.all.wait();
    const std::vector<wide> found = out.download();
    for (std::int64_t i = 0; i < n; ++i)
    {
      sum = sum + values[static_cast<std::size_t>(i)];
      ASSERT_TRUE(found[static_cast<std::size_t>(i)] == sum) << "element " << i;
    }
    here.all.wait();
  });
}

namespace
{
std::vector<float> rounded_sums(const rank_here& here, lightscan::group& group, int runs)
{
  const std::int64_t n = 1000003 + here.rank;
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i)
  {
    values.push_back(1.0f / static_cast<float>(1 + (i * 7919 + here.rank) % 10007));
  }
  part_of<float> in(n);
  part_of<float> out(n);
  in.upload(values);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<float> first;
  for (int run = 0; run < runs; ++run)
  {
    here.all.wait();
    thrust::inclusive_scan(lightscan::par.on(here.stream).across(group), in.get(), in.get() + n, out.get());
    here.all.wait();
    const std::vector<float> found = out.download();
    first                          = run == 0 ? found : first;
    EXPECT_EQ(std::memcmp(found.data(), first.data(), sizeof(float) * found.size()), 0) << "run " << run;
  }
  here.all.wait();
  return first;
}
} // namespace

TEST_P(across, the_same_bits_in_every_run)
{
  on_all([&](const rank_here& here, lightscan::group& group) {
    rounded_sums(here, group, 50);
  });
}

TEST(both_ways, have_the_same_bits)
{
  if (gpus_are_missing(2))
  {
    GTEST_SKIP() << "needs two GPUs";
  }
  on_ranks(std::min(gpus_here(), 8), [&](const rank_here& here) {
    lightscan::group by_nccl(here.comm, here.stream, exchange::nccl);
    lightscan::group by_peer(here.comm, here.stream, exchange::peer);
    const std::vector<float> one   = rounded_sums(here, by_nccl, 2);
    const std::vector<float> other = rounded_sums(here, by_peer, 2);
    EXPECT_EQ(std::memcmp(one.data(), other.data(), sizeof(float) * one.size()), 0);
  });
}

// A captured call is replayed on other data, with calls that are not captured in between.
TEST_P(across, captured_and_replayed)
{
  on_all([&](const rank_here& here, lightscan::group& group) {
    const std::int64_t n = 200000;
    part_of<int> in(n);
    part_of<int> out(n);
    part_of<int> other(n);
    const auto scan_to = [&](int* to) {
      thrust::inclusive_scan(lightscan::par_nosync.on(here.stream).across(group), in.get(), in.get() + n, to);
    };
    in.upload(std::vector<int>(static_cast<std::size_t>(n), 1));
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    here.all.wait();
    scan_to(other.get()); // whatever is looked up once, is
    group.wait(here.stream);
    cudaGraph_t graph    = nullptr;
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(here.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    scan_to(out.get());
    EXPECT_EQ(cudaStreamEndCapture(here.stream, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    here.all.wait();
    for (int round = 1; round <= 20; ++round)
    {
      in.upload(std::vector<int>(static_cast<std::size_t>(n), round));
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      here.all.wait();
      EXPECT_EQ(cudaGraphLaunch(exec, here.stream), cudaSuccess);
      if (round % 3 == 0)
      {
        scan_to(other.get());
      }
      group.wait(here.stream);
      here.all.wait();
      const std::vector<int> found = out.download();
      for (std::int64_t i = 0; i < n; i += 997)
      {
        ASSERT_EQ(found[static_cast<std::size_t>(i)], round * (here.rank * n + i + 1)) << "round " << round;
      }
      if (round % 3 == 0)
      {
        ASSERT_EQ(other.download(), found) << "round " << round << ", without a graph";
      }
      here.all.wait();
    }
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  });
}

// On streams of their own, many calls each before anybody waits; of other types from call to call.
TEST_P(across, two_groups_at_once)
{
  on_all([&](const rank_here& here, lightscan::group& group) {
    lightscan::group second(here.comm, here.stream, GetParam());
    cudaStream_t other = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    const std::int64_t n = 5000 + here.rank;
    part_of<int> in(n);
    part_of<int> out(n);
    part_of<long long> wider(n);
    in.upload(std::vector<int>(static_cast<std::size_t>(n), 1));
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    here.all.wait();
    for (int call = 0; call < 200; ++call)
    {
      thrust::inclusive_scan(lightscan::par_nosync.on(here.stream).across(group), in.get(), in.get() + n, out.get());
      thrust::exclusive_scan(lightscan::par_nosync.on(other).across(second), in.get(), in.get() + n, wider.get(), 7LL);
    }
    group.wait(here.stream);
    second.wait(other);
    here.all.wait();
    const long long first                  = 5000LL * here.rank + here.rank * (here.rank - 1) / 2;
    const std::vector<int> one             = out.download();
    const std::vector<long long> other_one = wider.download();
    for (std::int64_t i = 0; i < n; ++i)
    {
      ASSERT_EQ(one[static_cast<std::size_t>(i)], first + i + 1);
      ASSERT_EQ(other_one[static_cast<std::size_t>(i)], first + i + 7);
    }
    EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  });
}

TEST_P(across, a_communicator_that_is_destroyed_first)
{
  ASSERT_NO_FATAL_FAILURE(on_ranks(size_, [&](const rank_here& here) {
    ncclComm_t mine = nullptr;
    LIGHTSCAN_EXPECT_NCCL(ncclCommSplit(here.comm, 0, here.rank, &mine, nullptr));
    lightscan::group group(mine, here.stream, GetParam());
    LIGHTSCAN_EXPECT_NCCL(ncclCommDestroy(mine));
    here.all.wait();
    part_of<int> data(10);
    data.upload(std::vector<int>(10, 1));
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    here.all.wait();
    thrust::inclusive_scan(lightscan::par.on(here.stream).across(group), data.get(), data.get() + 10, data.get());
    here.all.wait();
    EXPECT_EQ(data.download()[9], 10 * here.rank + 10);
    here.all.wait();
  }));
}

// A group of one rank launches what the policy alone does.
TEST(one_rank, costs_nothing)
{
  on_ranks(1, [&](const rank_here& here) {
    lightscan::group group(here.comm, here.stream);
    const std::int64_t n = 100000;
    part_of<int> in(n);
    part_of<int> out(n);
    in.upload(std::vector<int>(static_cast<std::size_t>(n), 1));
    const auto count_kernels = [&](auto policy) {
      cudaGraph_t graph = nullptr;
      std::size_t nodes = 0;
      thrust::inclusive_scan(policy, in.get(), in.get() + n, out.get());
      EXPECT_EQ(cudaStreamSynchronize(here.stream), cudaSuccess);
      EXPECT_EQ(cudaStreamBeginCapture(here.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
      thrust::inclusive_scan(policy, in.get(), in.get() + n, out.get());
      EXPECT_EQ(cudaStreamEndCapture(here.stream, &graph), cudaSuccess);
      EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
      EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
      return nodes;
    };
    EXPECT_EQ(count_kernels(lightscan::par_nosync.on(here.stream).across(group)),
              count_kernels(lightscan::par_nosync.on(here.stream)));
    EXPECT_EQ(out.download()[static_cast<std::size_t>(n) - 1], n);
  });
}
