// Rule: faults are found in scans of columns on different grids.
#include "fault_case.h"

using namespace emulated;

TEST(faults, of_columns_on_different_grids)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    const auto scale    = values<std::uint32_t>(n, random);
    const auto shift    = values<std::uint8_t>(n, random);
    const range<std::uint32_t> first(scale, any_place(random));
    const range<std::uint8_t> second(shift, any_place(random));
    std::vector<number> input(n);
    const auto made = [](const auto& of) {
      return number{cuda::std::get<0>(of), {cuda::std::get<1>(of)}};
    };
    for (std::size_t i = 0; i < n; ++i)
    {
      input[i] = made(cuda::std::make_tuple(scale[i], shift[i]));
    }
    check(thrust::make_transform_iterator(thrust::make_zip_iterator(static_cast<const std::uint32_t*>(first.data()),
                                                                    static_cast<const std::uint8_t*>(second.data())),
                                          made),
          input,
          any_place(random));
  });
}
