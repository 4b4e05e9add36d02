// Ranks that are processes, a GPU each: this program starts itself again for each rank. Needs two GPUs.
//
// Rules covered:
//   - ranks in two processes get the scan of all parts, by either way of exchange; mailboxes lie in another process's memory
//   - a process that dies before it calls is given up by the others, whose GPU is usable afterwards
#include "ranks.h"

#include <lightscan/multi_gpu.h>
#include <lightscan/scan.h>

#include <thrust/system_error.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace testing_support;
using lightscan::exchange;

extern char** environ;

namespace
{
std::string in_hexadecimal(const ncclUniqueId& id)
{
  const char* const digits = "0123456789abcdef";
  std::string text;
  for (const char byte : id.internal)
  {
    text += digits[static_cast<unsigned char>(byte) / 16];
    text += digits[static_cast<unsigned char>(byte) % 16];
  }
  return text;
}

ncclUniqueId from_hexadecimal(const std::string& text)
{
  ncclUniqueId id;
  for (std::size_t i = 0; i < sizeof(id.internal); ++i)
  {
    id.internal[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  return id;
}

std::string from_environment(const char* name)
{
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Starts this program as one rank.
pid_t start_rank(int rank, const std::string& id, const std::string& way, bool dies)
{
  std::vector<std::string> variables;
  for (char** one = environ; *one != nullptr; ++one)
  {
    variables.emplace_back(*one);
  }
  variables.push_back("LIGHTSCAN_TEST_RANK=" + std::to_string(rank));
  variables.push_back("LIGHTSCAN_TEST_ID=" + id);
  variables.push_back("LIGHTSCAN_TEST_WAY=" + way);
  variables.push_back(std::string("LIGHTSCAN_TEST_DIES=") + (dies ? "1" : "0"));
  std::vector<std::string> words{"rank", "--gtest_also_run_disabled_tests", "--gtest_filter=processes.DISABLED_rank"};
  std::vector<char*> arguments;
  std::vector<char*> environment;
  for (std::string& word : words)
  {
    arguments.push_back(word.data());
  }
  for (std::string& variable : variables)
  {
    environment.push_back(variable.data());
  }
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  pid_t child = -1;
  EXPECT_EQ(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environment.data()), 0);
  return child;
}

void run_ranks(const std::string& way, bool one_dies)
{
  if (gpus_are_missing(2))
  {
    GTEST_SKIP() << "needs two GPUs";
  }
  ncclUniqueId id;
  ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  std::vector<pid_t> children;
  for (int rank = 0; rank < 2; ++rank)
  {
    children.push_back(start_rank(rank, in_hexadecimal(id), way, one_dies));
  }
  for (const pid_t child : children)
  {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "a rank failed: status " << status;
  }
}
} // namespace

// What a rank does, in a process of its own.
TEST(processes, DISABLED_rank)
{
  if (from_environment("LIGHTSCAN_TEST_RANK").empty())
  {
    GTEST_SKIP() << "started by the other tests";
  }
  const watchdog watches;
  const int rank     = std::stoi(from_environment("LIGHTSCAN_TEST_RANK"));
  const bool dies    = from_environment("LIGHTSCAN_TEST_DIES") == "1";
  const exchange way = from_environment("LIGHTSCAN_TEST_WAY") == "peer" ? exchange::peer : exchange::nccl;
  LIGHTSCAN_EXPECT_CUDA(cudaSetDevice(rank));
  ncclComm_t comm = nullptr;
  ASSERT_EQ(ncclCommInitRank(&comm, 2, from_hexadecimal(from_environment("LIGHTSCAN_TEST_ID")), rank), ncclSuccess);
  cudaStream_t stream = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const std::int64_t n = 300000 + rank;
  part_of<int> in(n);
  part_of<int> out(n);
  in.upload(std::vector<int>(static_cast<std::size_t>(n), 1));
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  {
    lightscan::group group(comm, stream, way);
    EXPECT_EQ(group.way(), way);
    const auto policy = lightscan::par_nosync.on(stream).across(group);
    for (int call = 0; call < 100; ++call)
    {
      thrust::inclusive_scan(policy, in.get(), in.get() + n, out.get());
    }
    group.wait(stream);
    const std::vector<int> found = out.download();
    for (std::int64_t i = 0; i < n; ++i)
    {
      ASSERT_EQ(found[static_cast<std::size_t>(i)], rank * 300000 + i + 1);
    }
    if (dies && rank == 1)
    {
      _exit(0);
    }
    if (dies)
    {
      group.set_limit(std::chrono::seconds(2));
      bool failed = false;
      try
      {
        thrust::inclusive_scan(lightscan::par.on(stream).across(group), in.get(), in.get() + n, out.get());
      }
      catch (const thrust::system_error&)
      {
        failed = true;
      }
      EXPECT_TRUE(failed);
      thrust::inclusive_scan(lightscan::par.on(stream), in.get(), in.get() + n, out.get());
      EXPECT_EQ(out.download()[0], 1);
    }
  }
  (void) (dies ? ncclCommAbort(comm) : ncclCommDestroy(comm));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST(processes, scan_by_nccl)
{
  run_ranks("nccl", false);
}

TEST(processes, scan_by_peer)
{
  run_ranks("peer", false);
}

TEST(processes, one_dies_by_nccl)
{
  run_ranks("nccl", true);
}

TEST(processes, one_dies_by_peer)
{
  run_ranks("peer", true);
}
