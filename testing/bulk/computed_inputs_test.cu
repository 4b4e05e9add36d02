// Rule: the bulk pipeline serves inputs that are computed and not read, and several columns at once: counting_iterator,
// constant_iterator, transform_iterator over them, zip_iterator of memory, of them and of zips, and all of these in reverse;
// inclusive and exclusive, in the order of the elements, at the boundaries of tiles and grids.
#include "../support/in_order.h"
#include "../support/tree_check.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <gtest/gtest.h>

#include <cstdint>

using namespace testing_support;

namespace
{
const in_order before{affine{5, 7}};

struct scramble
{
  template <class Integer>
  __host__ __device__ in_order operator()(Integer i) const
  {
    return in_order(static_cast<unsigned long long>(i) * 40503u + 77u);
  }
};

struct scaled
{
  int factor;

  __host__ __device__ int operator()(int x) const
  {
    return static_cast<int>(static_cast<unsigned>(x) * static_cast<unsigned>(factor));
  }
};

// Any tuple of two or three numbers, nested or not, as one accumulator.
struct joined
{
  template <class X>
  __host__ __device__ std::uint64_t number(const X& x) const
  {
    if constexpr (std::is_arithmetic_v<X>)
    {
      return static_cast<std::uint64_t>(x);
    }
    else
    {
      return number(thrust::get<0>(x)) * 1000003u + number(thrust::get<1>(x));
    }
  }
  template <class Tuple>
  __host__ __device__ in_order operator()(const Tuple& t) const
  {
    return in_order(number(t));
  }
};

using two   = thrust::tuple<std::uint32_t, double>;
using three = thrust::tuple<std::uint8_t, std::uint16_t, std::uint64_t>;

struct sum_of_two
{
  __host__ __device__ two operator()(const two& l, const two& r) const
  {
    return two(thrust::get<0>(l) + thrust::get<0>(r), thrust::get<1>(l) + thrust::get<1>(r));
  }
};

// A sum, a maximum, and the last one that is not 0 modulo 8.
struct fold_of_three
{
  __host__ __device__ three operator()(const three& l, const three& r) const
  {
    return three(static_cast<std::uint8_t>(thrust::get<0>(l) + thrust::get<0>(r)),
                 maximum{}(thrust::get<1>(l), thrust::get<1>(r)),
                 thrust::get<2>(r) % 8 != 0 ? thrust::get<2>(r) : thrust::get<2>(l));
  }
};

using parts = thrust::tuple<int, int, long long>;

struct fold_of_parts
{
  __host__ __device__ parts operator()(const parts& l, const parts& r) const
  {
    return parts(plus{}(thrust::get<0>(l), thrust::get<0>(r)),
                 maximum{}(thrust::get<1>(l), thrust::get<1>(r)),
                 plus{}(thrust::get<2>(l), thrust::get<2>(r)));
  }
};

template <class It>
auto reversed(It first, std::int64_t n)
{
  return thrust::make_reverse_iterator(first + n);
}
} // namespace

