// Rules of lightscan/path.h for iterators: fastest_path_v is the bulk pipeline for inputs and outputs of any kind, and for
// accumulators of up to 256 bytes; large scans through Thrust's interface take it, small ones the plain kernel.
#include "support/launched_shape.h"
#include "support/own_iterators.h"

#include <lightscan/path.h>
#include <lightscan/scan.h>
#include <lightscan/scan_by_key.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/tuple.h>

#include <gtest/gtest.h>

#include <cstdint>

#include <cuda_runtime_api.h>

namespace
{
using lightscan::fastest_path_v;
using lightscan::last_launch;
using lightscan::path;
using testing_support::counted_reads;
using testing_support::counted_writes;
using testing_support::every_third;

struct half_of
{
  __host__ __device__ int operator()(int value) const
  {
    return value / 2;
  }
};

struct row_length
{
  const int* offsets;

  __host__ __device__ int operator()(int i) const
  {
    return offsets[i + 1] - offsets[i];
  }
};

struct sum_of_members
{
  template <class Tuple>
  __host__ __device__ int operator()(const Tuple& t) const
  {
    return thrust::get<0>(t) + thrust::get<1>(t);
  }
};

struct sum_of_pairs
{
  using pair = thrust::tuple<int, int>;

  __host__ __device__ pair operator()(const pair& l, const pair& r) const
  {
    return pair(thrust::get<0>(l) + thrust::get<0>(r), thrust::get<1>(l) + thrust::get<1>(r));
  }
};

template <std::size_t Bytes>
struct sized
{
  char parts[Bytes];
};

using ints          = thrust::device_vector<int>;
using out           = ints::iterator;
using in            = ints::const_iterator;
using pair_of       = thrust::tuple<int, int>;
constexpr path bulk = path::bulk_pipeline;

template <class It>
using reversed = thrust::reverse_iterator<It>;
template <class Function, class It>
using through = thrust::transform_iterator<Function, It>;
template <class... Its>
using zipped = thrust::zip_iterator<thrust::tuple<Its...>>;
template <class It>
using permuted = thrust::permutation_iterator<It, in>;
using counting = thrust::counting_iterator<int>;
using constant = thrust::constant_iterator<int>;

template <class InputIt>
constexpr bool reads = fastest_path_v<InputIt, out, int> == bulk;
template <class InputIt>
constexpr bool reads_both_ways = reads<InputIt>&& reads<reversed<InputIt>>;

// Computed.
static_assert(reads_both_ways<counting>);
static_assert(reads_both_ways<constant>);
static_assert(reads_both_ways<through<half_of, counting>>);
static_assert(reads_both_ways<thrust::counting_iterator<long long>>);
// Gathered.
static_assert(reads_both_ways<through<row_length, counting>>);
static_assert(reads_both_ways<permuted<in>>);
static_assert(reads_both_ways<through<half_of, permuted<in>>>);
static_assert(reads_both_ways<permuted<counting>>);
static_assert(reads_both_ways<every_third<const int>>);
static_assert(reads_both_ways<counted_reads<int>>);
static_assert(reads_both_ways<through<half_of, counted_reads<int>>>);
// Several columns in one.
static_assert(reads_both_ways<through<sum_of_members, zipped<in, in>>>);
static_assert(reads_both_ways<through<sum_of_members, zipped<in, counting>>>);
static_assert(reads_both_ways<through<sum_of_members, zipped<permuted<in>, reversed<in>>>>);
static_assert(reads<through<sum_of_members, zipped<in, every_third<const int>>>>);
static_assert(fastest_path_v<zipped<in, in>, thrust::device_vector<pair_of>::iterator, pair_of> == bulk);
static_assert(fastest_path_v<zipped<const int*, zipped<const int*, const double*>>,
                             thrust::tuple<int, thrust::tuple<int, double>>*,
                             thrust::tuple<int, thrust::tuple<int, double>>> == bulk);

template <class OutputIt, class T = int>
constexpr bool writes = fastest_path_v<counting, OutputIt, T> == bulk;
template <class T, class OutputIt>
constexpr bool zip_writes = fastest_path_v<zipped<in, in>, OutputIt, T> == bulk;

// Outputs.
static_assert(writes<thrust::discard_iterator<>>);
static_assert(writes<permuted<out>>);
static_assert(writes<reversed<permuted<out>>>);
static_assert(writes<every_third<int>>);
static_assert(writes<counted_writes<int>>);
static_assert(writes<thrust::transform_output_iterator<half_of, out>>);
static_assert(zip_writes<pair_of, zipped<out, out>>);
static_assert(zip_writes<pair_of, reversed<zipped<out, out>>>);
static_assert(zip_writes<pair_of, zipped<out, permuted<out>>>);
static_assert(zip_writes<pair_of, thrust::transform_output_iterator<sum_of_members, int*>>);

// By size.
template <std::size_t Bytes>
constexpr bool serves_size = fastest_path_v<const sized<Bytes>*, sized<Bytes>*, sized<Bytes>> == bulk;
static_assert(serves_size<1> && serves_size<3> && serves_size<15> && serves_size<20> && serves_size<32>);
static_assert(serves_size<33> && serves_size<36> && serves_size<48> && serves_size<64> && serves_size<100>);
static_assert(serves_size<128> && serves_size<255> && serves_size<256>);
static_assert(fastest_path_v<counting, sized<1025>*, sized<1025>> == path::thrust);

constexpr int large = 1 << 23;
constexpr int small = 1000;

// scan(number of items) takes the pipeline if they are many, and the plain kernel if they are few.
template <class Scan>
void expect_by_size(Scan scan)
{
  scan(large);
  EXPECT_EQ(last_launch().taken, testing_support::pipeline_runs_here() ? bulk : path::plain_kernel) << "large";
  EXPECT_EQ(last_launch().num_items, large);
  scan(small);
  EXPECT_EQ(last_launch().taken, path::plain_kernel) << "small";
  EXPECT_EQ(last_launch().num_items, small);
}
} // namespace

