// A program as tests of the gpu lane are, but without a GPU: a case for each thing that testing/gpu_lane has to tell. lane_test.py
// says which of them run.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

TEST(cases, pass)
{
  EXPECT_NE(std::getenv("LIGHTSCAN_REQUIRE_GPU"), nullptr);
}

TEST(cases, fail)
{
  FAIL() << "planted";
}

TEST(cases, crash)
{
  std::abort();
}

TEST(cases, hang)
{
  std::this_thread::sleep_for(std::chrono::minutes(1));
}

TEST(cases, may_lack_two_gpus)
{
  EXPECT_EQ(std::getenv("LIGHTSCAN_REQUIRE_TWO_GPUS"), nullptr);
}

// After more than ctest keeps of what a passing program says, unless it is told to.
TEST(cases, need_two_gpus)
{
  std::printf("%5000d\n", 0);
  GTEST_SKIP() << "needs two GPUs";
}

class need_memory : public ::testing::TestWithParam<int>
{
protected:
  void SetUp() override
  {
    GTEST_SKIP() << "needs 9 GB of free GPU memory";
  }
};
TEST_P(need_memory, which_nobody_has) {}
INSTANTIATE_TEST_SUITE_P(cases, need_memory, ::testing::Values(1, 2));
