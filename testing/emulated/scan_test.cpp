// Rule: scans of memory are right on every architecture, whatever runs when: of elements of all sizes, at any address, in place,
// against the order of memory; and nothing beside the ranges is read or written.
#include "case.h"

using namespace emulated;

namespace
{
template <class T>
dispatch::bulk_shape shape()
{
  return dispatch::shape_for<T>(__CUDA_ARCH__ / 10);
}

template <bool Inclusive, class T, class Op, class Init>
void check(std::int64_t n, Op op, Init init, std::mt19937_64& random, kernels which)
{
  using problem       = dispatch::scan_problem<T, const T*, T*, Op, Init, Inclusive>;
  const auto input    = values<T>(static_cast<std::size_t>(n), random);
  const place from    = any_place(random);
  const bool in_place = below(random, 4) == 0;
  const range<T> in(input, from);
  const range<T> apart(input.size(), below(random, 2) == 0 ? from : any_place(random));
  T* const out = in_place ? in.data() : apart.data();
  SCOPED_TRACE("n = " + std::to_string(n) + (in_place ? ", in place" : ", apart"));
  ASSERT_NO_FATAL_FAILURE(launch(problem{in.data(), out, n, op, init}, which));
  EXPECT_EQ((in_place ? in : apart).differs_from(scan_of<Inclusive>(input, init, op)), "");
  if (!in_place)
  {
    EXPECT_EQ(in.differs_from(input), "");
  }
}

template <class T, class Op>
void check_all(unsigned seeds, Op op, kernels which = kernels::bulk_only)
{
  const dispatch::bulk_shape bulk = shape<T>();
  ASSERT_TRUE(bulk.serves);
  each_seed(seeds, [&](std::mt19937_64& random) {
    const std::int64_t n = any_number(random, bulk.tile_items, bulk.stages);
    const T init         = any_value<T>::from(random);
    if (below(random, 2) == 0)
    {
      check<true, T>(n, op, no_init{}, random, which);
    }
    else
    {
      check<false, T>(n, op, init, random, which);
    }
  });
}
} // namespace

TEST(pipeline, scans_1_byte)
{
  check_all<std::uint8_t>(20, compose{});
}
TEST(pipeline, scans_2_bytes)
{
  check_all<maps<std::uint8_t, 1>>(20, compose{});
}
TEST(pipeline, scans_3_bytes)
{
  check_all<maps<std::uint8_t, 2>>(20, compose{});
}
TEST(pipeline, scans_4_bytes)
{
  check_all<maps<std::uint16_t, 1>>(20, compose{});
}
TEST(pipeline, scans_7_bytes)
{
  check_all<maps<std::uint8_t, 6>>(10, compose{});
}
TEST(pipeline, scans_8_bytes)
{
  check_all<maps<std::uint32_t, 1>>(20, compose{});
}
TEST(pipeline, scans_12_bytes)
{
  check_all<maps<std::uint32_t, 2>>(20, compose{});
}
TEST(pipeline, scans_15_bytes)
{
  check_all<maps<std::uint8_t, 14>>(10, compose{});
}
TEST(pipeline, scans_16_bytes)
{
  check_all<maps<std::uint32_t, 3>>(20, compose{});
}
TEST(pipeline, scans_24_bytes)
{
  check_all<maps<std::uint32_t, 5>>(20, compose{});
}
TEST(pipeline, scans_100_bytes)
{
  check_all<maps<std::uint32_t, 24>>(20, compose{});
}
TEST(pipeline, scans_256_bytes)
{
  check_all<maps<std::uint32_t, 63>>(10, compose{});
}
TEST(pipeline, sums_bytes)
{
  check_all<std::uint8_t>(20, cuda::std::plus<>{});
}
namespace
{
void check_intervals(kernels which, unsigned seeds)
{
  using problem = dispatch::scan_problem<interval, const interval*, interval*, strict_join, no_init, true>;
  each_seed(seeds, [&](std::mt19937_64& random) {
    std::vector<interval> input(static_cast<std::size_t>(any_number(random, shape<interval>().tile_items, 5)));
    for (std::uint32_t i = 0; i < input.size(); ++i)
    {
      input[i] = {i + 1, i + 2};
    }
    const range<interval> in(input, any_place(random));
    const range<interval> out(input.size(), any_place(random));
    bad_joins = 0;
    ASSERT_NO_FATAL_FAILURE(
      launch(problem{in.data(), out.data(), static_cast<std::int64_t>(input.size()), {}, {}}, which));
    EXPECT_EQ(bad_joins, 0) << "of " << input.size() << " intervals";
    EXPECT_EQ(out.differs_from(scan_of<true>(input, no_init{}, strict_join{})), "");
  });
}
} // namespace

// Even where the result is thrown away.
TEST(pipeline, combines_neighbours_only_and_in_order)
{
  check_intervals(kernels::bulk_only, 20);
}
TEST(plain, combines_neighbours_only_and_in_order)
{
  check_intervals(kernels::plain_only, 20);
}

TEST(plain, scans_8_bytes)
{
  check_all<maps<std::uint32_t, 1>>(20, compose{}, kernels::plain_only);
}
