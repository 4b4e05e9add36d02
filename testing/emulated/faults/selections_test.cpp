// Rule: faults are found in selections.
#include "fault_case.h"

#include <lightscan/entry/select_problem.h>

using namespace emulated;

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
