// Rule: faults are found in scans along an axis: one line or a few, which are staged; long ones, through the pipeline; many, which blocks
// take as a whole; so many that threads do.
#include "fault_case.h"

#include <lightscan/axis.h>
#include <lightscan/dispatch/batched_launch.h>

using namespace emulated;

TEST(faults, of_lines)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    using wide       = maps<std::uint64_t, 31>; // tiles of 64 of them: many windows
    using problem    = dispatch::batched_problem<wide, true, const wide*, wide*, compose, no_init>;
    using small      = dispatch::batched_problem<number, true, const number*, number*, compose, no_init>;
    const auto check = [&](auto of, auto value, const lightscan::axis& along) {
      using T          = decltype(value);
      using launcher   = dispatch::batched_launcher<decltype(of)>;
      const auto input = values<T>(static_cast<std::size_t>(along.outer * along.length * along.inner), random);
      const range<T> in(input, {0, true});
      const range<T> out(input.size(), {0, true});
      const std::size_t bytes = launcher::bytes_for(along, device().multiprocessors);
      std::vector<std::uint64_t> slots(bytes / 8 + 1);
      of.input  = in.data();
      of.output = out.data();
      of.along  = along;
      try
      {
        ASSERT_TRUE(launcher(of, nullptr).run(slots.data(), bytes));
      }
      catch (const failure& failed)
      {
        FAIL() << failed.what();
      }
      std::vector<T> expected(input);
      for (auto i = static_cast<std::size_t>(along.inner); i < input.size(); ++i)
      {
        const bool begins = static_cast<std::int64_t>(i) / along.inner % along.length == 0;
        expected[i] = begins ? input[i] : compose{}(expected[i - static_cast<std::size_t>(along.inner)], input[i]);
      }
      EXPECT_EQ(out.differs_from(expected), "");
    };
    check(problem{nullptr, nullptr, {1, 1, 1}, {}, {}},
          wide{},
          lightscan::axis(1, 4000 + below(random, 4000), 3 + below(random, 3)));
    check(small{nullptr, nullptr, {1, 1, 1}, {}, {}}, number{}, lightscan::axis(1, 2000 + below(random, 7000), 3));
    check(small{nullptr, nullptr, {1, 1, 1}, {}, {}},
          number{},
          lightscan::axis(2, 60000 + below(random, 9000), 3)); // the pipeline's: some fifty tiles
    check(small{nullptr, nullptr, {1, 1, 1}, {}, {}},
          number{},
          lightscan::axis(8 + below(random, 3), 2800 + below(random, 500), 3));
    check(small{nullptr, nullptr, {1, 1, 1}, {}, {}}, number{}, lightscan::axis(2, 9 + below(random, 50), 800));
  });
}
