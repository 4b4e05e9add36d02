// Rule: faults are found in scans of rows that blocks hold as a whole.
#include "fault_case.h"

#include <lightscan/dispatch/rows_launch.h>

using namespace emulated;

TEST(faults, of_whole_rows)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const int length = 300 + below(random, 1500); // of several warps
    const auto n     = static_cast<std::size_t>(length) * static_cast<std::size_t>(1 + below(random, 5));
    const auto input = values<number>(n, random);
    const range<number> in(input, any_place(random));
    const range<number> out(n, any_place(random));
    using problem = dispatch::rows_problem<number, const number*, number*, compose, no_init, true>;
    const dispatch::whole_rows<problem> rows(
      problem{{{lightscan::tile::row_list(length)}, in.data()}, out.data(), static_cast<std::int64_t>(n), {}, {}, {}});
    ASSERT_TRUE(dispatch::launcher<dispatch::whole_rows<problem>>(rows, nullptr).run());
    std::vector<number> expected(input);
    for (std::size_t i = 0; i < n; ++i)
    {
      expected[i] = i % static_cast<std::size_t>(length) == 0 ? input[i] : compose{}(expected[i - 1], input[i]);
    }
    EXPECT_EQ(out.differs_from(expected), "");
  });
}
