// Rules: a row of a sweep that a peer wins is measured again, and reported by the median; time is shared out among rows.
#include "sweep/standing.h"

#include <gtest/gtest.h>

namespace
{
using perf::standing;

TEST(standing, is_beside_the_faster_peer)
{
  EXPECT_DOUBLE_EQ((standing{2, 3, 4}.ratio()), 1.5);
  EXPECT_DOUBLE_EQ((standing{2, 4, 1}.ratio()), 0.5);
}

TEST(standing, that_is_good_is_reported_as_it_is)
{
  const standing s = perf::reported({2, 2, 3}, [] {
    ADD_FAILURE() << "measured again";
    return standing{1, 1, 1};
  });
  EXPECT_DOUBLE_EQ(s.lightscan_us, 2);
}

TEST(standing, below_one_is_the_median_of_five_more)
{
  int runs            = 0;
  const double ours[] = {2.5, 1.5, 2, 4, 1};
  const auto measure  = [&] {
    return standing{ours[runs++], 2, 9};
  };
  const standing s = perf::reported({4, 2, 9}, measure);
  EXPECT_EQ(runs, 5);
  EXPECT_DOUBLE_EQ(s.lightscan_us, 2) << "what was measured first does not count";
}

TEST(standing, makes_a_row)
{
  EXPECT_EQ(perf::row_of("inclusive_scan,zip,memory,int32,256", {2, 3, 4.25}, "plain kernel"),
            "inclusive_scan,zip,memory,int32,256,2.000,3.000,4.250,1.5000,plain kernel");
}

TEST(rows, are_wanted_by_any_text)
{
  EXPECT_TRUE(perf::is_wanted("a,b,c", {}));
  EXPECT_TRUE(perf::is_wanted("a,b,c", {"x", "b,c"}));
  EXPECT_FALSE(perf::is_wanted("a,b,c", {"x", "a,c"}));
}

TEST(seconds_for_row, are_a_share_within_bounds)
{
  EXPECT_DOUBLE_EQ(perf::seconds_for_row(100, 1000), 0.03);
  EXPECT_DOUBLE_EQ(perf::seconds_for_row(100, 1), 0.06);
  EXPECT_DOUBLE_EQ(perf::seconds_for_row(0.1, 1000), 0.005);
}
} // namespace
