// Rule: a CUDA failure is a thrust::system_error that names the call and what failed. Here: no usable GPU. The program
// hides every GPU from itself, so that it tests the same thing on any machine.
#include <lightscan/lightscan.h>

#include <thrust/scan.h>
#include <thrust/system_error.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace
{
std::string message_of_a_scan(int n)
{
  int* const nowhere = nullptr;
  try
  {
    thrust::inclusive_scan(lightscan::par, nowhere, nowhere + n, nowhere);
  }
  catch (const thrust::system_error& error)
  {
    EXPECT_EQ(error.code().category(), thrust::cuda_category());
    EXPECT_NE(error.code().value(), 0);
    return error.what();
  }
  return "";
}
} // namespace

class without_a_gpu : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    ASSERT_EQ(setenv("CUDA_VISIBLE_DEVICES", "", 1), 0);
  }
};

TEST_F(without_a_gpu, a_scan_throws_and_says_so)
{
  const std::string message = message_of_a_scan(1000);
  EXPECT_NE(message.find("lightscan: inclusive_scan of 1000 items failed"), std::string::npos) << message;
  EXPECT_NE(message.find("is there a usable GPU and driver?"), std::string::npos) << message;
}

TEST_F(without_a_gpu, the_second_call_fails_like_the_first)
{
  const std::string first = message_of_a_scan(10);
  EXPECT_NE(first, "");
  EXPECT_EQ(message_of_a_scan(10), first);
}

TEST_F(without_a_gpu, an_empty_range_needs_none)
{
  EXPECT_EQ(message_of_a_scan(0), "");
  EXPECT_EQ(message_of_a_scan(-5), "");
}
