// Rule: faults are found where columns are reduced by key.
#include "../../support/operators.h"
#include "fault_case.h"

#include <lightscan/entry/select_problem.h>

#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/functional>
#include <cuda/std/tuple>

using namespace emulated;

TEST(faults, of_reductions)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    const auto n = static_cast<std::size_t>(any_number(random, 4000, 6));
    std::vector<int> keys(n); // runs of one or two, now and then of more
    for (std::size_t i = 1; i < n; ++i)
    {
      keys[i] = keys[i - 1] + (below(random, 3) > 0 ? 1 : 0);
    }
    const auto first  = values<std::uint32_t>(n, random);
    const auto second = values<std::uint64_t>(n, random);
    const range<int> by(keys, any_place(random));
    const range<std::uint32_t> of(first, any_place(random));
    const range<std::uint64_t> of_others(second, any_place(random));
    const range<int> keys_out(n, any_place(random));
    const range<std::uint32_t> out(n, any_place(random));
    const range<std::uint64_t> others_out(n, any_place(random));
    const memory<std::int64_t> count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(lightscan::entry::reduce_by_key_problem_of<cuda::std::tuple<std::uint32_t, std::uint64_t>>(
               static_cast<const int*>(by.data()),
               thrust::make_zip_iterator(
                 static_cast<const std::uint32_t*>(of.data()), static_cast<const std::uint64_t*>(of_others.data())),
               keys_out.data(),
               thrust::make_zip_iterator(out.data(), others_out.data()),
               count.data(),
               static_cast<std::int64_t>(n),
               cuda::std::equal_to<>{},
               testing_support::add_members{}),
             kernels::bulk_only));
    std::vector<int> wanted_keys;
    std::vector<std::uint32_t> wanted;
    std::vector<std::uint64_t> wanted_others;
    for (std::size_t i = 0; i < n; ++i)
    {
      if (i == 0 || keys[i] != keys[i - 1])
      {
        wanted_keys.push_back(keys[i]);
        wanted.push_back(0);
        wanted_others.push_back(0);
      }
      wanted.back() += first[i];
      wanted_others.back() += second[i];
    }
    EXPECT_EQ(keys_out.differs_from(wanted_keys), "");
    EXPECT_EQ(out.differs_from(wanted), "");
    EXPECT_EQ(others_out.differs_from(wanted_others), "");
  });
}
