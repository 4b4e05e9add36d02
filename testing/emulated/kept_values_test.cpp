// Rule: the pipeline calls a function over memory once for each item that it scans or reduces, where what it returns finds room in the
// stage (bulk/kept_input.h), on every architecture, whatever runs when.
#include "emissions.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <type_traits>

using namespace emulated;
namespace entry = lightscan::entry;

namespace
{
using narrow = maps<std::uint16_t, 1>;
using wide   = maps<std::uint32_t, 1>;

// How often a function was called with each number. (A function that holds an address is evaluated: dispatch/leaves.h.)
std::unique_ptr<std::atomic<unsigned>[]> calls;

template <class Map>
struct counting_map
{
  Map operator()(std::uint32_t i) const
  {
    ++calls[i];
    using part = decltype(Map::scale);
    Map made;
    made.scale = static_cast<part>(i * 2654435761u | 1);
    for (part& shift : made.shift)
    {
      shift = static_cast<part>(i ^ i >> 3);
    }
    return made;
  }
  // The last one's alone.
  template <class... Others>
  Map operator()(const cuda::std::tuple<Others...>& of) const
  {
    return (*this)(static_cast<std::uint32_t>(cuda::std::get<sizeof...(Others) - 1>(of)));
  }
};

std::vector<std::uint32_t> numbers(std::size_t n)
{
  std::vector<std::uint32_t> all(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    all[i] = static_cast<std::uint32_t>(i);
  }
  return all;
}

template <class Map>
std::vector<Map> maps_of(std::size_t n)
{
  calls = std::make_unique<std::atomic<unsigned>[]>(n);
  std::vector<Map> all;
  for (const std::uint32_t i : numbers(n))
  {
    all.push_back(counting_map<Map>{}(i));
    calls[i] = 0;
  }
  return all;
}

void expect_calls(std::size_t n, unsigned of_each)
{
  for (std::size_t i = 0; i < n; ++i)
  {
    ASSERT_EQ(calls[i], of_each) << "item " << i << " of " << n;
  }
}

// Of maps that are made of numbers in their order or, `Reversed`, against it; results lie as `to` says.
template <class Map, bool Reversed = false, class From, class To>
void check_to(std::size_t n, std::mt19937_64& random, unsigned calls_of_each, From from, To to, const range<Map>& out)
{
  auto input = maps_of<Map>(n);
  if (Reversed)
  {
    std::reverse(input.begin(), input.end());
  }
  const Map init   = any_value<Map>::from(random);
  const auto first = thrust::make_transform_iterator(from, counting_map<Map>{});
  using It         = std::remove_const_t<decltype(first)>;
  using problem    = dispatch::scan_problem<Map, It, To, compose, Map, false>;
  ASSERT_NO_FATAL_FAILURE(launch(problem{first, to, static_cast<std::int64_t>(n), {}, init}, kernels::bulk_only));
  auto wanted = scan_of<false>(input, init, compose{});
  if (std::is_same_v<To, thrust::reverse_iterator<Map*>>)
  {
    std::reverse(wanted.begin(), wanted.end());
  }
  EXPECT_EQ(out.differs_from(wanted), "");
  expect_calls(n, calls_of_each);
}

template <class Map, bool Reversed = false, class From>
void check(std::size_t n, std::mt19937_64& random, unsigned calls_of_each, From from)
{
  const range<Map> out(n, any_place(random));
  check_to<Map, Reversed>(n, random, calls_of_each, from, out.data(), out);
}

// The same, with results against the order of memory.
template <class Map, class From>
void check_turned(std::size_t n, std::mt19937_64& random, unsigned calls_of_each, From from)
{
  const range<Map> out(n, any_place(random));
  check_to<Map>(n, random, calls_of_each, from, thrust::reverse_iterator<Map*>(out.data() + n), out);
}

// Of values that are wider than what they are made of; elsewhere both passes call.
constexpr unsigned calls_of_wider = dispatch::keeps_beside ? 1 : 2;
} // namespace

