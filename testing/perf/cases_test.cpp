// Rules: what is named is measured, and nothing else; a name that no case has is refused.
#include "cases.h"

#include "sizes.h"

#include <gtest/gtest.h>

namespace
{
using perf::scan_case;

scan_case a_case(const char* group, const char* op, const char* type, std::int64_t count)
{
  scan_case c{};
  c.group = group;
  c.op    = op;
  c.type  = type;
  c.count = count;
  return c;
}

const std::vector<scan_case> all{a_case("sums", "inclusive_sum", "int32", 1024),
                                 a_case("sums", "exclusive_sum", "float", 4096),
                                 a_case("by_key", "inclusive_sum_by_key_run1", "float", 4096),
                                 a_case("select", "select_50", "uint32", 4096),
                                 a_case("paper", "inclusive_sum", "int32", 1024),
                                 a_case("tbb", "inclusive_sum_on_host", "int32", 1024)};

std::vector<std::string> chosen(const std::vector<std::string>& arguments)
{
  std::vector<std::string> found;
  for (const scan_case& c : perf::chosen(all, perf::parse_options(arguments)))
  {
    found.push_back(c.group + "/" + c.key());
  }
  return found;
}

TEST(cases, of_another_file_are_measured_only_where_named)
{
  EXPECT_EQ(chosen({}).size(), 3u);
  EXPECT_EQ(chosen({"--only=select"}), std::vector<std::string>{"select/select_50,uint32,4096"});
  EXPECT_EQ(chosen({"--only=paper"}), std::vector<std::string>{"paper/inclusive_sum,int32,1024"});
  EXPECT_EQ(chosen({"--only=tbb,paper"}).size(), 2u);
}

TEST(cases, are_those_named)
{
  EXPECT_EQ(chosen({"--types=float"}).size(), 2u);
  EXPECT_EQ(
    chosen({"--types=float", "--ops=exclusive_sum"}), std::vector<std::string>{"sums/exclusive_sum,float,4096"});
  EXPECT_EQ(chosen({"--max-n=1024"}), std::vector<std::string>{"sums/inclusive_sum,int32,1024"});
  EXPECT_EQ(chosen({"--min-n=1025"}).size(), 2u);
}

TEST(cases, that_do_not_exist_are_refused)
{
  EXPECT_THROW(chosen({"--only=some"}), perf::bad_arguments);
  EXPECT_THROW(chosen({"--types=int33"}), perf::bad_arguments);
  EXPECT_THROW(chosen({"--ops=inclusive"}), perf::bad_arguments);
  EXPECT_THROW(chosen({"--types=int32,int33"}), perf::bad_arguments) << "beside one that does";
  EXPECT_THROW(chosen({"--only=by_key", "--types=int32"}), perf::bad_arguments) << "nothing is left";
  EXPECT_THROW(chosen({"--min-n=5000"}), perf::bad_arguments);
}

TEST(cases, of_one_row_twice_are_refused)
{
  EXPECT_THROW(chosen({"--only=sums,paper"}), perf::bad_arguments) << "two cases would write the same rows";
}

TEST(sizes, hold_the_papers_and_the_issues)
{
  const std::vector<std::int64_t> of_one_byte = perf::sum_counts(1);
  const auto has                              = [](const std::vector<std::int64_t>& counts, std::int64_t count) {
    return std::count(counts.begin(), counts.end(), count) == 1;
  };
  EXPECT_TRUE(has(of_one_byte, std::int64_t{1} << 31)) << "2 GiB";
  EXPECT_TRUE(has(perf::sum_counts(8), std::int64_t{1} << 23)) << "64 MiB";
  EXPECT_TRUE(has(perf::sum_counts(4), std::int64_t{1} << 24)) << "64 MiB, which is in the table anyway, once";
  EXPECT_EQ(perf::sum_counts(4).size(), 13u);
  EXPECT_TRUE(std::is_sorted(of_one_byte.begin(), of_one_byte.end()));
  for (const std::size_t narrow : {1u, 2u})
  {
    const std::vector<std::int64_t> counts = perf::sum_counts(narrow);
    for (const std::int64_t mebibytes : {4, 8, 16})
    {
      EXPECT_EQ(std::count(counts.begin(), counts.end(), (mebibytes << 20) / static_cast<std::int64_t>(narrow)), 1);
    }
  }
}

TEST(sizes, of_a_sweep_end_with_what_fits)
{
  EXPECT_EQ(perf::sweep_counts(1).size(), 8u);
  EXPECT_EQ(perf::sweep_counts(1).front(), 256);
  EXPECT_EQ(perf::sweep_counts(8).back(), std::int64_t{1} << 28);
  EXPECT_EQ(perf::sweep_counts(16).back(), std::int64_t{1} << 27) << "2 GiB";
  EXPECT_EQ(perf::sweep_counts(12).back(), std::int64_t{1} << 27);
  EXPECT_EQ(perf::sweep_counts(128).back(), std::int64_t{1} << 24) << "which is there once";
  EXPECT_EQ(perf::sweep_counts(128).size(), 7u);
  EXPECT_EQ(perf::sweep_counts(256).back(), std::int64_t{1} << 23) << "less than another size";
}
} // namespace
