// Selections and reductions by key of strings with lightscan::host: what is not its bytes goes from left to right. A .cpp
// file, because nvcc warns where Thrust's sequential algorithms copy strings in functions that are for device code, too.
#include "beside_loops.h"

#include <lightscan/host.h>

#include <cstddef>
#include <iterator>
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

// The first element has none before it: it is not read for a comparison, which would leave nothing of it.
TEST(strings, that_are_moved_are_all_there)
{
  const std::string a = "a string that is too long for the object itself", b = "another one of the same kind";
  std::vector<std::string> values{a, a, b, b, b, a};
  std::vector<std::string> out(3);
  const auto end = thrust::unique_copy(
    lightscan::host, std::make_move_iterator(values.begin()), std::make_move_iterator(values.end()), out.begin());
  EXPECT_EQ(end, out.end());
  EXPECT_EQ(out, (std::vector<std::string>{a, b, a}));
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
