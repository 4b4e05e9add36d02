// Rules: what a selection keeps, and where the runs of keys lie, is known without looking at every element.
#include "select_data.h"

#include "random_keys.h"

#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

namespace
{
template <class T, int Percent>
std::int64_t kept(std::int64_t n)
{
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i)
  {
    count += perf::is_low<Percent>{}(perf::spread<T>::value(i, n)) ? 1 : 0;
  }
  return count;
}

TEST(spread, keeps_so_many_hundredths)
{
  for (const int exponent : {10, 16, 20})
  {
    const std::int64_t n = std::int64_t{1} << exponent;
    EXPECT_EQ((kept<std::uint32_t, 50>(n)), n / 2);
    EXPECT_EQ((kept<std::uint64_t, 50>(n)), n / 2);
    EXPECT_EQ((kept<perf::struct16, 50>(n)), n / 2);
    EXPECT_EQ((kept<perf::struct64, 50>(n)), n / 2);
    EXPECT_EQ((kept<std::uint8_t, 50>(n)), n / 2);
    EXPECT_EQ((kept<std::uint16_t, 50>(n)), n / 2);
    EXPECT_LE(std::abs(kept<std::uint32_t, 5>(n) - n * 5 / 100), 1);
    EXPECT_LE(std::abs(kept<std::uint32_t, 95>(n) - n * 95 / 100), 1);
  }
}

TEST(spread, keeps_elements_everywhere_and_in_no_regular_pattern)
{
  constexpr std::int64_t n = 1 << 20;
  std::int64_t changes     = 0;
  for (std::int64_t first = 0; first < n; first += 1024)
  {
    int here = 0;
    for (std::int64_t i = first; i < first + 1024; ++i)
    {
      const bool keeps = perf::is_low<50>{}(perf::spread<std::uint32_t>::value(i, n));
      const bool next  = perf::is_low<50>{}(perf::spread<std::uint32_t>::value((i + 1) % n, n));
      here += keeps ? 1 : 0;
      changes += keeps != next ? 1 : 0;
    }
    EXPECT_NEAR(here, 512, 128) << "from " << first << " on";
  }
  EXPECT_NEAR(static_cast<double>(changes) / n, 0.5, 0.02);
}

template <int Length>
void expect_runs(std::int64_t n)
{
  using runs       = perf::runs_of<Length>;
  std::int64_t run = -1;
  for (std::int64_t i = 0; i < n; ++i)
  {
    const auto key = perf::key_at<std::uint32_t, Length>(i);
    if (i == 0 || key != perf::key_at<std::uint32_t, Length>(i - 1))
    {
      ++run;
      ASSERT_EQ(runs::begin(run), i) << "runs of " << Length;
      ASSERT_EQ(runs::template key<std::uint32_t>(run), key) << "runs of " << Length;
    }
    const std::int64_t end = runs::end(run, n);
    ASSERT_LT(i, end) << "runs of " << Length;
    ASSERT_TRUE(i + 1 < end || i + 1 == n || key != (perf::key_at<std::uint32_t, Length>(i + 1)));
  }
  EXPECT_EQ(runs::number(n), run + 1) << "runs of " << Length << ", of " << n << " elements";
}

TEST(runs, are_where_their_keys_are)
{
  for (const std::int64_t n : {1, 2, 63, 64, 65, 1000, 1024})
  {
    expect_runs<1>(n);
    expect_runs<4>(n);
    expect_runs<64>(n);
  }
  expect_runs<1000000>(std::int64_t{1} << 22);
}
} // namespace
