// Rule: through policies and entry points, a predicate is asked once for each item of the range, equality once for each two
// neighbours, the earlier one first, and neither of anything else; each item is read once (twice where neighbours are compared), each
// place of an output assigned once. Counted on the GPU. In place, too, over many tiles of every block. What would wait for its number
// cannot be captured, and does nothing then.
#include "problems.h"

#include <lightscan/lightscan.h>

#include "../support/own_iterators.h"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/system_error.h>

#include <algorithm>

using namespace testing_support;

namespace
{
// Items are their indices, so that a predicate knows of which one it is asked. One counter for each, and the last one
// for all else.
class counters
{
public:
  explicit counters(std::int64_t n)
      : times_(static_cast<std::size_t>(n) + 1, 0)
  {
    restart();
  }
  void restart()
  {
    times_.upload(std::vector<unsigned>(times_.download().size(), 0));
  }
  unsigned* data() const
  {
    return times_.data();
  }
  // Once each from `first` on, and not elsewhere; then from the start again.
  void expect_once(std::int64_t first, std::int64_t last, const char* what)
  {
    expect(first, last, 1, what);
  }
  // The same, but up to `most` times each.
  void expect(std::int64_t first, std::int64_t last, unsigned most, const char* what)
  {
    const std::vector<unsigned> times = times_.download();
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(times.size()); ++i)
    {
      const bool inside = i >= first && i < last;
      ASSERT_GE(times[static_cast<std::size_t>(i)], inside ? 1u : 0u) << what << ", number " << i;
      ASSERT_LE(times[static_cast<std::size_t>(i)], inside ? most : 0u) << what << ", number " << i;
    }
    times_.expect_guards_untouched();
    restart();
  }

private:
  guarded_memory<unsigned> times_;
};

struct asked
{
  unsigned* times;
  std::int64_t n;

  __device__ bool operator()(std::int64_t x) const
  {
    atomicAdd(times + (x >= 0 && x < n ? x : n), 1u);
    return x % 3 == 0;
  }
};

// Asked of x - 1 and x: counted for x.
struct neighbours
{
  unsigned* times;
  std::int64_t n;

  __device__ bool operator()(std::int64_t l, std::int64_t r) const
  {
    atomicAdd(times + (l + 1 == r && l >= 0 && r < n ? r : n), 1u);
    return r % 5 != 0;
  }
};

std::vector<std::int64_t> indices(std::int64_t n)
{
  std::vector<std::int64_t> items(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    items[i] = static_cast<std::int64_t>(i);
  }
  return items;
}

// The plain kernel serves the first ones, the pipeline the last ones.
class called_once : public ::testing::TestWithParam<int>
{
protected:
  called_once()
      : n(GetParam())
      , items(indices(n))
      , in(items.size(), 1)
      , first(items.size(), 1)
      , second(items.size(), 2)
      , third(items.size(), 0)
      , times(n)
      , is_wanted{times.data(), n}
      , same{times.data(), n}
  {
    again();
  }
  void again()
  {
    in.upload(items);
  }
  std::int64_t* begin() const
  {
    return in.data();
  }
  std::int64_t* end() const
  {
    return begin() + n;
  }
  void expect_asked_once(const char* what)
  {
    times.expect_once(0, n, what);
    again();
  }
  void expect_neighbours_once(const char* what)
  {
    times.expect_once(1, n, what);
    again();
  }

  std::int64_t n;
  std::vector<std::int64_t> items;
  guarded_memory<std::int64_t> in, first, second, third;
  counters times;
  asked is_wanted;
  neighbours same;
  const totals total;
};
INSTANTIATE_TEST_SUITE_P(of, called_once, ::testing::Values(1, 2, 33, 1000, 5633, 70001, 300007, 3000017));

TEST_P(called_once, predicates_of_the_policies)
{
  const auto par = lightscan::par;
  thrust::copy_if(par, begin(), end(), first.data(), is_wanted);
  ASSERT_NO_FATAL_FAILURE(expect_asked_once("copy_if"));
  thrust::copy_if(par, second.data(), second.data() + n, begin(), first.data(), is_wanted);
  ASSERT_NO_FATAL_FAILURE(expect_asked_once("copy_if with a stencil"));
  thrust::remove_if(par, begin(), end(), is_wanted);
  ASSERT_NO_FATAL_FAILURE(expect_asked_once("remove_if"));
  thrust::stable_partition(par, begin(), end(), is_wanted);
  ASSERT_NO_FATAL_FAILURE(expect_asked_once("stable_partition"));
  thrust::partition_copy(par, begin(), end(), first.data(), second.data(), is_wanted);
  ASSERT_NO_FATAL_FAILURE(expect_asked_once("partition_copy"));
}

