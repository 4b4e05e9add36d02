// Rules: the arithmetic of the paper's tables, checked against numbers worked out by hand; what was not measured is left
// out, not made up.
#include "paper/tables.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace
{
namespace paper = perf::paper;

const std::string rows = "impl,op,type,n,median_us,gb_per_s,of_memcpy,vs_cub,vs_thrust,gpu,commit\n"
                         "lightscan,inclusive_sum,int32,33554432,100.000,1,1,1,1,gpu,c\n"
                         "lightscan,inclusive_sum,int32,67108864,100.000,1,1,1,1,gpu,c\n"
                         "lightscan,exclusive_sum,int32,67108864,1.000,1,1,1,1,gpu,c\n"
                         "lightscan,inclusive_sum,double,33554432,400.000,1,1,1,1,gpu,c\n"
                         "cub,inclusive_sum,int32,33554432,200.000,1,1,1,1,gpu,c\n"
                         "cub,inclusive_sum,int32,67108864,400.000,1,1,1,1,gpu,c\n"
                         "published,inclusive_sum,int32,33554432,1000.000,1,1,1,1,gpu,c\n"
                         "published_atomics,inclusive_sum,int32,33554432,2000.000,1,1,1,1,gpu,c\n"
                         "tbb,inclusive_sum_on_host,int32,33554432,10000.000,1,,,,gpu,c\n";

TEST(rates, are_billions_of_elements_a_second)
{
  const paper::measured m = paper::read_measured(rows);
  EXPECT_DOUBLE_EQ(m.at("lightscan").at("int32").at(33554432), 335.54432);
  EXPECT_DOUBLE_EQ(m.at("lightscan").at("int32").at(67108864), 671.08864) << "not the exclusive sum's";
  EXPECT_DOUBLE_EQ(m.at("tbb").at("int32").at(33554432), 3.3554432);
  EXPECT_EQ(m.count("thrust"), 0u);
}

TEST(rates, have_an_average_and_a_maximum)
{
  EXPECT_DOUBLE_EQ(paper::average({{1, 2.0}, {2, 4.0}, {3, 9.0}}), 5.0);
  EXPECT_DOUBLE_EQ(paper::maximum({{1, 2.0}, {2, 9.0}, {3, 4.0}}), 9.0);
  EXPECT_DOUBLE_EQ(paper::average({}), 0.0);
}

TEST(speed_ups, are_taken_size_by_size_where_both_were_measured)
{
  const paper::rates ours{{1, 10.0}, {2, 12.0}, {3, 5.0}};
  const paper::rates theirs{{1, 5.0}, {2, 3.0}, {4, 1.0}};
  EXPECT_EQ(paper::speed_up(ours, theirs), (paper::rates{{1, 2.0}, {2, 4.0}}));
}

TEST(tables, hold_what_was_measured)
{
  const std::vector<paper::table> tables = paper::tables_of(paper::read_measured(rows));
  using cells                            = std::vector<std::string>;
  ASSERT_EQ(tables.size(), 5u);
  EXPECT_EQ(tables[0].header, (cells{"N", "Int32", "Int64", "Float", "Double"}));
  EXPECT_EQ(tables[0].rows, (std::vector<cells>{{"32M", "335.5", "", "", "83.9"}, {"64M", "671.1", "", "", ""}}));
  EXPECT_EQ(tables[1].rows,
            (std::vector<cells>{{"LightScan", "503.3 / 671.1", "", "", "83.9 / 83.9"},
                                {"CUB", "167.8 / 167.8", "", "", ""},
                                {"LightScan as published", "33.6 / 33.6", "", "", ""},
                                {"oneTBB on the host", "3.4 / 3.4", "", "", ""}}));
  EXPECT_EQ(tables[2].rows,
            (std::vector<cells>{{"CUB", "3.00 / 4.00", "", "", ""},
                                {"LightScan as published", "10.00 / 10.00", "", "", ""},
                                {"oneTBB on the host", "100.00 / 100.00", "", "", ""}}));
  EXPECT_EQ(
    tables[3].rows,
    (std::vector<cells>{{"as published: ld.cg / st.cg against atomic operations", "2.000 / 2.000", "", "", ""}}));
  // 33,554,432 elements are 744.7 data blocks of 45,056.
  EXPECT_EQ(
    tables[4].rows, (std::vector<cells>{{"published", "1343", "", "", ""}, {"published_atomics", "2686", "", "", ""}}));
}

TEST(tables, take_the_time_of_a_data_block_from_the_largest_input)
{
  const std::vector<paper::table> tables =
    paper::tables_of(paper::read_measured("impl,op,type,n,median_us,x\n"
                                          "published,inclusive_sum,double,2048000,1000,x\n"
                                          "published,inclusive_sum,double,4096000,200,x\n"));
  ASSERT_EQ(tables.size(), 5u);
  EXPECT_EQ(tables[4].rows,
            (std::vector<std::vector<std::string>>{{"published", "", "", "", "1000"}})); // 200 data blocks of 20,480
}

TEST(tables, are_written_as_markdown_and_as_csv)
{
  const std::vector<paper::table> tables{{"title, with a comma", {"N", "Int32"}, {{"32M", "1.5"}}}};
  EXPECT_EQ(paper::markdown(tables), "**title, with a comma**\n\n| N | Int32 |\n| --- | --- |\n| 32M | 1.5 |\n\n");
  EXPECT_EQ(paper::csv(tables), "table,row,column,value\n\"title, with a comma\",\"32M\",Int32,1.5\n");
}

TEST(tables, take_their_place_in_a_document)
{
  const std::string begin = std::string(paper::begin_line) + "\n";
  const std::string end   = std::string(paper::end_line) + "\n";
  EXPECT_EQ(paper::with_tables("before\n" + begin + "old\n" + end + "after\n", "new\n"),
            "before\n" + begin + "new\n" + end + "after\n");
  EXPECT_THROW(paper::with_tables("no place\n", "new\n"), std::runtime_error);
  EXPECT_THROW(paper::with_tables(end + begin, "new\n"), std::runtime_error);
}

TEST(tables, come_from_result_files_only)
{
  EXPECT_THROW(paper::read_measured(""), std::runtime_error);
  EXPECT_THROW(paper::read_measured("impl,call,type,n\n"), std::runtime_error);
  EXPECT_THROW(paper::read_measured("impl,op,type,n,median_us,x\nlightscan,inclusive_sum\n"), std::runtime_error);
}
} // namespace
