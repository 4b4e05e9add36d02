// Rule: faults are found where functions make items, of memory and of an index.
#include "fault_case.h"

#include <lightscan/entry/select_problem.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

using namespace emulated;

namespace
{
using narrow = maps<std::uint16_t, 1>;

struct to_map
{
  narrow operator()(std::uint32_t of) const
  {
    return {static_cast<std::uint16_t>(of * 77u | 1), {static_cast<std::uint16_t>(of ^ of >> 3)}};
  }
};

struct to_key
{
  std::uint32_t operator()(std::uint32_t i) const
  {
    return i / 3;
  }
};
} // namespace

TEST(faults, of_kept_values)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto numbers  = values<std::uint32_t>(n, random);
    const range<std::uint32_t> in(numbers, any_place(random));
    const range<narrow> out(n, any_place(random));
    const auto first = thrust::make_transform_iterator(static_cast<const std::uint32_t*>(in.data()), to_map{});
    using It         = std::remove_const_t<decltype(first)>;
    using problem    = dispatch::scan_problem<narrow, It, narrow*, compose, no_init, true>;
    ASSERT_NO_FATAL_FAILURE(
      launch(problem{first, out.data(), static_cast<std::int64_t>(n), {}, {}}, kernels::bulk_only));
    std::vector<narrow> maps;
    for (const std::uint32_t of : numbers)
    {
      maps.push_back(to_map{}(of));
    }
    EXPECT_EQ(out.differs_from(scan_of<true>(maps, no_init{}, compose{})), "");
  });
}

TEST(faults, of_calculated_keys)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto n = static_cast<std::size_t>(any_number(random, 4000, 6));
    const range<std::uint32_t> out(n, any_place(random));
    const memory<std::int64_t> count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(lightscan::entry::select_problem_of<true>(lightscan::tile::run_test<cuda::std::equal_to<>>{},
                                                       lightscan::entry::these(thrust::make_transform_iterator(
                                                         thrust::make_counting_iterator(std::uint32_t{0}), to_key{})),
                                                       lightscan::entry::these(out.data()),
                                                       count.data(),
                                                       static_cast<std::int64_t>(n)),
             kernels::bulk_only));
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < n; i += 3)
    {
      wanted.push_back(to_key{}(i));
    }
    EXPECT_EQ(out.differs_from(wanted), "");
  });
}
