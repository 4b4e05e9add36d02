// Rule: with CCCL's assertions on (CCCL_ENABLE_ASSERTIONS), offsets of segments that are negative, do not ascend, or lie past the end
// make either kernel fail; those that ascend do not, though segments be empty.
#if !defined(CCCL_ENABLE_ASSERTIONS)
#  error "this test is about assertions"
#endif

#include "case.h"

#include <lightscan/tile/segment_heads.h>

using namespace emulated;
namespace tile = lightscan::tile;

namespace
{
// Sums of ones in the segments at `offsets`, with as many items as the last one says, or `items` of them.
void scan_at(const std::vector<std::int32_t>& offsets, kernels which, std::int64_t items = -1)
{
  const auto segments = static_cast<std::int64_t>(offsets.size()) - 1;
  const range<std::uint32_t> in(std::vector<std::uint32_t>(8000, 1), place{});
  const range<std::uint32_t> out(8000, place{});
  const range<std::int32_t> of_segments(offsets, place{});
  using list  = tile::offset_list<const std::int32_t*, std::int64_t>;
  using heads = tile::offset_heads<const std::int32_t*, std::int64_t>;
  using plus  = cuda::std::plus<>;
  const list told{of_segments.data(), segments};
  if (items < 0)
  {
    using count   = tile::items_in_segments<const std::int32_t*, std::int64_t>;
    using problem = dispatch::
      segmented_problem<std::uint32_t, heads, const std::uint32_t*, std::uint32_t*, plus, no_init, true, count>;
    launch(problem{{heads{told}, in.data()}, out.data(), count{told}, {}, {}, {}}, which);
  }
  else
  {
    using problem =
      dispatch::segmented_problem<std::uint32_t, heads, const std::uint32_t*, std::uint32_t*, plus, no_init, true>;
    launch(problem{{heads{told}, in.data()}, out.data(), items, {}, {}, {}}, which);
  }
}

class offsets : public testing::TestWithParam<kernels>
{
protected:
  void SetUp() override
  {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};
} // namespace

TEST_P(offsets, that_ascend_are_served)
{
  scan_at({0, 0, 0, 700, 700, 5000, 8000, 8000}, GetParam());
  scan_at({0, 1, 2, 3, 3, 3, 4}, GetParam());
  scan_at({0}, GetParam());
  scan_at({0, 700, 8000}, GetParam(), 8000);
}

TEST_P(offsets, past_the_end_fail)
{
  EXPECT_DEATH(scan_at({0, 16000, 8000}, GetParam()), "above the next one");
  EXPECT_DEATH(scan_at({0, 700, 8001, 8000}, GetParam()), "above the next one");
  EXPECT_DEATH(scan_at({8001, 8000}, GetParam()), "above the next one");
}

TEST_P(offsets, that_do_not_ascend_fail)
{
  EXPECT_DEATH(scan_at({0, 5000, 300, 8000}, GetParam()), "above the next one");
  EXPECT_DEATH(scan_at({0, 5000, 300, 8000}, GetParam(), 8000), "above the next one");
}

TEST_P(offsets, that_are_negative_fail)
{
  EXPECT_DEATH(scan_at({-5, 300, 8000}, GetParam()), "is negative");
  EXPECT_DEATH(scan_at({0, 300, -1}, GetParam()), "is negative");
}

INSTANTIATE_TEST_SUITE_P(of_segments,
                         offsets,
                         testing::Values(kernels::plain_only, kernels::bulk_only),
                         [](const auto& of) {
                           return of.param == kernels::plain_only ? "plain_kernel" : "bulk_pipeline";
                         });
