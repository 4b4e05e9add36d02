// Rule: any random-access iterators will do, Thrust's, CCCL's and a user's own: each result is assigned once, through
// the output iterator, to its own position; nothing beside the range is touched. Small and large.
#include "support/entry_check.h"

#include <lightscan/scan.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/tuple.h>

#if __has_include(<cuda/iterator>)
#  include <cuda/iterator>
#endif

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;
using wide = unsigned long long;

namespace
{
const std::vector<std::int64_t> sizes{1, 33, 4099, 100003, 3000017};

// Sums of 0, 1, 2, ...
std::vector<wide> triangle(std::int64_t n)
{
  std::vector<wide> sums(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < sums.size(); ++i)
  {
    sums[i] = i * (i + 1) / 2;
  }
  return sums;
}

struct negate
{
  __host__ __device__ wide operator()(wide x) const
  {
    return ~x;
  }
};
} // namespace

TEST(input, counting)
{
  for (const std::int64_t n : sizes)
  {
    guarded_memory<wide> out(static_cast<std::size_t>(n), 1);
    const thrust::counting_iterator<wide> first(0);
    EXPECT_EQ(thrust::inclusive_scan(lightscan::par, first, first + n, out.data()), out.data() + n);
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), triangle(n), "counting"));
    out.expect_guards_untouched();
  }
}

TEST(input, constant)
{
  for (const std::int64_t n : sizes)
  {
    guarded_memory<wide> out(static_cast<std::size_t>(n), 1);
    const thrust::constant_iterator<wide> first(3);
    thrust::exclusive_scan(lightscan::par, first, first + n, out.data(), wide{5});
    const std::vector<wide> actual = out.download();
    for (std::size_t i = 0; i < actual.size(); ++i)
    {
      ASSERT_EQ(actual[i], 5 + 3 * i) << i;
    }
    out.expect_guards_untouched();
  }
}

namespace
{
using pair_of = thrust::tuple<unsigned, float>;

struct sum_and_larger
{
  __host__ __device__ pair_of operator()(const pair_of& l, const pair_of& r) const
  {
    return pair_of(thrust::get<0>(l) + thrust::get<0>(r),
                   thrust::get<1>(l) < thrust::get<1>(r) ? thrust::get<1>(r) : thrust::get<1>(l));
  }
};
} // namespace

TEST(input_and_output, zip)
{
  for (const std::int64_t n : sizes)
  {
    const std::vector<unsigned> left = random_values<unsigned>(static_cast<std::size_t>(n), 1);
    const std::vector<float> right   = random_values<float>(static_cast<std::size_t>(n), 2);
    guarded_memory<unsigned> in_left(left.size(), 1);
    guarded_memory<float> in_right(left.size(), 0);
    guarded_memory<unsigned> out_left(left.size(), 0);
    ASSERT_NO_FATAL_FAILURE(in_left.upload(left));
    ASSERT_NO_FATAL_FAILURE(in_right.upload(right));
    const auto first = thrust::make_zip_iterator(in_left.data(), in_right.data());
    const auto to    = thrust::make_zip_iterator(out_left.data(), in_right.data()); // half of it in place
    EXPECT_EQ(thrust::inclusive_scan(lightscan::par, first, first + n, to, sum_and_larger{}), to + n);
    ASSERT_NO_FATAL_FAILURE(expect_equal(out_left.download(), host_scan<true>(left, no_init{}, plus{}), "sums"));
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(in_right.download(), host_scan<true>(right, no_init{}, maximum{}), "maxima, in place"));
    ASSERT_NO_FATAL_FAILURE(expect_equal(in_left.download(), left, "input"));
    in_left.expect_guards_untouched();
    in_right.expect_guards_untouched();
    out_left.expect_guards_untouched();
  }
}

TEST(input_and_output, permutation)
{
  for (const std::int64_t n : sizes)
  {
    // The input is read in a scattered order, the output is written in the opposite one.
    const std::vector<wide> input = random_values<wide>(static_cast<std::size_t>(n));
    std::int64_t step             = 7919; // a prime that divides no n of `sizes`
    std::vector<std::int64_t> scattered(input.size());
    std::vector<std::int64_t> backwards(input.size());
    std::vector<wide> seen(input.size());
    for (std::int64_t i = 0; i < n; ++i)
    {
      const auto at = static_cast<std::size_t>(i);
      scattered[at] = i * step % n;
      backwards[at] = n - 1 - i;
      seen[at]      = input[static_cast<std::size_t>(scattered[at])];
    }
    const std::vector<wide> sums = host_scan<true>(seen, no_init{}, plus{});
    guarded_memory<wide> in(input.size(), 1);
    guarded_memory<wide> out(input.size(), 1);
    const thrust::device_vector<std::int64_t> from(scattered);
    const thrust::device_vector<std::int64_t> to(backwards);
    ASSERT_NO_FATAL_FAILURE(in.upload(input));
    const auto first = thrust::make_permutation_iterator(in.data(), from.begin());
    thrust::inclusive_scan(
      lightscan::par, first, first + n, thrust::make_permutation_iterator(out.data(), to.begin()), plus{});
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), std::vector<wide>(sums.rbegin(), sums.rend()), "permutation"));
    in.expect_guards_untouched();
    out.expect_guards_untouched();
  }
}

