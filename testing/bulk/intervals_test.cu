// Rule: over inputs and outputs of any kind, too, the bulk pipeline calls the operator on neighbours only, in their order, and
// the predicate of a scan by key likewise (the interval monoid, ../support/operators.h): no call that is wrong, even one whose
// result is thrown away.
#include "../support/own_iterators.h"
#include "../support/permutations.h"
#include "../support/strict_join.h"
#include "../support/tree_check.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

namespace
{
const interval start{0, 1};

struct to_interval
{
  __host__ __device__ interval operator()(std::int64_t i) const
  {
    return interval_of(i);
  }
  __host__ __device__ interval operator()(const thrust::tuple<std::uint32_t, std::uint32_t>& t) const
  {
    return {thrust::get<0>(t), thrust::get<1>(t)};
  }
};

// What lies between neighbours in memory.
struct between
{
  const std::uint32_t* bounds;

  __host__ __device__ interval operator()(std::int64_t i) const
  {
    return {bounds[i], bounds[i + 1]};
  }
};

struct length
{
  __host__ __device__ std::uint32_t operator()(const interval& x) const
  {
    return x.end - x.begin;
  }
};

using bounds = thrust::tuple<std::uint32_t, std::uint32_t>;

struct strict_join_of_bounds
{
  unsigned long long* bad_calls;

  __host__ __device__ bounds operator()(const bounds& left, const bounds& right) const
  {
    const interval joined = strict_join{bad_calls}(to_interval{}(left), to_interval{}(right));
    return bounds(joined.begin, joined.end);
  }
};

// Keys are the elements' numbers, in segments of `width`.
struct strict_same
{
  std::int64_t width;
  unsigned long long* bad_calls;

  __host__ __device__ bool operator()(std::int64_t l, std::int64_t r) const
  {
    if (l + 1 != r)
    {
      count_bad_call(bad_calls);
    }
    return l / width == r / width;
  }
};

std::vector<interval> intervals(std::int64_t n)
{
  std::vector<interval> all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    all[i] = interval_of(static_cast<std::int64_t>(i));
  }
  return all;
}

interval element(std::size_t i)
{
  return interval_of(static_cast<std::int64_t>(i));
}

class neighbours_only : public ::testing::Test
{
protected:
  // Both kinds of scan, and no bad call in any of them.
  template <class Make>
  void check(Make make)
  {
    ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, strict_join{bad_calls()}, start));
  }

  unsigned long long* bad_calls() const
  {
    return bad_calls_.data();
  }

  void TearDown() override
  {
    bad_calls_.expect({0}, "calls on what are no neighbours");
  }

private:
  target<unsigned long long> bad_calls_{std::vector<unsigned long long>{0}, 0};
};

// Results of intervals in memory.
template <class Out, class Check>
auto from_memory(std::int64_t n, Out to, Check expect)
{
  const column<interval> in(intervals(n), 1);
  return scan_call{in.data(),
                   [in](std::size_t i) {
                     return in[i];
                   },
                   to,
                   expect};
}
} // namespace

TEST_F(neighbours_only, of_computed_elements)
{
  ASSERT_NO_FATAL_FAILURE(check([](std::int64_t n) {
    return to_memory<interval>(
      n, thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), to_interval{}), element);
  }));
}

TEST_F(neighbours_only, of_computed_elements_in_reverse)
{
  ASSERT_NO_FATAL_FAILURE(check([](std::int64_t n) {
    const auto last = thrust::make_reverse_iterator(thrust::counting_iterator<std::int64_t>(n));
    const auto back = thrust::make_reverse_iterator(thrust::make_transform_iterator(last + n, to_interval{}));
    return to_memory<interval>(n, back, element);
  }));
}

TEST_F(neighbours_only, of_what_a_functor_reads)
{
  ASSERT_NO_FATAL_FAILURE(check([](std::int64_t n) {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(n) + 1);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
      all[i] = static_cast<std::uint32_t>(i) + 1;
    }
    const column<std::uint32_t> in_memory(all, 1);
    return to_memory<interval>(
      n,
      thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), between{in_memory.data()}),
      [in_memory](std::size_t i) {
        return interval{in_memory[i], in_memory[i + 1]};
      });
  }));
}

