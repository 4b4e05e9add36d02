// Rule: faults are found in scans of rows.
#include "../rows.h"
#include "fault_case.h"

#include <lightscan/tile/segment_heads.h>

using namespace emulated;

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
    const auto expected = scan_of_rows<true>(input, length, no_init{}, compose{});
    EXPECT_EQ(out.differs_from(expected), "");
  });
}
