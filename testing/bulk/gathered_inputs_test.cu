// Rule: the bulk pipeline serves inputs that are read, but not as columns: permutations, functors that hold pointers, a user's own
// iterators, all of these in reverse, through functions and in one zip with columns; inclusive and exclusive, in the order of the
// elements, at the boundaries of tiles and grids.
#include "../support/in_order.h"
#include "../support/own_iterators.h"
#include "../support/permutations.h"
#include "../support/tree_check.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

namespace
{
const in_order before{affine{5, 7}};

// table[i * step modulo its length], and what a member adds.
struct looked_up
{
  const std::uint32_t* table;
  std::int64_t length;
  std::uint32_t more;

  __host__ __device__ std::uint32_t operator()(std::int64_t i) const
  {
    return table[i * 7919 % length] + more;
  }
};

// How long row i is.
struct row_length
{
  const long long* offsets;

  __host__ __device__ long long operator()(std::int64_t i) const
  {
    return offsets[i + 1] - offsets[i];
  }
};

struct squared
{
  __host__ __device__ in_order operator()(std::uint32_t x) const
  {
    return in_order(x * x);
  }
};

struct pair_in_order
{
  template <class Tuple>
  __host__ __device__ in_order operator()(const Tuple& t) const
  {
    return in_order(thrust::get<0>(t) * 31u + thrust::get<1>(t));
  }
};

template <class It>
auto reversed(It first, std::int64_t n)
{
  return thrust::make_reverse_iterator(first + n);
}

std::size_t mirrored(std::int64_t n, std::size_t i)
{
  return static_cast<std::size_t>(n) - 1 - i;
}

// Rows of up to 255 elements.
column<long long> offsets_of_rows(std::int64_t n)
{
  const std::vector<std::uint8_t> lengths = random_values<std::uint8_t>(static_cast<std::size_t>(n));
  std::vector<long long> offsets{1ll << 40};
  for (const std::uint8_t length : lengths)
  {
    offsets.push_back(offsets.back() + length);
  }
  return {offsets, 1};
}
} // namespace

TEST(gathered_inputs, permutation_in_order_and_at_random)
{
  for (const bool at_random : {false, true})
  {
    SCOPED_TRACE(at_random ? "at random" : "in order");
    const auto make = [at_random](std::int64_t n) {
      const column<std::uint32_t> values(n, 1);
      const column<std::int32_t> from(at_random ? random_order(n) : natural_order(n), 1);
      return to_memory<in_order>(n, thrust::make_permutation_iterator(values.data(), from.data()), [=](std::size_t i) {
        return values[static_cast<std::size_t>(from[i])];
      });
    };
    ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
  }
}

TEST(gathered_inputs, permutation_in_reverse)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(n, 0);
    const column<std::int32_t> from(random_order(n), 3);
    const auto first = thrust::make_permutation_iterator(values.data(), from.data());
    return to_memory<in_order>(n, reversed(first, n), [=](std::size_t i) {
      return values[static_cast<std::size_t>(from[mirrored(n, i)])];
    });
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, true>(make, compose_in_order{}, no_init{})));
}

TEST(gathered_inputs, function_over_a_permutation)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(n, 2);
    const column<std::int32_t> from(random_order(n), 0);
    const auto gathered = thrust::make_permutation_iterator(values.data(), from.data());
    return to_memory<in_order>(n, thrust::make_transform_iterator(gathered, squared{}), [=](std::size_t i) {
      return squared{}(values[static_cast<std::size_t>(from[i])]);
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(gathered_inputs, functor_that_holds_a_pointer)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> table(n, 1);
    const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::int64_t>(0), looked_up{table.data(), n, 5});
    return to_memory<in_order>(n, first, [=](std::size_t i) {
      return table[i * 7919 % static_cast<std::size_t>(n)] + 5;
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(gathered_inputs, functor_that_reads_neighbours)
{
  const auto make = [](std::int64_t n) {
    const column<long long> offsets = offsets_of_rows(n);
    const auto first                = thrust::make_transform_iterator(
      thrust::counting_iterator<std::int64_t>(0), row_length{offsets.data()});
    return to_memory<long long>(n, first, [=](std::size_t i) {
      return offsets[i + 1] - offsets[i];
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, plus{}, 3ll));
}

TEST(gathered_inputs, functor_that_reads_neighbours_in_reverse)
{
  const auto make = [](std::int64_t n) {
    const column<long long> offsets = offsets_of_rows(n);
    const auto first                = thrust::make_transform_iterator(
      thrust::counting_iterator<std::int64_t>(0), row_length{offsets.data()});
    return to_memory<in_order>(n, reversed(first, n), [=](std::size_t i) {
      const std::size_t at = mirrored(n, i);
      return offsets[at + 1] - offsets[at];
    });
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, false>(make, compose_in_order{}, before)));
}

TEST(gathered_inputs, a_users_own)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(3 * n, 1);
    return to_memory<in_order>(n, every_third<const std::uint32_t>(values.data()), [=](std::size_t i) {
      return values[3 * i];
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(gathered_inputs, a_users_own_in_reverse)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> values(3 * n, 2);
    const every_third<const std::uint32_t> first(values.data());
    return to_memory<in_order>(n, reversed(first, n), [=](std::size_t i) {
      return values[3 * mirrored(n, i)];
    });
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, true>(make, compose_in_order{}, before)));
}

TEST(gathered_inputs, column_beside_a_permutation)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> beside(n, 1, 1);
    const column<std::uint32_t> values(n, 0, 2);
    const column<std::int32_t> from(random_order(n), 0);
    const auto first = thrust::make_zip_iterator(
      beside.data(), thrust::make_permutation_iterator(values.data(), from.data()));
    return to_memory<in_order>(n, thrust::make_transform_iterator(first, pair_in_order{}), [=](std::size_t i) {
      return pair_in_order{}(thrust::make_tuple(beside[i], values[static_cast<std::size_t>(from[i])]));
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(gathered_inputs, zip_of_a_column_and_a_users_own_in_reverse)
{
  using both      = thrust::tuple<std::uint64_t, std::uint32_t>;
  const auto make = [](std::int64_t n) {
    const column<std::uint64_t> a(n, 1, 1);
    const column<std::uint32_t> b(3 * n, 1, 2);
    const auto first = thrust::make_zip_iterator(a.data(), every_third<const std::uint32_t>(b.data()));
    return to_memory<in_order>(
      n, thrust::make_transform_iterator(reversed(first, n), pair_in_order{}), [=](std::size_t i) {
        return pair_in_order{}(both(a[mirrored(n, i)], b[3 * mirrored(n, i)]));
      });
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, true>(make, compose_in_order{}, no_init{})));
}
