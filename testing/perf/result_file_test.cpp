// Rules: what was measured is kept; a recorded run is not overwritten; a resumed run measures what is missing and no
// more, and does not mix two runs.
#include "result_file.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

namespace
{
using perf::case_rows;
using perf::start;
using testing_perf::exists;
using testing_perf::read;
using testing_perf::temporary_folder;
using testing_perf::write;

const std::string header = "impl,op,type,n,median_us,gpu,commit";
const std::vector<case_rows> cases{{"sum,int,10", {"a", "b"}}, {"sum,int,20", {"a", "b"}}};

std::string row(const std::string& impl, const std::string& key, const std::string& ending = "gpu,c1")
{
  return impl + "," + key + ",1.5," + ending;
}

const std::string first_case  = row("a", "sum,int,10") + "\n" + row("b", "sum,int,10") + "\n";
const std::string second_case = row("a", "sum,int,20") + "\n" + row("b", "sum,int,20") + "\n";

std::vector<std::string> kept(const std::string& text)
{
  return perf::complete_rows(text, header, "gpu", "c1", cases);
}

TEST(complete_rows, are_those_of_cases_with_every_implementation)
{
  const std::vector<std::string> first{row("a", "sum,int,10"), row("b", "sum,int,10")};
  EXPECT_EQ(kept(header + "\n" + first_case), first);
  EXPECT_EQ(kept(header + "\n" + first_case + row("a", "sum,int,20") + "\n"), first);
  EXPECT_EQ(kept(header + "\n" + first_case + second_case).size(), 4u);
}

TEST(complete_rows, end_where_the_interruption_cut_a_line)
{
  const std::string whole = header + "\n" + first_case + second_case;
  EXPECT_EQ(kept(whole.substr(0, whole.size() - 1)).size(), 2u) << "the last line lacks only its end";
  EXPECT_EQ(kept(whole.substr(0, whole.size() - 4)).size(), 2u);
  EXPECT_EQ(kept(header).size(), 0u);
  EXPECT_EQ(kept("").size(), 0u);
}

TEST(complete_rows, of_cases_not_asked_for_are_dropped)
{
  EXPECT_EQ(kept(header + "\n" + row("a", "max,int,10") + "\n" + row("b", "max,int,10") + "\n").size(), 0u);
}

TEST(complete_rows, of_another_run_are_refused)
{
  EXPECT_THROW(kept(header + "\n" + row("a", "sum,int,10", "gpu,c2") + "\n"), perf::refused);
  EXPECT_THROW(kept(header + "\n" + row("a", "sum,int,10", "another,c1") + "\n"), perf::refused);
  EXPECT_THROW(kept("impl,other\n"), perf::refused);
  EXPECT_THROW(kept(header + "\na,sum,int\n"), perf::refused);
}

TEST(result_file, gets_its_name_once_all_is_well)
{
  const temporary_folder folder;
  const std::string path = folder.file("gpu.csv");
  {
    perf::result_file file(path, header, "gpu", "c1", start::fresh, cases);
    file.append(first_case);
    EXPECT_EQ(read(path + ".unfinished"), header + "\n" + first_case) << "what was measured is on disk at once";
    EXPECT_FALSE(exists(path));
    file.append(second_case);
    file.keep();
  }
  EXPECT_EQ(read(path), header + "\n" + first_case + second_case);
  EXPECT_FALSE(exists(path + ".unfinished"));
}

TEST(result_file, refuses_to_overwrite_a_recorded_run)
{
  const temporary_folder folder;
  const std::string path = folder.file("gpu.csv");
  write(path, "precious\n");
  EXPECT_THROW(perf::result_file(path, header, "gpu", "c1", start::fresh, cases), perf::refused);
  EXPECT_THROW(perf::result_file(path, header, "gpu", "c1", start::resume, cases), perf::refused);
  EXPECT_EQ(read(path), "precious\n");

  perf::result_file forced(path, header, "gpu", "c1", start::force, cases);
  EXPECT_EQ(read(path), "precious\n") << "not before the new run is complete";
  forced.keep();
  EXPECT_EQ(read(path), header + "\n");
}

TEST(result_file, refuses_to_lose_an_interrupted_run)
{
  const temporary_folder folder;
  const std::string path = folder.file("gpu.csv");
  write(path + ".unfinished", header + "\n" + first_case);
  EXPECT_THROW(perf::result_file(path, header, "gpu", "c1", start::fresh, cases), perf::refused);
  EXPECT_EQ(read(path + ".unfinished"), header + "\n" + first_case);
}

TEST(result_file, that_is_resumed_keeps_what_was_measured)
{
  const temporary_folder folder;
  const std::string path = folder.file("gpu.csv");
  write(path + ".unfinished", header + "\n" + first_case + row("a", "sum,int,20") + "\nb,sum,in");
  perf::result_file file(path, header, "gpu", "c1", start::resume, cases);
  EXPECT_TRUE(file.has("sum,int,10"));
  EXPECT_FALSE(file.has("sum,int,20"));
  file.append(second_case);
  file.keep();
  EXPECT_EQ(read(path), header + "\n" + first_case + second_case);
}

TEST(result_file, that_is_resumed_may_be_new)
{
  const temporary_folder folder;
  perf::result_file file(folder.file("gpu.csv"), header, "gpu", "c1", start::resume, cases);
  EXPECT_FALSE(file.has("sum,int,10"));
}

TEST(result_file, of_another_commit_is_left_as_it_is)
{
  const temporary_folder folder;
  const std::string path = folder.file("gpu.csv");
  write(path + ".unfinished", header + "\n" + first_case);
  EXPECT_THROW(perf::result_file(path, header, "gpu", "c2", start::resume, cases), perf::refused);
  EXPECT_EQ(read(path + ".unfinished"), header + "\n" + first_case);
}

TEST(result_file, that_cannot_be_written_says_so)
{
  const temporary_folder folder;
  EXPECT_THROW(
    perf::result_file(folder.file("no/such/folder.csv"), header, "gpu", "c1", start::fresh, cases), std::runtime_error);
}
} // namespace
