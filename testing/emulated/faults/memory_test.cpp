// Rule: faults are found in scans of memory into memory, on the same 16-byte grid and on another.
#include "fault_case.h"

using namespace emulated;

TEST(faults, of_memory)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto input = values<number>(any_size(random), random);
    const place from = any_place(random);
    const range<number> in(input, from);
    check(static_cast<const number*>(in.data()), input, below(random, 3) > 0 ? from : any_place(random));
  });
}
