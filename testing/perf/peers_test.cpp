// Rules: what is measured with a newer CCCL than the toolkit's is called otherwise, so that its rows stand for themselves; nothing else
// is; no two implementations have one name.
#include "peers.h"

#include "scan_case.h"
#include "small_calls.h"

#include <gtest/gtest.h>

namespace
{
TEST(peers, of_a_newer_cccl_are_called_otherwise)
{
  for (const char* const peer : {"cub", "thrust", "thrust_nosync"})
  {
    EXPECT_EQ(perf::name_in_results(peer, true), std::string(peer) + "_newest");
    EXPECT_EQ(perf::name_in_results(peer, false), peer);
  }
  for (const char* const none : {"memcpy", "lightscan", "lightscan_cg", "empty_kernel", "tbb"})
  {
    EXPECT_EQ(perf::name_in_results(none, true), none);
  }
  EXPECT_FALSE(perf::newest_cccl) << "unless CMake says so";
}

template <class Names>
std::set<std::string> different_in_both_builds(const Names& names)
{
  std::set<std::string> different;
  for (const std::string name : names)
  {
    different.insert(perf::name_in_results(name, false));
    different.insert(perf::name_in_results(name, true));
  }
  return different;
}

TEST(peers, have_names_of_their_own)
{
  EXPECT_EQ(different_in_both_builds(perf::impl_names).size(), std::size(perf::impl_names) + 2);
  EXPECT_EQ(different_in_both_builds(perf::small_calls::impls).size(), std::size(perf::small_calls::impls) + 3);
  EXPECT_EQ(perf::name_of(perf::impl::memcpy), "memcpy");
  EXPECT_EQ(perf::name_of(perf::impl::cub_run_to_run), "cub_run_to_run");
  EXPECT_EQ(perf::name_of(perf::impl::empty_kernel), "empty_kernel") << "the last of both lists";
}
} // namespace