TEST_P(called_once, predicates_of_the_entry_points)
{
  ASSERT_EQ(
    lightscan::DeviceSelect::FlaggedIf(second.data(), begin(), first.data(), total.data(), n, is_wanted), cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(expect_asked_once("FlaggedIf"));
  ASSERT_EQ(lightscan::DevicePartition::If(begin(), first.data(), total.data(), n, is_wanted), cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(expect_asked_once("partition"));
  // The first of three ways is asked of all, the second of no more.
  ASSERT_EQ(lightscan::DevicePartition::If(
              begin(), first.data(), second.data(), third.data(), total.data(), n, is_wanted, is_odd{}),
            cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(expect_asked_once("three ways, the first"));
  ASSERT_EQ(lightscan::DevicePartition::If(
              begin(), first.data(), second.data(), third.data(), total.data(), n, is_third{}, is_wanted),
            cudaSuccess);
  // Of those that the first refuses.
  std::vector<unsigned> there(static_cast<std::size_t>(n) + 1);
  ASSERT_EQ(
    cudaMemcpy(there.data(), times.data(), there.size() * sizeof(unsigned), cudaMemcpyDeviceToHost), cudaSuccess);
  for (std::int64_t i = 0; i <= n; ++i)
  {
    ASSERT_EQ(there[static_cast<std::size_t>(i)], i < n && i % 3 != 0 ? 1u : 0u) << "three ways, the second: " << i;
  }
}

TEST_P(called_once, equality)
{
  const auto par = lightscan::par;
  thrust::unique(par, begin(), end(), same);
  ASSERT_NO_FATAL_FAILURE(expect_neighbours_once("unique"));
  EXPECT_EQ(thrust::unique_count(par, begin(), end(), same), (n + 4) / 5);
  ASSERT_NO_FATAL_FAILURE(expect_neighbours_once("unique_count"));
  thrust::unique_by_key(par, begin(), end(), second.data(), same);
  ASSERT_NO_FATAL_FAILURE(expect_neighbours_once("unique_by_key"));
  thrust::reduce_by_key(par, begin(), end(), second.data(), first.data(), third.data(), same);
  ASSERT_NO_FATAL_FAILURE(expect_neighbours_once("reduce_by_key"));
  again();
  ASSERT_EQ(lightscan::DeviceSelect::Unique(begin(), first.data(), total.data(), n, same), cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(expect_neighbours_once("Unique"));
}

// Of an iterator that nobody knows; where nothing goes, nothing is assigned.
TEST_P(called_once, reads_and_assignments)
{
  const std::int64_t wanted = (n + 2) / 3;
  counters reads(n);
  counters to_first(n);
  counters to_second(n);
  const counted_reads<std::int64_t> from(begin(), reads.data());
  const counted_writes<std::int64_t> to(first.data(), to_first.data());
  const counted_writes<std::int64_t> others(second.data(), to_second.data());
  const auto ends = thrust::partition_copy(lightscan::par, from, from + n, to, others, is_third{});
  EXPECT_EQ(ends.first - to, wanted);
  EXPECT_EQ(ends.second - others, n - wanted);
  ASSERT_NO_FATAL_FAILURE(reads.expect_once(0, n, "reads"));
  ASSERT_NO_FATAL_FAILURE(to_first.expect_once(0, wanted, "assignments to the first part"));
  ASSERT_NO_FATAL_FAILURE(to_second.expect_once(0, n - wanted, "assignments to the second part"));
  thrust::unique_copy(lightscan::par, from, from + n, to);
  ASSERT_NO_FATAL_FAILURE(reads.expect(0, n, 2, "reads of unique_copy"));
  ASSERT_NO_FATAL_FAILURE(to_first.expect_once(0, n, "assignments of unique_copy"));
  thrust::reduce_by_key(lightscan::par, from, from + n, begin(), to, thrust::make_discard_iterator());
  ASSERT_NO_FATAL_FAILURE(reads.expect(0, n, 2, "reads of reduce_by_key's keys"));
  ASSERT_NO_FATAL_FAILURE(to_first.expect_once(0, n, "assignments of reduce_by_key's keys"));
}

struct is_even
{
  __host__ __device__ bool operator()(int x) const
  {
    return x % 2 == 0;
  }
};

TEST(large_selections, in_place_by_the_pipeline_where_there_is_one)
{
  constexpr int n = 40000003;
  std::vector<int> items(n);
  for (int i = 0; i < n; ++i)
  {
    items[static_cast<std::size_t>(i)] = i / 3 + (i % 3 == 0 ? i % 2 : 0);
  }
  guarded_memory<int> in(n, 1);
  ASSERT_NO_FATAL_FAILURE(in.upload(items));
  const bool has_pipeline = lightscan::dispatch::launcher(lightscan::entry::select_problem_of<true>(
                                                            lightscan::tile::if_test<is_even>{},
                                                            lightscan::entry::these(static_cast<const int*>(in.data())),
                                                            lightscan::entry::these(thrust::make_discard_iterator()),
                                                            totals().data(),
                                                            std::int64_t{1}),
                                                          nullptr,
                                                          kernels::bulk_only)
                              .run()
                              .error
                         == cudaSuccess;
  EXPECT_TRUE(has_pipeline || compiled_for() != 90 || !pipeline_runs_here());
  const auto path = has_pipeline ? lightscan::path::bulk_pipeline : lightscan::path::plain_kernel;
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

  const auto expect = [&](int* end, const std::vector<int>& wanted, const char* what) {
    EXPECT_EQ(lightscan::last_launch().taken, path) << what;
    ASSERT_EQ(end - in.data(), static_cast<std::ptrdiff_t>(wanted.size())) << what;
    const std::vector<int> there = in.download();
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), there.begin())) << what;
    in.expect_guards_untouched();
    in.upload(items);
  };
  std::vector<int> wanted = items;
  wanted.erase(std::remove_if(wanted.begin(), wanted.end(), is_even{}), wanted.end());
  expect(thrust::remove_if(lightscan::par, in.data(), in.data() + n, is_even{}), wanted, "remove_if");
  wanted = items;
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  expect(thrust::unique(lightscan::par, in.data(), in.data() + n), wanted, "unique");
}

// More than the pool for memory of calls keeps is none of its own: it would get it from the system, and give it back, each time.
TEST(large_selections, set_more_aside_than_the_pool_keeps)
{
  constexpr int n = 40000003;
  static_assert(n * sizeof(int) > lightscan::runtime::kept_pool_bytes);
  std::vector<int> items(n);
  for (int i = 0; i < n; ++i)
  {
    items[static_cast<std::size_t>(i)] = i / 3 + (i % 3 == 0 ? i % 2 : 0);
  }
  std::vector<int> wanted = items;
  const auto middle       = std::stable_partition(wanted.begin(), wanted.end(), is_even{}) - wanted.begin();
  guarded_memory<int> in(n, 1);
  cudaMemPool_t pool{};
  ASSERT_TRUE(lightscan::runtime::current_pool(pool));
  std::uint64_t most = 0;
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most), cudaSuccess);
  const auto expect_partitioned = [&](int* end, const char* what) {
    EXPECT_EQ(end - in.data(), middle) << what;
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << what;
    EXPECT_EQ(in.download(), wanted) << what;
    in.expect_guards_untouched();
  };
  ASSERT_NO_FATAL_FAILURE(in.upload(items));
  expect_partitioned(thrust::stable_partition(lightscan::par, in.data(), in.data() + n, is_even{}), "par");
  ASSERT_NO_FATAL_FAILURE(in.upload(items));
  expect_partitioned(
    thrust::stable_partition(lightscan::par_nosync, in.data(), in.data() + n, is_even{}), "par_nosync");
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most), cudaSuccess);
  EXPECT_LE(most, lightscan::runtime::kept_pool_bytes);
}

TEST(captured_selections, are_refused_where_the_number_must_come_back)
{
  constexpr int n = 1000;
  guarded_memory<int> in(n, 0);
  guarded_memory<int> to(n, 0);
  cudaStream_t stream;
  cudaGraph_t graph;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreate(&stream));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  try
  {
    thrust::copy_if(lightscan::par.on(stream), in.data(), in.data() + n, to.data(), is_even{});
    ADD_FAILURE() << "nothing was thrown";
  }
  catch (const thrust::system_error& error)
  {
    EXPECT_EQ(error.code().value(), static_cast<int>(cudaErrorStreamCaptureUnsupported));
  }
  // The capture goes on, with nothing in it.
  LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
  std::size_t nodes = 1;
  LIGHTSCAN_EXPECT_CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_EQ(nodes, 0u);
  LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  expect_results(to, std::vector<int>(), "output");
}
} // namespace
