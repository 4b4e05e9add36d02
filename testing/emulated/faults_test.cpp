// Rule: faults that are planted in copies of the headers are found (CMakeLists.txt). One kernel of each sort, so that it is soon
// compiled: memory into memory on the same 16-byte grid and on another, gathered items, rows, a selection, lines along an axis.
#include "case.h"

#include <lightscan/axis.h>
#include <lightscan/dispatch/batched_launch.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/tile/segment_heads.h>

using namespace emulated;

namespace
{
using number = maps<std::uint32_t, 1>;

constexpr unsigned seeds = 30;

template <class It>
void check(It first, const std::vector<number>& input, place to, std::mt19937_64&)
{
  using problem = dispatch::scan_problem<number, It, number*, compose, no_init, true>;
  const range<number> out(input.size(), to);
  ASSERT_NO_FATAL_FAILURE(
    launch(problem{first, out.data(), static_cast<std::int64_t>(input.size()), {}, {}}, kernels::bulk_only));
  EXPECT_EQ(out.differs_from(scan_of<true>(input, no_init{}, compose{})), "");
}

std::size_t any_size(std::mt19937_64& random)
{
  const dispatch::bulk_shape shape = dispatch::shape_for<number>(__CUDA_ARCH__ / 10);
  return static_cast<std::size_t>(any_number(random, shape.tile_items, shape.stages));
}
} // namespace

TEST(faults, of_memory)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto input = values<number>(any_size(random), random);
    const place from = any_place(random);
    const range<number> in(input, from);
    check(static_cast<const number*>(in.data()), input, below(random, 3) > 0 ? from : any_place(random), random);
  });
}

TEST(faults, of_columns_on_different_grids)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto scale    = values<std::uint32_t>(n, random);
    const auto shift    = values<std::uint8_t>(n, random);
    const range<std::uint32_t> first(scale, any_place(random));
    const range<std::uint8_t> second(shift, any_place(random));
    std::vector<number> input(n);
    const auto made = [](const auto& of) {
      return number{cuda::std::get<0>(of), {cuda::std::get<1>(of)}};
    };
    for (std::size_t i = 0; i < n; ++i)
    {
      input[i] = made(cuda::std::make_tuple(scale[i], shift[i]));
    }
    check(thrust::make_transform_iterator(thrust::make_zip_iterator(static_cast<const std::uint32_t*>(first.data()),
                                                                    static_cast<const std::uint8_t*>(second.data())),
                                          made),
          input,
          any_place(random),
          random);
  });
}

TEST(faults, of_gathered_items)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto there    = values<number>(n, random);
    const range<number> in(there, any_place(random));
    std::vector<int> order(n);
    std::vector<number> input(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      order[i] = below(random, static_cast<int>(n));
      input[i] = there[static_cast<std::size_t>(order[i])];
    }
    const range<int> from(order, any_place(random));
    check(thrust::permutation_iterator<const number*, const int*>(in.data(), from.data()), input, {0, true}, random);
  });
}

TEST(faults, of_rows)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const int length    = 1 + below(random, 50);
    const auto input    = values<number>(n, random);
    const range<number> in(input, any_place(random));
    const range<number> out(n, any_place(random));
    using heads   = lightscan::tile::row_heads;
    using problem = dispatch::segmented_problem<number, heads, const number*, number*, compose, no_init, true>;
    const heads of_rows{lightscan::tile::row_list(length)};
    ASSERT_NO_FATAL_FAILURE(
      launch(problem{{of_rows, in.data()}, out.data(), static_cast<std::int64_t>(n), {}, {}, {}}, kernels::bulk_only));
    std::vector<number> expected(input);
    for (std::size_t i = 0; i < n; ++i)
    {
      expected[i] = i % static_cast<std::size_t>(length) == 0 ? input[i] : compose{}(expected[i - 1], input[i]);
    }
    EXPECT_EQ(out.differs_from(expected), "");
  });
}

TEST(faults, of_selections)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto n     = static_cast<std::size_t>(any_number(random, 4000, 6)); // its tiles have more items
    const auto input = values<std::uint32_t>(n, random);
    const auto asked = [](std::uint32_t item) {
      return item % 8 > 2;
    };
    const range<std::uint32_t> in(input, any_place(random));
    const range<std::uint32_t> out(n, any_place(random));
    const memory<std::int64_t> count(1);
    ASSERT_NO_FATAL_FAILURE(launch(
      lightscan::entry::select_problem_of<true>(lightscan::tile::if_test<decltype(asked)>{asked},
                                                lightscan::entry::these(static_cast<const std::uint32_t*>(in.data())),
                                                lightscan::entry::these(out.data()),
                                                count.data(),
                                                static_cast<std::int64_t>(n)),
      kernels::bulk_only));
    std::vector<std::uint32_t> wanted;
    std::copy_if(input.begin(), input.end(), std::back_inserter(wanted), asked);
    EXPECT_EQ(out.differs_from(wanted), "");
  });
}

// Of one line or a few, which are staged, or of so many that they are not.
TEST(faults, of_lines)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    using wide       = maps<std::uint64_t, 31>; // tiles of 64 of them: many windows
    using problem    = dispatch::batched_problem<wide, true, const wide*, wide*, compose, no_init>;
    using small      = dispatch::batched_problem<number, true, const number*, number*, compose, no_init>;
    const auto check = [&](auto of, auto value, const lightscan::axis& along) {
      using T          = decltype(value);
      using launcher   = dispatch::batched_launcher<decltype(of)>;
      const auto input = values<T>(static_cast<std::size_t>(along.length * along.inner), random);
      const range<T> in(input, {0, true});
      const range<T> out(input.size(), {0, true});
      const std::size_t bytes = launcher::bytes_for(along, device().multiprocessors);
      std::vector<std::uint64_t> slots(bytes / 8 + 1);
      of.input  = in.data();
      of.output = out.data();
      of.along  = along;
      try
      {
        ASSERT_TRUE(launcher(of, nullptr).run(slots.data(), bytes));
      }
      catch (const failure& failed)
      {
        FAIL() << failed.what();
      }
      std::vector<T> expected(input);
      for (auto i = static_cast<std::size_t>(along.inner); i < input.size(); ++i)
      {
        expected[i] = compose{}(expected[i - static_cast<std::size_t>(along.inner)], input[i]);
      }
      EXPECT_EQ(out.differs_from(expected), "");
    };
    check(problem{nullptr, nullptr, {1, 1, 1}, {}, {}},
          wide{},
          lightscan::axis(1, 4000 + below(random, 4000), 3 + below(random, 3)));
    check(small{nullptr, nullptr, {1, 1, 1}, {}, {}}, number{}, lightscan::axis(1, 2000 + below(random, 7000), 3));
  });
}
