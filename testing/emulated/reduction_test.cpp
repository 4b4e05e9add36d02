// Rule: reductions by key and run lengths are right on every architecture, whatever runs when.
#include "../support/operators.h"
#include "emissions.h"

#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/functional>
#include <cuda/std/tuple>

using namespace emulated;
namespace entry = lightscan::entry;

namespace
{
// Of which a thread has three chunks of four on sm_90, with values of four bytes, and one elsewhere.
struct key_of_12_bytes
{
  int word[3];

  key_of_12_bytes(int of = 0)
      : word{of / 3, of % 3, of}
  {}

  int operator+(int more) const
  {
    return word[2] + more;
  }
  bool operator==(const key_of_12_bytes& other) const
  {
    return word[0] == other.word[0] && word[1] == other.word[1];
  }
};

template <class value, class Op, class key = int>
void check_by_key()
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto keys     = runs<key>(n, random);
    const auto input    = values<value>(n, random);
    const range<key> of(keys, any_place(random));
    const range<value> in(input, any_place(random));
    range<key> keys_out(n, any_place(random));
    range<value> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(launch(entry::reduce_by_key_problem_of<value>(static_cast<const key*>(of.data()),
                                                                          static_cast<const value*>(in.data()),
                                                                          keys_out.data(),
                                                                          out.data(),
                                                                          count.data(),
                                                                          static_cast<std::int64_t>(n),
                                                                          cuda::std::equal_to<>{},
                                                                          Op{}),
                                   any_kernel(random)));
    const reduced_runs wanted(keys, input, Op{});
    EXPECT_EQ(count.differs_from(counts({wanted.keys.size()})), "");
    EXPECT_EQ(keys_out.differs_from(wanted.keys), "") << "n = " << n;
    EXPECT_EQ(out.differs_from(wanted.values), "") << "n = " << n;
  });
}

// Sums that follow from the lengths of runs. `T` overflows, or has a sign.
template <class T>
void add_the_same_number(std::mt19937_64& random)
{
  const std::size_t n = any_size(random);
  const T each        = static_cast<T>(below(random, 200) - 100);
  const auto keys     = runs<std::uint16_t>(n, random);
  const range<std::uint16_t> of(keys, any_place(random));
  range<std::uint16_t> keys_out(n, any_place(random));
  range<T> out(n, any_place(random));
  total count(1);
  ASSERT_NO_FATAL_FAILURE(launch(entry::reduce_by_key_problem_of<T>(static_cast<const std::uint16_t*>(of.data()),
                                                                    entry::constantly(each),
                                                                    keys_out.data(),
                                                                    out.data(),
                                                                    count.data(),
                                                                    static_cast<std::int64_t>(n),
                                                                    cuda::std::equal_to<>{},
                                                                    cuda::std::plus<>{}),
                                 any_kernel(random)));
  std::vector<std::uint16_t> wanted_keys;
  std::vector<T> wanted;
  for (std::size_t i = 0; i < n; ++i)
  {
    if (i == 0 || keys[i] != keys[i - 1])
    {
      wanted_keys.push_back(keys[i]);
      wanted.push_back(each);
    }
    else
    {
      wanted.back() = static_cast<T>(wanted.back() + each);
    }
  }
  EXPECT_EQ(count.differs_from(counts({wanted.size()})), "");
  EXPECT_EQ(keys_out.differs_from(wanted_keys), "") << "n = " << n;
  EXPECT_EQ(out.differs_from(wanted), "") << "n = " << n << ", each " << static_cast<int>(each);
}
} // namespace

// Composition does not commute.
TEST(reductions, by_key)
{
  check_by_key<maps<std::uint32_t, 1>, compose>();
}

// Whose runs the lookahead warp sums without the tree.
TEST(reductions, by_key_of_integers)
{
  check_by_key<std::uint32_t, cuda::std::plus<>>();
  check_by_key<std::int8_t, cuda::std::plus<>>();
}

TEST(reductions, by_keys_of_three_words)
{
  check_by_key<std::uint32_t, cuda::std::plus<>, key_of_12_bytes>();
}

