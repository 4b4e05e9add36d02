// Selections and reductions by key of strings with lightscan::host: what is not its bytes goes from left to right. A .cpp
// file, because nvcc warns where Thrust's sequential algorithms copy strings in functions that are for device code, too.
#include "beside_loops.h"

#include <lightscan/host.h>

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace
{
TEST(results, of_strings_are_those_of_loops)
{
  for (const std::size_t count : {0, 1, 2, 3, 100, 1700, 5000})
  {
    host_testing::check<std::string>(count);
  }
}

TEST(reductions, of_strings_keep_the_order_of_values)
{
  const std::vector<int> keys{1, 1, 1, 2, 3, 3};
  const std::vector<std::string> values{"a", "b", "c", "d", "e", "f"};
  std::vector<int> keys_out(3);
  std::vector<std::string> out(3);
  thrust::reduce_by_key(lightscan::host, keys.begin(), keys.end(), values.begin(), keys_out.begin(), out.begin());
  EXPECT_EQ(out, (std::vector<std::string>{"abc", "d", "ef"}));
}
} // namespace
