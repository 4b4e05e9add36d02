// Rule: a scan is right however many blocks it has and wherever its slots are: more blocks than tiles or fewer, less room than blocks,
// several windows of tiles, memory that the caller brings, by either transport; also of a number of items that only the GPU knows.
#include "case.h"

using namespace emulated;

namespace
{
using number = maps<std::uint32_t, 1>;
using item   = maps<std::uint32_t, 3>; // 16 bytes: a slot has four words

template <class T>
using problem_of = dispatch::scan_problem<T, const T*, T*, compose, no_init, true>;

template <class T, class Transport = lightscan::carry::default_transport>
void check(std::int64_t n, std::mt19937_64& random, kernels which, int most_blocks = 0, std::size_t brought = 0)
{
  const auto input = values<T>(static_cast<std::size_t>(n), random);
  const range<T> in(input, any_place(random));
  const range<T> out(input.size(), any_place(random));
  const problem_of<T> problem{in.data(), out.data(), n, {}, {}};
  const memory<std::uint64_t> slots(brought / 8);
  SCOPED_TRACE("n = " + std::to_string(n));
  try
  {
    dispatch::launcher<problem_of<T>, Transport> launcher(problem, nullptr, which, most_blocks);
    const lightscan::runtime::outcome done = brought > 0
                                             ? launcher.run(lightscan::runtime::slots_brought(slots.data(), brought))
                                             : launcher.run();
    ASSERT_TRUE(done) << done.doing << ", error " << done.error;
  }
  catch (const failure& failed)
  {
    FAIL() << failed.what();
  }
  EXPECT_EQ(out.differs_from(scan_of<true>(input, no_init{}, compose{})), "");
}

template <class T>
std::int64_t tile_items()
{
  return dispatch::shape_for<T>(__CUDA_ARCH__ / 10).tile_items;
}
} // namespace

TEST(launches, of_many_blocks_and_several_windows_of_tiles)
{
  each_seed(2, [](std::mt19937_64& random) {
    device().multiprocessors = 3 + below(random, 20);
    device().room            = 0;
    check<item>((170 + below(random, 200)) * tile_items<item>() + below(random, 1000), random, kernels::bulk_only);
  });
}

TEST(launches, of_many_blocks_of_the_plain_kernel)
{
  each_seed(4, [](std::mt19937_64& random) {
    device().multiprocessors = 3 + below(random, 20);
    check<number>(1 + below(random, 400000), random, kernels::plain_only);
  });
}

TEST(launches, of_fewer_blocks_than_there_is_room_for)
{
  each_seed(8, [](std::mt19937_64& random) {
    device().multiprocessors = 4;
    check<number>((1 + below(random, 20)) * tile_items<number>(), random, kernels::bulk_only, 1 + below(random, 4));
  });
}

// Where each block has one tile, blocks may wait for those that have gone before.
TEST(launches, of_blocks_one_after_the_other)
{
  each_seed(8, [](std::mt19937_64& random) {
    device().multiprocessors = 6;
    device().room            = 1 + below(random, 2);
    check<number>((1 + below(random, 6)) * tile_items<number>() - below(random, 2), random, kernels::bulk_only);
    check<number>(1 + below(random, 12) * 1024, random, kernels::plain_only);
  });
}

TEST(launches, in_memory_that_the_caller_brings)
{
  each_seed(12, [](std::mt19937_64& random) {
    device().room        = 0;
    const std::int64_t n = (1 + below(random, 30)) * tile_items<item>() + 5;
    const auto bytes = dispatch::launcher<problem_of<item>>::bytes_for(problem_of<item>{nullptr, nullptr, n, {}, {}});
    check<item>(n, random, below(random, 2) == 0 ? kernels::bulk_only : kernels::plain_only, 0, bytes);
  });
}

TEST(launches, by_the_papers_transport)
{
  each_seed(12, [](std::mt19937_64& random) {
    check<item, lightscan::carry::cg_transport>((1 + below(random, 20)) * tile_items<item>() + 5,
                                                random,
                                                below(random, 2) == 0 ? kernels::bulk_only : kernels::plain_only);
  });
}

TEST(launches, of_whichever_kernel_is_the_faster_one)
{
  each_seed(12, [](std::mt19937_64& random) {
    check<number>(any_number(random, static_cast<int>(tile_items<number>()), 8), random, kernels::best);
  });
}

namespace
{
struct known_on_the_gpu
{
  const std::int64_t* where;

  operator std::int64_t() const
  {
    return *where;
  }
};
} // namespace

TEST(launches, of_a_number_that_only_the_gpu_knows)
{
  each_seed(12, [](std::mt19937_64& random) {
    using problem = dispatch::scan_problem<number, const number*, number*, compose, no_init, true, known_on_the_gpu>;
    const std::int64_t n = below(random, 10) == 0 ? 0 : any_number(random, 1600, 5);
    const auto input     = values<number>(static_cast<std::size_t>(n), random);
    const range<number> in(input, any_place(random));
    const range<number> out(input.size(), any_place(random));
    ASSERT_NO_FATAL_FAILURE(launch(
      problem{in.data(), out.data(), {&n}, {}, {}}, below(random, 3) == 0 ? kernels::plain_only : kernels::best));
    EXPECT_EQ(out.differs_from(scan_of<true>(input, no_init{}, compose{})), "") << "n = " << n;
  });
}
