// Rules: the bulk pipeline puts results wherever an output iterator says: into several columns, through a function, permuted, in
// reverse, through a user's own iterator, or nowhere; and touches nothing else. An output may be what the input reads at the same
// index: zips in place, a function over the output, a permutation that is the identity.
#include "../support/in_order.h"
#include "../support/own_iterators.h"
#include "../support/permutations.h"
#include "../support/tree_check.h"

#include <thrust/iterator/discard_iterator.h>
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
const in_order before{affine{5, 7}};

using two = thrust::tuple<std::uint32_t, std::uint64_t>;

// The first members' last one that is odd, and the second ones' sum: it does not commute.
struct fold_of_two
{
  __host__ __device__ two operator()(const two& l, const two& r) const
  {
    return two(
      thrust::get<0>(r) % 2 != 0 ? thrust::get<0>(r) : thrust::get<0>(l), thrust::get<1>(l) + thrust::get<1>(r));
  }
};

struct mixed
{
  __host__ __device__ std::uint64_t operator()(const in_order& f) const
  {
    return f.a * 0x100000001ull ^ f.b;
  }
};

struct inverted
{
  template <class X>
  __host__ __device__ X operator()(X x) const
  {
    return static_cast<X>(~x);
  }
};

struct swapped
{
  __host__ __device__ in_order operator()(const in_order& f) const
  {
    return affine{f.a, ~f.b};
  }
};

template <class It>
auto reversed(It first, std::int64_t n)
{
  return thrust::make_reverse_iterator(first + n);
}

template <class T>
std::vector<T> backwards(std::vector<T> values)
{
  std::reverse(values.begin(), values.end());
  return values;
}

template <class Result, class T, class Function>
std::vector<Result> through(const std::vector<T>& values, Function function)
{
  std::vector<Result> results;
  results.reserve(values.size());
  for (const T& v : values)
  {
    results.push_back(function(v));
  }
  return results;
}

// That each member of the results is in its column.
void expect_members(const std::vector<two>& expected,
                    const target<std::uint32_t>& first,
                    const target<std::uint64_t>& second)
{
  const auto get_first = [](const two& t) {
    return thrust::get<0>(t);
  };
  const auto get_second = [](const two& t) {
    return thrust::get<1>(t);
  };
  ASSERT_NO_FATAL_FAILURE(first.expect(through<std::uint32_t>(expected, get_first), "first members"));
  ASSERT_NO_FATAL_FAILURE(second.expect(through<std::uint64_t>(expected, get_second), "second members"));
}

// Columns of both members, and what a scan of them begins with.
struct two_columns
{
  column<std::uint32_t> a;
  column<std::uint64_t> b;

  explicit two_columns(std::int64_t n)
      : a(n, 1, 1)
      , b(n, 1, 2)
  {}
  auto first() const
  {
    return thrust::make_zip_iterator(a.data(), b.data());
  }
  two operator()(std::size_t i) const
  {
    return two(a[i], b[i]);
  }
};

// A scan of numbers in memory to `to`, whose results check() has to find.
template <class Out, class Check>
auto from_memory(std::int64_t n, Out to, Check check)
{
  const column<std::uint32_t> values(n, 1);
  return scan_call{values.data(),
                   [values](std::size_t i) {
                     return values[i];
                   },
                   to,
                   check};
}

template <class Make>
void check_from_memory(Make make)
{
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}
} // namespace

TEST(output_iterators, zip_of_two_columns)
{
  for (const std::size_t offset : {0, 1})
  {
    const auto make = [offset](std::int64_t n) {
      const two_columns in(n);
      const target<std::uint32_t> x(n, offset);
      const target<std::uint64_t> y(n, 1);
      return scan_call{in.first(), in, thrust::make_zip_iterator(x.data(), y.data()), [=](const std::vector<two>& all) {
                         expect_members(all, x, y);
                       }};
    };
    ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, fold_of_two{}, two(3u, 4u)));
  }
}

TEST(output_iterators, zip_in_reverse)
{
  const auto make = [](std::int64_t n) {
    const two_columns in(n);
    const target<std::uint32_t> x(n, 3);
    const target<std::uint64_t> y(n, 0);
    const auto to = reversed(thrust::make_zip_iterator(x.data(), y.data()), n);
    return scan_call{in.first(), in, to, [=](const std::vector<two>& all) {
                       expect_members(backwards(all), x, y);
                     }};
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<two, true>(make, fold_of_two{}, no_init{})));
}

TEST(output_iterators, zip_in_place)
{
  const auto make = [](std::int64_t n) {
    const auto a = random_values<std::uint32_t>(static_cast<std::size_t>(n), 1);
    const auto b = random_values<std::uint64_t>(static_cast<std::size_t>(n), 2);
    const target<std::uint32_t> x(a, 1);
    const target<std::uint64_t> y(b, 0);
    const auto both = thrust::make_zip_iterator(x.data(), y.data());
    return scan_call{both,
                     [=](std::size_t i) {
                       return two(a[i], b[i]);
                     },
                     both,
                     [=](const std::vector<two>& all) {
                       expect_members(all, x, y);
                     }};
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, fold_of_two{}, two(3u, 4u)));
}

