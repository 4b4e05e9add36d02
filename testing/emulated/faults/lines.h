// A scan along an axis, of memory without gaps, as the tests of planted faults make it.
#pragma once

#include "fault_case.h"

#include <lightscan/axis.h>
#include <lightscan/dispatch/batched_launch.h>

namespace emulated
{
template <class T>
void check_lines(const lightscan::axis& along, std::mt19937_64& random)
{
  using problem    = dispatch::batched_problem<T, true, const T*, T*, compose, no_init>;
  using launcher   = dispatch::batched_launcher<problem>;
  const auto input = values<T>(static_cast<std::size_t>(along.outer * along.length * along.inner), random);
  const range<T> in(input, {0, true});
  const range<T> out(input.size(), {0, true});
  const std::size_t bytes = launcher::bytes_for(along, device().multiprocessors);
  std::vector<std::uint64_t> slots(bytes / 8 + 1);
  try
  {
    ASSERT_TRUE(launcher(problem{in.data(), out.data(), along, {}, {}}, nullptr).run(slots.data(), bytes));
  }
  catch (const failure& failed)
  {
    FAIL() << failed.what();
  }
  std::vector<T> expected(input);
  const auto count = static_cast<std::int64_t>(input.size());
  for (std::int64_t n = 0; n < count; ++n)
  {
    const std::int64_t i     = along.reverse ? count - 1 - n : n;
    const std::int64_t layer = i / along.inner % along.length;
    if (layer != (along.reverse ? along.length - 1 : 0))
    {
      const std::int64_t before             = along.reverse ? i + along.inner : i - along.inner;
      expected[static_cast<std::size_t>(i)] = compose{}(
        expected[static_cast<std::size_t>(before)], input[static_cast<std::size_t>(i)]);
    }
  }
  EXPECT_EQ(out.differs_from(expected), "");
}
} // namespace emulated