TEST(path_of_iterators, is_chosen_by_size)
{
  ints values(3 * large, 1);
  ints order(large);
  ints results(large);
  thrust::sequence(order.begin(), order.end());
  const counting numbers(0);
  const auto scan = [&](auto first, auto to) {
    expect_by_size([&](int n) {
      thrust::inclusive_scan(lightscan::par, first, first + n, to, testing_support::plus{});
    });
  };
  scan(numbers, results.begin());
  scan(constant(1), results.begin());
  scan(thrust::make_permutation_iterator(values.cbegin(), order.cbegin()), results.begin());
  EXPECT_EQ(results[small - 1], small);
  EXPECT_EQ(results[large - 1], large);
  scan(every_third<const int>(thrust::raw_pointer_cast(values.data())), thrust::make_discard_iterator());
  scan(values.cbegin(), thrust::make_transform_output_iterator(results.begin(), half_of{}));
  EXPECT_EQ(results[large - 1], large / 2);
}

TEST(path_of_iterators, is_chosen_by_size_for_zips)
{
  ints a(large, 1);
  ints b(large, 2);
  const auto both = thrust::make_zip_iterator(a.begin(), b.begin());
  expect_by_size([&](int n) {
    thrust::inclusive_scan(lightscan::par, both, both + n, both, sum_of_pairs{});
  });
  EXPECT_EQ(b[large - 1], 2 * large);
}

TEST(path_of_iterators, is_chosen_by_size_for_scans_by_key)
{
  ints keys(large, 7);
  ints results(large);
  expect_by_size([&](int n) {
    thrust::inclusive_scan_by_key(lightscan::par, keys.cbegin(), keys.cbegin() + n, constant(1), results.begin());
  });
  EXPECT_EQ(results[large - 1], large);
  const auto counted = thrust::make_transform_iterator(counting(0), half_of{});
  expect_by_size([&](int n) {
    thrust::exclusive_scan_by_key(lightscan::par, counted, counted + n, constant(1), results.begin());
  });
  EXPECT_EQ(results[large - 1], 1);
}
