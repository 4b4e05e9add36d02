// Rules of perf/record, with programs in place of the real ones that write down how they were called: each part is measured by the
// program it is meant for; one of a newer CCCL right after its counterpart, with the same options; nothing is measured where a
// recording would be lost; a resumed run leaves alone what is complete.
#include "temporary_folder.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace
{
using testing_perf::exists;
using testing_perf::read;
using testing_perf::temporary_folder;
using testing_perf::write;

class record : public ::testing::Test
{
protected:
  record()
  {
    std::filesystem::create_directories(folder_.file("results"));
    for (const char* const build : {"toolkit's", "newest"})
    {
      for (const char* const program : {"lightscan_perf", "lightscan_calls", "lightscan_sweep"})
      {
        std::filesystem::create_directories(folder_.file(build));
        const std::string path = folder_.file(build) + "/" + program;
        write(path,
              "#!/bin/sh\n"
              "case \" $* \" in *' --list '*) exit 0 ;; esac\n"
              "cd '"
                + folder_.file(".")
                + "' || exit 1\n"
                  "for a; do case \"$a\" in --out=*) echo > \"${a#--out=}\" ;; esac; done\n"
                  "echo \""
                + build + " " + program + " $*\" >> calls\n");
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
      }
    }
  }

  // The exit code of `record <options> toolkit's results gpu`.
  int run(const std::string& options)
  {
    const std::string command = "cd '" + folder_.file(".") + "' && '" PERF_FOLDER "/record' --commit=c " + options
                              + " \"toolkit's\" results gpu 2> said";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // What was called since the last time, a line each.
  std::vector<std::string> calls()
  {
    std::istringstream text(read(folder_.file("calls")));
    std::filesystem::remove(folder_.file("calls"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
    {
      lines.push_back(line);
    }
    return lines;
  }

  std::string result(const std::string& name) const
  {
    return folder_.file("results/" + name);
  }

private:
  temporary_folder folder_;
};

using lines = std::vector<std::string>;

TEST_F(record, measures_by_the_programs_named)
{
  EXPECT_EQ(run("--sweep"), 0);
  EXPECT_EQ(calls(),
            (lines{"toolkit's lightscan_calls --out=results/gpu_calls.csv --commit=c",
                   "toolkit's lightscan_perf --out=results/gpu.csv --commit=c",
                   "toolkit's lightscan_perf --only=select --out=results/gpu_select.csv --commit=c",
                   "toolkit's lightscan_perf --only=segments --out=results/gpu_segments.csv --commit=c",
                   "toolkit's lightscan_perf --only=paper,tbb --out=results/gpu_paper.csv --commit=c",
                   "toolkit's lightscan_sweep --out=results/gpu_sweep.csv --commit=c"}));
}

TEST_F(record, measures_the_newest_peers_beside_the_others)
{
  EXPECT_EQ(run("--sweep --newest=newest"), 0);
  EXPECT_EQ(calls(),
            (lines{"toolkit's lightscan_calls --out=results/gpu_calls.csv --commit=c",
                   "newest lightscan_calls --out=results/gpu_newest_calls.csv --commit=c",
                   "toolkit's lightscan_perf --out=results/gpu.csv --commit=c",
                   "newest lightscan_perf --out=results/gpu_newest.csv --commit=c",
                   "toolkit's lightscan_perf --only=select --out=results/gpu_select.csv --commit=c",
                   "newest lightscan_perf --only=select --out=results/gpu_newest_select.csv --commit=c",
                   "toolkit's lightscan_perf --only=segments --out=results/gpu_segments.csv --commit=c",
                   "newest lightscan_perf --only=segments --out=results/gpu_newest_segments.csv --commit=c",
                   "toolkit's lightscan_perf --only=paper,tbb --out=results/gpu_paper.csv --commit=c",
                   "toolkit's lightscan_sweep --out=results/gpu_sweep.csv --commit=c",
                   "newest lightscan_sweep --out=results/gpu_newest_sweep.csv --commit=c"}));
}

TEST_F(record, loses_no_recording)
{
  write(result("gpu_newest_segments.csv.unfinished"), "precious\n");
  EXPECT_EQ(run("--newest=newest"), 2);
  EXPECT_EQ(calls(), lines{}) << "not even what comes before it";
  EXPECT_EQ(run(""), 0) << "which has nothing to do with it";
  (void) calls();
  EXPECT_EQ(run(""), 2);
  EXPECT_EQ(calls(), lines{});
  EXPECT_EQ(run("--force --newest=newest"), 0);
  const lines forced = calls();
  EXPECT_EQ(forced.size(), 9u);
  EXPECT_EQ(forced.back(), "toolkit's lightscan_perf --only=paper,tbb --out=results/gpu_paper.csv --commit=c --force");
}

TEST_F(record, that_is_resumed_measures_what_is_missing)
{
  EXPECT_EQ(run("--sweep --newest=newest"), 0);
  (void) calls();
  std::filesystem::rename(result("gpu_newest.csv"), result("gpu_newest.csv.unfinished"));
  std::filesystem::rename(result("gpu_newest_sweep.csv"), result("gpu_newest_sweep.csv.unfinished"));
  EXPECT_EQ(run("--resume --sweep --newest=newest"), 0);
  EXPECT_EQ(calls(),
            (lines{"newest lightscan_perf --out=results/gpu_newest.csv --commit=c --resume",
                   "newest lightscan_sweep --out=results/gpu_newest_sweep.csv --commit=c --force"}));
}

TEST_F(record, refuses_arguments_that_make_no_sense)
{
  for (const char* const bad : {"--newest", "--newest=", "--newest=results", "--force --resume", "--nonsense", "more"})
  {
    EXPECT_EQ(run(bad), 2) << bad;
    EXPECT_EQ(calls(), lines{}) << bad;
  }
}
} // namespace
