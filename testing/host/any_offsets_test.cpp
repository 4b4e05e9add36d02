// Rule: whatever offsets of segments say, host threads write in the output only; without assertions, which would stop the program.
#include <lightscan/host_segmented_scan.h>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#if defined(CCCL_ENABLE_ASSERTIONS) || defined(CCCL_ENABLE_HOST_ASSERTIONS)
#  error "this test is about what happens without assertions"
#endif

using lightscan::host;
using lightscan::HostSegmentedScan;

TEST(segments, at_offsets_that_do_not_ascend_stay_in_the_output)
{
  const std::vector<std::vector<int>> all{
    {0, -50, 100}, {0, 30000, 10, 60000}, {-7, 5, 40000}, {0, 90000, 40000}, {50000, 3, 20, 1000, 2, 40000}};
  for (const std::vector<int>& offsets : all)
  {
    const auto n = static_cast<std::size_t>(offsets.back());
    std::vector<int> in(n, 1), out(n + 200, -1);
    HostSegmentedScan::InclusiveSegmentedSum(
      host.threads(3), in.begin(), out.begin() + 100, offsets.begin(), static_cast<int>(offsets.size()) - 1);
    for (std::size_t i = 0; i < out.size(); ++i)
    {
      const bool is_result = i >= 100 && i < n + 100;
      ASSERT_EQ(out[i] > 0, is_result) << i; // each in some segment
    }
  }
}