TEST(output_iterators, zip_half_in_place)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> a(n, 0, 1);
    const auto b = random_values<std::uint64_t>(static_cast<std::size_t>(n), 2);
    const target<std::uint32_t> x(n, 2);
    const target<std::uint64_t> y(b, 1);
    return scan_call{thrust::make_zip_iterator(a.data(), static_cast<const std::uint64_t*>(y.data())),
                     [=](std::size_t i) {
                       return two(a[i], b[i]);
                     },
                     thrust::make_zip_iterator(x.data(), y.data()),
                     [=](const std::vector<two>& all) {
                       expect_members(all, x, y);
                     }};
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<two, false>(make, fold_of_two{}, two(3u, 4u))));
}

TEST(output_iterators, function_before_memory)
{
  ASSERT_NO_FATAL_FAILURE(check_from_memory([](std::int64_t n) {
    const target<std::uint64_t> out(n, 1);
    return from_memory(
      n, thrust::make_transform_output_iterator(out.data(), mixed{}), [out](const std::vector<in_order>& all) {
        out.expect(through<std::uint64_t>(all, mixed{}));
      });
  }));
}

TEST(output_iterators, function_before_the_input_itself)
{
  const auto make = [](std::int64_t n) {
    const auto values = random_values<std::uint32_t>(static_cast<std::size_t>(n));
    const target<std::uint32_t> data(values, 1);
    const auto first = thrust::make_transform_iterator(static_cast<const std::uint32_t*>(data.data()), inverted{});
    return scan_call{first,
                     [=](std::size_t i) {
                       return ~values[i];
                     },
                     thrust::make_transform_output_iterator(data.data(), inverted{}),
                     [=](const std::vector<std::uint32_t>& all) {
                       data.expect(through<std::uint32_t>(all, inverted{}));
                     }};
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, plus{}, 7u));
}

TEST(output_iterators, function_over_the_output)
{
  const auto make = [](std::int64_t n) {
    const auto random = random_values<affine>(static_cast<std::size_t>(n));
    const std::vector<in_order> values(random.begin(), random.end());
    const target<in_order> data(values, 1);
    return scan_call{thrust::make_transform_iterator(data.data(), swapped{}),
                     [=](std::size_t i) {
                       return swapped{}(values[i]);
                     },
                     data.data(),
                     [=](const std::vector<in_order>& all) {
                       data.expect(all);
                     }};
  };
  ASSERT_NO_FATAL_FAILURE(check_from_memory(make));
}

TEST(output_iterators, permutation)
{
  ASSERT_NO_FATAL_FAILURE(check_from_memory([](std::int64_t n) {
    const std::vector<std::int32_t> order = random_order(n);
    const column<std::int32_t> to(order, 1);
    const target<in_order> out(n, 1);
    return from_memory(
      n, thrust::make_permutation_iterator(out.data(), to.data()), [=](const std::vector<in_order>& all) {
        out.expect(scattered(all, order));
        (void) to;
      });
  }));
}

TEST(output_iterators, permutation_in_place)
{
  for (const bool at_random :
       {false, true}) // the same order to read and to write: each result takes its element's place
  {
    const auto make = [at_random](std::int64_t n) {
      const std::vector<std::int32_t> order = at_random ? random_order(n) : natural_order(n);
      const auto random                     = random_values<affine>(static_cast<std::size_t>(n));
      const std::vector<in_order> values(random.begin(), random.end());
      const column<std::int32_t> at(order, 0);
      const target<in_order> data(scattered(values, order), 1);
      const auto both = thrust::make_permutation_iterator(data.data(), at.data());
      return scan_call{both,
                       [=](std::size_t i) {
                         return values[i];
                       },
                       both,
                       [=](const std::vector<in_order>& all) {
                         data.expect(scattered(all, order));
                         (void) at;
                       }};
    };
    ASSERT_NO_FATAL_FAILURE(check_from_memory(make));
  }
}

TEST(output_iterators, a_users_own_in_place)
{
  const auto make = [](std::int64_t n) {
    const auto random = random_values<affine>(3 * static_cast<std::size_t>(n));
    const std::vector<in_order> values(random.begin(), random.end());
    const target<in_order> data(values, 1);
    const every_third<in_order> both(data.data());
    return scan_call{both,
                     [=](std::size_t i) {
                       return values[3 * i];
                     },
                     both,
                     [=](const std::vector<in_order>& all) {
                       std::vector<in_order> expected = values;
                       for (std::size_t i = 0; i < all.size(); ++i)
                       {
                         expected[3 * i] = all[i];
                       }
                       data.expect(expected);
                     }};
  };
  ASSERT_NO_FATAL_FAILURE(check_from_memory(make));
}

TEST(output_iterators, a_users_own_in_reverse)
{
  ASSERT_NO_FATAL_FAILURE(check_from_memory([](std::int64_t n) {
    const std::vector<in_order> there(3 * static_cast<std::size_t>(n), in_order(1));
    const target<in_order> out(there, 0);
    const auto to = reversed(every_third<in_order>(out.data()), n);
    return from_memory(n, to, [=](const std::vector<in_order>& all) {
      std::vector<in_order> expected = there;
      for (std::size_t i = 0; i < all.size(); ++i)
      {
        expected[3 * (all.size() - 1 - i)] = all[i];
      }
      out.expect(expected);
    });
  }));
}

TEST(output_iterators, discard)
{
  ASSERT_NO_FATAL_FAILURE(check_from_memory([](std::int64_t n) {
    return from_memory(n, thrust::make_discard_iterator(), [](const std::vector<in_order>&) {});
  }));
}
