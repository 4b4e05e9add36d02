// Rule: selections and partitions are right on every architecture, whatever runs when; functions see elements of the range only, and what
// an assignment of an output's own leaves is left.
#include "emissions.h"

#include <lightscan/entry/select_problem.h>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/tuple>

using namespace emulated;
namespace entry = lightscan::entry;
namespace tile  = lightscan::tile;

namespace
{
struct is_odd
{
  template <class T>
  bool operator()(T item) const
  {
    return item % 2 != 0;
  }
};
struct is_third
{
  template <class T>
  bool operator()(T item) const
  {
    return item % 3 == 0;
  }
};

// Some have many odd ones, some few.
template <class T>
std::vector<T> numbers(std::size_t n, std::mt19937_64& random)
{
  std::vector<T> all(n);
  const int odd = below(random, 101);
  for (T& item : all)
  {
    item = static_cast<T>(random() / 4 * 2 + (below(random, 100) < odd ? 1 : 0));
  }
  return all;
}

template <class T>
std::vector<T> selected(const std::vector<T>& from)
{
  std::vector<T> wanted;
  std::copy_if(from.begin(), from.end(), std::back_inserter(wanted), is_odd{});
  return wanted;
}

template <class T>
void check_copy_if()
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto input    = numbers<T>(n, random);
    const range<T> in(input, any_place(random));
    range<T> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(launch(entry::select_problem_of<true>(tile::if_test<is_odd>{},
                                                                  entry::these(static_cast<const T*>(in.data())),
                                                                  entry::these(out.data()),
                                                                  count.data(),
                                                                  static_cast<std::int64_t>(n)),
                                   any_kernel(random)));
    const auto wanted = selected(input);
    EXPECT_EQ(count.differs_from(counts({wanted.size()})), "");
    EXPECT_EQ(out.differs_from(wanted), "") << "n = " << n;
    EXPECT_EQ(in.differs_from(input), "");
  });
}
} // namespace

TEST(selections, copy_if_of_4_bytes)
{
  check_copy_if<std::uint32_t>();
}

TEST(selections, copy_if_of_1_byte)
{
  check_copy_if<std::uint8_t>();
}

TEST(selections, in_place)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto input    = numbers<std::uint32_t>(n, random);
    range<std::uint32_t> in(input, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(entry::select_problem_of<true>(tile::if_test<is_odd>{},
                                            entry::these(static_cast<const std::uint32_t*>(in.data())),
                                            entry::these(in.data()),
                                            count.data(),
                                            static_cast<std::int64_t>(n)),
             any_kernel(random)));
    auto wanted = selected(input);
    EXPECT_EQ(count.differs_from(counts({wanted.size()})), "");
    wanted.insert(wanted.end(), input.begin() + static_cast<std::ptrdiff_t>(wanted.size()), input.end());
    EXPECT_EQ(in.differs_from(wanted), "") << "n = " << n;
  });
}

namespace
{
struct first_is_odd
{
  template <class Tuple>
  bool operator()(const Tuple& of) const
  {
    return is_odd{}(cuda::std::get<0>(of));
  }
};

// What is selected, and behind it what was there.
template <class T>
std::vector<T> selected_in_place(const std::vector<std::uint8_t>& by, std::vector<T> of)
{
  std::size_t kept = 0;
  for (std::size_t i = 0; i < by.size(); ++i)
  {
    if (is_odd{}(by[i]))
    {
      of[kept++] = of[i];
    }
  }
  return of;
}
} // namespace

// Results as wide as three columns come to lie on all of them.
TEST(selections, of_columns_in_place)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto first    = numbers<std::uint8_t>(n, random);
    const auto second   = values<std::uint32_t>(n, random);
    const auto third    = values<std::uint64_t>(n, random);
    range<std::uint8_t> bytes(first, any_place(random));
    range<std::uint32_t> words(second, any_place(random));
    range<std::uint64_t> pairs(third, any_place(random));
    total count(1);
    const auto in = thrust::make_zip_iterator(static_cast<const std::uint8_t*>(bytes.data()),
                                              static_cast<const std::uint32_t*>(words.data()),
                                              static_cast<const std::uint64_t*>(pairs.data()));
    const auto to = thrust::make_zip_iterator(bytes.data(), words.data(), pairs.data());
    ASSERT_NO_FATAL_FAILURE(launch(
      entry::select_problem_of<true>(
        tile::if_test<first_is_odd>{}, entry::these(in), entry::these(to), count.data(), static_cast<std::int64_t>(n)),
      any_kernel(random)));
    EXPECT_EQ(count.differs_from(counts({selected(first).size()})), "");
    EXPECT_EQ(bytes.differs_from(selected_in_place(first, first)), "") << "n = " << n;
    EXPECT_EQ(words.differs_from(selected_in_place(first, second)), "") << "n = " << n;
    EXPECT_EQ(pairs.differs_from(selected_in_place(first, third)), "") << "n = " << n;
  });
}

