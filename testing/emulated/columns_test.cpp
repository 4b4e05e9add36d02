// Rule: scans of what iterators yield are right on every architecture, whatever runs when: against the order of memory, through
// functions, of several columns, computed, calculated, gathered; and into all kinds of outputs.
#include "columns.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <algorithm>

using namespace emulated;

namespace
{
// A scan of either kind from an iterator. `through` makes the output iterator from memory of Out, and `seen` what should stand there
// from the results.
template <class T, class Out, class It, class Through, class Seen>
void check(It first, std::size_t n, std::mt19937_64& random, Through through, Seen seen)
{
  const auto input = values_of(first, n);
  const std::vector<T> lifted(input.begin(), input.end());
  const kernels which = below(random, 4) == 0 ? kernels::plain_only : kernels::bulk_only;
  const T init        = any_value<T>::from(random);
  range<Out> out(n, any_place(random));
  auto to = through(out.data());
  std::vector<T> results;
  SCOPED_TRACE("n = " + std::to_string(n) + (which == kernels::plain_only ? ", plain kernel" : ", bulk pipeline"));
  if (below(random, 2) == 0)
  {
    using problem = dispatch::scan_problem<T, It, decltype(to), compose, no_init, true>;
    ASSERT_NO_FATAL_FAILURE(launch(problem{first, to, static_cast<std::int64_t>(n), {}, {}}, which));
    results = scan_of<true>(lifted, no_init{}, compose{});
  }
  else
  {
    using problem = dispatch::scan_problem<T, It, decltype(to), compose, T, false>;
    ASSERT_NO_FATAL_FAILURE(launch(problem{first, to, static_cast<std::int64_t>(n), {}, init}, which));
    results = scan_of<false>(lifted, init, compose{});
  }
  EXPECT_EQ(out.differs_from(seen(results)), "");
}

template <class T, class It>
void check_to_memory(It first, std::size_t n, std::mt19937_64& random)
{
  check<T, T>(
    first,
    n,
    random,
    [](T* to) {
      return to;
    },
    [](const std::vector<T>& results) {
      return results;
    });
}

constexpr unsigned seeds = 12;
} // namespace

TEST(columns, against_the_order_of_memory)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto input    = values<number>(n, random);
    const range<number> in(input, any_place(random));
    const thrust::reverse_iterator<const number*> first(in.data() + n);
    check<number, number>(
      first,
      n,
      random,
      [n](number* to) {
        return thrust::reverse_iterator<number*>(to + n);
      },
      [](const std::vector<number>& results) {
        return std::vector<number>(results.rbegin(), results.rend());
      });
    EXPECT_EQ(in.differs_from(input), "");
  });
}

TEST(columns, of_bytes_against_the_order_of_memory)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint8_t> in(values<std::uint8_t>(n, random), any_place(random));
    check_to_memory<std::uint8_t>(thrust::reverse_iterator<const std::uint8_t*>(in.data() + n), n, random);
  });
}

TEST(columns, through_a_function_that_widens)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<small> in(values<small>(n, random), any_place(random));
    check_to_memory<number>(thrust::make_transform_iterator(static_cast<const small*>(in.data()), to_map{}), n, random);
  });
}

TEST(columns, two_of_them_on_different_grids)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint32_t> scale(values<std::uint32_t>(n, random), any_place(random));
    const range<std::uint8_t> shift(values<std::uint8_t>(n, random), any_place(random));
    check_to_memory<number>(
      thrust::make_transform_iterator(thrust::make_zip_iterator(static_cast<const std::uint32_t*>(scale.data()),
                                                                static_cast<const std::uint8_t*>(shift.data())),
                                      to_map{}),
      n,
      random);
  });
}

TEST(columns, calculated)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_to_memory<number>(
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(7), to_map{}), any_size(random), random);
  });
}

namespace
{
template <class T>
void check_gathered()
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<T> in(values<T>(n, random), any_place(random));
    std::vector<int> order(n);
    for (int& at : order)
    {
      at = below(random, static_cast<int>(n));
    }
    const range<int> from(order, any_place(random));
    check_to_memory<T>(thrust::permutation_iterator<const T*, const int*>(in.data(), from.data()), n, random);
  });
}
} // namespace

TEST(columns, gathered_of_2_bytes)
{
  check_gathered<small>();
}

TEST(columns, gathered_of_8_bytes)
{
  check_gathered<number>();
}

