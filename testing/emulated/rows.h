// What the tests of rows of one length share: the scan of each for itself, and blocks that hold rows as a whole.
#pragma once

#include "case.h"

#include <lightscan/dispatch/rows_launch.h>
#include <lightscan/runtime/report.h>

namespace emulated
{
template <bool Inclusive, class T, class Init, class Op>
std::vector<T> scan_of_rows(const std::vector<T>& input, int length, Init init, Op op)
{
  std::vector<T> result;
  for (auto row = input.begin(); row != input.end();)
  {
    const auto end              = input.end() - row > length ? row + length : input.end();
    const std::vector<T> of_row = scan_of<Inclusive>(std::vector<T>(row, end), init, op);
    result.insert(result.end(), of_row.begin(), of_row.end());
    row = end;
  }
  return result;
}

// Scans `items` of what `first` yields, in rows, whether or not these would be taken as a whole.
template <bool Inclusive, class T, class It, class OutputIt, class Op, class Init>
void launch_whole_rows(It first, OutputIt out, std::size_t items, int length, Op op, Init init)
{
  using problem = dispatch::rows_problem<T, It, OutputIt, Op, Init, Inclusive>;
  const dispatch::whole_rows<problem> rows(
    problem{{{lightscan::tile::row_list(length)}, first}, out, static_cast<std::int64_t>(items), {op}, {}, {init}});
  ASSERT_TRUE(rows.fit());
  ASSERT_NO_FATAL_FAILURE(expect_run(dispatch::launcher<dispatch::whole_rows<problem>>(rows, nullptr)));
  EXPECT_EQ(lightscan::runtime::last_report().tile_items, length);
}
} // namespace emulated
