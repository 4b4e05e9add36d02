// Rule: every entry point of DeviceSelect, DevicePartition, DeviceReduce::ReduceByKey and DeviceRunLengthEncode does what a
// loop does, in two phases, in a single call and in a captured graph that is replayed on other numbers of items, none too,
// and writes nothing else. In storage that is too small it does nothing.
#include "entry_points.h"

#include <lightscan/device_partition.h>
#include <lightscan/device_reduce.h>
#include <lightscan/device_run_length_encode.h>
#include <lightscan/device_select.h>

#include "../support/operators.h"

#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <type_traits>

using namespace testing_support;
using lightscan::DevicePartition;
using lightscan::DeviceReduce;
using lightscan::DeviceRunLengthEncode;
using lightscan::DeviceSelect;

namespace
{
struct same_tens
{
  __host__ __device__ bool operator()(int l, int r) const
  {
    return l / 10 == r / 10;
  }
};

struct equal
{
  __host__ __device__ bool operator()(int l, int r) const
  {
    return l == r;
  }
};

struct widened
{
  __host__ __device__ int operator()(std::uint8_t flag) const
  {
    return flag;
  }
};

// A number of items that CUB's calls convert, on the host.
struct number_of_items
{
  long long value;

  operator long long() const
  {
    return value;
  }
};
static_assert(std::is_same_v<decltype(lightscan::entry::count_of(number_of_items{1})), lightscan::dispatch::index>,
              "kernels cannot convert it");

// It can be called, and is a number and has elements besides.
struct odd_in_many_ways : cuda::std::true_type
{
  __host__ __device__ bool operator()(int i) const
  {
    return is_odd{}(i);
  }
  bool operator[](std::ptrdiff_t) const; // nobody calls it
};
static_assert(lightscan::entry::has_elements<odd_in_many_ways> && lightscan::entry::is_count<odd_in_many_ways>);

struct becomes_stream
{
  cudaStream_t kept;

  operator cudaStream_t() const
  {
    return kept;
  }
};

// The last two are large enough for the pipeline.
INSTANTIATE_TEST_SUITE_P(of, entry_points, ::testing::Values(0, 1, 33, 5632, 70001, 300007, 3000017));

TEST_P(entry_points, select_if)
{
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::If(storage..., in(), to(0), total(), n, is_odd{}, stream);
    },
    odd_ones());
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::If(storage..., data(), total(), n, is_odd{}, stream);
    },
    odd_ones(),
    true);
}

TEST_P(entry_points, count_what_converts_to_a_number)
{
  begin();
  LIGHTSCAN_EXPECT_CUDA(DeviceSelect::If(in(), to(0), total(), number_of_items{n_}, is_odd{}));
  expect(odd_ones()(n_), false, "a class");
}

TEST_P(entry_points, take_for_a_predicate_what_can_be_called)
{
  begin();
  LIGHTSCAN_EXPECT_CUDA(DeviceSelect::If(in(), to(0), total(), n_, odd_in_many_ways{}));
  expect(odd_ones()(n_), false, "of many members");
}

TEST_P(entry_points, take_for_a_stream_what_becomes_one)
{
  begin();
  LIGHTSCAN_EXPECT_CUDA(DeviceSelect::Unique(in(), to(0), total(), n_, becomes_stream{nullptr}));
  expect(first_of_runs(equal{})(n_), false, "a class that becomes a stream");
  std::size_t bytes = 0;
  EXPECT_EQ(
    DeviceSelect::UniqueByKey(nullptr, bytes, in(), flags(), to(0), to(1), total(), n_, becomes_stream{nullptr}),
    cudaSuccess);
}

TEST_P(entry_points, select_flagged)
{
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::Flagged(storage..., in(), flags(), to(0), total(), n, stream);
    },
    flagged());
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::Flagged(storage..., data(), flags(), total(), n, stream);
    },
    flagged(),
    true);
}