TEST(computed_inputs, counting)
{
  const auto make = [](std::int64_t n) {
    return to_memory<in_order>(n, thrust::counting_iterator<int>(3), [](std::size_t i) {
      return static_cast<int>(i) + 3;
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(computed_inputs, counting_beyond_32_bits_in_reverse)
{
  const long long from = 1ll << 40;
  const auto make      = [from](std::int64_t n) {
    return to_memory<long long>(n, reversed(thrust::counting_iterator<long long>(from), n), [n, from](std::size_t i) {
      return from + n - 1 - static_cast<long long>(i);
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, plus{}, 9ll));
}

TEST(computed_inputs, constant)
{
  const auto make = [](std::int64_t n) {
    return to_memory<in_order>(n, thrust::constant_iterator<int>(12345), [](std::size_t) {
      return 12345;
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(computed_inputs, counting_through_a_function)
{
  const auto make = [](std::int64_t n) {
    return to_memory<in_order>(
      n, thrust::make_transform_iterator(thrust::counting_iterator<int>(0), scramble{}), scramble{});
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(computed_inputs, counting_through_a_function_in_reverse)
{
  const auto make = [](std::int64_t n) {
    const auto first = thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), scramble{});
    return to_memory<in_order>(n, reversed(first, n), [n](std::size_t i) {
      return scramble{}(n - 1 - static_cast<std::int64_t>(i));
    });
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, true>(make, compose_in_order{}, lightscan::util::no_init{})));
}

TEST(computed_inputs, zip_of_two_columns)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> a(n, 1, 1);
    const column<double> b(n, 1, 2);
    return to_memory<two>(n, thrust::make_zip_iterator(a.data(), b.data()), [=](std::size_t i) {
      return two(a[i], b[i]);
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, sum_of_two{}, two(3u, -1.)));
}

TEST(computed_inputs, zip_of_three_columns)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint8_t> a(n, 3, 1);
    const column<std::uint16_t> b(n, 0, 2);
    const column<std::uint64_t> c(n, 1, 3);
    return to_memory<three>(n, thrust::make_zip_iterator(a.data(), b.data(), c.data()), [=](std::size_t i) {
      return three(a[i], b[i], c[i]);
    });
  };
  ASSERT_NO_FATAL_FAILURE(
    check_both_kinds(make, fold_of_three{}, three(std::uint8_t{1}, std::uint16_t{2}, std::uint64_t{3})));
}

TEST(computed_inputs, zip_through_a_function)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> a(n, 0, 1);
    const column<std::uint64_t> b(n, 1, 2);
    const auto first = thrust::make_transform_iterator(thrust::make_zip_iterator(a.data(), b.data()), joined{});
    return to_memory<in_order>(n, first, [=](std::size_t i) {
      return joined{}(thrust::make_tuple(a[i], b[i]));
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}

TEST(computed_inputs, zip_through_a_function_in_reverse)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> a(n, 1, 1);
    const column<std::uint16_t> b(n, 1, 2);
    const auto first = thrust::make_transform_iterator(thrust::make_zip_iterator(a.data(), b.data()), joined{});
    return to_memory<in_order>(n, reversed(first, n), [=](std::size_t i) {
      const std::size_t at = static_cast<std::size_t>(n) - 1 - i;
      return joined{}(thrust::make_tuple(a[at], b[at]));
    });
  };
  ASSERT_NO_FATAL_FAILURE((check_kind<in_order, false>(make, compose_in_order{}, before)));
}

TEST(computed_inputs, zip_of_functions_and_counting)
{
  const auto make = [](std::int64_t n) {
    const column<int> a(n, 1, 1);
    const column<int> b(n, 2, 2);
    const auto first = thrust::make_zip_iterator(thrust::make_transform_iterator(a.data(), scaled{3}),
                                                 thrust::make_transform_iterator(b.data(), scaled{-7}),
                                                 thrust::counting_iterator<long long>(11));
    return to_memory<parts>(n, first, [=](std::size_t i) {
      return parts(scaled{3}(a[i]), scaled{-7}(b[i]), 11 + static_cast<long long>(i));
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, fold_of_parts{}, parts(1, 2, 3)));
}

TEST(computed_inputs, zip_of_zips)
{
  const auto make = [](std::int64_t n) {
    const column<std::uint32_t> a(n, 1, 1);
    const column<std::uint8_t> b(n, 5, 2);
    const column<std::uint64_t> c(n, 0, 3);
    const auto first = thrust::make_zip_iterator(
      thrust::make_zip_iterator(a.data(), b.data()),
      thrust::make_zip_iterator(c.data(), thrust::make_reverse_iterator(thrust::counting_iterator<int>(5000000))));
    return to_memory<in_order>(n, thrust::make_transform_iterator(first, joined{}), [=](std::size_t i) {
      return joined{}(
        thrust::make_tuple(thrust::make_tuple(a[i], b[i]), thrust::make_tuple(c[i], 4999999 - static_cast<int>(i))));
    });
  };
  ASSERT_NO_FATAL_FAILURE(check_both_kinds(make, compose_in_order{}, before));
}