TEST(output, discard)
{
  for (const std::int64_t n : sizes)
  {
    const thrust::counting_iterator<wide> first(0);
    const auto to = thrust::make_discard_iterator();
    EXPECT_EQ(thrust::inclusive_scan(lightscan::par, first, first + n, to) - to, n);
  }
}

TEST(output, transform_output_in_place)
{
  for (const std::int64_t n : sizes)
  {
    const std::vector<wide> input = random_values<wide>(static_cast<std::size_t>(n));
    guarded_memory<wide> data(input.size(), 1);
    ASSERT_NO_FATAL_FAILURE(data.upload(input));
    thrust::inclusive_scan(lightscan::par,
                           data.data(),
                           data.data() + n,
                           thrust::make_transform_output_iterator(data.data(), negate{}),
                           plus{});
    std::vector<wide> expected = host_scan<true>(input, no_init{}, plus{});
    for (wide& x : expected)
    {
      x = ~x;
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal(data.download(), expected, "transform_output"));
    data.expect_guards_untouched();
  }
}

namespace
{
// Notes what is assigned to position i and counts how often.
struct note
{
  wide* values;
  unsigned* times;

  __device__ void operator()(std::ptrdiff_t i, wide value) const
  {
    values[i] = value;
    atomicAdd(times + i, 1u);
  }
};
} // namespace

TEST(output, tabulate_output_sees_each_position_once)
{
  for (const std::int64_t n : sizes)
  {
    guarded_memory<wide> values(static_cast<std::size_t>(n), 0);
    guarded_memory<unsigned> times(static_cast<std::size_t>(n), 0);
    ASSERT_NO_FATAL_FAILURE(times.upload(std::vector<unsigned>(static_cast<std::size_t>(n), 0)));
    const thrust::counting_iterator<wide> first(0);
    thrust::inclusive_scan(
      lightscan::par, first, first + n, thrust::make_tabulate_output_iterator(note{values.data(), times.data()}));
    ASSERT_NO_FATAL_FAILURE(expect_equal(values.download(), triangle(n), "tabulate_output"));
    ASSERT_NO_FATAL_FAILURE(
      expect_equal(times.download(), std::vector<unsigned>(static_cast<std::size_t>(n), 1), "assignments"));
    values.expect_guards_untouched();
    times.expect_guards_untouched();
  }
}

namespace
{
// A user's own, made by hand: every second element. Thrust knows nothing of it.
class every_second
{
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type        = unsigned;
  using difference_type   = std::ptrdiff_t;
  using pointer           = unsigned*;
  using reference         = unsigned&;

  __host__ __device__ explicit every_second(unsigned* at)
      : at_(at)
  {}
  __host__ __device__ reference operator*() const
  {
    return *at_;
  }
  __host__ __device__ every_second& operator+=(difference_type i)
  {
    at_ += 2 * i;
    return *this;
  }
  __host__ __device__ every_second& operator++()
  {
    return *this += 1;
  }
  friend __host__ __device__ every_second operator+(every_second it, difference_type i)
  {
    return it += i;
  }
  friend __host__ __device__ difference_type operator-(every_second l, every_second r)
  {
    return (l.at_ - r.at_) / 2;
  }
  friend __host__ __device__ bool operator==(every_second l, every_second r)
  {
    return l.at_ == r.at_;
  }
  friend __host__ __device__ bool operator!=(every_second l, every_second r)
  {
    return l.at_ != r.at_;
  }

private:
  unsigned* at_;
};
} // namespace

TEST(input_and_output, written_by_a_user_in_place)
{
  for (const std::int64_t n : sizes)
  {
    const std::vector<unsigned> all = random_values<unsigned>(static_cast<std::size_t>(2 * n));
    guarded_memory<unsigned> data(all.size(), 1);
    ASSERT_NO_FATAL_FAILURE(data.upload(all));
    const every_second first(data.data());
    EXPECT_EQ(thrust::inclusive_scan(lightscan::par, first, first + n, first, plus{}), first + n);
    std::vector<unsigned> expected = all;
    for (std::size_t i = 2; i < all.size(); i += 2)
    {
      expected[i] += expected[i - 2];
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal(data.download(), expected, "every second element"));
    data.expect_guards_untouched();
  }
}

#if __has_include(<cuda/iterator>)
TEST(input, cuda_counting)
{
  for (const std::int64_t n : sizes)
  {
    guarded_memory<wide> out(static_cast<std::size_t>(n), 1);
    const cuda::counting_iterator<wide> first(0);
    thrust::inclusive_scan(lightscan::par, first, first + n, out.data());
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), triangle(n), "cuda::counting_iterator"));
    out.expect_guards_untouched();
  }
}

TEST(output, cuda_discard)
{
  const cuda::counting_iterator<wide> first(0);
  const cuda::discard_iterator to;
  EXPECT_TRUE(thrust::inclusive_scan(lightscan::par, first, first + 100003, to) == to + 100003);
}
#endif