TEST_P(entry_points, select_flagged_if)
{
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::FlaggedIf(storage..., in(), flags(), to(0), total(), n, is_odd{}, stream);
    },
    with_odd_flags());
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::FlaggedIf(storage..., data(), flags(), total(), n, is_odd{}, stream);
    },
    with_odd_flags(),
    true);
}

TEST_P(entry_points, select_unique)
{
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::Unique(storage..., in(), to(0), total(), n, stream);
    },
    first_of_runs(equal{}));
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::Unique(storage..., in(), to(0), total(), n, same_tens{}, stream);
    },
    first_of_runs(same_tens{}));
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::Unique(storage..., data(), total(), n, stream);
    },
    first_of_runs(equal{}),
    true);
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::Unique(storage..., data(), total(), n, same_tens{}, stream);
    },
    first_of_runs(same_tens{}),
    true);
}

// Flags are the values: they follow their keys.
TEST_P(entry_points, select_unique_by_key)
{
  const auto with_values = [&](auto same) {
    return [=](int now) {
      outcome wanted = first_of_runs(same)(now);
      for (std::size_t i = 0; i < static_cast<std::size_t>(now); ++i)
      {
        if (i == 0 || !same(items_[i - 1], items_[i]))
        {
          wanted.to[1].push_back(flags_[i]);
        }
      }
      return wanted;
    };
  };
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::UniqueByKey(storage..., in(), flags(), to(0), to(1), total(), n, stream);
    },
    with_values(equal{}));
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceSelect::UniqueByKey(storage..., in(), flags(), to(0), to(1), total(), n, same_tens{}, stream);
    },
    with_values(same_tens{}));
}

// Those of the second part begin at the end of what the GPU finds to be the range.
TEST_P(entry_points, partition)
{
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DevicePartition::If(storage..., in(), to(0), total(), n, is_odd{}, stream);
    },
    both_ends(odd_ones(), false));
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DevicePartition::Flagged(storage..., in(), flags(), to(0), total(), n, stream);
    },
    both_ends(flagged(), true));
}

TEST_P(entry_points, partition_three_ways)
{
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DevicePartition::If(storage..., in(), to(0), to(1), to(2), total(), n, is_third{}, is_odd{}, stream);
    },
    [&](int now) {
      outcome wanted;
      for (std::size_t i = 0; i < static_cast<std::size_t>(now); ++i)
      {
        wanted.to[is_third{}(items_[i]) ? 0 : is_odd{}(items_[i]) ? 1 : 2].push_back(items_[i]);
      }
      wanted.totals = {static_cast<std::int64_t>(wanted.to[0].size()), static_cast<std::int64_t>(wanted.to[1].size())};
      return wanted;
    });
}

TEST_P(entry_points, reduce_and_encode)
{
  const auto in_runs = [&](bool ones, bool only_long) {
    return [=](int now) {
      outcome wanted;
      for (std::size_t i = 0; i < static_cast<std::size_t>(now);)
      {
        const std::size_t first = i;
        int sum                 = 0;
        for (; i < static_cast<std::size_t>(now) && items_[i] == items_[first]; ++i)
        {
          sum += ones ? 1 : flags_[i];
        }
        if (!only_long || i - first > 1)
        {
          wanted.to[0].push_back(only_long ? static_cast<int>(first) : items_[first]);
          wanted.to[1].push_back(sum);
        }
      }
      wanted.totals = {static_cast<std::int64_t>(wanted.to[0].size())};
      return wanted;
    };
  };
  // With a function between flags and sums: their type is the accumulator's.
  const auto values = thrust::make_transform_iterator(flags(), widened{});
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceReduce::ReduceByKey(storage..., in(), to(0), values, to(1), total(), plus{}, n, stream);
    },
    in_runs(false, false));
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceRunLengthEncode::Encode(storage..., in(), to(0), to(1), total(), n, stream);
    },
    in_runs(true, false));
  check(
    [&](auto n, cudaStream_t stream, auto&... storage) {
      return DeviceRunLengthEncode::NonTrivialRuns(storage..., in(), to(0), to(1), total(), n, stream);
    },
    in_runs(true, true));
}
} // namespace
