// Rule: faults are found where runs are measured.
#include "fault_case.h"

#include <lightscan/entry/select_problem.h>

using namespace emulated;

TEST(faults, of_runs)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto n = static_cast<std::size_t>(any_number(random, 4000, 6));
    std::vector<std::uint16_t> input(n); // runs of one or two, now and then of more
    for (std::size_t i = 1; i < n; ++i)
    {
      input[i] = static_cast<std::uint16_t>(input[i - 1] + (below(random, 3) > 0 ? 1 : 0));
    }
    const range<std::uint16_t> in(input, any_place(random));
    const range<std::int32_t> offsets(n, any_place(random));
    const range<std::int32_t> lengths(n, any_place(random));
    const memory<std::int64_t> count(1);
    ASSERT_NO_FATAL_FAILURE(launch(lightscan::entry::runs_problem_of(static_cast<const std::uint16_t*>(in.data()),
                                                                     offsets.data(),
                                                                     lengths.data(),
                                                                     count.data(),
                                                                     static_cast<std::int64_t>(n),
                                                                     cuda::std::equal_to<>{}),
                                   kernels::bulk_only));
    std::vector<std::int32_t> wanted_offsets;
    std::vector<std::int32_t> wanted_lengths;
    for (std::size_t i = 0, end = 0; i < n; i = end)
    {
      for (end = i + 1; end < n && input[end] == input[i]; ++end)
      {}
      if (end - i > 1)
      {
        wanted_offsets.push_back(static_cast<std::int32_t>(i));
        wanted_lengths.push_back(static_cast<std::int32_t>(end - i));
      }
    }
    EXPECT_EQ(offsets.differs_from(wanted_offsets), "");
    EXPECT_EQ(lengths.differs_from(wanted_lengths), "");
  });
}