TEST(columns, gathered_of_64_bytes)
{
  check_gathered<maps<std::uint32_t, 15>>();
}

TEST(columns, scattered_results)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<number> in(values<number>(n, random), any_place(random));
    std::vector<int> order(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      order[i] = static_cast<int>(i);
    }
    std::shuffle(order.begin(), order.end(), random);
    const range<int> to_places(order, any_place(random));
    check<number, number>(
      static_cast<const number*>(in.data()),
      n,
      random,
      [&](number* to) {
        return thrust::permutation_iterator<number*, const int*>(to, to_places.data());
      },
      [&](const std::vector<number>& results) {
        std::vector<number> there(n);
        for (std::size_t i = 0; i < n; ++i)
        {
          there[static_cast<std::size_t>(order[i])] = results[i];
        }
        return there;
      });
  });
}

TEST(columns, computed_sums_and_narrower_results)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    using counting = thrust::counting_iterator<std::uint32_t>;
    using problem  = dispatch::scan_problem<std::uint32_t, counting, std::uint16_t*, cuda::std::plus<>, no_init, true>;
    const std::size_t n = any_size(random);
    range<std::uint16_t> out(n, any_place(random));
    std::vector<std::uint16_t> wanted(n);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
      sum += static_cast<std::uint32_t>(i) + 3;
      wanted[i] = static_cast<std::uint16_t>(sum);
    }
    ASSERT_NO_FATAL_FAILURE(
      launch(problem{counting(3), out.data(), static_cast<std::int64_t>(n), {}, {}}, kernels::bulk_only));
    EXPECT_EQ(out.differs_from(wanted), "");
  });
}

TEST(columns, discarded_results_change_nothing)
{
  each_seed(4, [](std::mt19937_64& random) {
    using problem = dispatch::scan_problem<number, const number*, thrust::discard_iterator<>, compose, no_init, true>;
    const std::size_t n = any_size(random);
    const auto input    = values<number>(n, random);
    const range<number> in(input, any_place(random));
    ASSERT_NO_FATAL_FAILURE(launch(
      problem{in.data(), thrust::discard_iterator<>(), static_cast<std::int64_t>(n), {}, {}}, kernels::bulk_only));
    EXPECT_EQ(in.differs_from(input), "");
  });
}

namespace
{
using pair = cuda::std::tuple<std::uint32_t, std::uint8_t>;

struct compose_pairs
{
  pair operator()(const pair& first, const pair& then) const
  {
    const number both = compose{}(number{cuda::std::get<0>(first), {cuda::std::get<0>(first)}},
                                  number{cuda::std::get<0>(then), {cuda::std::get<0>(then)}});
    return {both.scale, compose{}(cuda::std::get<1>(first), cuda::std::get<1>(then))};
  }
};
} // namespace

TEST(columns, tuples_into_several)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto first    = values<std::uint32_t>(n, random);
    const auto second   = values<std::uint8_t>(n, random);
    const range<std::uint32_t> in1(first, any_place(random));
    const range<std::uint8_t> in2(second, any_place(random));
    range<std::uint32_t> out1(n, any_place(random));
    range<std::uint8_t> out2(n, any_place(random));
    const auto from = thrust::make_zip_iterator(
      static_cast<const std::uint32_t*>(in1.data()), static_cast<const std::uint8_t*>(in2.data()));
    const auto to = thrust::make_zip_iterator(out1.data(), out2.data());
    using problem = dispatch::scan_problem<pair,
                                           std::remove_const_t<decltype(from)>,
                                           std::remove_const_t<decltype(to)>,
                                           compose_pairs,
                                           no_init,
                                           true>;
    ASSERT_NO_FATAL_FAILURE(launch(problem{from, to, static_cast<std::int64_t>(n), {}, {}}, kernels::bulk_only));
    std::vector<std::uint32_t> wanted1(n);
    std::vector<std::uint8_t> wanted2(n);
    pair running{};
    for (std::size_t i = 0; i < n; ++i)
    {
      const pair here{first[i], second[i]};
      running    = i == 0 ? here : compose_pairs{}(running, here);
      wanted1[i] = cuda::std::get<0>(running);
      wanted2[i] = cuda::std::get<1>(running);
    }
    EXPECT_EQ(out1.differs_from(wanted1), "");
    EXPECT_EQ(out2.differs_from(wanted2), "");
  });
}
