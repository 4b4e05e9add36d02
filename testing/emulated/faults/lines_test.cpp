// Rule: faults are found in scans along an axis: one line or a few, which are staged; long ones, through the pipeline; many, which blocks
// take as a whole; so many that threads do.
#include "lines.h"

using namespace emulated;
using lightscan::axis;

TEST(faults, of_lines)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    using wide = maps<std::uint64_t, 31>; // tiles of 64 of them: many windows
    check_lines<wide>(axis(1, 4000 + below(random, 4000), 3 + below(random, 3)), random);
    check_lines<number>(axis(1, 2000 + below(random, 7000), 3), random);
    check_lines<number>(axis(2, 60000 + below(random, 9000), 3), random); // the pipeline's: some fifty tiles
    check_lines<number>(axis(8 + below(random, 3), 2800 + below(random, 500), 3), random);
    check_lines<number>(axis(2, 9 + below(random, 50), 800), random);
  });
}
