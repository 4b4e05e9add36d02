// Rule: in a process that was forked from one whose pool of threads was in use, scans give the right results, on the calling
// thread alone, and the process ends. (It has the pool's memory, but none of its threads to wait for.)
#include <lightscan/host.h>
#include <lightscan/host/pool.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace
{
constexpr int n = 1000000; // many tiles

bool scan_is_right()
{
  const std::vector<int> values(n, 3);
  std::vector<int> sums(n);
  thrust::inclusive_scan(lightscan::host.threads(2), values.begin(), values.end(), sums.begin());
  std::vector<int> expected(n);
  std::inclusive_scan(values.begin(), values.end(), expected.begin());
  return sums == expected;
}

// How the child ended: what it does is to call `std::exit` with what `body` returns.
template <class Body>
int status_of_child(Body body)
{
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0)
  {
    alarm(60); // a child that waits for ever is killed
    std::exit(body());
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
} // namespace

TEST(after_a_fork, a_child_that_scans_ends)
{
  ASSERT_TRUE(scan_is_right());
  EXPECT_EQ(status_of_child([] {
              const bool alone = lightscan::host_pool::crew(2).members() == 1;
              return alone && scan_is_right() && scan_is_right() ? 7 : 1;
            }),
            7);
  EXPECT_TRUE(scan_is_right());
}

TEST(after_a_fork, a_child_that_does_not_scan_ends)
{
  ASSERT_TRUE(scan_is_right());
  EXPECT_EQ(status_of_child([] {
              return 7;
            }),
            7);
}