// Of which a thread has one chunk of four, and three chunks of one (dispatch/tuning.h: rows for wide items).
TEST(reductions, by_key_of_wide_values)
{
  check_by_key<maps<std::uint32_t, 6>, compose>();
  check_by_key<maps<std::uint32_t, 15>, compose>();
}

// Keys and values of two columns each; what is put out lies on any of them.
TEST(reductions, of_columns_by_columns)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto keys     = runs<int>(n, random);
    const auto first    = values<std::uint32_t>(n, random);
    const auto second   = values<std::uint64_t>(n, random);
    std::vector<std::uint8_t> low;
    for (const int key : keys)
    {
      low.push_back(static_cast<std::uint8_t>(key));
    }
    const range<int> keys_in(keys, any_place(random));
    const range<std::uint8_t> low_in(low, any_place(random));
    const range<std::uint32_t> first_in(first, any_place(random));
    const range<std::uint64_t> second_in(second, any_place(random));
    range<int> keys_out(n, any_place(random));
    range<std::uint8_t> low_out(n, any_place(random));
    range<std::uint32_t> first_out(n, any_place(random));
    range<std::uint64_t> second_out(n, any_place(random));
    total count(1);
    const auto by = thrust::make_zip_iterator(
      static_cast<const std::uint8_t*>(low_in.data()), static_cast<const int*>(keys_in.data()));
    const auto from = thrust::make_zip_iterator(
      static_cast<const std::uint32_t*>(first_in.data()), static_cast<const std::uint64_t*>(second_in.data()));
    ASSERT_NO_FATAL_FAILURE(launch(entry::reduce_by_key_problem_of<cuda::std::tuple<std::uint32_t, std::uint64_t>>(
                                     by,
                                     from,
                                     thrust::make_zip_iterator(low_out.data(), keys_out.data()),
                                     thrust::make_zip_iterator(first_out.data(), second_out.data()),
                                     count.data(),
                                     static_cast<std::int64_t>(n),
                                     cuda::std::equal_to<>{},
                                     testing_support::add_members{}),
                                   any_kernel(random)));
    const reduced_runs wanted(keys, first, cuda::std::plus<>{});
    EXPECT_EQ(count.differs_from(counts({wanted.keys.size()})), "");
    EXPECT_EQ(keys_out.differs_from(wanted.keys), "") << "n = " << n;
    EXPECT_EQ(low_out.differs_from(reduced_runs(keys,
                                                low,
                                                [](std::uint8_t key, std::uint8_t) {
                                                  return key;
                                                })
                                     .values),
              "")
      << "n = " << n;
    EXPECT_EQ(first_out.differs_from(wanted.values), "") << "n = " << n;
    EXPECT_EQ(second_out.differs_from(reduced_runs(keys, second, cuda::std::plus<>{}).values), "") << "n = " << n;
  });
}

namespace
{
template <class T, std::size_t>
using one_of_each = T;

// As many columns as `I`, whose chunks have fewer items than fill a word.
template <class T, std::size_t... I>
void reduce_columns(std::mt19937_64& random, std::index_sequence<I...>)
{
  using tuple         = cuda::std::tuple<one_of_each<T, I>...>;
  const std::size_t n = any_size(random);
  const auto keys     = runs<int>(n, random);
  const range<int> keys_in(keys, any_place(random));
  range<int> keys_out(n, any_place(random));
  std::vector<T> input[] = {(static_cast<void>(I), values<T>(n, random))...};
  const range<T> in[]    = {range<T>(input[I], any_place(random))...};
  range<T> out[]         = {(static_cast<void>(I), range<T>(n, any_place(random)))...};
  total count(1);
  ASSERT_NO_FATAL_FAILURE(
    launch(entry::reduce_by_key_problem_of<tuple>(static_cast<const int*>(keys_in.data()),
                                                  thrust::make_zip_iterator(static_cast<const T*>(in[I].data())...),
                                                  keys_out.data(),
                                                  thrust::make_zip_iterator(out[I].data()...),
                                                  count.data(),
                                                  static_cast<std::int64_t>(n),
                                                  cuda::std::equal_to<>{},
                                                  testing_support::add_members{}),
           any_kernel(random)));
  for (std::size_t k = 0; k < sizeof...(I); ++k)
  {
    const reduced_runs wanted(keys, input[k], cuda::std::plus<>{});
    EXPECT_EQ(count.differs_from(counts({wanted.keys.size()})), "");
    EXPECT_EQ(keys_out.differs_from(wanted.keys), "") << "n = " << n;
    EXPECT_EQ(out[k].differs_from(wanted.values), "") << "n = " << n << ", column " << k;
  }
}
} // namespace

