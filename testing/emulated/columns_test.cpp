// Rule: scans of what iterators yield are right on every architecture, whatever runs when: against the order of memory, through
// functions, of several columns, computed, calculated, gathered, by key; and into all kinds of outputs.
#include "case.h"

#include <lightscan/dispatch/launched.h>

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
using small  = maps<std::uint8_t, 1>;
using number = maps<std::uint32_t, 1>;

// What a map is made of: of a number, and of narrower maps.
struct to_map
{
  number operator()(std::uint32_t of) const
  {
    return {of * 2654435761u | 1, of ^ of >> 3};
  }
  number operator()(small of) const
  {
    return {of.scale * 77u | 1, of.shift[0] * 1001u};
  }
  template <class Scale, class Shift>
  number operator()(const cuda::std::tuple<Scale, Shift>& of) const
  {
    return {cuda::std::get<0>(of) * 77u | 1, cuda::std::get<1>(of) * 1001u};
  }
};

template <class It>
auto values_of(It first, std::size_t n)
{
  std::vector<lightscan::util::value_t<It>> all;
  all.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    all.push_back(*(first + static_cast<std::ptrdiff_t>(i)));
  }
  return all;
}

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

// Most tiles have about so many items.
std::size_t any_size(std::mt19937_64& random)
{
  return static_cast<std::size_t>(any_number(random, 1600, 5));
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

namespace
{
// A key of five words, of which it is told by the first and the last.
struct wide_key
{
  int word[5];

  wide_key() = default;
  wide_key(std::uint32_t of)
      : word{static_cast<int>(of), 1, 2, 3, static_cast<int>(of / 2)}
  {}

  bool operator==(const wide_key& other) const
  {
    return word[0] == other.word[0] && word[4] == other.word[4];
  }
};

// Neighbours that are equal, of any number of them.
std::vector<std::uint32_t> any_keys(std::size_t n, std::mt19937_64& random)
{
  const int longest = below(random, 2) == 0 ? 5 : 5000;
  std::vector<std::uint32_t> keys(n);
  for (std::size_t i = 0, left = 0; i < n; ++i, --left)
  {
    if (left == 0)
    {
      left    = static_cast<std::size_t>(1 + below(random, longest));
      keys[i] = i > 0 ? keys[i - 1] + 1 : 0;
    }
    else
    {
      keys[i] = keys[i - 1];
    }
  }
  return keys;
}

// What a value is made of where it is calculated. The first holds no address, so the thread that folds an item may calculate it.
struct value_at
{
  number operator()(std::uint32_t at) const
  {
    return to_map{}(at);
  }
};

// `keys`: what `of` tells apart. Values: what `from` yields, `input`.
template <class KeyIt, class ValueIt, class Init>
void check_keys(KeyIt of,
                const std::vector<std::uint32_t>& keys,
                ValueIt from,
                const std::vector<number>& input,
                std::mt19937_64& random,
                Init init,
                const range<number>* in_place = nullptr)
{
  constexpr bool inclusive = std::is_same_v<Init, no_init>;
  const std::size_t n      = keys.size();
  std::vector<number> wanted(n);
  number before{};
  for (std::size_t i = 0; i < n; ++i)
  {
    const bool begins = i == 0 || keys[i] != keys[i - 1];
    number after      = input[i];
    if constexpr (!inclusive)
    {
      before = begins ? init : before;
      after  = compose{}(before, input[i]);
    }
    else if (!begins)
    {
      after = compose{}(before, input[i]);
    }
    wanted[i] = inclusive ? after : before;
    before    = after;
  }
  using key     = lightscan::util::value_t<KeyIt>;
  using problem = dispatch::by_key_problem<key, number, KeyIt, ValueIt, number*, cuda::std::equal_to<>, compose, Init>;
  const range<number> apart(n, any_place(random));
  const range<number>& out = in_place != nullptr && below(random, 3) == 0 ? *in_place : apart;
  const kernels which      = below(random, 4) == 0 ? kernels::plain_only : kernels::bulk_only;
  const problem asked{{of, from}, out.data(), static_cast<std::int64_t>(n), {{}, {}}, {}, {init}};
  const bool as_asked = below(random, 3) == 0; // across GPUs, and where results may lie over keys
  SCOPED_TRACE(std::string(as_asked ? "with keys in its runs" : "as it is launched")
               + (which == kernels::plain_only ? ", plain kernel" : ", bulk pipeline"));
  if (as_asked)
  {
    ASSERT_NO_FATAL_FAILURE(launch(asked, which));
  }
  else
  {
    dispatch::launched<problem>::with(asked, [&](const auto& launched) {
      launch(launched, which);
    });
  }
  EXPECT_EQ(out.differs_from(wanted), "");
}

// Of values that lie in memory, or are calculated or gathered.
template <class KeyIt, class Init>
void check_keys(KeyIt of, const std::vector<std::uint32_t>& keys, std::mt19937_64& random, Init init)
{
  const std::size_t n = keys.size();
  auto input          = values<number>(n, random);
  const range<number> in(input, any_place(random));
  switch (below(random, 3))
  {
    case 0: {
      const auto from = thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{7}), value_at{});
      return check_keys(of, keys, from, values_of(from, n), random, init);
    }
    case 1: {
      std::vector<std::uint32_t> order(n);
      for (std::size_t i = 0; i < n; ++i)
      {
        order[i] = static_cast<std::uint32_t>(n - 1 - i);
      }
      const range<std::uint32_t> indices(order, any_place(random));
      std::reverse(input.begin(), input.end());
      return check_keys(of,
                        keys,
                        thrust::make_permutation_iterator(
                          static_cast<const number*>(in.data()), static_cast<const std::uint32_t*>(indices.data())),
                        input,
                        random,
                        init);
    }
    default:
      return check_keys(of, keys, static_cast<const number*>(in.data()), input, random, init, &in);
  }
}