namespace
{
template <class T>
void check_by_what_stands_beside()
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto flags    = numbers<std::uint8_t>(n, random);
    const auto input    = values<T>(n, random);
    const range<std::uint8_t> asked(flags, any_place(random));
    const range<T> in(input, any_place(random));
    range<T> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(entry::select_problem_of<false>(
               tile::if_test<is_odd>{},
               entry::these(static_cast<const std::uint8_t*>(asked.data()), static_cast<const T*>(in.data())),
               entry::these(out.data()),
               count.data(),
               static_cast<std::int64_t>(n)),
             any_kernel(random)));
    std::vector<T> wanted;
    for (std::size_t i = 0; i < n; ++i)
    {
      if (is_odd{}(flags[i]))
      {
        wanted.push_back(input[i]);
      }
    }
    EXPECT_EQ(count.differs_from(counts({wanted.size()})), "");
    EXPECT_EQ(out.differs_from(wanted), "") << "n = " << n;
  });
}
} // namespace

TEST(selections, of_12_bytes_by_what_stands_beside)
{
  check_by_what_stands_beside<maps<std::uint32_t, 2>>();
}

TEST(selections, of_64_bytes_by_what_stands_beside)
{
  check_by_what_stands_beside<maps<std::uint32_t, 15>>();
}

TEST(selections, unique)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto input    = runs<std::uint32_t>(n, random);
    const range<std::uint32_t> in(input, any_place(random));
    range<std::uint32_t> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(entry::select_problem_of<true>(tile::run_test<cuda::std::equal_to<>>{},
                                            entry::these(static_cast<const std::uint32_t*>(in.data())),
                                            entry::these(out.data()),
                                            count.data(),
                                            static_cast<std::int64_t>(n)),
             any_kernel(random)));
    auto wanted = input;
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    EXPECT_EQ(count.differs_from(counts({wanted.size()})), "");
    EXPECT_EQ(out.differs_from(wanted), "") << "n = " << n;
  });
}

namespace
{
// A function that knows the range's elements, and counts the others that it is shown.
struct of_the_range
{
  static inline int strangers              = 0;
  static constexpr std::uint32_t they_have = 0x5eau << 20;

  std::uint32_t operator()(std::uint32_t item) const
  {
    strangers += item >> 20 == they_have >> 20 ? 0 : 1;
    return item & 0xfffffu;
  }
};
} // namespace

TEST(functions, see_elements_of_the_range_only)
{
  each_seed(2 * seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    auto input          = runs<std::uint32_t>(n, random);
    std::vector<std::int64_t> wanted_offsets;
    for (std::size_t i = 0; i < n; ++i)
    {
      if ((i == 0 || input[i - 1] != input[i]) && i + 1 < n && input[i + 1] == input[i])
      {
        wanted_offsets.push_back(static_cast<std::int64_t>(i));
      }
    }
    for (std::uint32_t& item : input)
    {
      item |= of_the_range::they_have;
    }
    const range<std::uint32_t> in(input, any_place(random));
    range<std::uint32_t> out(n, any_place(random));
    range<std::int64_t> offsets(n, any_place(random));
    range<std::int32_t> lengths(n, any_place(random));
    total count(1);
    using function = thrust::transform_iterator<of_the_range, const std::uint32_t*>;
    const function first(in.data(), of_the_range{});
    of_the_range::strangers = 0;
    ASSERT_NO_FATAL_FAILURE(launch(entry::select_problem_of<true>(tile::run_test<cuda::std::equal_to<>>{},
                                                                  entry::these(first),
                                                                  entry::these(out.data()),
                                                                  count.data(),
                                                                  static_cast<std::int64_t>(n)),
                                   any_kernel(random)));
    EXPECT_EQ(of_the_range::strangers, 0) << "unique, n = " << n;
    ASSERT_NO_FATAL_FAILURE(launch(
      entry::runs_problem_of(
        first, offsets.data(), lengths.data(), count.data(), static_cast<std::int64_t>(n), cuda::std::equal_to<>{}),
      any_kernel(random)));
    EXPECT_EQ(of_the_range::strangers, 0) << "lengths of runs, n = " << n;
    EXPECT_EQ(offsets.differs_from(wanted_offsets), "") << "n = " << n;
  });
}

