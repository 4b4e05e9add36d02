// Rule: scans by key are right on every architecture, whatever runs when: as they are launched, where keys of neighbours are compared
// or accumulated, and as they were asked for; in place, too. Which keys are compared follows from the types, and from where results lie.
#include "columns.h"

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
constexpr unsigned seeds = 12;

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

TEST(by_key, of_four_bytes)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_by_key<int, dispatch::compared::always>(random, no_init{});
  });
}

TEST(by_key, of_eight_bytes)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_by_key<std::int64_t, dispatch::compared::unless_overwritten>(random, no_init{});
  });
}

TEST(by_key, of_a_byte_and_exclusive)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_by_key<std::uint8_t, dispatch::compared::always>(random, any_value<number>::from(random));
  });
}

TEST(by_key, of_five_words)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_by_key<wide_key, dispatch::compared::always>(random, any_value<number>::from(random));
  });
}

TEST(by_key, against_the_order_of_memory)
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

TEST(by_key, of_two_columns)
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

TEST(by_key, over_which_results_lie)
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
