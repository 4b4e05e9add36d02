// Rule: faults are found in scans of gathered items.
#include "fault_case.h"

using namespace emulated;

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
    check(thrust::permutation_iterator<const number*, const int*>(in.data(), from.data()), input, {0, true});
  });
}
