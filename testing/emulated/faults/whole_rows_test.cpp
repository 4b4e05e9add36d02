// Rule: faults are found in scans of rows that blocks hold as a whole.
#include "../rows.h"
#include "fault_case.h"

using namespace emulated;

TEST(faults, of_whole_rows)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const int length = 300 + below(random, 1500); // of several warps
    const auto n     = static_cast<std::size_t>(length) * static_cast<std::size_t>(1 + below(random, 5));
    const auto input = values<number>(n, random);
    const range<number> in(input, any_place(random));
    const range<number> out(n, any_place(random));
    const number* const from = in.data();
    ASSERT_NO_FATAL_FAILURE((launch_whole_rows<true, number>(from, out.data(), n, length, compose{}, no_init{})));
    const auto expected = scan_of_rows<true>(input, length, no_init{}, compose{});
    EXPECT_EQ(out.differs_from(expected), "");
  });
}
