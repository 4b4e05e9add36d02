// Rule: the plain kernel, and blocks that hold rows, convert between memory of other numbers and what is accumulated, wherever input and
// output lie on the grid of words: narrower or wider ones, on either side or both, in place, after an initial value.
#include "rows.h"

#include <thrust/iterator/reverse_iterator.h>

#include <algorithm>

using namespace emulated;

namespace
{
struct plus
{
  template <class T>
  T operator()(T left, T right) const
  {
    return static_cast<T>(left + right);
  }
};

template <class To, class From>
std::vector<To> converted(const std::vector<From>& numbers)
{
  std::vector<To> result;
  for (const From number : numbers)
  {
    result.push_back(static_cast<To>(number));
  }
  return result;
}

template <class V>
std::vector<V> numbers(std::size_t count, std::mt19937_64& random)
{
  std::vector<V> all(count);
  for (V& number : all)
  {
    number = static_cast<V>(random());
  }
  return all;
}

// f(in, out) puts sums of Ts there, in rows of `length`.
template <class T, class Out, class In, class F>
void check_in_memory(const std::vector<In>& input, int length, std::mt19937_64& random, F f)
{
  range<In> in(input, any_place(random));
  const auto expected = converted<Out>(scan_of_rows<true>(converted<T>(input), length, no_init{}, plus{}));
  if constexpr (std::is_same_v<In, Out>)
  {
    if (below(random, 3) == 0)
    {
      ASSERT_NO_FATAL_FAILURE(f(in.data(), in.data()));
      EXPECT_EQ(in.differs_from(expected), "");
      return;
    }
  }
  range<Out> out(input.size(), any_place(random));
  ASSERT_NO_FATAL_FAILURE(f(in.data(), out.data()));
  EXPECT_EQ(out.differs_from(expected), "");
  EXPECT_EQ(in.differs_from(input), "");
}

template <class In, class T, class Out>
void check_scan(std::mt19937_64& random)
{
  const auto n = static_cast<std::size_t>(any_number(random, 1024, 1));
  SCOPED_TRACE(std::to_string(n) + " items of " + std::to_string(sizeof(In)) + " bytes, summed in "
               + std::to_string(sizeof(T)) + ", stored in " + std::to_string(sizeof(Out)));
  check_in_memory<T, Out>(numbers<In>(n, random), static_cast<int>(n), random, [n](const In* in, Out* out) {
    using problem = dispatch::scan_problem<T, const In*, Out*, plus, no_init, true>;
    launch(problem{{in}, out, static_cast<std::int64_t>(n), {}, {}}, kernels::plain_only);
  });
}

template <class In, class T, class Out>
void check_rows(std::mt19937_64& random)
{
  const int length = 1 + below(random, 1200);
  const auto n     = static_cast<std::size_t>(length) * static_cast<std::size_t>(1 + below(random, 9));
  SCOPED_TRACE(std::to_string(n) + " items in rows of " + std::to_string(length));
  check_in_memory<T, Out>(numbers<In>(n, random), length, random, [n, length](const In* in, Out* out) {
    launch_whole_rows<true, T>(in, out, n, length, plus{}, no_init{});
  });
}

template <class In, class T, class Out>
void check(std::mt19937_64& random)
{
  using view = dispatch::words_read<lightscan::tile::scan_kind<T, true>, cuda::std::tuple<const In*>>;
  static_assert(std::is_same_v<In, T> || lightscan::plain::is_converted_source<typename view::source>);
  check_scan<In, T, Out>(random);
  check_rows<In, T, Out>(random);
}

// Through an iterator: the last sum first.
template <class In, class T>
void check_to_iterator(std::mt19937_64& random)
{
  const auto n = static_cast<std::size_t>(any_number(random, 1024, 1));
  SCOPED_TRACE(std::to_string(n) + " items");
  const std::vector<In> input = numbers<In>(n, random);
  const range<In> in(input, any_place(random));
  const range<T> out(n, any_place(random));
  std::vector<T> expected = scan_of<true>(converted<T>(input), no_init{}, plus{});
  std::reverse(expected.begin(), expected.end());
  using backwards = thrust::reverse_iterator<T*>;
  using problem   = dispatch::scan_problem<T, const In*, backwards, plus, no_init, true>;
  launch(problem{{in.data()}, backwards(out.data() + n), static_cast<std::int64_t>(n), {}, {}}, kernels::plain_only);
  EXPECT_EQ(out.differs_from(expected), "");
}

// After an initial value, exclusive.
template <class In, class T, class Out>
void check_exclusive(std::mt19937_64& random)
{
  const auto n                = static_cast<std::size_t>(any_number(random, 1024, 1));
  const T init                = static_cast<T>(5);
  const std::vector<In> input = numbers<In>(n, random);
  const auto expected         = converted<Out>(scan_of<false>(converted<T>(input), init, plus{}));
  const range<In> in(input, any_place(random));
  const range<Out> out(n, any_place(random));
  using problem = dispatch::scan_problem<T, const In*, Out*, plus, T, false>;
  launch(problem{{in.data()}, out.data(), static_cast<std::int64_t>(n), {}, init}, kernels::plain_only);
  EXPECT_EQ(out.differs_from(expected), "");
}

using u8  = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned seeds = 10;
} // namespace

TEST(conversions, of_narrower_numbers)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check<u8, u32, u32>(random);
    check<u16, u32, u32>(random);
    check<u32, u64, u64>(random);
    check<u8, u64, u64>(random);
  });
}

TEST(conversions, to_narrower_numbers)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check<u8, u32, u8>(random);
    check<u16, u32, u16>(random);
    check<u32, u32, u8>(random);
    check<u32, u64, u32>(random);
  });
}

TEST(conversions, of_and_to_wider_numbers)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check<u64, u32, u32>(random);
    check<u8, u8, u32>(random);
    check<u64, u32, u64>(random);
  });
}

TEST(conversions, to_an_iterator)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_to_iterator<u8, u32>(random);
    check_to_iterator<u32, u64>(random);
  });
}

// Sums of up to some million whole numbers of a byte are exact in any floating-point type.
TEST(conversions, after_an_initial_value)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_exclusive<u8, u32, u16>(random);
    check_exclusive<std::int8_t, std::int32_t, std::int64_t>(random);
    check_exclusive<u8, float, double>(random);
    check_exclusive<std::int8_t, double, float>(random);
  });
}
