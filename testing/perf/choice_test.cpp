// Rules: the rows that lightscan_tune prints follow from the times that it measured.
#include "tune/choice.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace
{
namespace tune = perf::tune;
using sizes    = std::vector<std::int64_t>;
using times    = std::vector<double>;

TEST(fastest, is_the_first_of_the_least)
{
  EXPECT_EQ(tune::fastest({3, 1, 2, 1}), 1u);
  EXPECT_EQ(tune::fastest({}), 0u);
}

TEST(bulk_from, is_where_bulk_begins_to_win_for_good)
{
  const sizes s{1, 2, 4, 8};
  EXPECT_EQ(tune::bulk_from(s, times{9, 9, 1, 1}, times{5, 5, 5, 5}), 4);
  EXPECT_EQ(tune::bulk_from(s, times{1, 9, 1, 1}, times{5, 5, 5, 5}), 4) << "one early win is not for good";
  EXPECT_EQ(tune::bulk_from(s, times{5, 5, 5, 5}, times{5, 5, 5, 5}), 1) << "as fast is good enough";
  EXPECT_EQ(tune::bulk_from(s, times{1, 1, 1, 9}, times{5, 5, 5, 5}), tune::none_faster);
  EXPECT_EQ(tune::bulk_from({}, {}, {}), tune::none_faster);
}

std::string text_of(const std::vector<tune::plain_step>& steps)
{
  std::string text;
  for (const tune::plain_step& step : steps)
  {
    text += (step.max_bytes == INT64_MAX ? "rest" : std::to_string(step.max_bytes)) + ":"
          + std::to_string(step.tile_stripes) + " ";
  }
  return text;
}

TEST(plain_steps, change_where_a_longer_tile_wins)
{
  const sizes s{10, 20, 30, 40};
  const std::vector<int> tiles{16, 48, 80};
  EXPECT_EQ(text_of(tune::plain_steps(s, tiles, {{1, 1, 2, 3}, {2, 2, 1, 2}, {3, 3, 2, 1}})), "20:16 30:48 rest:80 ");
  EXPECT_EQ(text_of(tune::plain_steps(s, tiles, {{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}})), "rest:16 ");
  EXPECT_EQ(text_of(tune::plain_steps(s, tiles, {{3, 3, 3, 3}, {2, 2, 2, 2}, {1, 1, 1, 1}})), "rest:80 ");
  EXPECT_EQ(text_of(tune::plain_steps(s, tiles, {{1, 1, 3, 3}, {9, 9, 9, 9}, {3, 3, 1, 1}})), "20:16 rest:80 ");
}

TEST(plain_steps, never_shrink)
{
  // 16 is a little faster for the last size, and 80 much faster before: 80 stays.
  EXPECT_EQ(text_of(tune::plain_steps({10, 20, 30}, {16, 80}, {{1, 5, 1}, {2, 1, 1.1}})), "10:16 rest:80 ");
}

TEST(plain_steps, count_a_small_inputs_percent_as_a_large_ones)
{
  // Twice the time for the first size against a tenth more, ten units in all, for the second.
  EXPECT_EQ(text_of(tune::plain_steps({10, 20}, {16, 80}, {{2, 100}, {1, 110}})), "rest:80 ");
}

TEST(plain_steps, need_times)
{
  EXPECT_THROW(tune::plain_steps({}, {16}, {{}}), std::invalid_argument);
  EXPECT_THROW(tune::plain_steps({10}, {16, 48}, {{1}}), std::invalid_argument);
}

TEST(text, of_rows_and_of_the_bar)
{
  EXPECT_EQ(tune::bytes_text(8 << 20), "8 << 20");
  EXPECT_EQ(tune::bytes_text(512 << 10), "512 << 10");
  EXPECT_EQ(tune::bytes_text(1536 << 10), "1536 << 10");
  EXPECT_EQ(tune::bytes_text(1000), "1000");
  EXPECT_EQ(tune::bar(0, 9.9), "[..............................] 0%, about 9 s left");
  EXPECT_EQ(tune::bar(0.5, 3), "[###############...............] 50%, about 3 s left");
  EXPECT_EQ(tune::bar(1, 0), "[##############################] 100%, about 0 s left");
}
} // namespace