// `When`: whether what is launched compares neighbours' keys.
template <class Key, dispatch::compared When, class Init>
void check_by_key(std::mt19937_64& random, Init init)
{
  static_assert(dispatch::compared_by<const Key*, number*>() == When);
  const auto keys = any_keys(any_size(random), random);
  std::vector<Key> told;
  for (const std::uint32_t each : keys)
  {
    told.push_back(static_cast<Key>(each));
  }
  const range<Key> of(told, any_place(random));
  check_keys(static_cast<const Key*>(of.data()), keys, random, init);
}
} // namespace

TEST(columns, by_key)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_by_key<int, dispatch::compared::always>(random, no_init{});
  });
}

TEST(columns, by_key_of_eight_bytes)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_by_key<std::int64_t, dispatch::compared::unless_overwritten>(random, no_init{});
  });
}

TEST(columns, by_key_of_a_byte_and_exclusive)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_by_key<std::uint8_t, dispatch::compared::always>(random, any_value<number>::from(random));
  });
}

TEST(columns, by_wide_key)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_by_key<wide_key, dispatch::compared::always>(random, any_value<number>::from(random));
  });
}

TEST(columns, by_key_against_the_order_of_memory)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    auto keys = any_keys(any_size(random), random);
    const range<std::uint32_t> of(keys, any_place(random));
    std::reverse(keys.begin(), keys.end());
    using backwards = thrust::reverse_iterator<const std::uint32_t*>;
    static_assert(dispatch::compared_by<backwards, number*>() == dispatch::compared::always);
    check_keys(backwards(of.data() + keys.size()), keys, random, no_init{});
  });
}

TEST(columns, by_key_of_two_columns)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto keys = any_keys(any_size(random), random);
    std::vector<std::uint16_t> high;
    std::vector<std::uint8_t> low;
    for (const std::uint32_t each : keys)
    {
      high.push_back(static_cast<std::uint16_t>(each >> 8));
      low.push_back(static_cast<std::uint8_t>(each));
    }
    const range<std::uint16_t> first(high, any_place(random));
    const range<std::uint8_t> second(low, any_place(random));
    const auto both = thrust::make_zip_iterator(
      static_cast<const std::uint16_t*>(first.data()), static_cast<const std::uint8_t*>(second.data()));
    static_assert(dispatch::compared_by<std::remove_const_t<decltype(both)>, number*>() == dispatch::compared::always);
    check_keys(both, keys, random, no_init{});
  });
}

