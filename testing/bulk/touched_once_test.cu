// Rule: the bulk pipeline reads each element of an iterator that is no memory once, calls each function over such an iterator, and over
// memory whose items its results are as wide as, once, assigns each result once, and does none of that outside the range. Counted on the
// GPU.
#include "../support/in_order.h"
#include "../support/own_iterators.h"
#include "../support/permutations.h"
#include "../support/tree_check.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <nv/target>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

namespace
{
const in_order before{affine{5, 7}};

// A counter for each element. Those of the 1,024 positions before and behind are the guards.
class counters
{
public:
  explicit counters(std::int64_t n)
      : times_(std::vector<unsigned>(static_cast<std::size_t>(n), 0), 0)
      , n_(static_cast<std::size_t>(n))
  {}
  unsigned* data() const
  {
    return times_.data();
  }
  void expect_one_each(const char* what) const
  {
    times_.expect(std::vector<unsigned>(n_, 1), what);
  }

private:
  target<unsigned> times_;
  std::size_t n_;
};

// A call whose check also looks at counters.
template <class Call>
auto counted(Call call, const counters& times, const char* what)
{
  const auto check = [results = call.check, times, what](const auto& expected) {
    ASSERT_NO_FATAL_FAILURE(results(expected));
    times.expect_one_each(what);
  };
  return scan_call{call.first, call.at, call.to, check};
}

struct same
{
  __host__ __device__ bool operator()(int l, int r) const
  {
    return l == r;
  }
};

// The function that notes how often it is called with each number.
struct counting_calls
{
  unsigned* times;

  __host__ __device__ in_order operator()(std::int64_t x) const
  {
    count_one(times + x);
    return in_order(x);
  }
};

// The same that gives back what it is called with.
struct counting_results
{
  unsigned* times;

  __host__ __device__ std::int64_t operator()(std::int64_t x) const
  {
    count_one(times + x);
    return x;
  }
};

// The same that hold nothing, so that they are known to read no memory.
__device__ unsigned* times_of_values;
__device__ unsigned* times_of_keys;

struct calculated_value
{
  __host__ __device__ std::uint32_t operator()(std::int64_t x) const
  {
    NV_IF_TARGET(NV_IS_DEVICE, (count_one(times_of_values + x);))
    return static_cast<std::uint32_t>(x * 7);
  }
};

struct calculated_key
{
  __host__ __device__ int operator()(std::int64_t x) const
  {
    NV_IF_TARGET(NV_IS_DEVICE, (count_one(times_of_keys + x);))
    return static_cast<int>(x / 37);
  }
};

void count_at(const counters& of_values, const counters& of_keys)
{
  unsigned* const values = of_values.data();
  unsigned* const keys   = of_keys.data();
  ASSERT_EQ(cudaMemcpyToSymbol(times_of_values, &values, sizeof(values)), cudaSuccess);
  ASSERT_EQ(cudaMemcpyToSymbol(times_of_keys, &keys, sizeof(keys)), cudaSuccess);
}

// What is as wide as the number in memory that it is made of.
struct value_of_number
{
  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const
  {
    NV_IF_TARGET(NV_IS_DEVICE, (count_one(times_of_values + x);))
    return x * 7;
  }
};

struct joined
{
  template <class Tuple>
  __host__ __device__ in_order operator()(const Tuple& t) const
  {
    return in_order(thrust::get<0>(t) * 31u + thrust::get<1>(t));
  }
};
} // namespace

TEST(touched_once, what_a_users_iterator_reads)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(n, 1);
    const counters times(n);
    const counted_reads<std::uint32_t> first(values.data(), times.data());
    return counted(to_memory<in_order>(n,
                                       first,
                                       [values](std::size_t i) {
                                         return values[i];
                                       }),
                   times,
                   "reads");
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(touched_once, what_is_read_in_reverse)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(n, 1);
    const counters times(n);
    const counted_reads<std::uint32_t> first(values.data(), times.data());
    return counted(to_memory<in_order>(n,
                                       thrust::make_reverse_iterator(first + n),
                                       [values, n](std::size_t i) {
                                         return values[static_cast<std::size_t>(n) - 1 - i];
                                       }),
                   times,
                   "reads");
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, true>(make, compose_in_order{}, no_init{})));
}

TEST(touched_once, what_is_read_beside_a_column)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> a(n, 1, 1);
    const column<std::uint64_t> b(n, 0, 2);
    const counters times(n);
    const auto both = thrust::make_zip_iterator(counted_reads<std::uint32_t>(a.data(), times.data()), b.data());
    return counted(to_memory<in_order>(n,
                                       thrust::make_transform_iterator(both, joined{}),
                                       [a, b](std::size_t i) {
                                         return joined{}(thrust::make_tuple(a[i], b[i]));
                                       }),
                   times,
                   "reads");
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, false>(make, compose_in_order{}, before)));
}

TEST(touched_once, what_is_read_through_a_permutation)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(n, 1);
    const column<std::int32_t> from(random_order(n), 0);
    const counters times(n);
    const counted_reads<std::uint32_t> first(values.data(), times.data());
    return counted(to_memory<in_order>(n,
                                       thrust::make_permutation_iterator(first, from.data()),
                                       [values, from](std::size_t i) {
                                         return values[static_cast<std::size_t>(from[i])];
                                       }),
                   times,
                   "reads");
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, true>(make, compose_in_order{}, no_init{})));
}