TEST_F(neighbours_only, of_two_columns)
{
  ASSERT_NO_FATAL_FAILURE(check([](std::int64_t n) {
    std::vector<std::uint32_t> begins;
    std::vector<std::uint32_t> ends;
    for (const interval& x : intervals(n))
    {
      begins.push_back(x.begin);
      ends.push_back(x.end);
    }
    const column<std::uint32_t> first(begins, 1);
    const column<std::uint32_t> second(ends, 2);
    const auto both = thrust::make_zip_iterator(first.data(), second.data());
    return to_memory<interval>(n, thrust::make_transform_iterator(both, to_interval{}), [first, second](std::size_t i) {
      return interval{first[i], second[i]};
    });
  }));
}

TEST_F(neighbours_only, of_a_permutation)
{
  ASSERT_NO_FATAL_FAILURE(check([](std::int64_t n) {
    const std::vector<std::int32_t> order = random_order(n);
    const column<std::int32_t> from(order, 0);
    const column<interval> values(scattered(intervals(n), order), 1);
    return to_memory<interval>(
      n, thrust::make_permutation_iterator(values.data(), from.data()), [from, values](std::size_t i) {
        return values[static_cast<std::size_t>(from[i])];
      });
  }));
}

TEST_F(neighbours_only, of_a_users_own_in_reverse)
{
  ASSERT_NO_FATAL_FAILURE(check([](std::int64_t n) {
    std::vector<interval> all(3 * static_cast<std::size_t>(n), broken_interval);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
    {
      all[3 * (static_cast<std::size_t>(n) - 1 - i)] = element(i);
    }
    const column<interval> values(all, 1);
    const every_third<const interval> first(values.data());
    return to_memory<interval>(n, thrust::make_reverse_iterator(first + n), [values](std::size_t i) {
      return element(i);
    });
  }));
}

TEST_F(neighbours_only, to_two_columns)
{
  const auto make = [](std::int64_t n) {
    std::vector<std::uint32_t> begins;
    std::vector<std::uint32_t> ends;
    for (const interval& x : intervals(n))
    {
      begins.push_back(x.begin);
      ends.push_back(x.end);
    }
    const target<std::uint32_t> first(begins, 1);
    const target<std::uint32_t> second(ends, 0);
    const auto both = thrust::make_zip_iterator(first.data(), second.data()); // in place
    return scan_call{both,
                     [begins, ends](std::size_t i) {
                       return bounds(begins[i], ends[i]);
                     },
                     both,
                     [first, second](const std::vector<bounds>& all) {
                       std::vector<std::uint32_t> expected_begins;
                       std::vector<std::uint32_t> expected_ends;
                       for (const bounds& x : all)
                       {
                         expected_begins.push_back(thrust::get<0>(x));
                         expected_ends.push_back(thrust::get<1>(x));
                       }
                       ASSERT_NO_FATAL_FAILURE(first.expect(expected_begins, "begins"));
                       ASSERT_NO_FATAL_FAILURE(second.expect(expected_ends, "ends"));
                     }};
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, strict_join_of_bounds{bad_calls()}, bounds(0u, 1u)));
}

TEST_F(neighbours_only, to_a_function)
{
  ASSERT_NO_FATAL_FAILURE(check([](std::int64_t n) {
    const target<std::uint32_t> out(n, 1);
    return from_memory(
      n, thrust::make_transform_output_iterator(out.data(), length{}), [out](const std::vector<interval>& all) {
        std::vector<std::uint32_t> lengths(all.size());
        std::transform(all.begin(), all.end(), lengths.begin(), length{});
        out.expect(lengths);
      });
  }));
}

TEST_F(neighbours_only, to_a_permutation)
{
  ASSERT_NO_FATAL_FAILURE(check([](std::int64_t n) {
    const std::vector<std::int32_t> order = random_order(n);
    const column<std::int32_t> to(order, 1);
    const target<interval> out(n, 0);
    return from_memory(
      n, thrust::make_permutation_iterator(out.data(), to.data()), [to, out, order](const std::vector<interval>& all) {
        out.expect(scattered(all, order));
      });
  }));
}

TEST_F(neighbours_only, by_computed_keys)
{
  for (const std::int64_t width : {1, 100, 1000000})
  {
    const auto make = [](std::int64_t n) {
      const thrust::counting_iterator<std::int64_t> numbers(0);
      return by_key_to_memory<interval>(
        n,
        numbers,
        [](std::size_t i) {
          return static_cast<std::int64_t>(i);
        },
        thrust::make_transform_iterator(numbers, to_interval{}),
        element);
    };
    ASSERT_NO_FATAL_FAILURE((check_by_key<std::int64_t, interval>(
      make, strict_same{width, bad_calls()}, strict_join{bad_calls()}, no_init{})));
  }
}
