// Rules: an argument that makes no sense is refused, never ignored.
#include "options.h"

#include "element_count.h"
#include "progress.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace
{
using perf::bad_arguments;
using perf::parse_options;
using perf::start;
using names = std::vector<std::string>;

class options : public ::testing::Test
{
protected:
  void SetUp() override
  {
    unsetenv("LIGHTSCAN_COMMIT");
  }
};

TEST_F(options, none_mean_everything)
{
  const perf::options o = parse_options({});
  EXPECT_TRUE(o.groups.empty() && o.types.empty() && o.ops.empty());
  EXPECT_EQ(o.min_count, 0);
  EXPECT_EQ(o.max_count, INT64_MAX);
  EXPECT_EQ(o.repetitions, 25);
  EXPECT_EQ(o.commit, "unknown");
  EXPECT_EQ(o.how, start::fresh);
  EXPECT_FALSE(o.list || o.help);
}

TEST_F(options, are_read)
{
  const perf::options o = parse_options({"--only=sums,by_key",
                                         "--types=int32",
                                         "--ops=inclusive_sum",
                                         "--min-n=2^10",
                                         "--max-n=4096",
                                         "--repetitions=20",
                                         "--list",
                                         "--out=a.csv",
                                         "--resume",
                                         "--commit=abc"});
  EXPECT_EQ(o.groups, (names{"sums", "by_key"}));
  EXPECT_EQ(o.types, names{"int32"});
  EXPECT_EQ(o.ops, names{"inclusive_sum"});
  EXPECT_EQ(o.min_count, 1024);
  EXPECT_EQ(o.max_count, 4096);
  EXPECT_EQ(o.repetitions, 20);
  EXPECT_TRUE(o.list);
  EXPECT_EQ(o.out, "a.csv");
  EXPECT_EQ(o.how, start::resume);
  EXPECT_EQ(o.commit, "abc");
}

TEST_F(options, that_make_no_sense_are_refused)
{
  for (const char* const bad : {"--nonsense",
                                "nonsense",
                                "",
                                "--out",
                                "--out=",
                                "--only=",
                                "--min-n=x",
                                "--min-n=-1",
                                "--max-n=2^64",
                                "--repetitions=19",
                                "--repetitions=1000001",
                                "--force=1",
                                "--list=1",
                                "--commit=a,b",
                                "--commit=a b"})
  {
    EXPECT_THROW(parse_options({bad}), bad_arguments) << bad;
  }
  EXPECT_THROW(parse_options({"--out=a", "--force", "--resume"}), bad_arguments);
  EXPECT_THROW(parse_options({"--resume"}), bad_arguments) << "resume what?";
}

TEST_F(options, of_other_programs_are_the_common_ones)
{
  const perf::run_options o = perf::parse_run_options({"--out=a.csv", "--force"});
  EXPECT_EQ(o.out, "a.csv");
  EXPECT_EQ(o.how, start::force);
  EXPECT_THROW(perf::parse_run_options({"--types=int32"}), bad_arguments);
}

TEST_F(options, of_a_sweep_are_read)
{
  const perf::sweep_options o =
    perf::parse_sweep_options({"--only=int32,256", "--only=by_key", "--max-seconds=60", "--csv=a.csv", "--list"});
  EXPECT_EQ(o.only, (names{"int32,256", "by_key"}));
  EXPECT_EQ(o.max_seconds, 60);
  EXPECT_EQ(o.out, "a.csv");
  EXPECT_TRUE(o.list);
  EXPECT_EQ(perf::parse_sweep_options({"--out=b.csv", "--force"}).out, "b.csv");
  EXPECT_EQ(perf::parse_sweep_options({}).max_seconds, 240);
  for (const char* const bad : {"--only", "--only=", "--max-seconds=x", "--max-seconds=", "--csv=", "--types=int32"})
  {
    EXPECT_THROW(perf::parse_sweep_options({bad}), bad_arguments) << bad;
  }
  EXPECT_THROW(perf::parse_sweep_options({"--csv=a.csv", "--resume"}), bad_arguments) << "it begins anew";
}

TEST_F(options, take_the_commit_from_the_environment)
{
  setenv("LIGHTSCAN_COMMIT", "fromenv", 1);
  EXPECT_EQ(parse_options({}).commit, "fromenv");
  EXPECT_EQ(parse_options({"--commit=named"}).commit, "named");
  setenv("LIGHTSCAN_COMMIT", "a,b", 1);
  EXPECT_THROW(parse_options({}), bad_arguments);
  unsetenv("LIGHTSCAN_COMMIT");
}

TEST(element_count, is_digits_or_a_power)
{
  EXPECT_EQ(perf::parse_count("1000"), 1000);
  EXPECT_EQ(perf::parse_count("2^28"), 268435456);
  EXPECT_EQ(perf::parse_count("9223372036854775807"), INT64_MAX);
  for (const char* const bad : {"", "-1", "+1", " 1", "1 ", "2^", "^2", "2^63", "9223372036854775808", "1e3", "0x10"})
  {
    EXPECT_FALSE(perf::parse_count(bad)) << bad;
  }
  EXPECT_EQ(perf::count_text(1024), "2^10");
  EXPECT_EQ(perf::count_text(1000), "1000");
}

TEST(progress, expects_the_rest_to_go_as_the_part_done)
{
  EXPECT_DOUBLE_EQ(perf::seconds_left(10, 1, 4), 30);
  EXPECT_DOUBLE_EQ(perf::seconds_left(10, 4, 4), 0);
  EXPECT_DOUBLE_EQ(perf::seconds_left(10, 0, 4), 0) << "nothing is known yet";
}
} // namespace