TEST(kept_values, of_the_size_of_items)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint32_t> in(numbers(n), any_place(random));
    check<narrow>(n, random, 1, static_cast<const std::uint32_t*>(in.data()));
    EXPECT_EQ(in.differs_from(numbers(n)), "");
  });
}

TEST(kept_values, of_items_against_the_order_of_memory)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint32_t> in(numbers(n), any_place(random));
    check<narrow, true>(n, random, 1, thrust::reverse_iterator<const std::uint32_t*>(in.data() + n));
  });
}

TEST(kept_values, of_other_sizes)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const std::uint32_t* const first = in.data();
    check<maps<std::uint8_t, 2>>(n, random, calls_of_wider, first);
    check<wide>(n, random, calls_of_wider, first);
    check<wide, true>(n, random, calls_of_wider, thrust::reverse_iterator<const std::uint32_t*>(first + n));
    check<maps<std::uint32_t, 3>>(n, random, calls_of_wider, first);
    check<maps<std::uint32_t, 5>>(n, random, 2, first); // too wide
  });
}

TEST(kept_values, whose_results_lie_against_the_order_of_memory)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const std::uint32_t* const first = in.data();
    check_turned<narrow>(n, random, 1, first);
    check_turned<wide>(n, random, calls_of_wider, first);
    check_turned<maps<std::uint8_t, 2>>(n, random, calls_of_wider, first);
  });
}

TEST(kept_values, that_results_overwrite)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const auto input  = maps_of<narrow>(n);
    const narrow init = any_value<narrow>::from(random);
    const auto first  = thrust::make_transform_iterator(
      static_cast<const std::uint32_t*>(in.data()), counting_map<narrow>{});
    narrow* const over = reinterpret_cast<narrow*>(in.data());
    using It           = std::remove_const_t<decltype(first)>;
    using problem      = dispatch::scan_problem<narrow, It, narrow*, compose, narrow, false>;
    ASSERT_NO_FATAL_FAILURE(launch(problem{first, over, static_cast<std::int64_t>(n), {}, init}, kernels::bulk_only));
    std::vector<std::uint32_t> wanted(n);
    const auto results = scan_of<false>(input, init, compose{});
    std::memcpy(wanted.data(), results.data(), n * sizeof(narrow));
    EXPECT_EQ(in.differs_from(wanted), "");
    expect_calls(n, 1);
  });
}

TEST(kept_values, wider_than_results)
{
  struct scaled
  {
    std::uint32_t operator()(std::uint32_t i) const
    {
      ++calls[i];
      return i * 77u + 1;
    }
  };
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    calls               = std::make_unique<std::atomic<unsigned>[]>(n);
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const range<std::uint16_t> out(n, any_place(random));
    const auto first = thrust::make_transform_iterator(static_cast<const std::uint32_t*>(in.data()), scaled{});
    using It         = std::remove_const_t<decltype(first)>;
    using problem    = dispatch::scan_problem<std::uint32_t, It, std::uint16_t*, cuda::std::plus<>, no_init, true>;
    ASSERT_NO_FATAL_FAILURE(
      launch(problem{first, out.data(), static_cast<std::int64_t>(n), {}, {}}, kernels::bulk_only));
    std::vector<std::uint16_t> wanted;
    std::uint32_t sum = 0;
    for (const std::uint32_t i : numbers(n))
    {
      sum += i * 77u + 1;
      wanted.push_back(static_cast<std::uint16_t>(sum));
    }
    EXPECT_EQ(out.differs_from(wanted), "");
    expect_calls(n, 1);
  });
}

TEST(kept_values, of_two_columns)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint16_t> others(values<std::uint16_t>(n, random), any_place(random));
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const auto both = thrust::make_zip_iterator(
      static_cast<const std::uint16_t*>(others.data()), static_cast<const std::uint32_t*>(in.data()));
    check<narrow>(n, random, 1, both);
    check<wide>(n, random, calls_of_wider, both);
  });
}