namespace
{
// As wide as two results; results of the same size may lie over its first member.
struct two_words_of_key
{
  std::uint64_t high;
  std::uint64_t low;
};
using two_columns = thrust::zip_iterator<cuda::std::tuple<const std::uint64_t*, const std::uint64_t*>>;
} // namespace

TEST(columns, by_key_over_which_results_lie)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto keys = any_keys(any_size(random), random);
    const auto n    = keys.size();
    std::vector<std::uint64_t> high(n);
    std::vector<std::uint64_t> low(keys.begin(), keys.end());
    const range<std::uint64_t> first(high, any_place(random));
    const range<std::uint64_t> second(low, any_place(random));
    const auto input = values<std::uint64_t>(n, random);
    const range<std::uint64_t> in(input, any_place(random));
    const range<std::uint64_t> apart(n, any_place(random));
    const bool over                 = below(random, 2) == 0;
    const range<std::uint64_t>& out = over ? second : apart;
    std::vector<std::uint64_t> wanted(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      wanted[i] = i == 0 || keys[i] != keys[i - 1] ? input[i] : wanted[i - 1] + input[i];
    }
    const two_columns of = thrust::make_zip_iterator(
      static_cast<const std::uint64_t*>(first.data()), static_cast<const std::uint64_t*>(second.data()));
    using key      = lightscan::util::value_t<two_columns>;
    using problem  = dispatch::by_key_problem<key,
                                             std::uint64_t,
                                             two_columns,
                                             const std::uint64_t*,
                                             std::uint64_t*,
                                             cuda::std::equal_to<>,
                                             cuda::std::plus<>,
                                             no_init>;
    using launched = dispatch::launched<problem>;
    static_assert(launched::when == dispatch::compared::unless_overwritten);
    bool in_segments = false;
    launched::with(
      problem{{of, in.data()}, out.data(), static_cast<std::int64_t>(n), {{}, {}}, {}, {}}, [&](const auto& chosen) {
        in_segments = !std::is_same_v<std::decay_t<decltype(chosen)>, problem>;
        launch(chosen, below(random, 4) == 0 ? kernels::plain_only : kernels::bulk_only);
      });
    EXPECT_EQ(in_segments, !over);
    EXPECT_EQ(out.differs_from(wanted), "");
  });
}

// No neighbour is looked at where results may lie over keys, nor where a user's own iterator would be read twice.
namespace
{
using dispatch::compared;
using dispatch::compared_by;
using counted  = thrust::counting_iterator<int>;
using permuted = thrust::permutation_iterator<const std::int64_t*, const std::int64_t*>;
using turned   = thrust::transform_output_iterator<cuda::std::negate<>, double*>;
static_assert(compared_by<const int*, double*>() == compared::always);
static_assert(compared_by<const int*, thrust::reverse_iterator<double*>>() == compared::always);
static_assert(compared_by<const int*, turned>() == compared::always);
static_assert(compared_by<const int*, thrust::discard_iterator<>>() == compared::always);
static_assert(compared_by<permuted, float*>() == compared::always);
static_assert(compared_by<wide_key*, int*>() == compared::always);
static_assert(compared_by<const two_words_of_key*, two_words_of_key*>() == compared::unless_overwritten);
static_assert(compared_by<const int*, float*>() == compared::never);
using wide_ones = thrust::permutation_iterator<const wide_key*, const int*>;
static_assert(compared_by<const std::int64_t*, double*>() == compared::unless_overwritten);
static_assert(compared_by<permuted, double*>() == compared::never);
static_assert(compared_by<wide_ones, float*>() == compared::unless_overwritten);
static_assert(compared_by<wide_ones, double*>() == compared::always);
static_assert(compared_by<wide_ones, wide_key*>() == compared::never);
static_assert(compared_by<counted, double*>() == compared::never);
static_assert(compared_by<thrust::permutation_iterator<counted, const int*>, double*>() == compared::never);
static_assert(compared_by<const int*, thrust::permutation_iterator<double*, const int*>>() == compared::never);
} // namespace
