// Rule: libraries of one program do not mix, be they compiled with Thrust in another namespace, with another CCCL or
// for other architectures: each throws its own Thrust's exceptions. Policies pass between its files all the same. The
// program hides every GPU from itself, so that it tests the same thing on any machine.
#include "failing_scan.h"

#include <gtest/gtest.h>

#include <cstdlib>

thrown by_wrapped_scan();
long long wrapped_sum_below(int n);
thrown by_scan_with_a_policy_held();
long long sum_below_with_a_policy_held(int n);
thrown by_scan_with_other_cccl();
long long sum_below_with_other_cccl(int n);

namespace
{
constexpr int n         = 50000;
constexpr long long sum = n / 2 * (n - 1LL);

class together : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    ASSERT_EQ(setenv("CUDA_VISIBLE_DEVICES", "", 1), 0);
  }
};

TEST_F(together, with_thrust_in_two_namespaces)
{
  EXPECT_EQ(by_scan(lightscan::par), thrown::its_own);
  EXPECT_EQ(by_wrapped_scan(), thrown::its_own);
  EXPECT_EQ(sum_below(n), sum);
  EXPECT_EQ(wrapped_sum_below(n), sum);
}

TEST_F(together, with_policies_of_plain_files)
{
  EXPECT_EQ(by_scan_with_a_policy_held(), thrown::its_own);
  EXPECT_EQ(sum_below_with_a_policy_held(n), 2 * sum);
}

#if defined(LIGHTSCAN_TEST_OTHER_CCCL)
TEST_F(together, with_two_versions_of_cccl)
{
  EXPECT_EQ(by_scan(lightscan::par), thrown::its_own);
  EXPECT_EQ(by_scan_with_other_cccl(), thrown::its_own);
  EXPECT_EQ(sum_below(n), sum);
  EXPECT_EQ(sum_below_with_other_cccl(n), sum);
}
#endif
} // namespace