TEST(kept_values, of_memory_beside_other_iterators)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint16_t> others(values<std::uint16_t>(n, random), any_place(random));
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const std::uint16_t* const memory = others.data();
    const auto counted = thrust::make_zip_iterator(memory, thrust::make_counting_iterator(std::uint32_t{0}));
    check<wide>(n, random, calls_of_wider, counted);
    check<narrow>(n,
                  random,
                  1,
                  thrust::make_zip_iterator(
                    static_cast<const std::uint32_t*>(in.data()), thrust::make_counting_iterator(std::uint32_t{0})));
    const thrust::permutation_iterator<const std::uint32_t*, const std::uint32_t*> gathered(in.data(), in.data());
    check<narrow>(n, random, 1, thrust::make_zip_iterator(memory, gathered));
    check<wide>(n, random, calls_of_wider, thrust::make_zip_iterator(memory, gathered));
  });
}

// There is no column of their results that they could lie under.
TEST(kept_values, whose_results_go_through_a_function)
{
  struct same
  {
    wide operator()(const wide& result) const
    {
      return result;
    }
  };
  each_seed(4, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const range<wide> out(n, any_place(random));
    check_to<wide>(n,
                   random,
                   2,
                   static_cast<const std::uint32_t*>(in.data()),
                   thrust::make_transform_output_iterator(out.data(), same{}),
                   out);
  });
}

// No row has so many columns; there is a pipeline all the same.
TEST(kept_values, of_as_many_columns_as_there_may_be)
{
  each_seed(4, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<std::uint8_t> a(values<std::uint8_t>(n, random), any_place(random));
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const std::uint8_t* const other = a.data();
    check<wide>(n,
                random,
                2,
                thrust::make_zip_iterator(
                  other, other, other, other, other, other, other, static_cast<const std::uint32_t*>(in.data())));
  });
}

TEST(kept_values, under_keys)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto keys     = runs<int>(n, random);
    const range<int> of(keys, any_place(random));
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const auto input  = maps_of<narrow>(n);
    const auto values = thrust::make_transform_iterator(
      static_cast<const std::uint32_t*>(in.data()), counting_map<narrow>{});
    std::vector<narrow> wanted(input);
    for (std::size_t i = 1; i < n; ++i)
    {
      wanted[i] = keys[i] == keys[i - 1] ? compose{}(wanted[i - 1], input[i]) : input[i];
    }
    const range<narrow> out(n, any_place(random));
    using value_it = std::remove_const_t<decltype(values)>;
    using problem =
      dispatch::by_key_problem<int, narrow, const int*, value_it, narrow*, cuda::std::equal_to<>, compose, no_init>;
    const problem asked{{of.data(), values}, out.data(), static_cast<std::int64_t>(n), {{}, {}}, {}, {no_init{}}};
    ASSERT_NO_FATAL_FAILURE(launch(asked, kernels::bulk_only));
    EXPECT_EQ(out.differs_from(wanted), "");
    expect_calls(n, 1);
  });
}

TEST(kept_values, that_are_reduced)
{
  each_seed(12, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto keys     = runs<int>(n, random);
    const range<int> of(keys, any_place(random));
    const range<std::uint32_t> in(numbers(n), any_place(random));
    const auto input = maps_of<narrow>(n);
    range<int> keys_out(n, any_place(random));
    range<narrow> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(entry::reduce_by_key_problem_of<narrow>(
               static_cast<const int*>(of.data()),
               thrust::make_transform_iterator(static_cast<const std::uint32_t*>(in.data()), counting_map<narrow>{}),
               keys_out.data(),
               out.data(),
               count.data(),
               static_cast<std::int64_t>(n),
               cuda::std::equal_to<>{},
               compose{}),
             kernels::bulk_only));
    const reduced_runs wanted(keys, input, compose{});
    EXPECT_EQ(count.differs_from(counts({wanted.keys.size()})), "");
    EXPECT_EQ(keys_out.differs_from(wanted.keys), "");
    EXPECT_EQ(out.differs_from(wanted.values), "");
    expect_calls(n, 1);
  });
}
