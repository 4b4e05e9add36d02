// Rules: the sidecar is JSON whatever is in its values, lies beside the results, and keeps what earlier sessions of a
// resumed run wrote.
#include "provenance.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

namespace
{
using perf::facts;
using perf::start;
using testing_perf::exists;
using testing_perf::read;
using testing_perf::temporary_folder;

TEST(json, has_numbers_bare_and_text_quoted)
{
  EXPECT_EQ(perf::to_json({}), "{}");
  EXPECT_EQ(
    perf::to_json({{"gpu", "NVIDIA H200"}, {"clock", "1980", true}}), R"({"gpu": "NVIDIA H200", "clock": 1980})");
  EXPECT_EQ(perf::to_json({{"odd", "a\"b\\c\nd"}}), R"({"odd": "a\"b\\c d"})");
}

TEST(sidecar, lies_beside_the_results)
{
  EXPECT_EQ(perf::sidecar_of("results/h200.csv"), "results/h200.json");
  EXPECT_EQ(perf::sidecar_of("results/h200"), "results/h200.json");
}

TEST(sidecar, is_unfinished_until_the_results_are_kept)
{
  const temporary_folder folder;
  perf::sidecar beside(folder.file("gpu.csv"), start::fresh, facts{{"session", "1", true}});
  EXPECT_EQ(read(folder.file("gpu.json.unfinished")), "[\n{\"session\": 1}\n]\n");
  EXPECT_FALSE(exists(folder.file("gpu.json")));
  beside.keep();
  EXPECT_TRUE(exists(folder.file("gpu.json")));
  EXPECT_FALSE(exists(folder.file("gpu.json.unfinished")));
}

TEST(sidecar, of_a_resumed_run_has_every_session)
{
  const temporary_folder folder;
  const std::string csv = folder.file("gpu.csv");
  for (const char* const session : {"1", "2", "3"})
  {
    perf::sidecar(csv, start::resume, facts{{"session", session, true}});
  }
  EXPECT_EQ(read(folder.file("gpu.json.unfinished")), "[\n{\"session\": 1},\n{\"session\": 2},\n{\"session\": 3}\n]\n");
  perf::sidecar(csv, start::force, facts{{"session", "4", true}});
  EXPECT_EQ(read(folder.file("gpu.json.unfinished")), "[\n{\"session\": 4}\n]\n");
}
} // namespace
