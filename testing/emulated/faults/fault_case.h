// What the tests share that are to find faults planted in copies of the headers (../CMakeLists.txt): a file for each sort of kernel, for
// a fault is one more build of the file that finds it.
#pragma once

#include "../case.h"

namespace emulated
{
using number = maps<std::uint32_t, 1>;

inline constexpr unsigned seeds = 30;

inline std::size_t any_size(std::mt19937_64& random)
{
  const dispatch::bulk_shape shape = dispatch::shape_for<number>(__CUDA_ARCH__ / 10);
  return static_cast<std::size_t>(any_number(random, shape.tile_items, shape.stages));
}

// Scans of `input`, which `first` yields, into a range that lies there.
template <class It>
void check(It first, const std::vector<number>& input, place to)
{
  using problem = dispatch::scan_problem<number, It, number*, compose, no_init, true>;
  const range<number> out(input.size(), to);
  ASSERT_NO_FATAL_FAILURE(
    launch(problem{first, out.data(), static_cast<std::int64_t>(input.size()), {}, {}}, kernels::bulk_only));
  EXPECT_EQ(out.differs_from(scan_of<true>(input, no_init{}, compose{})), "");
}
} // namespace emulated