TEST(partitions, of_three_parts_one_from_the_end)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto input    = numbers<std::uint32_t>(n, random);
    const range<std::uint32_t> in(input, any_place(random));
    range<std::uint32_t> first(n, any_place(random));
    range<std::uint32_t> second(n, any_place(random));
    range<std::uint32_t> rest(n, any_place(random));
    total count(2);
    ASSERT_NO_FATAL_FAILURE(
      launch(entry::partition_problem_of<true>(tile::three_way_test<is_third, is_odd>{},
                                               entry::these(static_cast<const std::uint32_t*>(in.data())),
                                               count.data(),
                                               static_cast<std::int64_t>(n),
                                               entry::part_to(first.data()),
                                               entry::part_to(second.data()),
                                               entry::part_from_end_to(rest.data())),
             any_kernel(random)));
    std::vector<std::uint32_t> wanted[3];
    for (const std::uint32_t item : input)
    {
      wanted[is_third{}(item) ? 0 : is_odd{}(item) ? 1 : 2].push_back(item);
    }
    EXPECT_EQ(count.differs_from(counts({wanted[0].size(), wanted[1].size()})), "");
    EXPECT_EQ(first.differs_from(wanted[0]), "") << "n = " << n;
    EXPECT_EQ(second.differs_from(wanted[1]), "") << "n = " << n;
    for (std::size_t i = 0; i < wanted[2].size(); ++i)
    {
      ASSERT_EQ(rest.data()[n - 1 - i], wanted[2][i]) << "n = " << n << ", from the end " << i;
    }
  });
}

// An assignment of their own, which leaves a part as it was.
struct half_assigned
{
  int value;
  int untouched;

  half_assigned(int number, int other)
      : value(number)
      , untouched(other)
  {}
  half_assigned(const half_assigned&) = default;
  half_assigned& operator=(const half_assigned& other)
  {
    value = other.value;
    return *this;
  }
  int operator%(int divisor) const
  {
    return value % divisor;
  }
};

TEST(selections, keep_what_an_assignment_leaves)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    std::vector<half_assigned> in;
    std::vector<half_assigned> out(n, half_assigned(-1, 7));
    for (std::size_t i = 0; i < n; ++i)
    {
      in.emplace_back(static_cast<int>(i), 5);
    }
    total count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(entry::select_problem_of<true>(tile::if_test<is_odd>{},
                                            entry::these(static_cast<const half_assigned*>(in.data())),
                                            entry::these(out.data()),
                                            count.data(),
                                            static_cast<std::int64_t>(n)),
             any_kernel(random)));
    EXPECT_EQ(count.differs_from(counts({n / 2})), "");
    for (std::size_t i = 0; i < n; ++i)
    {
      ASSERT_EQ(out[i].value, i < n / 2 ? static_cast<int>(2 * i + 1) : -1) << "n = " << n;
      ASSERT_EQ(out[i].untouched, 7) << "n = " << n << ", result " << i;
    }
  });
}

struct add_values
{
  half_assigned operator()(const half_assigned& left, const half_assigned& right) const
  {
    return {left.value + right.value, 0};
  }
};

TEST(scans, keep_what_an_assignment_leaves)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const std::vector<half_assigned> in(n, half_assigned(1, 5));
    std::vector<half_assigned> out(n, half_assigned(-1, 7));
    using problem =
      dispatch::scan_problem<half_assigned, const half_assigned*, half_assigned*, add_values, no_init, true>;
    ASSERT_NO_FATAL_FAILURE(
      launch(problem{in.data(), out.data(), static_cast<std::int64_t>(n), {}, {}}, any_kernel(random)));
    for (std::size_t i = 0; i < n; ++i)
    {
      ASSERT_EQ(out[i].value, static_cast<int>(i + 1)) << "n = " << n;
      ASSERT_EQ(out[i].untouched, 7) << "n = " << n << ", result " << i;
    }
  });
}