TEST(reductions, of_columns_in_short_chunks)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    reduce_columns<std::uint32_t>(random, std::make_index_sequence<4>{});
    reduce_columns<std::uint64_t>(random, std::make_index_sequence<5>{});
  });
}

TEST(reductions, of_the_same_number_for_every_item)
{
  each_seed(seeds, add_the_same_number<std::int8_t>);
  each_seed(seeds, add_the_same_number<std::int64_t>);
}

namespace
{
// One item of it makes a chunk.
struct wide
{
  std::uint64_t first;
  std::uint64_t rest[5];

  explicit wide(std::uint16_t number)
      : first(number)
      , rest{1, 2, 3, 4, number}
  {}

  friend bool operator==(const wide& left, const wide& right)
  {
    return left.first == right.first && left.rest[4] == right.rest[4];
  }
};

// Lengths go to an iterator whose own integers are too narrow for them.
struct at_most_255
{
  std::uint8_t* to;

  using value_type        = std::uint8_t;
  using difference_type   = std::int64_t;
  using pointer           = void;
  using iterator_category = std::random_access_iterator_tag;

  struct reference
  {
    std::uint8_t* to;

    const reference& operator=(std::int64_t length) const
    {
      *to = static_cast<std::uint8_t>(length < 255 ? length : 255);
      return *this;
    }
  };

  reference operator*() const
  {
    return {to};
  }
  at_most_255 operator+(std::int64_t distance) const
  {
    return {to + distance};
  }
};

// `Length`: what lengths lie in.
template <class Item, class Length, class LengthIt>
void measure_runs(std::mt19937_64& random)
{
  const std::size_t n                      = any_size(random);
  const std::vector<std::uint16_t> numbers = runs<std::uint16_t>(n, random);
  const std::vector<Item> input(numbers.begin(), numbers.end());
  const range<Item> in(input, any_place(random));
  range<std::int64_t> offsets(n, any_place(random));
  range<Length> lengths(n, any_place(random));
  total count(1);
  ASSERT_NO_FATAL_FAILURE(launch(entry::runs_problem_of(static_cast<const Item*>(in.data()),
                                                        offsets.data(),
                                                        LengthIt{lengths.data()},
                                                        count.data(),
                                                        static_cast<std::int64_t>(n),
                                                        cuda::std::equal_to<>{}),
                                 any_kernel(random)));
  std::vector<std::int64_t> wanted_offsets;
  std::vector<Length> wanted_lengths;
  for (std::size_t i = 0, end = 0; i < n; i = end)
  {
    for (end = i + 1; end < n && input[end] == input[i]; ++end)
    {}
    if (end - i > 1)
    {
      const std::size_t length = end - i;
      wanted_offsets.push_back(static_cast<std::int64_t>(i));
      wanted_lengths.push_back(
        static_cast<Length>(std::is_pointer_v<LengthIt> || length < 255 ? length : std::size_t{255}));
    }
  }
  EXPECT_EQ(count.differs_from(counts({wanted_offsets.size()})), "");
  EXPECT_EQ(offsets.differs_from(wanted_offsets), "") << "n = " << n;
  EXPECT_EQ(lengths.differs_from(wanted_lengths), "") << "n = " << n;
}
} // namespace

TEST(reductions, lengths_of_runs)
{
  each_seed(seeds, measure_runs<std::uint16_t, std::int32_t, std::int32_t*>);
}

TEST(reductions, lengths_of_runs_of_48_bytes)
{
  each_seed(seeds, measure_runs<wide, std::int8_t, std::int8_t*>);
}

TEST(reductions, lengths_of_runs_seen_by_whoever_is_assigned_to)
{
  each_seed(seeds, measure_runs<std::uint16_t, std::uint8_t, at_most_255>);
}
