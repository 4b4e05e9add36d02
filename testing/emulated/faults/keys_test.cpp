// Rule: faults are found in scans by key, whose runs have keys or whose neighbours are compared.
#include "fault_case.h"

#include <lightscan/dispatch/launched.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

using namespace emulated;

namespace
{
template <bool Compared>
void scan_by_key(std::mt19937_64& random)
{
  const std::size_t n = any_size(random);
  const int longest   = below(random, 2) == 0 ? 5 : 2000;
  std::vector<int> keys(n);
  for (std::size_t i = 1; i < n; ++i)
  {
    keys[i] = keys[i - 1] + (below(random, longest) == 0 ? 1 : 0);
  }
  const auto input = values<number>(n, random);
  const range<int> of(keys, any_place(random));
  const range<number> in(input, any_place(random));
  const range<number> out(n, any_place(random));
  using problem =
    dispatch::by_key_problem<int, number, const int*, const number*, number*, cuda::std::equal_to<>, compose, no_init>;
  const problem asked{{of.data(), in.data()}, out.data(), static_cast<std::int64_t>(n), {{}, {}}, {}, {}};
  if constexpr (Compared)
  {
    ASSERT_NO_FATAL_FAILURE(launch(dispatch::launched<problem>::segments_of(asked), kernels::bulk_only));
  }
  else
  {
    ASSERT_NO_FATAL_FAILURE(launch(asked, kernels::bulk_only));
  }
  std::vector<number> expected(input);
  for (std::size_t i = 1; i < n; ++i)
  {
    expected[i] = keys[i] != keys[i - 1] ? input[i] : compose{}(expected[i - 1], input[i]);
  }
  EXPECT_EQ(out.differs_from(expected), "");
}
} // namespace

TEST(faults, of_runs_with_keys)
{
  each_seed(seeds, scan_by_key<false>);
}

TEST(faults, of_neighbours_that_are_compared)
{
  each_seed(seeds, scan_by_key<true>);
}

// Values that the thread calculates which folds them, beside keys in memory.
TEST(faults, of_values_calculated_under_compared_keys)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const range<int> of(std::vector<int>(n), any_place(random));
    const range<number> out(n, any_place(random));
    const auto value = [](std::uint32_t at) {
      return number{at * 2654435761u | 1, {at}};
    };
    const auto from = thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{7}), value);
    using problem   = dispatch::by_key_problem<int,
                                             number,
                                             const int*,
                                             std::remove_const_t<decltype(from)>,
                                             number*,
                                             cuda::std::equal_to<>,
                                             compose,
                                             no_init>;
    const problem asked{{of.data(), from}, out.data(), static_cast<std::int64_t>(n), {{}, {}}, {}, {}};
    ASSERT_NO_FATAL_FAILURE(launch(dispatch::launched<problem>::segments_of(asked), kernels::bulk_only));
    std::vector<number> expected(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      expected[i] = value(static_cast<std::uint32_t>(i) + 7);
      expected[i] = i == 0 ? expected[i] : compose{}(expected[i - 1], expected[i]);
    }
    EXPECT_EQ(out.differs_from(expected), "");
  });
}