// A permutation of 0, 1, ... yields each number once.
TEST(touched_once, function_over_a_permutation)
{
  const auto make = [](std::int64_t n) {
    const std::vector<std::int32_t> numbers = natural_order(n);
    const column<std::int32_t> values(numbers, 1);
    const column<std::int32_t> from(random_order(n), 0);
    const counters times(n);
    const auto gathered = thrust::make_permutation_iterator(values.data(), from.data());
    return counted(to_memory<in_order>(n,
                                       thrust::make_transform_iterator(gathered, counting_calls{times.data()}),
                                       [values, from](std::size_t i) {
                                         return from[i];
                                       }),
                   times,
                   "calls");
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(touched_once, functor_that_holds_a_pointer)
{
  const auto make = [](std::int64_t n) {
    const counters times(n);
    const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::int64_t>(0), counting_calls{times.data()});
    return counted(to_memory<in_order>(n,
                                       first,
                                       [](std::size_t i) {
                                         return i;
                                       }),
                   times,
                   "calls");
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(touched_once, keys_and_values)
{
  const auto make = [](std::int64_t n) {
    std::vector<int> runs(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
      runs[i] = static_cast<int>(i / 37);
    }
    const column<int> keys(runs, 1);
    const column<std::uint32_t> values(n, 0);
    const counters of_keys(n);
    const counters of_values(n);
    const target<in_order> out(n, 1);
    return by_key_call{counted_reads<int>(keys.data(), of_keys.data()),
                       [keys](std::size_t i) {
                         return keys[i];
                       },
                       counted_reads<std::uint32_t>(values.data(), of_values.data()),
                       [values](std::size_t i) {
                         return values[i];
                       },
                       out.data(),
                       [=](const std::vector<in_order>& expected) {
                         ASSERT_NO_FATAL_FAILURE(out.expect(expected));
                         ASSERT_NO_FATAL_FAILURE(of_keys.expect_one_each("reads of keys"));
                         of_values.expect_one_each("reads of values");
                       }};
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, no_init{})));
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, before)));
}

TEST(touched_once, what_is_calculated)
{
  const auto make = [](std::int64_t n) {
    const counters times(n);
    count_at(times, times);
    return counted(to_memory<in_order>(
                     n,
                     thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), calculated_value{}),
                     [](std::size_t i) {
                       return static_cast<std::uint32_t>(i * 7);
                     }),
                   times,
                   "calls");
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(touched_once, what_a_function_makes_of_memory)
{
  const auto make = [](std::int64_t n) {
    const counters times(n);
    count_at(times, times);
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(n));
    std::iota(numbers.begin(), numbers.end(), 0u);
    const column<std::uint32_t> in(std::move(numbers), 1);
    return counted(to_memory<in_order>(n,
                                       thrust::make_transform_iterator(in.data(), value_of_number{}),
                                       [in](std::size_t i) {
                                         return static_cast<std::uint32_t>(i * 7);
                                       }),
                   times,
                   "calls");
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(touched_once, keys_and_values_that_are_calculated)
{
  const auto make = [](std::int64_t n) {
    const counters of_keys(n);
    const counters of_values(n);
    count_at(of_values, of_keys);
    const target<in_order> out(n, 1);
    const thrust::counting_iterator<std::int64_t> positions(0);
    return by_key_call{thrust::make_transform_iterator(positions, calculated_key{}),
                       [](std::size_t i) {
                         return static_cast<int>(i / 37);
                       },
                       thrust::make_transform_iterator(positions, calculated_value{}),
                       [](std::size_t i) {
                         return static_cast<std::uint32_t>(i * 7);
                       },
                       out.data(),
                       [=](const std::vector<in_order>& expected) {
                         ASSERT_NO_FATAL_FAILURE(out.expect(expected));
                         ASSERT_NO_FATAL_FAILURE(of_keys.expect_one_each("calls for keys"));
                         of_values.expect_one_each("calls for values");
                       }};
  };
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, no_init{})));
  ASSERT_NO_FATAL_FAILURE((check_by_key<int, in_order>(make, same{}, compose_in_order{}, before)));
}

TEST(touched_once, what_a_users_iterator_writes)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(n, 1);
    const target<in_order> out(n, 1);
    const counters times(n);
    const auto check = [out](const std::vector<in_order>& expected) {
      out.expect(expected);
    };
    return counted(scan_call{values.data(),
                             [values](std::size_t i) {
                               return values[i];
                             },
                             counted_writes<in_order>(out.data(), times.data()),
                             check},
                   times,
                   "assignments");
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(touched_once, what_is_read_and_written)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(n, 1);
    const target<in_order> out(n, 0);
    const counters reads(n);
    const counters writes(n);
    const auto check = [out, writes](const std::vector<in_order>& expected) {
      ASSERT_NO_FATAL_FAILURE(out.expect(expected));
      writes.expect_one_each("assignments");
    };
    return counted(scan_call{counted_reads<std::uint32_t>(values.data(), reads.data()),
                             [values](std::size_t i) {
                               return values[i];
                             },
                             counted_writes<in_order>(out.data(), writes.data()),
                             check},
                   reads,
                   "reads");
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, true>(make, compose_in_order{}, no_init{})));
}

// The largest of 0, 1, ... up to each is each itself.
TEST(touched_once, function_before_an_output)
{
  const auto make = [](std::int64_t n) {
    const target<std::int64_t> out(n, 1);
    const counters times(n);
    const auto check = [out](const std::vector<std::int64_t>& expected) {
      out.expect(expected);
    };
    return counted(scan_call{thrust::counting_iterator<std::int64_t>(0),
                             [](std::size_t i) {
                               return static_cast<std::int64_t>(i);
                             },
                             thrust::make_transform_output_iterator(out.data(), counting_results{times.data()}),
                             check},
                   times,
                   "calls");
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<std::int64_t, true>(make, maximum{}, no_init{})));
}
