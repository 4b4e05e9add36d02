// Rule: faults are found in scans along an axis of wide layers, which go through the pipeline in bands: one or several for each block, of
// one width or not, forward and backward.
#include "lines.h"

using namespace emulated;

TEST(faults, of_wide_layers)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const int most = 8 * device().multiprocessors;
    lightscan::axis along(1 + below(random, 2), 1000 + below(random, 1000), 8 * (4 + below(random, most)));
    along.reverse = below(random, 2) == 0;
    check_lines<number>(along, random);
  });
}
