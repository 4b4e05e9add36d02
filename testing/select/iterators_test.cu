// Rule: the policy selects, partitions and finds runs over zipped, counted, reversed and transformed ranges as over memory,
// in place where such a range is written to; zipped elements stay together.
#include "problems.h"

#include <lightscan/partition.h>
#include <lightscan/select.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <iterator>

using namespace testing_support;

namespace
{
const auto par = lightscan::par;

struct quarter
{
  __host__ __device__ std::int64_t operator()(std::int64_t x) const
  {
    return x * x / 4;
  }
};

struct tens
{
  __host__ __device__ int operator()(int x) const
  {
    return x / 10;
  }
};

// Asks of both members.
struct is_odd_together
{
  template <class Tuple>
  __host__ __device__ bool operator()(const Tuple& t) const
  {
    return (static_cast<std::int64_t>(thrust::get<0>(t)) + thrust::get<1>(t)) % 2 != 0;
  }
};

class ranges : public ::testing::TestWithParam<int>
{
protected:
  ranges()
      : n(GetParam())
      , items(items_of_pattern<int>(n, 0))
      , in(items.size(), 1)
      , places(items.size(), 2)
      , first(items.size(), 3)
      , second(items.size(), 1)
  {
    for (int i = 0; i < n; ++i)
    {
      numbers.push_back(i);
    }
    in.upload(items);
    places.upload(numbers);
  }

  int n;
  std::vector<int> items;
  std::vector<std::int64_t> numbers;
  guarded_memory<int> in;
  guarded_memory<std::int64_t> places;
  guarded_memory<int> first;
  guarded_memory<std::int64_t> second;
};
// The plain kernel serves the first ones, the pipeline the last ones.
INSTANTIATE_TEST_SUITE_P(of, ranges, ::testing::Values(0, 1, 2, 31, 33, 1000, 3 * 5632, 70001, 300007, 3000017));

TEST_P(ranges, zipped)
{
  std::vector<int> wanted_items, other_items;
  std::vector<std::int64_t> wanted_numbers, other_numbers;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    const bool wanted = is_odd_together{}(thrust::make_tuple(items[i], numbers[i]));
    (wanted ? wanted_items : other_items).push_back(items[i]);
    (wanted ? wanted_numbers : other_numbers).push_back(numbers[i]);
  }
  const auto begin = thrust::make_zip_iterator(in.data(), places.data());
  const auto out   = thrust::make_zip_iterator(first.data(), second.data());
  EXPECT_EQ(thrust::copy_if(par, begin, begin + n, out, is_odd_together{}) - out,
            static_cast<std::ptrdiff_t>(wanted_items.size()));
  ASSERT_NO_FATAL_FAILURE(expect_results(first, wanted_items, "items"));
  ASSERT_NO_FATAL_FAILURE(expect_results(second, wanted_numbers, "numbers"));
  EXPECT_EQ(thrust::remove_if(par, begin, begin + n, is_odd_together{}) - begin,
            static_cast<std::ptrdiff_t>(other_items.size()));
  const std::vector<int> items_there            = in.download();
  const std::vector<std::int64_t> numbers_there = places.download();
  EXPECT_TRUE(std::equal(other_items.begin(), other_items.end(), items_there.begin()));
  EXPECT_TRUE(std::equal(other_numbers.begin(), other_numbers.end(), numbers_there.begin()));
  in.expect_guards_untouched();
  places.expect_guards_untouched();
}

TEST_P(ranges, counted)
{
  std::vector<std::int64_t> wanted;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    if (is_odd{}(items[i]))
    {
      wanted.push_back(numbers[i]);
    }
  }
  const thrust::counting_iterator<std::int64_t> from(0);
  EXPECT_EQ(thrust::copy_if(par, from, from + n, in.data(), second.data(), is_odd{}) - second.data(),
            static_cast<std::ptrdiff_t>(wanted.size()));
  expect_results(second, wanted, "indices");
  EXPECT_EQ(thrust::unique_count(par, from, from + n), n);
}

TEST_P(ranges, reversed)
{
  std::vector<int> wanted;
  std::copy_if(items.rbegin(), items.rend(), std::back_inserter(wanted), is_odd{});
  const auto begin = thrust::make_reverse_iterator(in.data() + n);
  EXPECT_EQ(thrust::copy_if(par, begin, begin + n, first.data(), is_odd{}) - first.data(),
            static_cast<std::ptrdiff_t>(wanted.size()));
  ASSERT_NO_FATAL_FAILURE(expect_results(first, wanted, "from the end"));
  // In place, from the end: what is odd comes last, and both keep the order of the memory.
  std::vector<int> parted = items;
  std::stable_partition(parted.begin(), parted.end(), [](int x) {
    return !is_odd{}(x);
  });
  EXPECT_EQ(
    thrust::stable_partition(par, begin, begin + n, is_odd{}) - begin, static_cast<std::ptrdiff_t>(wanted.size()));
  ASSERT_NO_FATAL_FAILURE(expect_results(in, parted, "partitioned"));
  // And the others alone, which gather at the end of the memory.
  EXPECT_EQ(thrust::remove_if(par, begin, begin + n, is_odd{}) - begin,
            static_cast<std::ptrdiff_t>(items.size() - wanted.size()));
  const std::vector<int> there = in.download();
  EXPECT_TRUE(std::equal(there.rbegin(),
                         there.rend() - static_cast<std::ptrdiff_t>(wanted.size()),
                         parted.rbegin() + static_cast<std::ptrdiff_t>(wanted.size())));
  in.expect_guards_untouched();
}

TEST_P(ranges, transformed)
{
  std::vector<int> unique(items.size());
  std::transform(items.begin(), items.end(), unique.begin(), tens{});
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  const auto by_ten = thrust::make_transform_iterator(in.data(), tens{});
  EXPECT_EQ(thrust::unique_copy(par, by_ten, by_ten + n, first.data()) - first.data(),
            static_cast<std::ptrdiff_t>(unique.size()));
  ASSERT_NO_FATAL_FAILURE(expect_results(first, unique, "unique tens"));

  std::vector<std::int64_t> odd, even;
  for (const std::int64_t number : numbers)
  {
    (is_odd{}(quarter{}(number)) ? odd : even).push_back(quarter{}(number));
  }
  const auto squares = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), quarter{});
  const auto ends    = thrust::partition_copy(par, squares, squares + n, second.data(), places.data(), is_odd{});
  EXPECT_EQ(ends.first - second.data(), static_cast<std::ptrdiff_t>(odd.size()));
  EXPECT_EQ(ends.second - places.data(), static_cast<std::ptrdiff_t>(even.size()));
  ASSERT_NO_FATAL_FAILURE(expect_results(second, odd, "odd ones"));
  const std::vector<std::int64_t> there = places.download();
  EXPECT_TRUE(std::equal(even.begin(), even.end(), there.begin()));
  // Behind the others it is as it was.
  EXPECT_TRUE(std::equal(there.begin() + static_cast<std::ptrdiff_t>(even.size()),
                         there.end(),
                         numbers.begin() + static_cast<std::ptrdiff_t>(even.size())));
}
} // namespace
